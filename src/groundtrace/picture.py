"""What a picture of an audit shows, before it is written as DOT, SVG or Mermaid.

Segments become boxes. A single premise leads straight to its target; two or more meet in a
junction first, since they support it only together.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from textwrap import wrap
from typing import Final, Literal, NamedTuple

from groundtrace.errors import InputError
from groundtrace.models.audit import Audit, SegmentAudit
from groundtrace.models.trace import Trace
from groundtrace.vocabulary import LABELS, Label, Outcome
from groundtrace.wording import closest_rejected, quote

QUOTE_LENGTH = 44
LINE_LENGTH = 27
RELATIONS_SHOWN = 24
"""An orphan's closest relations and a segment's contradictions can be thousands, all alike."""

BoxKind = Outcome | Literal["leaf"]

_FALLEN_LEAF: Final = {
    "contradicted_leaf": "leaf, contradicted",
    "vetoed_leaf": "leaf, vetoed",
}
_NOT_IN_XML: Final = {0xFFFE: None, 0xFFFF: None}


class Ink(NamedTuple):
    """How lines of one label look."""

    color: str
    word: str
    """The colour in words, with whatever else tells the lines apart."""
    width: float
    """In pixels."""


INKS: Final[dict[Label, Ink]] = {
    "entailment": Ink("#2e7d32", "green, thick", 2.6),
    "implied": Ink("#ef6c00", "orange, thin", 1.4),
    "neutral": Ink("#757575", "grey", 1.2),
    "contradiction": Ink("#c62828", "red, barred", 2.0),
}


class Link(NamedTuple):
    """A relation to be drawn."""

    premises: tuple[int, ...]
    """Segment numbers, ascending; at least one."""
    target: int
    label: Label
    rejected: bool = False
    """It is shown as what came closest to support."""


class Box(NamedTuple):
    """A segment."""

    name: str
    """Letters, digits and underscores, as all names here."""
    kind: BoxKind
    lines: tuple[str, ...]
    """Number and quote, then the outcome; without control characters, otherwise hostile."""


class Junction(NamedTuple):
    """The point where the premises of one relation meet."""

    name: str
    label: Label


class Line(NamedTuple):
    """A line between two boxes, or between a box and a junction."""

    source: str
    target: str
    label: Label
    arrow: bool
    """It ends at the target of its relation."""
    dashed: bool


class Picture(NamedTuple):
    """Everything to be drawn, in a fixed order."""

    boxes: tuple[Box, ...]
    junctions: tuple[Junction, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    """The labels that occur, strongest first."""
    notes: tuple[str, ...]
    """What else the legend must say."""


def segment_picture(trace: Trace, audit: Audit, index: int) -> Picture:
    """Return why one segment has its outcome.

    Args:
        trace: The trace.
        audit: Its audit.
        index: Number of a segment that is not a leaf.

    Raises:
        InputError: there is no such segment, it is a leaf, or the audit is of another trace.
    """
    _check_same(trace, audit)
    entry = _entry(trace, audit, index)
    tell, listed = {
        "supported": (_best_tree, None),
        "unsupported": (_failed_supports, None),
        "orphan": (_closest, RELATIONS_SHOWN),
        "contradicted": (_contradictions, RELATIONS_SHOWN),
    }[entry.outcome]
    links = tell(audit, entry)
    shown = links[:listed]
    left_out = f"the first {len(shown)} of {len(links):,} relations"
    notes = [left_out] if len(shown) < len(links) else []
    return _picture(trace, audit, {index}, shown, notes)


def audit_picture(trace: Trace, audit: Audit) -> Picture:
    """Return all segments with every support and every contradiction.

    Args:
        trace: The trace.
        audit: Its audit.

    Raises:
        InputError: the audit is of another trace.
    """
    _check_same(trace, audit)
    links = [
        link
        for entry in audit.segments
        for link in (*_supports(entry), *_contradictions(audit, entry))
    ]
    links += _contradictions_of_leaves(trace, audit)
    return _picture(trace, audit, range(1, len(trace.segments) + 1), links)


def _check_same(trace: Trace, audit: Audit) -> None:
    """Refuse a trace and an audit that do not belong together.

    Raises:
        InputError: they differ in id or in their number of segments.
    """
    audited = len(audit.segments) + len(audit.leaves)
    if trace.id != audit.id or len(trace.segments) != audited:
        raise InputError(
            f"the audit {audit.id!r} of {audited} segments is not of the trace {trace.id!r} "
            f"of {len(trace.segments)} segments"
        )


def _entry(trace: Trace, audit: Audit, index: int) -> SegmentAudit:
    """Return the entry of a segment.

    Raises:
        InputError: there is none.
    """
    try:
        return audit.segment(index)
    except KeyError:
        problem = (
            f"segment {index} is a leaf, so it has no outcome"
            if index in audit.leaves
            else f"there is no segment {index}"
        )
        valid = _ranges([entry.index for entry in audit.segments])
        expected = f"expected {valid}" if valid else "all segments are leaves"
        raise InputError(f"trace {trace.id!r}: {problem}; {expected}") from None


def _ranges(numbers: list[int]) -> str:
    """Return ascending numbers in words, such as "2 to 7, 9"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0])
    ]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _best_tree(audit: Audit, entry: SegmentAudit) -> list[Link]:
    """Return the supports picked by the best tree of a supported segment.

    A best tree holds the best trees of the segments in it, so the first pick of each
    segment's own tree is enough, and nodes marked as repeated need no care.
    """
    trees = {one.index: one.tree for one in audit.segments if one.tree}

    def pick(segment: int) -> list[Link]:
        tree = trees.get(segment)
        return [Link(tuple(tree["premises"]), segment, tree["label"])] if tree else []

    return _gathered(entry.index, pick)


def _failed_supports(audit: Audit, entry: SegmentAudit) -> list[Link]:
    """Return the supports of an unsupported segment, and of unsupported ones below it."""
    failed = {one.index: one for one in audit.segments if one.outcome == "unsupported"}
    return _gathered(
        entry.index,
        lambda segment: _supports(failed[segment]) if segment in failed else [],
    )


def _gathered(start: int, links_into: Callable[[int], list[Link]]) -> list[Link]:
    """Return the links that are reached backwards from a segment, by target."""
    found: dict[int, list[Link]] = {}
    pending = [start]
    while pending:
        segment = pending.pop()
        if segment not in found:
            found[segment] = links_into(segment)
            pending += [premise for link in found[segment] for premise in link.premises]
    return [link for segment in sorted(found) for link in found[segment]]


def _supports(entry: SegmentAudit) -> list[Link]:
    return [Link(one.premises, entry.index, one.label) for one in entry.supports]


def _closest(_: Audit, entry: SegmentAudit) -> list[Link]:
    return [
        Link(one.premises, entry.index, one.label, rejected=True) for one in closest_rejected(entry)
    ]


def _contradictions(_: Audit, entry: SegmentAudit) -> list[Link]:
    return [Link(premises, entry.index, "contradiction") for premises in entry.contradicted_by]


def _contradictions_of_leaves(trace: Trace, audit: Audit) -> list[Link]:
    """Return what contradicts leaves: these have no entry in the audit, only a finding."""
    fallen = {one.subject for one in audit.findings if one.kind == "contradicted_leaf"}
    return [
        Link(relation.premises, relation.target, "contradiction")
        for relation in trace.relations or ()
        if relation.label == "contradiction" and str(relation.target) in fallen
    ]


def _picture(
    trace: Trace,
    audit: Audit,
    segments: Iterable[int],
    links: list[Link],
    notes: Iterable[str] = (),
) -> Picture:
    """Return the picture of links, with a box for each of their ends and for the segments."""
    shown = set(segments).union(*({link.target, *link.premises} for link in links))
    junctions: list[Junction] = []
    lines: list[Line] = []
    met: Counter[int] = Counter()
    for premises, target, label, rejected in links:
        sources = [f"s{premise}" for premise in premises]
        if len(premises) > 1:
            met[target] += 1
            junction = Junction(f"s{target}_{met[target]}", label)
            junctions.append(junction)
            lines += [Line(source, junction.name, label, False, rejected) for source in sources]
            sources = [junction.name]
        lines.append(Line(sources[0], f"s{target}", label, True, rejected))
    used = {line.label for line in lines}
    dashes = ["dashed: not support"] if any(line.dashed for line in lines) else []
    return Picture(
        boxes=_boxes(trace, audit, sorted(shown)),
        junctions=tuple(junctions),
        lines=tuple(lines),
        labels=tuple(label for label in reversed(LABELS) if label in used),
        notes=(*dashes, *notes),
    )


def _boxes(trace: Trace, audit: Audit, segments: Iterable[int]) -> tuple[Box, ...]:
    outcomes = {entry.index: entry.outcome for entry in audit.segments}
    fallen = {
        one.subject: _FALLEN_LEAF[one.kind] for one in audit.findings if one.kind in _FALLEN_LEAF
    }
    boxes = []
    for index in segments:
        kind: BoxKind = outcomes.get(index, "leaf")
        said = quote(trace.segments[index - 1].text.translate(_NOT_IN_XML), QUOTE_LENGTH)
        lines = wrap(f"{index}: {said}", LINE_LENGTH)
        boxes.append(Box(f"s{index}", kind, (*lines, fallen.get(str(index), kind))))
    return tuple(boxes)
