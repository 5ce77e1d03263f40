"""``rules diff``: what an edit of the rules changes over a set of cases."""
