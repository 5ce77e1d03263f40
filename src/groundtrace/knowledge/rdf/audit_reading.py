"""From RDF back to audits."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.audits import from_supports, set_order
from groundtrace.knowledge.rdf.findings import read_findings
from groundtrace.knowledge.rdf.record_heads import made_by, modelled, own_fields
from groundtrace.knowledge.rdf.resource_reading import Reading
from groundtrace.knowledge.rdf.terms import (
    ACCEPTED_LEAF,
    ACCEPTS,
    BLOCKED_BY,
    BREAKPOINT,
    CONTRADICTED_BY,
    DEPTH,
    ERROR,
    EXPLANATION,
    GROUNDED,
    HAS_RELATION,
    HAS_REPAIR,
    HAS_SEGMENT_AUDIT,
    HAS_TREE,
    IDENTIFIER,
    MORE_REPAIRS,
    MORE_TREES,
    NOTE,
    OUTCOME,
    PREMISE,
    PROVISIONAL,
    RANK,
    REJECTED_FOR,
    RELATION_LABEL,
    SUPPORT,
    TREES,
    UNLABELLED_RELATIONS,
    UNSTABLE,
    USES,
    VETO,
)
from groundtrace.knowledge.rdf.traces import number_of, numbers_of, target_of
from groundtrace.models.audit import Audit, Summary, Support, TreeNode
from groundtrace.vocabulary import LABELS, reason_order


def read_audit(record: Reading) -> Audit:
    """Return the audit that some RDF stands for.

    Args:
        record: Of the class Audit.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    rest = record.rest()
    leaves = rest.get("leaves", numbers_of(record.iris(ACCEPTED_LEAF)))
    relations: dict[int, list[_ReadRelation]] = {}
    for one in map(_read_relation, record.linked(HAS_RELATION)):
        relations.setdefault(one.target, []).append(one)
    entries = {number_of(one.iri): one for one in record.linked(HAS_SEGMENT_AUDIT)}
    order = rest.get("segments", sorted(entries))
    segments = [_read_entry(entries[index], relations, leaves) for index in order]
    fields = {
        "id": record.value(IDENTIFIER),
        "segments": segments,
        "leaves": leaves,
        "findings": read_findings(record),
        "summary": rest.get("summary", Summary.of((), 0, 0)),
        "provenance": made_by(record),
        "meta": own_fields(record),
    }
    audit = modelled(record, Audit, fields)
    if "summary" not in rest:
        unlabelled = record.whole(UNLABELLED_RELATIONS) or 0
        audit.summary = Summary.of(audit.segments, unlabelled, len(audit.findings))
    return audit


class _ReadRelation(NamedTuple):
    """A relation of an audit, as read."""

    node: Reading
    target: int
    premises: list[int]
    label: str | None


def _read_relation(node: Reading) -> _ReadRelation:
    premises = node.rest().get("premises", numbers_of(node.iris(PREMISE)))
    return _ReadRelation(node, target_of(node), premises, node.chosen(RELATION_LABEL))


def _read_entry(
    node: Reading, relations: Mapping[int, list[_ReadRelation]], leaves: Collection[int]
) -> dict[str, Any]:
    """Return one segment of an audit as its model's fields."""
    rest = node.rest()
    index = number_of(node.iri)
    trees = node.linked(HAS_TREE)
    return {
        "index": index,
        "outcome": node.chosen(OUTCOME),
        "grounded": node.flag(GROUNDED),
        "unstable": node.flag(UNSTABLE),
        "provisional": node.flag(PROVISIONAL),
        "depth": node.whole(DEPTH),
        "trees": node.whole(TREES),
        "more_trees": node.flag(MORE_TREES),
        "more_repairs": node.flag(MORE_REPAIRS),
        "explanation": node.value(EXPLANATION),
        "vetoes": rest.get("vetoes", node.words(VETO)),
        "notes": rest.get("notes", node.words(NOTE)),
        "breakpoints": rest.get("breakpoints", numbers_of(node.iris(BREAKPOINT))),
        "repairs": [
            one.rest().get("accepts", numbers_of(one.iris(ACCEPTS)))
            for one in node.linked(HAS_REPAIR)
        ],
        "meta": rest.get("meta", {}),
        "tree": rest["tree"] if "tree" in rest else _read_tree(index, trees, leaves),
        **_read_relations(node, rest, relations.get(index, [])),
        **rest.get("judged", {}),
    }


def _read_relations(
    node: Reading, rest: Mapping[str, Any], relations: Iterable[_ReadRelation]
) -> dict[str, list[Any]]:
    """Return the relations into one segment, by what the audit made of them."""
    supports: list[tuple[int, dict[str, Any]]] = []
    rejected, unlabelled = [], []
    for one in relations:
        known = {"premises": one.premises, "label": one.label}
        kept = one.node.rest()
        reasons = kept.get("reasons", sorted(one.node.words(REJECTED_FOR), key=reason_order))
        if one.node.is_a(SUPPORT):
            blocked = kept.get("blocked_by", numbers_of(one.node.iris(BLOCKED_BY)))
            supports.append((one.node.whole(RANK) or 0, known | {"blocked_by": blocked}))
        elif reasons or "reasons" in kept:
            rejected.append(known | {"reasons": reasons})
        elif one.label is None:
            unlabelled.append({"premises": one.premises, "error": one.node.value(ERROR)})
    contradicting = [_read_relation(one).premises for one in node.linked(CONTRADICTED_BY)]
    return {
        "supports": [support for _, support in sorted(supports, key=lambda pair: pair[0])],
        "rejected": _ordered(rejected, rest.get("rejected")),
        "unlabelled": _ordered(unlabelled, rest.get("unlabelled")),
        "contradicted_by": rest.get("contradicted_by", sorted(contradicting, key=set_order)),
    }


def _ordered(found: list[dict[str, Any]], order: list[list[int]] | None) -> list[dict[str, Any]]:
    """Return relations by size and premises, or in the order that was kept."""
    if order is None:
        return sorted(found, key=lambda one: set_order(one["premises"]))
    return sorted(found, key=lambda one: order.index(one["premises"]))


def _read_tree(sink: int, trees: Sequence[Reading], leaves: Collection[int]) -> TreeNode | None:
    if not trees:
        return None
    picked: dict[int, Support] = {}
    for one in map(_read_relation, trees[0].linked(USES)):
        label = next((label for label in LABELS if label == one.label), None)
        if label is None:
            raise InputError(f"<{one.node.iri}>: a support tree uses a relation without a label")
        picked[one.target] = Support(tuple(one.premises), label, [])
    return from_supports(sink, picked, leaves)
