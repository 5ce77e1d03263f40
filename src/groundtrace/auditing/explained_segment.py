"""One segment of an audit, in full: its entry, and every support tree that is listed."""

import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from groundtrace.auditing.auditor import DEFAULT_MAX_TREES, Audited
from groundtrace.auditing.batch import plan_from
from groundtrace.auditing.trees import nested
from groundtrace.errors import InputError
from groundtrace.files.reading import trace_from
from groundtrace.models import arguments
from groundtrace.models.audit import Audit, Provenance, SegmentAudit, TreeNode
from groundtrace.models.trace import OnConflict, Trace


class ExplainedSegment(NamedTuple):
    """What became of one segment, and why."""

    id: str
    """Of the trace."""
    text: str
    """Of the segment."""
    entry: SegmentAudit
    support_trees: list[TreeNode]
    """The best first."""
    more_trees: bool
    """Whether there are more than are listed."""
    provenance: Provenance

    def to_json(self) -> str:
        """Return all of it as one line of JSON."""
        record = {
            "id": self.id,
            "text": self.text,
            **self.entry.model_dump(mode="json"),
            "support_trees": self.support_trees,
            "provenance": self.provenance.model_dump(mode="json"),
        }
        return json.dumps(record, ensure_ascii=False)


def explain(
    trace: Trace | Mapping[str, Any],
    segment: int,
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    max_trees: int = DEFAULT_MAX_TREES,
    on_conflict: OnConflict = "refuse",
) -> ExplainedSegment:
    """Return one segment of the audit of a trace, in full; as :func:`groundtrace.audit` makes it.

    Args:
        segment: From 1; not a leaf.

    Raises:
        InputError: the trace cannot be used, or the segment has no outcome.
        SizeError: the trace is too large to be audited in bounded memory.
        RuleError: an overlay is faulty, or leaves no answer or several.
        ArgumentError: an argument has the wrong type.
    """
    plan = plan_from(overlays, constants, max_trees, on_conflict)
    index = arguments.whole("segment", segment)
    given = trace_from(trace, plan.on_conflict)
    return explanation_of(given, plan.auditor().audit(given), index)


def explanation_of(trace: Trace, audited: Audited, index: int) -> ExplainedSegment:
    """Return one segment of an audit, in full.

    Args:
        index: The segment, from 1.

    Raises:
        InputError: the segment has no outcome.
    """
    audit = audited.audit
    entry = entry_of(audit, index)
    trees = audited.trees.get(index)
    relations = trace.relations or []
    return ExplainedSegment(
        audit.id,
        trace.segments[index - 1].text,
        entry,
        [nested(index, one, relations, audit.leaves) for one in trees.listed] if trees else [],
        trees is not None and trees.more,
        audit.provenance,
    )


def entry_of(audit: Audit, index: int) -> SegmentAudit:
    """Return the entry of a segment.

    Raises:
        InputError: it has none.
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
        raise InputError(f"trace {audit.id!r}: {problem}; {expected}") from None


def _ranges(numbers: list[int]) -> str:
    """Return ascending numbers in words, such as "2 to 7, 9"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0])
    ]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
