"""What every record says: its kind, id, case, fields of the user's own, and how it was made.

A record has a graph of its own, named after it. The default graph is the catalogue: it says the
same of every record once more, and describes the runs that made them.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pyoxigraph import NamedNode, Quad

from groundtrace.errors import InputError
from groundtrace.files.reading import problems_of
from groundtrace.knowledge.rdf.iris import named_iri
from groundtrace.knowledge.rdf.resource_reading import Reading
from groundtrace.knowledge.rdf.resources import Sink, Writing
from groundtrace.knowledge.rdf.runs import Run, read_run
from groundtrace.knowledge.rdf.terms import (
    ABOUT,
    ANSWER,
    CASE,
    DOMAIN,
    IDENTIFIER,
    MODEL,
    QUESTION,
    RATIONALE,
    WAS_GENERATED_BY,
)

Model = TypeVar("Model", bound=BaseModel)

WELL_KNOWN = {
    "question": QUESTION,
    "answer": ANSWER,
    "rationale": RATIONALE,
    "domain": DOMAIN,
    "model": MODEL,
}
"""Fields of the user's own that have a property, so that questions can ask for them."""


class Draft:
    """A record that is being written."""

    def __init__(
        self,
        kind: NamedNode,
        iri: NamedNode,
        id: str,  # noqa: A002
        run: Run | None = None,
    ) -> None:
        """Begin a record.

        Args:
            iri: Its own, and its graph's.
            run: That made it; None if it is unknown.
        """
        self.iri = iri
        self.run = run
        case = named_iri("case", id)
        self._sinks = Sink(iri), Sink(None)
        for sink in self._sinks:
            record = Writing(sink, iri, kind)
            record.set(IDENTIFIER, id)
            record.link(ABOUT, case)
            if run is not None:
                record.link(WAS_GENERATED_BY, run.iri)
        self.record = Writing(self._sinks[0], iri)
        Writing(self._sinks[0], case, CASE)

    @property
    def sink(self) -> Sink:
        """Where statements about the record go."""
        return self._sinks[0]

    def own_fields(self, meta: Mapping[str, Any]) -> None:
        """Write the fields that are the user's own."""
        others = {}
        for name, value in meta.items():
            if name in WELL_KNOWN and isinstance(value, str):
                for sink in self._sinks if name in ("domain", "model") else self._sinks[:1]:
                    Writing(sink, self.iri).set(WELL_KNOWN[name], value)
            else:
                others[name] = value
        if others:
            self.record.rest["meta"] = others

    def own_parts(self) -> list[list[Quad]]:
        """Return what is said of this record alone: in the catalogue, and in its graph."""
        self.record.close()
        graph, catalogue = self._sinks
        return [catalogue.quads, graph.quads]

    def quads(self) -> list[Quad]:
        """Return all statements, each once, sorted part by part."""
        parts = [self.run.quads if self.run else (), *self.own_parts()]
        return [quad for part in parts for quad in sorted(set(part), key=_written)]


def _written(quad: Quad) -> tuple[str, str, str]:
    return str(quad.subject), quad.predicate.value, str(quad.object)


def versioned_iri(kind: str, id: str, run: Run | None) -> NamedNode:  # noqa: A002
    """Return the IRI of a record that stands beside others of the same case.

    Args:
        run: That made it; None if it is unknown.
    """
    return named_iri(kind, id, run.digest if run else "unmade")


def modelled(record: Reading, model: type[Model], fields: Mapping[str, Any]) -> Model:
    """Return the model of a record that was read.

    Args:
        model: Of the record's kind.

    Raises:
        InputError: they do not make one; the message names the fields.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise InputError(f"<{record.iri}>: {problems_of(error)}") from None


def own_fields(record: Reading) -> dict[str, Any]:
    """Return the fields that are the user's own."""
    known = {name: record.value(property_) for name, property_ in WELL_KNOWN.items()}
    meta: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    others: dict[str, Any] = record.rest().get("meta", {})
    return meta | others


def made_by(record: Reading) -> dict[str, Any]:
    """Return how a record was made; empty if that is unknown."""
    run = record.only(WAS_GENERATED_BY)
    return read_run(run) if run else {}
