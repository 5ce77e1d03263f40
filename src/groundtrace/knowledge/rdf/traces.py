"""Traces as RDF, and back."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pyoxigraph import NamedNode

from groundtrace.errors import InputError
from groundtrace.knowledge.rdf.iris import digest, named_iri, part_iri
from groundtrace.knowledge.rdf.record_heads import Draft, modelled, own_fields
from groundtrace.knowledge.rdf.resource_reading import Reading
from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.terms import (
    ACCEPTED_LEAF,
    ERROR,
    GOLD,
    HAS_RELATION,
    HAS_SEGMENT,
    IDENTIFIER,
    INDEX,
    PREMISE,
    PROBABILITY,
    RELATION,
    RELATION_LABEL,
    SEGMENT,
    TAG,
    TARGET,
    TEXT,
    TRACE,
)
from groundtrace.models.trace import Relation, Segment, Trace

MOST_SPELLED = 12
"""Premises that an IRI names; larger sets are hashed."""

_NUMBERED = re.compile(r"/segment/(-?[0-9]{1,100})\Z")


def trace_iri(id: str) -> NamedNode:  # noqa: A002
    """Return the IRI of a trace."""
    return named_iri("trace", id)


def segment_iri(trace: NamedNode, index: int) -> NamedNode:
    """Return the IRI of a segment.

    Args:
        index: From 1.
    """
    return part_iri(trace, "segment", index)


def relation_iri(whole: NamedNode, target: int, premises: Sequence[int]) -> NamedNode:
    """Return the IRI of a relation.

    Args:
        whole: The trace or audit that it belongs to.
    """
    spelled = ".".join(map(str, premises))
    key = spelled if len(premises) <= MOST_SPELLED else digest(spelled)
    return part_iri(whole, "relation", f"{key}-{target}")


def write_trace(trace: Trace) -> Draft:
    """Return a trace as RDF.

    Args:
        trace: As it came in.
    """
    iri = trace_iri(trace.id)
    draft = Draft(TRACE, iri, trace.id)
    draft.own_fields(trace.meta)
    for leaf in trace.leaves:
        draft.record.link(ACCEPTED_LEAF, segment_iri(iri, leaf))
    for index, segment in enumerate(trace.segments, 1):
        _write_segment(draft, segment_iri(iri, index), index, segment)
    if trace.relations is not None and not trace.relations:
        draft.record.rest["relations"] = []
    for relation in trace.relations or ():
        _write_relation(draft, iri, relation)
    return draft


def _write_segment(draft: Draft, iri: NamedNode, index: int, segment: Segment) -> None:
    node = Writing(draft.sink, iri, SEGMENT)
    draft.record.link(HAS_SEGMENT, node)
    node.set(INDEX, index)
    node.set(TEXT, segment.text)
    node.set(GOLD, segment.gold)
    node.words(TAG, "tags", segment.tags)
    if segment.meta:
        node.rest["meta"] = segment.meta
    node.close()


def _write_relation(draft: Draft, trace: NamedNode, relation: Relation) -> None:
    iri = relation_iri(trace, relation.target, relation.premises)
    node = Writing(draft.sink, iri, RELATION)
    draft.record.link(HAS_RELATION, node)
    node.link(TARGET, segment_iri(trace, relation.target))
    node.link(PREMISE, *(segment_iri(trace, premise) for premise in relation.premises))
    node.choose(RELATION_LABEL, relation.label)
    node.set(PROBABILITY, relation.probability)
    node.set(ERROR, relation.error)
    if relation.meta:
        node.rest["meta"] = relation.meta
    node.close()


def number_of(segment: str) -> int:
    """Return the number of a segment.

    Raises:
        InputError: it is no segment of ours.
    """
    number = _NUMBERED.search(segment)
    if number is None:
        raise InputError(f"<{segment}>: expected a segment")
    return int(number[1])


def numbers_of(segments: Iterable[str]) -> list[int]:
    """Return the numbers of segments, ascending.

    Raises:
        InputError: one is no segment of ours.
    """
    return sorted(map(number_of, segments))


def target_of(relation: Reading) -> int:
    """Return the number of a relation's target.

    Raises:
        InputError: it has no target, or several.
    """
    target = relation.only(TARGET)
    if target is None:
        raise InputError(f"<{relation.iri}>: the relation has no target")
    return number_of(target.iri)


def read_trace(record: Reading) -> Trace:
    """Return the trace that some RDF stands for.

    Args:
        record: Of the class Trace.

    Raises:
        InputError: it is damaged; the message names the field or property.
    """
    relations = [_read_relation(one) for one in record.linked(HAS_RELATION)]
    segments = {number_of(one.iri): one for one in record.linked(HAS_SEGMENT)}
    missing = set(range(1, len(segments) + 1)) - segments.keys()
    if missing:
        raise InputError(f"<{record.iri}>: segment {min(missing)} is missing")
    fields: dict[str, Any] = {
        "id": record.value(IDENTIFIER),
        "leaves": numbers_of(record.iris(ACCEPTED_LEAF)),
        "segments": [_read_segment(segments[number]) for number in sorted(segments)],
        "relations": relations or record.rest().get("relations"),
    }
    return modelled(record, Trace, own_fields(record) | fields)


def _read_segment(segment: Reading) -> dict[str, Any]:
    rest = segment.rest()
    fields: dict[str, Any] = {"text": segment.value(TEXT), "tags": segment.words(TAG)}
    if (gold := segment.value(GOLD)) is not None:
        fields["gold"] = gold
    if "tags" in rest:
        fields["tags"] = rest["tags"]
    meta: dict[str, Any] = rest.get("meta", {})
    return meta | fields


def _read_relation(relation: Reading) -> dict[str, Any]:
    meta: dict[str, Any] = relation.rest().get("meta", {})
    return meta | {
        "premises": numbers_of(relation.iris(PREMISE)),
        "target": target_of(relation),
        "label": relation.chosen(RELATION_LABEL),
        "probability": relation.value(PROBABILITY, float),
        "error": relation.value(ERROR),
    }
