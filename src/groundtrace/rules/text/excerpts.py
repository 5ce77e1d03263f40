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
    """Where something stands."""

    file: str
    line: int
    """From 1."""
    column: int | None
    """In characters, from 1."""


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
    return caret(line, place.column) if place.column else (_kept(line)[:WIDEST],)


def caret(line: str, column: int) -> tuple[str, str]:
    """Return a line, and below it a caret that points to a column; of a long one, the part around.

    Args:
        column: In characters, from 1.
    """
    before = column - 1
    start = 0 if before < WIDEST - 20 else before - WIDEST // 2
    shown = _kept(line)[start : start + WIDEST]
    # Tabs stay, so that the caret stands under the place whatever their width.
    pad = (one if one == "\t" else " " * _width(one) for one in _kept(line)[start:before])
    return shown, "".join(pad) + "^"


def _kept(line: str) -> str:
    return "".join(one if one == "\t" else _plain(one) for one in line)


def _width(one: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(one):
        return 0
    return 2 if unicodedata.east_asian_width(one) in ("W", "F") else 1
