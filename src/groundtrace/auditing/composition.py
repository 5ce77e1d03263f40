"""Puts the decisions on one trace into records; takes no decision of its own."""

from collections.abc import Mapping
from functools import cached_property

from groundtrace.auditing.decisions import Decisions
from groundtrace.auditing.explanations import Repairs, Trees
from groundtrace.auditing.reasons import explanation
from groundtrace.auditing.trees import nested, roots
from groundtrace.errors import BugError
from groundtrace.models.audit import (
    Rejected,
    SegmentAudit,
    Support,
    Unlabelled,
)
from groundtrace.models.trace import Relation, Trace
from groundtrace.vocabulary import LABELS_AS_REASONS, Label


class Composer:
    """Puts the decisions on one trace into records."""

    def __init__(
        self,
        trace: Trace,
        relations: list[Relation],
        decisions: Decisions,
        trees: Mapping[int, Trees],
        cures: Mapping[int, Repairs],
    ) -> None:
        """Take what was found.

        Args:
            trees: Supported segment to its support trees.
            cures: Unsupported segment to its repairs.
        """
        self._trace = trace
        self._relations = relations
        self._decisions = decisions
        self._trees = trees
        self._cures = cures
        self._texts = [segment.text for segment in trace.segments]

    @cached_property
    def _by_target(self) -> dict[int, list[int]]:
        """Target to the numbers of the relations into it, ascending."""
        grouped: dict[int, list[int]] = {}
        for number, relation in enumerate(self._relations, 1):
            grouped.setdefault(relation.target, []).append(number)
        return grouped

    def segments(self) -> list[SegmentAudit]:
        """Return one entry per segment that has an outcome, ascending."""
        return [self._entry(index) for index in sorted(self._decisions.outcome)]

    def _entry(self, index: int) -> SegmentAudit:
        decisions = self._decisions
        trees = self._trees.get(index, Trees([], more=False))
        cures = self._cures.get(index, Repairs([], more=False))
        best = trees.listed[0] if trees.listed else None
        segment = self._trace.segments[index - 1]
        entry = SegmentAudit(
            index=index,
            outcome=decisions.outcome[index],
            grounded=index in decisions.depth,
            unstable=index in decisions.unstable,
            provisional=index in decisions.provisional,
            depth=decisions.depth.get(index),
            supports=self._supports(index),
            rejected=self._rejections(index),
            unlabelled=self._unlabelled_relations(index),
            contradicted_by=[
                self._at(one).premises for one in decisions.contradicts.get(index, ())
            ],
            vetoes=decisions.vetoes.get(index, []),
            tree=nested(index, best, self._relations, decisions.leaves) if best else None,
            trees=len(trees.listed),
            more_trees=trees.more,
            breakpoints=decisions.breakpoints.get(index, []),
            repairs=cures.listed,
            more_repairs=cures.more,
            characters=len(segment.text),
            gold=segment.gold,
            meta=segment.meta,
            notes=decisions.notes.get(index, []),
            explanation="",
        )
        ends = roots(best, self._relations) if best else []
        entry.explanation = explanation(entry, self._texts, ends, decisions.outcome)
        return entry

    def _at(self, number: int) -> Relation:
        return self._relations[number - 1]

    def _label(self, number: int) -> Label:
        label = self._at(number).label
        if label is None:
            raise BugError(f"relation {number} was judged without a label")
        return label

    def _supports(self, index: int) -> list[Support]:
        return [
            Support(
                premises=self._at(number).premises,
                label=self._label(number),
                blocked_by=self._decisions.blocked.get(number, []),
            )
            for number in self._decisions.supports.get(index, ())
        ]

    def _rejections(self, index: int) -> list[Rejected]:
        shown = self._decisions.rejected
        supports = set(self._decisions.supports.get(index, ()))
        rejected = []
        for number in self._by_target.get(index, ()):
            relation = self._at(number)
            if relation.label is None or number in supports:
                continue
            reasons = shown.get(number, [])
            if relation.label in LABELS_AS_REASONS:
                reasons = [relation.label, *reasons]
            if not reasons:
                raise BugError(f"relation {number} is neither support nor rejected for a reason")
            rejected.append(Rejected(relation.premises, relation.label, reasons))
        return rejected

    def _unlabelled_relations(self, index: int) -> list[Unlabelled]:
        return [
            Unlabelled(premises=self._at(number).premises, error=self._at(number).error)
            for number in self._by_target.get(index, ())
            if self._at(number).label is None
        ]
