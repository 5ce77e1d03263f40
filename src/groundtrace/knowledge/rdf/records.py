"""Records of every kind: from JSON, to JSON, and to RDF."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json
from pyoxigraph import NamedNode, Quad

from groundtrace.errors import InputError
from groundtrace.files.reading import Record, object_of, problems_of
from groundtrace.knowledge.rdf.audits import write_audit
from groundtrace.knowledge.rdf.graphs import write_case, write_critical, write_voted
from groundtrace.knowledge.rdf.record_heads import Draft
from groundtrace.knowledge.rdf.rewards import write_reward
from groundtrace.knowledge.rdf.terms import (
    AUDIT,
    CRITICAL_GRAPH,
    GIVEN_GRAPH,
    REWARD,
    TRACE,
    VOTED_GRAPH,
)
from groundtrace.knowledge.rdf.traces import write_trace
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
    """

    name: str
    model: type[BaseModel]
    iri: NamedNode
    write: Callable[[Any], Draft]


KINDS = (
    Kind("trace", Trace, TRACE, write_trace),
    Kind("audit", Audit, AUDIT, write_audit),
    Kind("case", GraphCase, GIVEN_GRAPH, write_case),
    Kind("evidence graph", EvidenceGraph, VOTED_GRAPH, write_voted),
    Kind("critical graph", CriticalGraph, CRITICAL_GRAPH, write_critical),
    Kind("reward", Reward, REWARD, write_reward),
)
ODD_NUMBERS = ("NaN", "Infinity")
"""As Python's JSON spells what is no JSON."""

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

    Raises:
        InputError: JSON cannot hold it.

    Source: ontology/groundtrace.ttl.
    """
    return draft_of(record).quads()


def draft_of(record: AnyRecord) -> Draft:
    """Return a record as a draft, which knows its IRI.

    Raises:
        InputError: JSON cannot hold it.
    """
    draft = kind_of(record).write(record)
    draft.keep(_json(_sorted(_fields_of(record))))
    return draft


def kind_of(record: AnyRecord) -> Kind:
    """Return the kind of a record."""
    return _BY_MODEL[type(record)]


def record_json(record: AnyRecord) -> str:
    """Return a record as one line of JSON, as the commands write it.

    Raises:
        InputError: it holds a number that JSON cannot: infinite, or none.
    """
    return _json(_fields_of(record))


def _fields_of(record: AnyRecord) -> dict[str, Any]:
    """Return a record as files have it."""
    if isinstance(record, Audit):
        return record.model_dump(exclude=None if record.meta else {"meta"})
    if isinstance(record, Trace | GraphCase):
        return _given_fields(record)
    return {"id": record.id, **record.meta, **record.model_dump(exclude={"meta"})}


def _sorted(value: Any) -> Any:
    """Return a value with all names in one order, which means nothing: equal records look equal."""
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list | tuple) else value


def _json(fields: dict[str, Any]) -> str:
    """Return fields as one line of JSON.

    Raises:
        InputError: they hold a number that JSON cannot: infinite, or none.
    """
    text = to_json(fields, inf_nan_mode="constants").decode()
    if any(word in text for word in ODD_NUMBERS) and (odd := next(_odd_numbers(fields, ""), None)):
        raise InputError(f"{odd}, which JSON cannot hold; expected a finite number or null")
    return text


def _odd_numbers(value: Any, place: str) -> Iterator[str]:
    """Yield where in a record there are numbers that JSON cannot hold."""
    if isinstance(value, float) and not math.isfinite(value):
        yield f"{place}: is {value}"
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _odd_numbers(one, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield from _odd_numbers(one, f"{place}.{number}" if place else str(number))


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
