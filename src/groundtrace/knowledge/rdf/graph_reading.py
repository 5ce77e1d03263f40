"""From RDF back to evidence graphs."""

from typing import Any

from pyoxigraph import NamedNode

from groundtrace.knowledge.rdf.concepts import text_of, triplet_of
from groundtrace.knowledge.rdf.findings import read_findings, read_left_out
from groundtrace.knowledge.rdf.record_heads import made_by, modelled, own_fields
from groundtrace.knowledge.rdf.resource_reading import Reading
from groundtrace.knowledge.rdf.terms import (
    BACKWARDS,
    CONCEPT_OF,
    CONCLUSION,
    CONCLUSION_TEXT,
    CRITICAL_TRIPLET,
    DROPPED,
    DROPPED_FOR,
    ERROR,
    EXTRACTED,
    EXTRACTED_BY,
    FILLED,
    FILLED_IN,
    FOUND_BY,
    HAS_EXTRACTION,
    HAS_MERGER,
    HAS_NEAR_NODE,
    HAS_STEP,
    HAS_TRIPLET,
    IDENTIFIER,
    KEEPS_TRIPLETS,
    KEPT,
    LABEL,
    OUTVOTED,
    PUBLISHED_ROW,
    RATIONALE,
    SIMILARITY,
    STATUS,
    STEP_TRIPLET,
    TEXT,
    VOTED_BY,
    VOTES,
)
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase


def read_case(record: Reading) -> GraphCase:
    """Return the case that some RDF stands for.

    Args:
        record: Of the class GivenGraph.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    rest = record.rest()
    extractions = [_read_extraction(one) for one in record.linked(HAS_EXTRACTION)]
    triplets = _items(record, HAS_TRIPLET, "triplets")
    own = _own_fields(record, triplets, rest.get("core", _critical(record)))
    fields: dict[str, Any] = {
        "id": record.value(IDENTIFIER),
        "extractions": extractions or rest.get("extractions"),
        "triplets": triplets,
        "conclusion": text_of(record, CONCLUSION, CONCLUSION_TEXT),
        "conclusion_by": record.value(FOUND_BY),
        "status": record.chosen(STATUS),
        "error": record.value(ERROR),
        "options": rest.get("options"),
        "unfound": rest.get("unfound"),
    }
    return modelled(record, GraphCase, own | fields)


def read_voted(record: Reading) -> EvidenceGraph:
    """Return the voted graph that some RDF stands for.

    Args:
        record: Of the class VotedGraph.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    fields = {
        "id": record.value(IDENTIFIER),
        "status": record.chosen(STATUS),
        "error": record.value(ERROR),
        "triplets": _items(record, HAS_TRIPLET, "triplets") or [],
        "outvoted": _items(record, OUTVOTED, "outvoted") or [],
        "merged": [
            {
                "kept": one.value(KEPT),
                "dropped": one.value(DROPPED),
                "similarity": one.value(SIMILARITY, float),
            }
            for one in record.linked(HAS_MERGER)
        ],
        "malformed": read_left_out(record),
        "warnings": read_findings(record),
        "provenance": made_by(record),
        "meta": own_fields(record),
    }
    return modelled(record, EvidenceGraph, fields)


def read_critical(record: Reading) -> CriticalGraph:
    """Return the critical evidence graph that some RDF stands for.

    Args:
        record: Of the class CriticalGraph.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    rest = record.rest()
    items = _items(record, HAS_TRIPLET, "triplets") or []
    meta = _own_fields(record, items, None)
    if record.flag(KEEPS_TRIPLETS):
        meta["triplets"] = items
    node = text_of(record, CONCLUSION, CONCLUSION_TEXT)
    similarity = record.value(SIMILARITY, float)
    conclusion = {"node": node, "found_by": record.value(FOUND_BY), "similarity": similarity}
    fields = {
        "id": record.value(IDENTIFIER),
        "status": record.chosen(STATUS),
        "error": record.value(ERROR),
        "conclusion": None if node is None else conclusion,
        "nearest": [
            (text_of(one, CONCEPT_OF, TEXT), one.value(SIMILARITY, float))
            for one in record.linked(HAS_NEAR_NODE)
        ],
        "critical": rest.get("critical", _critical(record)),
        "dropped": rest.get("dropped", _dropped(record)),
        "malformed": read_left_out(record),
        "warnings": read_findings(record),
        "backwards": rest.get("backwards", record.words(BACKWARDS)),
        "provenance": made_by(record),
        "meta": meta,
    }
    return modelled(record, CriticalGraph, fields)


def _items(owner: Reading, property_: NamedNode, field: str) -> list[Any] | None:
    """Return the items of a list, what was kept instead of triplets first; None for no list."""
    kept: list[Any] | None = owner.rest().get(field)
    if kept is not None:
        return kept
    return [_item(one) for one in owner.linked(property_)] or None


def _item(node: Reading) -> Any:
    triplet = triplet_of(node)
    votes = node.whole(VOTES)
    if votes is None:
        return list(triplet)
    return {
        **triplet._asdict(),
        "votes": votes,
        "models": [one.value(LABEL) for one in node.linked(VOTED_BY)],
        "filled": node.flag(FILLED),
    }


def _critical(record: Reading) -> list[list[str]]:
    return [list(triplet_of(one)) for one in record.linked(CRITICAL_TRIPLET)]


def _dropped(record: Reading) -> list[dict[str, Any]]:
    dropped = []
    for one in record.linked(HAS_TRIPLET):
        reason = one.value(DROPPED_FOR)
        if reason is None:
            continue
        steps = [step.only(STEP_TRIPLET) for step in one.linked(HAS_STEP)]
        path = [triplet_of(step) for step in steps if step is not None] or None
        dropped.append({"triplet": triplet_of(one), "reason": reason, "path": path})
    return dropped


def _read_extraction(node: Reading) -> dict[str, Any]:
    rest = node.rest()
    extractor = node.only(EXTRACTED_BY)
    meta: dict[str, Any] = rest.get("meta", {})
    return meta | {
        "model": extractor.value(LABEL) if extractor else None,
        "error": node.value(ERROR),
        "triplets": _items(node, EXTRACTED, "triplets"),
        "filled": _items(node, FILLED_IN, "filled"),
        "complaints": read_left_out(node),
    }


def _own_fields(record: Reading, items: Any, core: Any) -> dict[str, Any]:
    """Return the user's own fields, with those of a published row that the record has."""
    own = own_fields(record)
    known = {
        "graph.triplets": items,
        "graph.core_reasoning_subgraph": core,
        "index": record.value(IDENTIFIER),
        "reasoning_content": record.value(RATIONALE),
    }
    for name in record.words(PUBLISHED_ROW):
        whole, dot, part = name.partition(".")
        if dot:
            own[whole] = {**own.get(whole, {}), part: known.get(name)}
        else:
            own[whole] = known.get(name)
    return own
