"""Rule files: which make a program, what they say, whether they may be used, and solving."""
