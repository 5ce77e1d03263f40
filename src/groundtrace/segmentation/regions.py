"""Regions of a text that no cut may enter: code, mathematics, tables, links."""

from collections.abc import Sequence

from groundtrace.segmentation.blocks import fences_of, tables_of
from groundtrace.segmentation.inline import InlineSearch
from groundtrace.segmentation.places import Line, Region


def regions_of(text: str, lines: Sequence[Line]) -> list[Region]:
    """Return the regions of a text in order, none overlapping another.

    Args:
        lines: Its lines, from :func:`lines_of`.
    """
    blocks = list(fences_of(text, lines))
    blocks = sorted([*blocks, *tables_of(text, lines, blocks)])
    return sorted([*blocks, *InlineSearch(text, lines, blocks).regions()])
