"""``rules check``: a rule file judged, tried on samples, and told in words."""
