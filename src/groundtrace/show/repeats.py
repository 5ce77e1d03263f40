"""Findings for a terminal: one line for each kind, however often it comes.

JSON has all of them; a reader of text wants to know that something came 499 times, and where it
came first.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from groundtrace.phrases import clean

PLACES_SHOWN = 3
_PARTICULAR = re.compile(r"“[^”]*”|\[.*\]|\d[\d,.]*")
"""What differs between two findings of one kind: names, lists and numbers."""


class ShownFinding(NamedTuple):
    """A finding as a reader sees it."""

    place: str
    """Such as "triplets[3]", or the node or segment that it is about."""
    message: str
    kind: str | None = None
    """Findings of one kind share a line; None to tell by the words of the message."""
    told: bool = False
    """Whether the message says the place already."""


def print_findings(
    console: Console, label: str, findings: Iterable[ShownFinding], style: str = ""
) -> None:
    """Print findings, a line for each kind in the order in which the kinds come first.

    Args:
        label: What they are, such as "warning".
    """
    for line in finding_lines(label, findings):
        console.print(Text(line, style=style))


def finding_lines(label: str, findings: Iterable[ShownFinding]) -> Iterator[str]:
    """Yield a line for each kind of finding: one that repeats is counted, with its first places.

    Args:
        label: What they are, such as "warning".
    """
    kinds: dict[str, list[ShownFinding]] = {}
    for one in findings:
        kind = _PARTICULAR.sub("", one.message) if one.kind is None else one.kind
        kinds.setdefault(kind, []).append(one)
    for same in kinds.values():
        first, count = same[0], len(same)
        message = clean(first.message)
        if count > 1:
            places = ", ".join(clean(one.place) for one in same[:PLACES_SHOWN])
            more = ", …" if count > PLACES_SHOWN else ""
            yield f"{label}, {count:,} times ({places}{more}): {message}"
        elif first.told:
            yield f"{label}: {message}"
        else:
            yield f"{label}: {clean(first.place)}: {message}"
