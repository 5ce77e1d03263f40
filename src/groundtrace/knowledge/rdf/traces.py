"""Traces as RDF."""

from collections.abc import Sequence

from pyoxigraph import NamedNode

from groundtrace.knowledge.rdf.iris import digest, named_iri, part_iri
from groundtrace.knowledge.rdf.record_heads import Draft
from groundtrace.knowledge.rdf.resources import Writing
from groundtrace.knowledge.rdf.terms import (
    ACCEPTED_LEAF,
    ANNOTATION,
    ANNOTATOR,
    ERROR,
    GOLD,
    HAS_ANNOTATION,
    HAS_RELATION,
    HAS_SEGMENT,
    INDEX,
    PREMISE,
    PROBABILITY,
    RELATION,
    RELATION_LABEL,
    REMARK,
    SEGMENT,
    TAG,
    TARGET,
    TEXT,
    TRACE,
)
from groundtrace.models.trace import Annotation, Relation, Segment, Trace

MOST_SPELLED = 12
"""Premises that an IRI names; larger sets are hashed."""


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
    for relation in trace.relations or ():
        _write_relation(draft, iri, relation)
    return draft


def _write_segment(draft: Draft, iri: NamedNode, index: int, segment: Segment) -> None:
    node = Writing(draft.sink, iri, SEGMENT)
    draft.record.link(HAS_SEGMENT, node)
    node.set(INDEX, index)
    node.set(TEXT, segment.text)
    node.words(TAG, segment.tags)
    write_annotations(node, segment.gold)


def write_annotations(segment: Writing, annotations: Sequence[Annotation]) -> None:
    """Say what people say of a segment: each value once, and who says it, with which words."""
    segment.words(GOLD, (one.value for one in annotations))
    for one in annotations:
        if one.annotator is not None or one.comment is not None:
            node = segment.part("annotation", HAS_ANNOTATION, ANNOTATION)
            node.set(GOLD, one.value)
            node.set(ANNOTATOR, one.annotator)
            node.set(REMARK, one.comment)


def _write_relation(draft: Draft, trace: NamedNode, relation: Relation) -> None:
    iri = relation_iri(trace, relation.target, relation.premises)
    node = Writing(draft.sink, iri, RELATION)
    draft.record.link(HAS_RELATION, node)
    node.link(TARGET, segment_iri(trace, relation.target))
    node.link(PREMISE, *(segment_iri(trace, premise) for premise in relation.premises))
    node.choose(RELATION_LABEL, relation.label)
    node.set(PROBABILITY, relation.probability)
    node.set(ERROR, relation.error)
