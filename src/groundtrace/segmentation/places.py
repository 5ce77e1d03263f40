"""Places in a text: its lines, and regions that stay whole."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal, NamedTuple

Kind = Literal["fence", "open fence", "table", "display", "code", "math", "link", "heading"]
BLOCKS: frozenset[Kind] = frozenset({"fence", "open fence", "table", "display"})
"""Kinds that stand on lines of their own."""

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Line(NamedTuple):
    """A line of a text, without its line end."""

    start: int
    end: int


class Region(NamedTuple):
    """A stretch of text that stays whole."""

    start: int
    end: int
    kind: Kind


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text in order; any of LINE_ENDS, and CR LF, ends a line."""
    lines = []
    start = 0
    for piece in text.splitlines(keepends=True):
        lines.append(Line(start, start + len(piece.rstrip(LINE_ENDS))))
        start += len(piece)
    return lines


def region_at(regions: Sequence[Region], position: int) -> Region | None:
    """Return the region with text on both sides of a position, if there is one."""
    place = bisect_right(regions, position, key=lambda region: region.start) - 1
    if place >= 0 and regions[place].start < position < regions[place].end:
        return regions[place]
    return None


def first_from(positions: Sequence[int], at_least: int) -> int | None:
    """Return the first of some sorted positions that is not before a place."""
    place = bisect_left(positions, at_least)
    return positions[place] if place < len(positions) else None
