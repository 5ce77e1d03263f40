"""``rules test``: cases of rules, run and compared with what they expect."""
