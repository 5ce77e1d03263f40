"""Small knowledge bases, and engines that answer questions on them."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import rdflib

import groundtrace
from groundtrace.auditing.auditor import Auditor
from groundtrace.files.reading import Record
from groundtrace.graphs.critical import Reducer
from groundtrace.knowledge.ask.answering import Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.sources import Source
from groundtrace.knowledge.checking import our_checks
from groundtrace.knowledge.rdf import runs
from groundtrace.knowledge.rdf.export import Exporting
from groundtrace.knowledge.rdf.records import AnyRecord, quads_of, record_from, record_json
from groundtrace.knowledge.rdf.terms import AUDIT_RUN
from groundtrace.knowledge.store import opened_for_writing
from groundtrace.models.audit import Audit
from groundtrace.models.graph import CriticalGraph, EvidenceGraph, GraphCase
from groundtrace.models.reward import Reward
from groundtrace.models.trace import Trace
from groundtrace.rules.rulebook import rulebook_for
from tests.served import serving

XSD = "http://www.w3.org/2001/XMLSchema#"
Row = tuple[Any, ...]
Rows = Counter[Row]
"""Rows that may come in any order, each as often as it does."""

_KINDS: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "double": float,
    "decimal": float,
    "boolean": lambda text: text in ("true", "1"),
    "string": str,
}


def plain(term: Any) -> Any:
    """Return a term of any engine as a Python value; an IRI stands in angle brackets."""
    if term is None:
        return None
    if isinstance(term, ox.NamedNode):
        return str(term)
    if isinstance(term, rdflib.URIRef):
        return f"<{term}>"
    if isinstance(term, ox.Literal):
        return _KINDS[term.datatype.value.removeprefix(XSD)](term.value)
    return _KINDS[str(term.datatype or "string").removeprefix(XSD)](str(term))


def all_quads(records: Iterable[AnyRecord]) -> list[ox.Quad]:
    return [quad for one in records for quad in quads_of(one)]


def store_of(quads: Iterable[ox.Quad]) -> ox.Store:
    store = ox.Store()
    store.extend(quads)
    return store


def listed(store: ox.Store, query: str) -> list[dict[str, Any]]:
    """Return rows in their order, by the names of the columns."""
    solutions: Any = store.query(query)
    names = [variable.value for variable in solutions.variables]
    return [{name: plain(row[name]) for name in names} for row in solutions]


def rows(store: ox.Store, query: str) -> Rows:
    return Counter(tuple(row.values()) for row in listed(store, query))


CHECKS = {check.name: check.query for check in our_checks()}


def found(quads: Iterable[ox.Quad]) -> dict[str, set[tuple[str, str]]]:
    """Return what each check finds: graphs and subjects."""
    store = store_of(quads)
    return {
        name: {(row[0], row[2]) for row in violations}
        for name, query in CHECKS.items()
        if (violations := rows(store, query))
    }


# Engines.

Engine = Callable[[str], Rows]
"""Answers a query of ours."""


def _asking(source: Source) -> Iterator[Engine]:
    with Asker(source) as asker:

        def answer(query: str) -> Rows:
            found = asker.ask(Request(query, trusted=True))
            assert not found.more
            return Counter(tuple(map(plain, row)) for row in found.rows)

        yield answer


@contextmanager
def memory(records: Sequence[AnyRecord], folder: Path) -> Iterator[Engine]:
    """Give Oxigraph, which read a file of records."""
    path = folder / "records.jsonl"
    path.write_text("".join(f"{record_json(one)}\n" for one in records), encoding="utf-8")
    yield from _asking(Source((str(path),)))


@contextmanager
def disk(records: Sequence[AnyRecord], folder: Path) -> Iterator[Engine]:
    """Give Oxigraph, which reads a knowledge base on disk."""
    with opened_for_writing(folder / "kb") as writer:
        for one in records:
            output = Exporting().done(Record("here", "name", record_json(one).encode())).output
            assert output is not None
            writer.put(*output)
    yield from _asking(Source(store=str(folder / "kb")))


def in_rdflib(quads: Iterable[ox.Quad]) -> Engine:
    content = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    with quiet():
        dataset = rdflib.Dataset(default_union=False)
        dataset.parse(data=content.decode(), format="nquads")

    def answer(query: str) -> Rows:
        with quiet():
            return Counter(tuple(map(plain, row)) for row in dataset.query(query))  # type: ignore[arg-type]

    return answer


@contextmanager
def quiet() -> Iterator[None]:
    """Let rdflib use what it calls deprecated itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@contextmanager
def other(records: Sequence[AnyRecord], _: Path) -> Iterator[Engine]:
    """Give rdflib."""
    yield in_rdflib(all_quads(records))


@contextmanager
def http(records: Sequence[AnyRecord], folder: Path) -> Iterator[Engine]:
    """Give the endpoint, asked over HTTP."""
    path = folder / "records.nq"
    path.write_bytes(ox.serialize(all_quads(records), format=ox.RdfFormat.N_QUADS) or b"")
    with serving(path) as server:
        yield from _asking(Source(endpoint=server.sparql))


ENGINES: Mapping[str, Callable[[Sequence[AnyRecord], Path], AbstractContextManager[Engine]]] = {
    "memory": memory,
    "disk": disk,
    "rdflib": other,
    "http": http,
}


# Records, written briefly.


def trace(id: str, count: int, leaves: Sequence[int] = (1,), **labels: str) -> Trace:  # noqa: A002
    """Return a trace; a relation is called like "_1_2to3"."""
    relations = []
    for name, label in labels.items():
        premises, target = name.strip("_").split("to")
        relations.append(
            {
                "premises": [int(one) for one in premises.split("_")],
                "target": int(target),
                "label": label,
            }
        )
    return Trace.model_validate(
        {
            "id": id,
            "segments": [f"segment {number}" for number in range(1, count + 1)],
            "leaves": list(leaves),
            "relations": relations,
        }
    )


@cache
def auditor(gap: int = 3, max_trees: int = 50) -> Auditor:
    return Auditor(rulebook_for("audit", (), {"closest_gap_limit": gap}), max_trees)


def audited(one: Trace, gap: int = 3) -> Audit:
    return auditor(gap).audit(one).audit


@cache
def reducer(*overlays: Path) -> Reducer:
    return Reducer(rulebook_for("graph", overlays))


def critical(id: str, conclusion: str | None, *triplets: str, **fields: Any) -> CriticalGraph:  # noqa: A002
    """Return a reduced graph; a triplet is written like "fever suggests flu"."""
    case = {"id": id, "triplets": [one.split() for one in triplets], **fields}
    if conclusion is not None:
        case["conclusion"] = conclusion
    return reducer().reduce(GraphCase.model_validate(case))


def published(name: str, core: Sequence[str], *triplets: str, **fields: str) -> GraphCase:
    """Return a case like a published row."""
    graph = {
        "triplets": [one.split() for one in triplets],
        "core_reasoning_subgraph": [one.split() for one in core],
    }
    return GraphCase.model_validate({"index": name, "graph": graph, **fields})


def voted(id: str, min_votes: int = 1, **models: Sequence[str]) -> EvidenceGraph:  # noqa: A002
    """Return what votes make of the triplets of some models."""
    extractions = [
        {"model": model, "triplets": [one.split() for one in triplets]}
        for model, triplets in models.items()
    ]
    return groundtrace.vote({"id": id, "extractions": extractions}, min_votes)


def reward(
    id: str,  # noqa: A002
    missed: Sequence[str | list[str]] = (),
    status: str = "scored",
    **fields: Any,
) -> Reward:
    """Return a reward that nobody earned."""
    found = record_from(
        {
            "id": id,
            "status": status,
            "node_coverage": 0.5,
            "matches": [],
            "missed": [one.split() if isinstance(one, str) else one for one in missed],
            **fields,
        }
    )
    assert isinstance(found, Reward)
    return found


def run_of(audit: Audit) -> str:
    """Return how questions call the run that made an audit."""
    run = runs.run_of(AUDIT_RUN, audit.provenance.model_dump())
    assert run is not None
    return f"audit-{run.digest}"
