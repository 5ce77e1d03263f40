"""``rules list`` and ``rules show``: what rules, predicates and constants there are."""
