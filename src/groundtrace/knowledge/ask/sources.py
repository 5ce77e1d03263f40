"""What can be asked: files, a knowledge base on disk, a SPARQL endpoint."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pyoxigraph import (
    Quad,
    QueryResultsFormat,
    RdfFormat,
    Store,
    parse,
    parse_query_results,
    serialize,
)

from groundtrace.errors import GroundtraceError, InputError, placed
from groundtrace.files.reading import read_records
from groundtrace.knowledge.ask.endpoints import Endpoint
from groundtrace.knowledge.ask.engine import answered, judged
from groundtrace.knowledge.ask.rdflib_judgement import judge_for_rdflib
from groundtrace.knowledge.rdf.formats import format_of, read_quads
from groundtrace.knowledge.rdf.records import quads_of, record_of
from groundtrace.knowledge.store import current_generation, opened_for_reading

EngineName = Literal["oxigraph", "rdflib"]


@dataclass(frozen=True)
class Source:
    """What is asked: files, a store or an endpoint, exactly one of them.

    Attributes:
        files: RDF, or records as JSON; loaded into memory.
        store: Folder of a knowledge base.
        endpoint: Address of a server that speaks the SPARQL 1.1 protocol.
        engine: What answers for files; rdflib is a hundred times slower, and a second opinion.
    """

    files: tuple[str, ...] = ()
    store: str | None = None
    endpoint: str | None = None
    engine: EngineName = "oxigraph"

    def __str__(self) -> str:
        """Return how messages call it."""
        return self.endpoint or self.store or ", ".join(self.files)


class Engine(Protocol):
    """Answers queries."""

    cut: bool
    """Whether who answered says that there are more rows."""

    def answer(self, query: str, trusted: bool) -> Any:
        """Return results, which are computed as they are read.

        Args:
            query: In SPARQL 1.1.
            trusted: Whether it need not be judged.

        Raises:
            InputError: the query is refused.
            ModelError: an endpoint could not be used.
        """


def opened(source: Source) -> Engine:
    """Return what answers queries on a source.

    Raises:
        InputError: it cannot be read, or is not exactly one thing.
    """
    given = [bool(source.files), source.store is not None, source.endpoint is not None]
    if sum(given) != 1:
        raise InputError("expected files, --store DIR or --endpoint URL: exactly one of them")
    if "-" in source.files:
        raise InputError("-: expected the name of a file; another process reads it")
    if source.endpoint is not None:
        return Endpoint(source.endpoint)
    if source.store is not None:
        return _Folder(Path(source.store))
    if source.engine == "rdflib":
        return _Rdflib(source.files)
    return _Memory(source.files)


def quads_in(source: Source) -> Iterator[Quad]:
    """Yield all statements of files or of a knowledge base on disk.

    Raises:
        InputError: it cannot be read, or is an endpoint.
    """
    if source.endpoint is not None:
        raise InputError("expected files or --store DIR, not an endpoint")
    if source.store is not None:
        yield from opened_for_reading(current_generation(Path(source.store)))
    else:
        yield from _quads_in(source.files)


def _quads_in(files: Iterable[str]) -> Iterator[Quad]:
    """Yield the statements of files: RDF as it is, records as RDF.

    Raises:
        InputError: a file or record cannot be read.
    """
    for file in files:
        if format_of(file) is not None:
            yield from read_quads(file)
            continue
        try:
            records = list(read_records(file))
        except GroundtraceError as error:
            raise placed(error, file) from None
        for record in records:
            try:
                yield from quads_of(record_of(record))
            except GroundtraceError as error:
                raise placed(error, record.place) from None


class _Memory:
    """Files, loaded into memory."""

    cut = False

    def __init__(self, files: Iterable[str]) -> None:
        self._store = Store()
        self._store.bulk_extend(_quads_in(files))

    def answer(self, query: str, trusted: bool) -> Any:
        return answered(self._store, query, trusted)


class _Rdflib:
    """Files, loaded into memory, and another engine."""

    cut = False

    def __init__(self, files: Iterable[str]) -> None:
        import rdflib.plugins.sparql

        rdflib.plugins.sparql.SPARQL_LOAD_GRAPHS = False
        self._dataset = rdflib.Dataset()
        content = serialize(_quads_in(files), format=RdfFormat.N_QUADS)
        self._dataset.parse(data=content, format="nquads")

    def answer(self, query: str, trusted: bool) -> Any:
        ready = judged(query, trusted)
        judge_for_rdflib(ready)
        try:
            result = self._dataset.query(ready)
        except Exception as error:
            raise InputError(f"rdflib cannot answer the query: {error}") from None
        if result.graph is not None:
            triples = result.graph.serialize(format="nt", encoding="utf-8")
            return (quad.triple for quad in parse(triples, RdfFormat.N_TRIPLES))
        return parse_query_results(result.serialize(format="json"), QueryResultsFormat.JSON)


class _Folder:
    """A knowledge base on disk; what was exported meanwhile is seen by the next query."""

    cut = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._generation = current_generation(folder)
        self._store = opened_for_reading(self._generation)

    def answer(self, query: str, trusted: bool) -> Any:
        current = current_generation(self._folder)
        if current != self._generation:
            self._store = opened_for_reading(current)
            self._generation = current
        return answered(self._store, query, trusted)
