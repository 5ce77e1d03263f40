"""Which lines of a text belong together: paragraphs, list items, headings, blocks.

A line end separates two segments unless one of the rules of :func:`_joins` keeps it inside one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from groundtrace.segmentation.elements import TAG
from groundtrace.segmentation.places import BLOCKS, Kind, Line, Region
from groundtrace.segmentation.sentences import MARKER

RowKind = Literal["text", "item", "marker", "heading", "underline", "block", "rule", "closing tag"]

WRAPPED_FROM = 50
"""A shorter line was hardly ended by a wrapping program."""
WRAPPED_TO = 120
SENTENCE_STOPS = frozenset(".!?…。\uff01\uff1f\uff0e।॥؟\u06d4")
COLONS = frozenset(":\uff1a")
_CONTINUERS = frozenset(",-\u2013\u2014\uff0c、،")
_CLOSERS = "\"'\u201d\u2019)]*_`\uff09」』"
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_BOLD_LINE = re.compile(r"(\*\*|__)[^*_]{1,200}\1[:\uff1a]?")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_LOWER_WORD = re.compile(r"[a-z]+(?=[\s,;)]|$)|[a-z]{2,}[.'\u2019-]")


class Unit(NamedTuple):
    """A stretch of text whose only cuts are sentence ends."""

    start: int
    end: int
    headings: tuple[Region, ...]
    """Its headings, which stay whole."""


@dataclass(slots=True)
class Row:
    """A line that is not blank, with the lines that a region binds to it."""

    start: int
    end: int
    kind: RowKind
    closing: Kind | None
    """The kind of the block that it ends with."""
    indent: int
    after_blank: bool
    hard_break: bool
    """Ends in two spaces or a backslash, which keeps lines apart in Markdown."""
    wrapped: bool = False
    """Goes on with the paragraph that the row before belongs to."""


def units_of(text: str, lines: Sequence[Line], regions: Sequence[Region]) -> Iterator[Unit]:
    """Yield the units of a text in order; only white space lies between them."""
    rows = list(_rows(text, lines, regions))
    _mark_underlines(text, rows)
    _mark_wrapped(text, rows)
    unit: list[Row] = []
    for row in rows:
        if unit and not _joins(text, unit[-1], row):
            yield _unit(unit)
            unit = []
        unit.append(row)
    if unit:
        yield _unit(unit)


def _unit(rows: Sequence[Row]) -> Unit:
    """Return the unit that some rows make up."""
    headings = [
        Region(row.start, row.end, "heading")
        for row in rows[:-1]
        if row.kind in {"heading", "underline"}
    ]
    return Unit(rows[0].start, rows[-1].end, tuple(headings))


def _rows(text: str, lines: Sequence[Line], regions: Sequence[Region]) -> Iterator[Row]:
    """Yield the rows of a text."""
    pending = iter(regions)
    region = next(pending, None)
    number = 0
    after_blank = False
    while number < len(lines):
        line = lines[number]
        end = line.end
        inside = []
        while region is not None and region.start < end:
            while lines[number].end < region.end:
                number += 1
            end = lines[number].end
            inside.append(region)
            region = next(pending, None)
        number += 1
        row = _row(text, Line(line.start, end), inside, after_blank)
        after_blank = row is None
        if row is not None:
            yield row


def _row(text: str, line: Line, inside: Sequence[Region], after_blank: bool) -> Row | None:
    """Return the row of a line, or None if the line is blank."""
    content = text[line.start : line.end]
    stripped = content.strip()
    if not stripped:
        return None
    indent = len(content) - len(content.lstrip())
    start = line.start + indent
    end = start + len(stripped)
    last = inside[-1] if inside else None
    if last is not None and (end - last.end > 1 or not _is_block(last, start)):
        last = None
    closing = last.kind if last is not None else None
    starts_block = last is not None and last.start == start
    return Row(
        start=start,
        end=end,
        kind="block" if starts_block else _kind(stripped),
        closing=closing,
        indent=indent,
        after_blank=after_blank,
        hard_break=content.endswith(("  ", "\\")),
    )


def _is_block(region: Region, start: int) -> bool:
    """Say whether a region stands on its own lines, or is a formula alone on its line."""
    return region.kind in BLOCKS or (region.kind == "math" and region.start == start)


def _kind(content: str) -> RowKind:
    """Return the kind of a row that is no block, by its text without white space around it."""
    if _HEADING.match(content) or _BOLD_LINE.fullmatch(content):
        return "heading"
    if marker := MARKER.match(content):
        return "marker" if marker.end() == len(content) else "item"
    if tag := TAG.fullmatch(content):
        return "closing tag" if tag["slash"] else "marker"
    return "text" if any(map(str.isalnum, content)) else "rule"


def _mark_underlines(text: str, rows: Sequence[Row]) -> None:
    """Turn a row over a row of ``===`` or ``---`` into a heading."""
    for before, after in pairwise(rows):
        if (
            before.kind == "text"
            and after.kind == "rule"
            and not after.after_blank
            and _UNDERLINE.fullmatch(text, after.start, after.end)
            and not _ends_with(text, before, SENTENCE_STOPS)
        ):
            before.kind = "heading"
            after.kind = "underline"


def _mark_wrapped(text: str, rows: Sequence[Row]) -> None:
    """Mark the rows of paragraphs whose lines were filled by a wrapping program.

    Such a paragraph has three lines or more, none of which had room for the next line's first
    word.
    """
    first = 0
    for number in range(1, len(rows) + 1):
        if number < len(rows) and rows[number].kind == "text" and not rows[number].after_blank:
            continue
        paragraph = rows[first:number]
        widths = [row.indent + row.end - row.start for row in paragraph]
        if len(paragraph) > 2 and WRAPPED_FROM <= max(widths) <= WRAPPED_TO:
            words = [text[row.start : row.end].split(None, 1)[0] for row in paragraph[1:]]
            spare = (
                max(widths) - width - 1 - len(word)
                for width, word in zip(widths, words, strict=False)
            )
            filled = all(room < 0 for room in spare)
            for row in paragraph[1:]:
                row.wrapped = filled
        first = number


def _joins(text: str, before: Row, after: Row) -> bool:
    """Say whether a row goes on with what the row before says."""
    if after.kind in {"underline", "closing tag"} or before.kind == "marker":
        return True
    starts = after.kind in {"item", "marker", "heading", "rule"}
    if starts or before.kind in {"rule", "closing tag"}:
        return False
    if before.kind in {"heading", "underline"}:
        return True
    if after.kind == "block":
        return before.closing is None and _introduces(text, before, after)
    if after.after_blank:
        return False
    if before.closing is not None:
        return before.closing in {"display", "math"} and text[after.start].islower()
    if after.wrapped or _ends_with(text, before, COLONS):
        return True
    if before.hard_break or _ends_with(text, before, SENTENCE_STOPS):
        return False
    if text[before.end - 1] in _CONTINUERS:
        return True
    wrapped = before.end - before.start >= WRAPPED_FROM or after.indent > before.indent
    return wrapped and _LOWER_WORD.match(text, after.start, after.end) is not None


def _introduces(text: str, before: Row, block: Row) -> bool:
    """Say whether a sentence leads to the block after it."""
    if _ends_with(text, before, COLONS) or text[before.end - 1] in _CONTINUERS:
        return True
    return not block.after_blank and not _ends_with(text, before, SENTENCE_STOPS)


def _ends_with(text: str, row: Row, marks: frozenset[str]) -> bool:
    """Say whether a row ends in one of some marks, closing quotes and brackets left aside."""
    tail = text[max(row.start, row.end - 20) : row.end].rstrip(_CLOSERS)
    return tail[-1:] in marks
