"""Elements of XML in a response, such as ``<step>…</step>``: each starts and ends a segment."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z][\w.:-]{0,40})"
    r"(?:\s(?:\d{1,4}|[^<>=\n]{1,60}=[^<>\n]{0,200}))?\s?/?>"
)
PHRASES = frozenset(
    {
        *("a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i"),
        *("img", "ins", "kbd", "mark", "math", "q", "s", "samp", "small", "span", "strong", "sub"),
        *("sup", "tt", "u", "var", "wbr"),
    }
)
"""Elements of HTML within a sentence ("phrasing content" of the HTML standard)."""
LONGEST_TAG = 320


class _Tag(NamedTuple):
    """A tag that opens or closes an element."""

    start: int
    end: int
    opens: bool


def element_edges(text: str) -> list[int]:
    """Return where elements that are opened and closed start and end, in order.

    A tag alone is text, as in ``a <b> c``. Tags with only white space between them have one edge,
    where closing ones are followed by opening ones.
    """
    tags = list(_tags(text))
    edges = {tag.start for tag in tags[:1] if tag.opens} | {
        tag.end for tag in tags[-1:] if not tag.opens
    }
    for before, after in pairwise(tags):
        apart = bool(text[before.end : after.start].strip())
        if not before.opens and (apart or after.opens):
            edges.add(before.end)
        if after.opens and apart:
            edges.add(after.start)
    return sorted(edges)


def _tags(text: str) -> Iterator[_Tag]:
    """Yield the tags of elements that are opened and closed, but for those within sentences."""
    found = list(TAG.finditer(text)) if "</" in text else []
    opened = {match["name"] for match in found if not match["slash"]}
    closed = {match["name"] for match in found if match["slash"]}
    for match in found:
        if match["name"] in (opened & closed) - PHRASES:
            yield _Tag(match.start(), match.end(), not match["slash"])


def start_before_tags(text: str, start: int) -> int:
    """Return where the opening tags right before a place start, or the place itself."""
    while True:
        head = text[max(0, start - LONGEST_TAG) : start].rstrip()
        opening = head.rfind("<")
        tag = TAG.fullmatch(head, opening) if opening >= 0 else None
        if tag is None or tag["slash"]:
            return start
        start = max(0, start - LONGEST_TAG) + opening
