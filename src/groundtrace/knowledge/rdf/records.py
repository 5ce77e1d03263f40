"""Records of every kind: from JSON to RDF, and from RDF to JSON."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json
from pyoxigraph import NamedNode, Quad

from groundtrace.errors import InputError
from groundtrace.files.reading import Record, object_of, problems_of
from groundtrace.knowledge.rdf.audit_reading import read_audit
from groundtrace.knowledge.rdf.audits import write_audit
from groundtrace.knowledge.rdf.graph_reading import read_case, read_critical, read_voted
from groundtrace.knowledge.rdf.graphs import write_case, write_critical, write_voted
from groundtrace.knowledge.rdf.record_heads import Draft
from groundtrace.knowledge.rdf.resource_reading import Graph, Reading
from groundtrace.knowledge.rdf.rewards import read_reward, write_reward
from groundtrace.knowledge.rdf.terms import (
    AUDIT,
    CRITICAL_GRAPH,
    GIVEN_GRAPH,
    REWARD,
    TRACE,
    TYPE,
    VOTED_GRAPH,
)
from groundtrace.knowledge.rdf.traces import read_trace, write_trace
from groundtrace.models.audit import Audit
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace

AnyRecord = Trace | Audit | GraphCase | EvidenceGraph | CriticalGraph | Reward


@dataclass(frozen=True)
class Kind:
    """One kind of record.

    Attributes:
        name: For people.
        model: Of its JSON.
        iri: Its class in the ontology.
        write: To RDF.
        read: From RDF.
    """

    name: str
    model: type[BaseModel]
    iri: NamedNode
    write: Callable[[Any], Draft]
    read: Callable[[Reading], AnyRecord]


KINDS = (
    Kind("trace", Trace, TRACE, write_trace, read_trace),
    Kind("audit", Audit, AUDIT, write_audit, read_audit),
    Kind("case", GraphCase, GIVEN_GRAPH, write_case, read_case),
    Kind("evidence graph", EvidenceGraph, VOTED_GRAPH, write_voted, read_voted),
    Kind("critical graph", CriticalGraph, CRITICAL_GRAPH, write_critical, read_critical),
    Kind("reward", Reward, REWARD, write_reward, read_reward),
)
_BY_MODEL = {kind.model: kind for kind in KINDS}


def record_of(record: Record) -> AnyRecord:
    """Return the record that a line or document holds, of whatever kind it is.

    Raises:
        InputError: it is of no kind that a knowledge base keeps, or faulty; the message names the
            fields.
    """
    fields = object_of(record)
    found = record_from(fields)
    if "id" not in fields and not (isinstance(found, GraphCase) and "index" in fields):
        found.id = record.name
    return found


def record_from(fields: Mapping[str, Any]) -> AnyRecord:
    """Return the record that a JSON object holds, of whatever kind it is.

    Raises:
        InputError: it is of no kind that a knowledge base keeps, or faulty; the message names the
            fields.
    """
    model = _model_of(fields)
    if model in (EvidenceGraph, CriticalGraph, Reward):
        # Their files have the user's own fields beside ours.
        own = {name: value for name, value in fields.items() if name not in model.model_fields}
        fields = {
            **{name: value for name, value in fields.items() if name in model.model_fields},
            "meta": own | ({"meta": fields["meta"]} if "meta" in fields else {}),
        }
    try:
        found: Any = model.model_validate(fields)
    except ValidationError as error:
        raise InputError(problems_of(error)) from None
    return found  # type: ignore[no-any-return]


def _model_of(fields: Mapping[str, Any]) -> type[BaseModel]:
    """Return the model of a record's kind.

    Raises:
        InputError: it is of no kind that a knowledge base keeps.
    """
    names = fields.keys()
    if "segments" in names:
        return Audit if {"summary", "findings"} <= names else Trace
    if {"matches", "node_coverage"} <= names:
        return Reward
    if {"critical", "dropped"} <= names:
        return CriticalGraph
    if {"outvoted", "triplets"} <= names:
        return EvidenceGraph
    if "generated" in names and "triplets" not in names:
        raise InputError("not scored yet: run groundtrace reward first")
    if names & {"triplets", "extractions", "rationale", "graph"}:
        return GraphCase
    if "response" in names:
        raise InputError("a raw response: run groundtrace segment, label or audit first")
    expected = "a trace, an audit, a case with triplets or extractions, a graph, or a reward"
    raise InputError(f"expected {expected}; found the fields {', '.join(sorted(names)) or 'none'}")


def quads_of(record: AnyRecord) -> list[Quad]:
    """Return a record as RDF: its own graph, and its entry in the catalogue.

    Source: ontology/groundtrace.ttl.
    """
    return draft_of(record).quads()


def draft_of(record: AnyRecord) -> Draft:
    """Return a record as a draft, which knows its IRI."""
    return kind_of(record).write(record)


def kind_of(record: AnyRecord) -> Kind:
    """Return the kind of a record."""
    return _BY_MODEL[type(record)]


def record_in(graph: Graph, iri: str) -> AnyRecord:
    """Return a record that some RDF stands for.

    Args:
        graph: All that is said of it and of the run that made it.

    Raises:
        InputError: it is no record, or damaged.
    """
    node = Reading(graph, iri)
    for kind in KINDS:
        if node.is_a(kind.iri):
            try:
                return kind.read(node)
            except (TypeError, ValueError, LookupError, AttributeError):
                problem = "what gt:rest keeps, here or below, does not fit what else is said"
                raise InputError(f"<{iri}>: {problem}") from None
    raise InputError(f"<{iri}>: expected a record of one of our kinds")


def records_among(graph: Graph) -> Iterable[str]:
    """Return the IRIs of all records of a graph, sorted.

    Args:
        graph: Of any number of records.
    """
    kinds = {kind.iri for kind in KINDS}
    return sorted(
        iri for iri, said in graph.items() if kinds.intersection(said.get(TYPE.value, ()))
    )


def record_json(record: AnyRecord) -> str:
    """Return a record as one line of JSON, as the commands write it."""
    fields: dict[str, Any]
    if isinstance(record, Audit):
        fields = record.model_dump(exclude=None if record.meta else {"meta"})
    elif isinstance(record, Trace | GraphCase):
        fields = _given_fields(record)
    else:
        fields = {"id": record.id, **record.meta, **record.model_dump(exclude={"meta"})}
    return to_json(fields, inf_nan_mode="constants").decode()


def _given_fields(record: BaseModel) -> dict[str, Any]:
    """Return the fields of a record: of ours those that have a value, of the user's own all."""
    fields = record.model_dump()
    for name in type(record).model_fields:
        value = getattr(record, name)
        if value is None:
            del fields[name]
        elif isinstance(value, list) and value and isinstance(value[0], BaseModel):
            fields[name] = [_given_fields(one) for one in value]
    return fields
