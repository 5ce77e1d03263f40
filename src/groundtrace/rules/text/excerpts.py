"""Places in rule files, shown with their line and a caret below the column."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

WIDEST = 160
"""Characters of a line that are shown."""

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?", re.DOTALL)
_UNPRINTABLE = frozenset({"Cc", "Cf", "Co", "Cs"})


class Place(NamedTuple):
    """Where something stands, as clingo counts."""

    file: str
    line: int
    """From 1."""
    column: int | None
    """Bytes of UTF-8, from 1."""


def place_of(text: str) -> Place | None:
    """Return a place that is written as file:line or file:line:column, if it is one.

    Args:
        text: As in a complaint.
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    column = match["column"]
    return Place(match["file"], int(match["line"]), int(column) if column else None)


def plain(text: str) -> str:
    """Return a text on one line whose every odd character is replaced by one that is harmless.

    Args:
        text: May try to command a terminal or to turn a line around.
    """
    return "".join(map(_plain, text))


def _plain(one: str) -> str:
    if one.isspace():
        return " "
    return "\ufffd" if unicodedata.category(one) in _UNPRINTABLE else one


def excerpt(lines: Sequence[str], place: Place) -> tuple[str, ...]:
    """Return the line of a place, and a caret below its column; nothing if there is no such line.

    Args:
        lines: Of the file, without their ends.
    """
    if not 1 <= place.line <= len(lines):
        return ()
    line = lines[place.line - 1]
    if place.column is None:
        return (plain(line)[:WIDEST],)
    before = line.encode()[: place.column - 1].decode(errors="ignore")
    # Of a long line, the part around the column.
    start = 0 if len(before) < WIDEST - 20 else len(before) - WIDEST // 2
    shown = plain(line)[start : start + WIDEST]
    return shown, " " * sum(map(_width, plain(before)[start:])) + "^"


def _width(one: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(one):
        return 0
    return 2 if unicodedata.east_asian_width(one) in ("W", "F") else 1
