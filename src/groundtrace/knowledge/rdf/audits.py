"""Audits as RDF.

Segments are those of the trace; what an audit says of them, and of relations between them, hangs
on resources of the audit's own, so that several audits of one trace stand side by side.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

from pyoxigraph import NamedNode

from groundtrace.auditing.trees import nested
from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.findings import write_finding
from groundtrace.knowledge.rdf.iris import part_iri
from groundtrace.knowledge.rdf.record_heads import Draft, versioned_iri
from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.runs import run_of
from groundtrace.knowledge.rdf.terms import (
    ACCEPTED_LEAF,
    ACCEPTS,
    AUDIT,
    AUDIT_RUN,
    BLOCKED_BY,
    BREAKPOINT,
    CONTRADICTED_BY,
    CUT,
    DEPTH,
    ERROR,
    EXPLANATION,
    GROUNDED,
    HAS_RELATION,
    HAS_REPAIR,
    HAS_SEGMENT_AUDIT,
    HAS_TREE,
    INDEX,
    MORE_REPAIRS,
    MORE_TREES,
    NOTE,
    OF_SEGMENT,
    OUTCOME,
    PREMISE,
    PROVISIONAL,
    RANK,
    REJECTED_FOR,
    RELATION,
    RELATION_LABEL,
    REPAIR,
    SEGMENT_AUDIT,
    SUPPORT,
    SUPPORT_TREE,
    TARGET,
    TREES,
    TYPE,
    UNLABELLED_RELATIONS,
    UNSTABLE,
    USES,
    VETO,
)
from groundtrace.knowledge.rdf.traces import (
    relation_iri,
    segment_iri,
    trace_iri,
)
from groundtrace.models.audit import (
    Audit,
    Rejected,
    SegmentAudit,
    Summary,
    Support,
    TreeNode,
    Unlabelled,
)
from groundtrace.vocabulary import reason_order


def write_audit(audit: Audit) -> Draft:
    """Return an audit as RDF.

    Raises:
        InputError: a segment has several entries.
    """
    run = run_of(AUDIT_RUN, audit.provenance.model_dump())
    draft = Draft(AUDIT, versioned_iri("audit", audit.id, run), audit.id, run)
    draft.own_fields(audit.meta)
    writer = _AuditWriter(draft, audit)
    writer.segments(draft.record, ACCEPTED_LEAF, "leaves", audit.leaves)
    writer.segment_audits(audit.segments)
    for finding in audit.findings:
        write_finding(draft.record, **finding.model_dump())
    draft.record.set(UNLABELLED_RELATIONS, audit.summary.unlabelled_relations)
    unlabelled = audit.summary.unlabelled_relations
    # Counts are not kept where they follow from the rest.
    if audit.summary != Summary.of(audit.segments, unlabelled, len(audit.findings)):
        draft.record.rest["summary"] = audit.summary.model_dump()
    return draft


class _AuditWriter:
    """Writes the parts of one audit."""

    def __init__(self, draft: Draft, audit: Audit) -> None:
        self._draft = draft
        self._trace = trace_iri(audit.id)
        self._leaves = audit.leaves
        self._relations: dict[NamedNode, Writing] = {}
        self._labels: dict[NamedNode, str | None] = {}
        self._judged: set[NamedNode] = set()
        self._numbered: dict[int, NamedNode] = {}

    def segment(self, index: int) -> NamedNode:
        """Return a segment of the trace, numbered here too: the audit may stand alone."""
        if index not in self._numbered:
            iri = self._numbered[index] = segment_iri(self._trace, index)
            Writing(self._draft.sink, iri).set(INDEX, index)
        return self._numbered[index]

    def segments(
        self, node: Writing, property_: NamedNode, field: str, numbers: Sequence[int]
    ) -> None:
        """Link segments; they come back ascending, so another order is kept as it was."""
        node.link(property_, *(self.segment(number) for number in set(numbers)))
        if list(numbers) != sorted(set(numbers)):
            node.rest[field] = list(numbers)

    def segment_audits(self, entries: Sequence[SegmentAudit]) -> None:
        """Write what the audit says of each segment.

        Raises:
            InputError: a segment has several entries.
        """
        order = [entry.index for entry in entries]
        if len(set(order)) < len(order):
            twice = next(index for index in order if order.count(index) > 1)
            raise InputError(f"segments: there are several entries of segment {twice}")
        if order != sorted(order):
            self._draft.record.rest["segments"] = order
        nodes = [self._segment_audit(entry) for entry in entries]
        # A tree uses relations of other segments, which are described where they were judged.
        for entry, node in zip(entries, nodes, strict=True):
            self._tree(entry, node)
        for node in (*nodes, *self._relations.values()):
            node.close()

    def _segment_audit(self, entry: SegmentAudit) -> Writing:
        iri = part_iri(self._draft.iri, "segment", entry.index)
        node = Writing(self._draft.sink, iri, SEGMENT_AUDIT)
        self._draft.record.link(HAS_SEGMENT_AUDIT, node)
        node.link(OF_SEGMENT, self.segment(entry.index))
        node.choose(OUTCOME, entry.outcome)
        node.set(GROUNDED, entry.grounded)
        node.set(UNSTABLE, entry.unstable or None)
        node.set(PROVISIONAL, entry.provisional or None)
        node.set(DEPTH, entry.depth)
        node.set(TREES, entry.trees)
        node.set(MORE_TREES, entry.more_trees or None)
        node.set(MORE_REPAIRS, entry.more_repairs or None)
        node.set(EXPLANATION, entry.explanation)
        node.words(VETO, "vetoes", entry.vetoes)
        node.words(NOTE, "notes", entry.notes)
        self.segments(node, BREAKPOINT, "breakpoints", entry.breakpoints)
        for segments in entry.repairs:
            repair = node.part("repair", HAS_REPAIR, REPAIR)
            self.segments(repair, ACCEPTS, "accepts", segments)
            repair.close()
        self._judge(entry, node)
        if entry.meta:
            node.rest["meta"] = entry.meta
        return node

    def _relation(self, target: int, premises: Sequence[int], label: str | None) -> Writing:
        """Return a relation, described if it was not yet."""
        iri = relation_iri(self._draft.iri, target, premises)
        if iri not in self._relations:
            node = self._relations[iri] = Writing(self._draft.sink, iri, RELATION)
            self._labels[iri] = label
            self._draft.record.link(HAS_RELATION, node)
            node.link(TARGET, self.segment(target))
            self.segments(node, PREMISE, "premises", premises)
            node.choose(RELATION_LABEL, label)
        return self._relations[iri]

    def _judge(self, entry: SegmentAudit, node: Writing) -> None:
        """Write what became of the relations into a segment."""
        judged: dict[str, Sequence[Support | Rejected | Unlabelled]] = {
            "supports": entry.supports,
            "rejected": entry.rejected,
            "unlabelled": entry.unlabelled,
        }
        for rank, relation in [pair for some in judged.values() for pair in enumerate(some, 1)]:
            label = None if isinstance(relation, Unlabelled) else relation.label
            one = self._relation(entry.index, relation.premises, label)
            if one.iri in self._judged:  # It stands there twice.
                node.rest["judged"] = {
                    field: list(map(asdict, some)) for field, some in judged.items()
                }
                continue
            self._judged.add(one.iri)
            self._describe(one, rank, relation)
        for premises in entry.contradicted_by:
            node.link(CONTRADICTED_BY, self._relation(entry.index, premises, "contradiction"))
        self._keep_odd_order(entry, node)

    def _describe(
        self, node: Writing, rank: int, relation: Support | Rejected | Unlabelled
    ) -> None:
        if isinstance(relation, Support):
            self._draft.sink.say(node.iri, TYPE, SUPPORT)
            node.set(RANK, rank)
            self.segments(node, BLOCKED_BY, "blocked_by", relation.blocked_by)
        elif isinstance(relation, Unlabelled):
            node.set(ERROR, relation.error)
        else:
            reasons = relation.reasons
            for reason in reasons:
                node.set(REJECTED_FOR, reason)
            if not reasons or reasons != sorted(set(reasons), key=reason_order):
                node.rest["reasons"] = reasons

    def _keep_odd_order(self, entry: SegmentAudit, node: Writing) -> None:
        """Keep lists whose order is not the one in which they are read."""
        sets: dict[str, list[tuple[int, ...]]] = {
            "rejected": [one.premises for one in entry.rejected],
            "unlabelled": [one.premises for one in entry.unlabelled],
            "contradicted_by": entry.contradicted_by,
        }
        for field, premises in sets.items():
            if premises != sorted(set(premises), key=set_order):
                node.rest[field] = [list(one) for one in premises]

    def _tree(self, entry: SegmentAudit, node: Writing) -> None:
        if entry.tree is None:
            return
        tree = Writing(self._draft.sink, part_iri(node.iri, "tree", 1), SUPPORT_TREE)
        node.link(HAS_TREE, tree)
        steps = [step for step in _steps(entry.tree) if "premises" in step and "label" in step]
        picked = {}
        for step in steps:
            used = self._relation(step["segment"], step["premises"], step["label"])
            tree.link(USES, used)
            if self._labels[used.iri] == step["label"]:
                picked[step["segment"]] = Support(tuple(step["premises"]), step["label"], [])
        expanded = {step["segment"] for step in steps}
        repeated = {step["segment"] for step in _steps(entry.tree) if "repeated" in step}
        if not repeated <= expanded:
            tree.set(CUT, True)
        if from_supports(entry.index, picked, self._leaves) != entry.tree:
            node.rest["tree"] = entry.tree


def from_supports(sink: int, picked: Mapping[int, Support], leaves: Collection[int]) -> TreeNode:
    """Return the tree that some supports make.

    Args:
        sink: The segment at the top.
        picked: One support for each segment.
        leaves: Segments accepted from the start.
    """
    picks = {segment: place for place, segment in enumerate(picked, 1)}
    return nested(sink, picks, list(picked.values()), leaves)


def _steps(tree: TreeNode) -> Iterable[TreeNode]:
    waiting = [tree]
    while waiting:
        step = waiting.pop()
        yield step
        waiting += step.get("children", [])


def set_order(premises: Sequence[int]) -> tuple[int, Sequence[int]]:
    """Return a key by which premise sets are sorted: by size, then premises."""
    return len(premises), tuple(premises)
