"""Support trees in the shapes that people and files want.

The rules choose the picks (asp/explain/trees.lp); here they are only arranged.
"""

from collections.abc import Collection, Mapping, Sequence

from groundtrace.models.audit import Support, TreeNode
from groundtrace.models.trace import Relation

MAX_NESTING = 100
"""Deeper parts of a tree refer to the entry of their own segment: JSON readers give up on
deeper nesting."""


def nested(
    sink: int,
    picks: Mapping[int, int],
    relations: Sequence[Relation | Support],
    leaves: Collection[int],
) -> TreeNode:
    """Return a support tree as nested records, each segment written out once.

    Args:
        sink: The segment at the top.
        picks: Each needed segment that is not a leaf, to the number of the relation picked; a
            segment without one stands elsewhere.
        relations: Of the trace; relation numbers are 1-based positions.
        leaves: Segments accepted from the start.
    """
    written: set[int] = set()

    def node(segment: int, nesting: int) -> TreeNode:
        if segment in leaves:
            return {"segment": segment, "leaf": True}
        if segment in written or nesting > MAX_NESTING or segment not in picks:
            return {"segment": segment, "repeated": True}
        written.add(segment)
        relation = relations[picks[segment] - 1]
        if relation.label is None:
            raise AssertionError("a support has a label")
        return {
            "segment": segment,
            "premises": list(relation.premises),
            "label": relation.label,
            "children": [node(premise, nesting + 1) for premise in relation.premises],
        }

    return node(sink, 1)


def roots(picks: Mapping[int, int], relations: Sequence[Relation]) -> list[int]:
    """Return the leaves that a support tree stands on, ascending.

    Args:
        picks: As for :func:`nested`.
    """
    used = {premise for pick in picks.values() for premise in relations[pick - 1].premises}
    return sorted(used - picks.keys())
