"""Records that go in and come out, free of clingo and of any output format."""
