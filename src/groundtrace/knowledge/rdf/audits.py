"""Audits as RDF.

Segments are those of the trace; what an audit says of them, and of relations between them, hangs
on resources of the audit's own, so that several audits of one trace stand side by side.
"""

from collections.abc import Iterable, Sequence

from pyoxigraph import NamedNode

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
    write_annotations,
)
from groundtrace.models.audit import (
    Audit,
    Rejected,
    SegmentAudit,
    Support,
    TreeNode,
    Unlabelled,
)


def write_audit(audit: Audit) -> Draft:
    """Return an audit as RDF.

    Raises:
        InputError: a segment has several entries.
    """
    run = run_of(AUDIT_RUN, audit.provenance.model_dump())
    draft = Draft(AUDIT, versioned_iri("audit", audit.id, run), audit.id, run)
    draft.own_fields(audit.meta)
    writer = _AuditWriter(draft, audit.id)
    writer.segments(draft.record, ACCEPTED_LEAF, audit.leaves)
    writer.segment_audits(audit.segments)
    for finding in audit.findings:
        write_finding(draft.record, **finding.model_dump())
    draft.record.set(UNLABELLED_RELATIONS, audit.summary.unlabelled_relations)
    return draft


class _AuditWriter:
    """Writes the parts of one audit."""

    def __init__(self, draft: Draft, trace: str) -> None:
        self._draft = draft
        self._trace = trace_iri(trace)
        self._relations: dict[NamedNode, Writing] = {}
        self._judged: set[NamedNode] = set()
        self._numbered: dict[int, NamedNode] = {}

    def segment(self, index: int) -> NamedNode:
        """Return a segment of the trace, numbered here too: the audit may stand alone."""
        if index not in self._numbered:
            iri = self._numbered[index] = segment_iri(self._trace, index)
            Writing(self._draft.sink, iri).set(INDEX, index)
        return self._numbered[index]

    def segments(self, node: Writing, property_: NamedNode, numbers: Sequence[int]) -> None:
        """Link segments."""
        node.link(property_, *(self.segment(number) for number in set(numbers)))

    def segment_audits(self, entries: Sequence[SegmentAudit]) -> None:
        """Write what the audit says of each segment.

        Raises:
            InputError: a segment has several entries.
        """
        order = [entry.index for entry in entries]
        if len(set(order)) < len(order):
            twice = next(index for index in order if order.count(index) > 1)
            raise InputError(f"segments: there are several entries of segment {twice}")
        nodes = [self._segment_audit(entry) for entry in entries]
        # A tree uses relations of other segments, which are described where they were judged.
        for entry, node in zip(entries, nodes, strict=True):
            self._tree(entry, node)

    def _segment_audit(self, entry: SegmentAudit) -> Writing:
        iri = part_iri(self._draft.iri, "segment", entry.index)
        node = Writing(self._draft.sink, iri, SEGMENT_AUDIT)
        self._draft.record.link(HAS_SEGMENT_AUDIT, node)
        segment = Writing(self._draft.sink, self.segment(entry.index))
        node.link(OF_SEGMENT, segment)
        write_annotations(segment, entry.gold)
        node.choose(OUTCOME, entry.outcome)
        node.set(GROUNDED, entry.grounded)
        node.set(UNSTABLE, entry.unstable or None)
        node.set(PROVISIONAL, entry.provisional or None)
        node.set(DEPTH, entry.depth)
        node.set(TREES, entry.trees)
        node.set(MORE_TREES, entry.more_trees or None)
        node.set(MORE_REPAIRS, entry.more_repairs or None)
        node.set(EXPLANATION, entry.explanation)
        node.words(VETO, entry.vetoes)
        node.words(NOTE, entry.notes)
        self.segments(node, BREAKPOINT, entry.breakpoints)
        for segments in entry.repairs:
            repair = node.part("repair", HAS_REPAIR, REPAIR)
            self.segments(repair, ACCEPTS, segments)
        self._judge(entry, node)
        return node

    def _relation(self, target: int, premises: Sequence[int], label: str | None) -> Writing:
        """Return a relation, described if it was not yet."""
        iri = relation_iri(self._draft.iri, target, premises)
        if iri not in self._relations:
            node = self._relations[iri] = Writing(self._draft.sink, iri, RELATION)
            self._draft.record.link(HAS_RELATION, node)
            node.link(TARGET, self.segment(target))
            self.segments(node, PREMISE, premises)
            node.choose(RELATION_LABEL, label)
        return self._relations[iri]

    def _judge(self, entry: SegmentAudit, node: Writing) -> None:
        """Write what became of the relations into a segment."""
        judged: list[Sequence[Support | Rejected | Unlabelled]] = [
            entry.supports,
            entry.rejected,
            entry.unlabelled,
        ]
        for rank, relation in [pair for some in judged for pair in enumerate(some, 1)]:
            label = None if isinstance(relation, Unlabelled) else relation.label
            one = self._relation(entry.index, relation.premises, label)
            if one.iri not in self._judged:  # Otherwise it stands there twice.
                self._judged.add(one.iri)
                self._describe(one, rank, relation)
        for premises in entry.contradicted_by:
            node.link(CONTRADICTED_BY, self._relation(entry.index, premises, "contradiction"))

    def _describe(
        self, node: Writing, rank: int, relation: Support | Rejected | Unlabelled
    ) -> None:
        if isinstance(relation, Support):
            self._draft.sink.say(node.iri, TYPE, SUPPORT)
            node.set(RANK, rank)
            self.segments(node, BLOCKED_BY, relation.blocked_by)
        elif isinstance(relation, Unlabelled):
            node.set(ERROR, relation.error)
        else:
            node.words(REJECTED_FOR, relation.reasons)

    def _tree(self, entry: SegmentAudit, node: Writing) -> None:
        if entry.tree is None:
            return
        tree = Writing(self._draft.sink, part_iri(node.iri, "tree", 1), SUPPORT_TREE)
        node.link(HAS_TREE, tree)
        steps = [step for step in _steps(entry.tree) if "premises" in step and "label" in step]
        for step in steps:
            tree.link(USES, self._relation(step["segment"], step["premises"], step["label"]))
        expanded = {step["segment"] for step in steps}
        repeated = {step["segment"] for step in _steps(entry.tree) if "repeated" in step}
        if not repeated <= expanded:
            tree.set(CUT, True)


def _steps(tree: TreeNode) -> Iterable[TreeNode]:
    waiting = [tree]
    while waiting:
        step = waiting.pop()
        yield step
        waiting += step.get("children", [])
