"""What can be asked: files, a knowledge base on disk, a SPARQL endpoint."""

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
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

from groundtrace.errors import GroundtraceError, InputError, ModelError, placed
from groundtrace.knowledge.formats import format_of, read_quads
from groundtrace.knowledge.judging import judge, prepared, told_by_store
from groundtrace.knowledge.records import quads_of, record_of
from groundtrace.knowledge.store import current_generation, opened_for_reading
from groundtrace.reading import read_records
from groundtrace.wording import clean

LARGEST_ANSWER = 512 * 1024**2
"""Bytes that an endpoint may send."""

ENDPOINT_SECONDS = 600.0
MORE_HEADER = "X-Groundtrace-More"
"""Set by our own endpoint where it cut an answer."""

ACCEPTED = "application/sparql-results+json, application/n-triples;q=0.9"


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

    Args:
        source: What is asked.

    Raises:
        InputError: it cannot be read, or is not exactly one thing.
    """
    given = [bool(source.files), source.store is not None, source.endpoint is not None]
    if sum(given) != 1:
        raise InputError("expected files, --store DIR or --endpoint URL: exactly one of them")
    if "-" in source.files:
        raise InputError("-: expected the name of a file; another process reads it")
    if source.endpoint is not None:
        return _Endpoint(source.endpoint)
    if source.store is not None:
        return _Folder(Path(source.store))
    if source.engine == "rdflib":
        return _Rdflib(source.files)
    return _Memory(source.files)


@lru_cache(maxsize=256)
def _judged(query: str, trusted: bool) -> str:
    """Return a query ready to be answered.

    Raises:
        InputError: it is refused.
    """
    ready = prepared(query, trusted)
    if not trusted:
        judge(ready)
    return ready


def _answered(store: Store, query: str, trusted: bool) -> Any:
    ready = _judged(query, trusted)
    try:
        return store.query(ready)
    except SyntaxError as error:
        raise told_by_store(ready, error) from None
    except RuntimeError as error:
        raise unanswerable(error) from None


def unanswerable(error: RuntimeError) -> InputError:
    """Return what the store means that cannot answer a query.

    Args:
        error: As raised.
    """
    if "orrupt" in str(error):
        return InputError("the knowledge base is damaged: make it again from the records")
    return InputError(f"the query cannot be answered: {error}")


def quads_in(source: Source) -> Iterator[Quad]:
    """Yield all statements of files or of a knowledge base on disk.

    Args:
        source: No endpoint.

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
        return _answered(self._store, query, trusted)


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
        ready = _judged(query, trusted)
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
        return _answered(self._store, query, trusted)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keeps to the server that the user named."""

    def redirect_request(self, *arguments: Any, **options: Any) -> None:
        return None


class _Endpoint:
    """A server; queries are judged before they are sent."""

    def __init__(self, url: str) -> None:
        try:
            scheme = urllib.parse.urlsplit(url).scheme
        except ValueError:
            scheme = ""
        if scheme not in ("http", "https"):
            raise InputError(f"endpoint: expected an address with http or https, got {url!r}")
        self._url = url
        self._opener = urllib.request.build_opener(_NoRedirects)
        self.cut = False

    def answer(self, query: str, trusted: bool) -> Any:
        # What cannot be read is told here, with its place: the server counts lines otherwise.
        _answered(Store(), query, trusted)
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked.
            self._url,
            data=urllib.parse.urlencode({"query": _judged(query, trusted)}).encode(),
            headers={"Accept": ACCEPTED},
        )
        try:
            with self._opener.open(request, timeout=ENDPOINT_SECONDS) as reply:
                content = reply.read(LARGEST_ANSWER + 1)
                media_type = reply.headers.get_content_type()
                self.cut = reply.headers.get(MORE_HEADER) == "true"
                whole = not reply.length
        except urllib.error.HTTPError as error:
            raise _refused(self._url, error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = clean(str(getattr(error, "reason", None) or error))
            raise ModelError(f"{self._url} cannot be reached: {reason}") from None
        if not whole and len(content) <= LARGEST_ANSWER:
            raise ModelError(f"{self._url} broke off in the middle of its answer")
        if len(content) > LARGEST_ANSWER:
            raise ModelError(f"{self._url} sent more than {LARGEST_ANSWER:,} bytes")
        return _read(self._url, content, media_type)


def _refused(url: str, error: urllib.error.HTTPError) -> GroundtraceError:
    try:
        told = error.read(2_000).decode(errors="replace").strip()
    except (OSError, ValueError, http.client.HTTPException):
        told = ""
    if 300 <= error.code < 400:
        target = error.headers.get("Location", "")
        return ModelError(f"{url} refers to {target!r}: name that address if you trust it")
    kind = InputError if error.code == 400 else ModelError
    if error.code in (404, 405):
        told += "; is that the address of its SPARQL endpoint? Ours is /sparql"
    told = "\n".join(clean(line) for line in f"{error.reason}: {told}".splitlines())
    return kind(f"{url} answers {error.code} {told}".rstrip(": "))


def _read(url: str, content: bytes, media_type: str) -> Any:
    """Return an endpoint's answer as a store would.

    Raises:
        ModelError: it is none.
    """
    results = QueryResultsFormat.from_media_type(media_type)
    triples = RdfFormat.from_media_type(media_type)
    try:
        if results is not None:
            return parse_query_results(content, results)
        if triples is not None:
            return iter([quad.triple for quad in parse(content, triples)])
    except (SyntaxError, ValueError, OSError) as error:
        raise unreadable(url, error) from None
    raise ModelError(f"{url} sent {clean(media_type)}, which is no answer to a query")


def unreadable(url: str, error: Exception) -> ModelError:
    """Return what is wrong with an answer of an endpoint that is none."""
    return ModelError(f"{url} sent an answer that cannot be read: {clean(str(error))[:200]}")
