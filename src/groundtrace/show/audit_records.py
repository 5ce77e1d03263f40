"""Audits for programs: JSON, rows of a table, and drawings."""

import json
from typing import TYPE_CHECKING

from groundtrace.auditing.auditor import Audited
from groundtrace.auditing.explained_segment import explanation_of
from groundtrace.models.trace import Trace
from groundtrace.vocabulary import FLAGS

if TYPE_CHECKING:
    from groundtrace.show.audit_pictures import PictureFormat


def audit_json(trace: Trace, audited: Audited) -> str:
    """Return an audit as one line of JSON."""
    return audited.audit.to_json()


def audit_rows(trace: Trace, audited: Audited) -> str:
    """Return an audit as rows of a table, one per segment, as a JSON list."""
    rows = [
        {
            "id": audited.audit.id,
            "index": entry.index,
            "outcome": entry.outcome,
            **{flag: getattr(entry, flag) for flag in ("grounded", *FLAGS)},
            "depth": entry.depth,
            "supports": len(entry.supports),
            "breakpoints": " ".join(map(str, entry.breakpoints)),
            "gold": "; ".join(one.value for one in entry.gold) or None,
            "text": trace.segments[entry.index - 1].text,
            "explanation": entry.explanation,
        }
        for entry in audited.audit.segments
    ]
    return json.dumps(rows)


def audit_picture(trace: Trace, audited: Audited, *, format: "PictureFormat") -> str:  # noqa: A002
    """Return the selected hypergraph of an audit as a drawing."""
    from groundtrace.show.audit_pictures import draw_audit

    return draw_audit(trace, audited.audit, format)


def segment_json(trace: Trace, audited: Audited, *, index: int) -> str:
    """Return the audit of one segment with its text and all its listed support trees.

    Args:
        index: The segment, from 1; not a leaf.

    Raises:
        InputError: the segment has no outcome.
    """
    return explanation_of(trace, audited, index).to_json()


def segment_picture(
    trace: Trace,
    audited: Audited,
    *,
    index: int,
    format: "PictureFormat",  # noqa: A002
) -> str:
    """Return the support tree of a segment, or what failed, as a drawing.

    Args:
        index: The segment, from 1; not a leaf.

    Raises:
        InputError: the segment has no outcome, or the drawing would be too large.
    """
    from groundtrace.show.audit_pictures import draw_segment

    return draw_segment(trace, audited.audit, index, format)
