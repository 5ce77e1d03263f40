"""Words and signs that compare a quantity: over 65, at least two, 18 or older."""

import re

_BEFORE = {
    ">=": "≥ >= ⩾ at_least no_less_than not_less_than no_fewer_than not_fewer_than a_minimum_of "
    "minimum_of minimum not_under not_below no_lower_than no_younger_than not_younger_than",
    ">": "> over above more_than greater_than higher_than exceeding exceeds exceed exceeded beyond "
    "older_than longer_than larger_than bigger_than in_excess_of upwards_of heavier_than "
    "taller_than faster_than later_than",
    "<=": "≤ <= ⩽ at_most up_to no_more_than not_more_than no_greater_than not_exceeding "
    "does_not_exceed not_to_exceed a_maximum_of maximum_of maximum within not_over not_above "
    "no_older_than no_longer_than not_longer_than no_later_than not_later_than no_higher_than",
    "<": "< under below less_than fewer_than lower_than younger_than shorter_than smaller_than "
    "lighter_than slower_than short_of earlier_than",
    "!=": "≠ != not_equal_to unequal_to other_than",
    "=": "about approximately around roughly nearly almost ~ ≈ circa some exactly precisely =",
}
_AFTER = {
    ">=": "or_more or_greater or_higher or_older or_over or_above or_longer or_later and_above "
    "and_over and_older and_more plus at_least minimum",
    "<=": "or_less or_fewer or_lower or_younger or_under or_below or_shorter or_earlier "
    "and_below and_under and_younger at_most maximum",
}


def _operators(table: dict[str, str]) -> dict[str, str]:
    found = {}
    for operator, phrases in table.items():
        for phrase in phrases.split():
            found[phrase.replace("_", " ")] = operator
    return found


_BEFORE_OPERATORS = _operators(_BEFORE)
_AFTER_OPERATORS = _operators(_AFTER)


def _pattern(phrases: dict[str, str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(
        rf"\b{re.escape(one)}\b" if one[0].isalpha() else re.escape(one) for one in ordered
    )


BEFORE = _pattern(_BEFORE_OPERATORS)
"""What stands before a number; a regular expression."""

AFTER = _pattern(_AFTER_OPERATORS)
"""What stands after it and its unit."""


def before(phrase: str | None) -> str:
    """Return the sign of what stands before a number: "=" where nothing does."""
    return _BEFORE_OPERATORS[phrase] if phrase else "="


def after(phrase: str | None) -> str | None:
    """Return the sign of what stands after a quantity, if anything does."""
    return _AFTER_OPERATORS[phrase] if phrase else None
