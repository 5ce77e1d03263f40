"""Where the pieces of a text stand: its sentences, list items and blocks."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundtrace.segmentation.elements import element_edges
from groundtrace.segmentation.lines import Unit, units_of
from groundtrace.segmentation.places import Region, lines_of, region_at
from groundtrace.segmentation.regions import regions_of
from groundtrace.segmentation.sentences import Splitter, sentence_starts


def pieces_of(text: str, splitter: Splitter) -> list[tuple[int, int]]:
    """Return where the pieces of a text start and end, in order, white space left out."""
    lines = lines_of(text)
    regions = regions_of(text, lines)
    starts = [region.start for region in regions]
    edges = [edge for edge in element_edges(text) if region_at(regions, edge) is None]
    pieces: list[tuple[int, int]] = []
    for unit in units_of(text, lines, regions):
        inside = regions[bisect_left(starts, unit.start) : bisect_left(starts, unit.end)]
        forced = edges[bisect_left(edges, unit.start) : bisect_left(edges, unit.end)]
        pieces += _sentences(text, unit, inside, forced, splitter)
    return _with_neighbours(text, pieces)


def strip_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch of text without the white space around it."""
    stripped = text[start:end].strip()
    if not stripped:
        return start, start
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, start + len(stripped)


def _sentences(
    text: str, unit: Unit, regions: Sequence[Region], forced: Sequence[int], splitter: Splitter
) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a unit stand."""
    whole = sorted([*unit.headings, *regions])
    kept: list[Region] = []
    for region in whole:
        if not kept or region.start >= kept[-1].end:
            kept.append(region)
    shifted = [
        Region(one.start - unit.start, min(one.end, unit.end) - unit.start, one.kind)
        for one in kept
    ]
    cuts = sentence_starts(text[unit.start : unit.end], shifted, splitter)
    edges = sorted({unit.start, *(unit.start + cut for cut in cuts), *forced, unit.end})
    for start, end in pairwise(edges):
        start, end = strip_blanks(text, start, end)
        if start < end:
            yield start, end


def _with_neighbours(text: str, pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join each piece without letters and digits to the one before it, or else after it."""
    joined: list[tuple[int, int]] = []
    loose: int | None = None
    for start, end in pieces:
        speaks = any(map(str.isalnum, text[start:end]))
        if speaks:
            joined.append((start if loose is None else loose, end))
            loose = None
        elif joined:
            joined[-1] = joined[-1][0], end
        elif loose is None:
            loose = start
    if loose is not None:
        joined.append((loose, pieces[-1][1]))
    return joined
