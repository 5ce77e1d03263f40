"""Blocks that stand on lines of their own: code fences and tables."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundtrace.segmentation.places import Line, Region, first_from

LONGEST_FENCE = 20
"""Longer rows of backticks or tildes count as this long."""
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:(`{3,})[^`]*|(~{3,}).*)")
_BARE_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*")
_DELIMITER_CELL = re.compile(r":?-+:?")


def fences_of(text: str, lines: Sequence[Line]) -> Iterator[Region]:
    """Yield code fences; one that is never closed ends before the next blank line."""
    contents = [text[line.start : line.end] for line in lines]
    closers: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, content in enumerate(contents):
        if bare := _BARE_FENCE.fullmatch(content):
            closers[bare[1][0], min(len(bare[1]), LONGEST_FENCE)].append(number)
    after = 0
    blank = len(lines)
    blanks = [0] * len(lines)
    for number in range(len(lines) - 1, -1, -1):
        blank = number if not contents[number].strip() else blank
        blanks[number] = blank
    for number, content in enumerate(contents):
        opener = _FENCE.fullmatch(content) if number >= after else None
        if opener is None:
            continue
        marker = opener[1] or opener[2]
        start = lines[number].start + content.index(marker)
        lengths = range(min(len(marker), LONGEST_FENCE), LONGEST_FENCE + 1)
        found = (first_from(closers[marker[0], length], number + 1) for length in lengths)
        last = min((line for line in found if line is not None), default=None)
        if last is None:
            after = blanks[number]
            yield Region(start, lines[after - 1].end, "open fence")
        else:
            after = last + 1
            yield Region(start, lines[last].end, "fence")


def tables_of(text: str, lines: Sequence[Line], taken: Sequence[Region]) -> Iterator[Region]:
    """Yield tables: a row, a row of dashes and more rows, or two and more rows between bars."""
    rows: list[int] = []
    fences = iter(taken)
    fence = next(fences, None)
    for number, line in enumerate(lines):
        while fence is not None and fence.end < line.start:
            fence = next(fences, None)
        inside = fence is not None and fence.start <= line.end
        if not inside and "|" in (content := text[line.start : line.end]) and content.strip():
            rows.append(number)
            continue
        yield from _table(text, lines, rows)
        rows = []
    yield from _table(text, lines, rows)


def _table(text: str, lines: Sequence[Line], rows: Sequence[int]) -> Iterator[Region]:
    """Yield the table in a run of consecutive lines with bars, if there is one."""
    contents = [text[lines[row].start : lines[row].end].strip() for row in rows]
    first = next((place for place, row in enumerate(contents[1:]) if _is_delimiter(row)), None)
    if first is None:
        barred = [row.startswith("|") and row.endswith("|") and len(row) > 1 for row in contents]
        first = 0 if len(rows) > 1 and all(barred) else None
    if first is not None:
        start, end = lines[rows[first]].start, lines[rows[-1]].end
        yield Region(start + _indent(text, start, end), end, "table")


def _is_delimiter(row: str) -> bool:
    """Say whether a table's row consists of dashes."""
    cells = row.strip("|").split("|")
    return "|" in row and all(_DELIMITER_CELL.fullmatch(cell.strip()) for cell in cells)


def _indent(text: str, start: int, end: int) -> int:
    """Return how many white characters a line starts with."""
    return end - start - len(text[start:end].lstrip())
