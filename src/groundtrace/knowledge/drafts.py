"""What every record says: its kind, id, case, fields of the user's own, and how it was made.

A record has a graph of its own, named after it. The default graph is the catalogue: it says the
same of every record once more, and describes the runs that made them.
"""

from collections.abc import Mapping
from typing import Any

from pyoxigraph import NamedNode, Quad

from groundtrace.knowledge.minting import case_iri, record_iri
from groundtrace.knowledge.node_reading import Reading
from groundtrace.knowledge.node_writing import Sink, Writing
from groundtrace.knowledge.runs import read_run, run_digest, write_run
from groundtrace.knowledge.terms import (
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

    def __init__(self, kind: NamedNode, iri: NamedNode, id: str) -> None:  # noqa: A002
        """Begin a record.

        Args:
            kind: Its class.
            iri: Its own, and its graph's.
            id: As in files.
        """
        self.iri = iri
        self._case = case_iri(id)
        self._sinks = Sink(iri), Sink(None)
        self._run = Sink(None)
        self.run: NamedNode | None = None
        for sink in self._sinks:
            record = Writing(sink, iri, kind)
            record.set(IDENTIFIER, id)
            record.link(ABOUT, self._case)
        self.record = Writing(self._sinks[0], iri)
        Writing(self._sinks[0], self._case, CASE)

    @property
    def sink(self) -> Sink:
        """Where statements about the record go."""
        return self._sinks[0]

    def own_fields(self, meta: Mapping[str, Any]) -> None:
        """Write the fields that are the user's own.

        Args:
            meta: By name.
        """
        others = {}
        for name, value in meta.items():
            if name in WELL_KNOWN and isinstance(value, str):
                for sink in self._sinks if name in ("domain", "model") else self._sinks[:1]:
                    Writing(sink, self.iri).set(WELL_KNOWN[name], value)
            else:
                others[name] = value
        if others:
            self.record.rest["meta"] = others

    def made_by(self, kind: NamedNode, provenance: Mapping[str, Any]) -> None:
        """Write how the record was made.

        Args:
            kind: Of run.
            provenance: Version, rules, constants, overlays and whatever else; empty if unknown.
        """
        if not provenance:
            return
        self.run = write_run(self._run, kind, provenance)
        for sink in self._sinks:
            Writing(sink, self.iri).link(WAS_GENERATED_BY, self.run)

    def run_parts(self) -> list[list[Quad]]:
        """Return what describes the run that made the record; it is the same for all."""
        return [self._run.quads]

    def own_parts(self) -> list[list[Quad]]:
        """Return what is said of this record alone: in the catalogue, and in its graph."""
        self.record.close()
        graph, catalogue = self._sinks
        return [catalogue.quads, graph.quads]

    def quads(self) -> list[Quad]:
        """Return all statements, each once, sorted part by part."""
        parts = self.run_parts() + self.own_parts()
        return [quad for part in parts for quad in sorted(set(part), key=_written)]


def _written(quad: Quad) -> tuple[str, str, str]:
    return str(quad.subject), quad.predicate.value, str(quad.object)


def versioned_iri(kind: str, id: str, provenance: Mapping[str, Any]) -> NamedNode:  # noqa: A002
    """Return the IRI of a record that stands beside others of the same case.

    Args:
        kind: Such as "audit".
        id: Of the record.
        provenance: Of the run that made it; empty if it is unknown.
    """
    return record_iri(kind, id, run_digest(provenance) if provenance else "unmade")


def own_fields(record: Reading) -> dict[str, Any]:
    """Return the fields that are the user's own.

    Args:
        record: As read.
    """
    known = {name: record.value(property_) for name, property_ in WELL_KNOWN.items()}
    meta: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    others: dict[str, Any] = record.rest().get("meta", {})
    return meta | others


def made_by(record: Reading) -> dict[str, Any]:
    """Return how a record was made; empty if that is unknown.

    Args:
        record: As read.
    """
    run = record.only(WAS_GENERATED_BY)
    return read_run(run) if run else {}
