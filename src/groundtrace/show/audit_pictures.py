"""Pictures of audits: what they show, and why a segment has its outcome.

trace and audit → links (here) → boxes and lines (picture) → text (picture_formats)
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Literal, NamedTuple

from groundtrace.auditing.explained_segment import entry_of
from groundtrace.auditing.reasons import closest_rejected
from groundtrace.errors import InputError
from groundtrace.models.audit import Audit, SegmentAudit
from groundtrace.models.trace import Trace
from groundtrace.phrases import quote
from groundtrace.show.picture import Box, BoxKind, Junction, Line, Picture
from groundtrace.show.picture_formats import write_dot, write_mermaid, write_svg
from groundtrace.vocabulary import FLAGS, LABELS, Label

PictureFormat = Literal["dot", "svg", "mermaid"]
PICTURE_FORMATS: Final[tuple[PictureFormat, ...]] = ("dot", "svg", "mermaid")

QUOTE_LENGTH = 40
RELATIONS_SHOWN = 10
"""An orphan's closest relations and a segment's contradictions can be thousands, all alike."""

_FALLEN_LEAF: Final = {
    "contradicted_leaf": "leaf, contradicted",
    "vetoed_leaf": "leaf, vetoed",
}
_NOT_IN_XML: Final = {0xFFFE: None, 0xFFFF: None}


class Link(NamedTuple):
    """A relation to be drawn."""

    premises: tuple[int, ...]
    """Segment numbers, ascending; at least one."""
    target: int
    label: Label
    rejected: bool = False
    """It is shown as what came closest to support."""


def draw_segment(
    trace: Trace,
    audit: Audit,
    index: int,
    format: PictureFormat,  # noqa: A002
) -> str:
    """Return a picture of why one segment has its outcome, the same bytes each time.

    It shows the best support tree of a supported segment; the failed supports of an
    unsupported one, down to where the reasoning breaks; the relations that came closest to
    supporting an orphan, dashed; and what contradicts a contradicted one.

    Args:
        index: Number of a segment that is not a leaf.
        format: What to write; SVG is laid out here, the others by whoever shows them.

    Raises:
        InputError: there is no such segment, it is a leaf, the audit is of another trace, or
            the picture is too large for its format.
    """
    _check_same(trace, audit)
    entry = entry_of(audit, index)
    links, most = {
        "supported": (_best_tree, None),
        "unsupported": (_failed_supports, None),
        "orphan": (_closest, RELATIONS_SHOWN),
        "contradicted": (_contradictions, RELATIONS_SHOWN),
    }[entry.outcome]
    found = links(audit, entry)
    shown = found[:most]
    few = f"the first {len(shown)} of {len(found):,} relations"
    notes = [few] if len(shown) < len(found) else []
    return _write_picture(_picture(trace, audit, {index}, shown, notes), format)


def draw_audit(trace: Trace, audit: Audit, format: PictureFormat) -> str:  # noqa: A002
    """Return a picture of all segments, supports and contradictions, the same bytes each time.

    Args:
        format: What to write; SVG is laid out here, the others by whoever shows them.

    Raises:
        InputError: the audit is of another trace, or the picture is too large for its format.
    """
    _check_same(trace, audit)
    links = [
        link
        for entry in audit.segments
        for link in (*_supports(entry), *_contradictions(audit, entry))
    ]
    links += _contradictions_of_leaves(trace, audit)
    return _write_picture(_picture(trace, audit, range(1, len(trace.segments) + 1), links), format)


def _write_picture(picture: Picture, chosen: PictureFormat) -> str:
    """Return a picture in a format.

    Raises:
        InputError: there is no such format, or the picture is too large for it.
    """
    writers = {"dot": write_dot, "svg": write_svg, "mermaid": write_mermaid}
    if chosen not in writers:
        raise InputError(f"format: expected {' or '.join(writers)}, got {chosen!r}")
    return writers[chosen](picture)


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


def _best_tree(audit: Audit, entry: SegmentAudit) -> list[Link]:
    """Return the supports picked by the best tree of a supported segment.

    A best tree holds the best trees of the segments in it, so the first pick of each
    segment's own tree is enough, and nodes marked as repeated need no care.
    """
    trees = {one.index: one.tree for one in audit.segments if one.tree}

    def pick(segment: int) -> list[Link]:
        tree = trees.get(segment)
        return [Link(tuple(tree["premises"]), segment, tree["label"])] if tree else []

    return _links_reaching(entry.index, pick)


def _failed_supports(audit: Audit, entry: SegmentAudit) -> list[Link]:
    """Return the supports of an unsupported segment, and of unsupported ones below it."""
    failed = {one.index: one for one in audit.segments if one.outcome == "unsupported"}
    return _links_reaching(
        entry.index,
        lambda segment: _supports(failed[segment]) if segment in failed else [],
    )


def _links_reaching(start: int, links_into: Callable[[int], list[Link]]) -> list[Link]:
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
    entries = {entry.index: entry for entry in audit.segments}
    fallen = {
        one.subject: _FALLEN_LEAF[one.kind] for one in audit.findings if one.kind in _FALLEN_LEAF
    }
    boxes = []
    for index in segments:
        entry = entries.get(index)
        kind: BoxKind = entry.outcome if entry else "leaf"
        flags = [flag for flag in FLAGS if getattr(entry, flag, False)]
        state = ", ".join([fallen.get(str(index), kind), *flags])
        said = quote(trace.segments[index - 1].text.translate(_NOT_IN_XML), QUOTE_LENGTH)
        boxes.append(Box(f"s{index}", kind, f"{index}: {said}", state))
    return tuple(boxes)
