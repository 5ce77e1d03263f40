"""Put records into a store that nobody reads yet, and take others out."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, Store

from groundtrace.knowledge.rdf.terms import IDENTIFIER, TYPE, WAS_GENERATED_BY

BATCH_BYTES = 64 * 1024 * 1024
"""Of N-Quads that are loaded at once."""

_CATALOGUE = DefaultGraph()


class Writer:
    """Changes the next generation of a knowledge base."""

    def __init__(self, generation: Path) -> None:
        """Open the store.

        Args:
            generation: Its folder, which nobody reads yet.

        Raises:
            OSError: it cannot be opened.
        """
        self._began = sum(path.stat().st_size for path in generation.glob("*.sst"))
        self._loaded = 0
        self._store = Store(str(generation))
        # Oxigraph loads without Python's lock: meanwhile the next records are made and read.
        self._loader = ThreadPoolExecutor(max_workers=1)
        self._loading: Future[None] | None = None
        self._batch: list[bytes] = []
        self._put: set[str] = set()
        self._alone: list[str] = []
        self._size = 0
        self._runs: set[str] = set()
        self._forgot = False
        self.quads = 0

    def put(self, iri: str, run: str | None, run_quads: bytes, own_quads: bytes) -> None:
        """Add a record; one of the same IRI is removed first.

        Args:
            run: That made it; None if it is unknown.
            run_quads: What describes the run, in N-Quads.
            own_quads: What is said of the record, in N-Quads.
        """
        graph = NamedNode(iri)
        if iri in self._put:
            self.flush()
        self._put.add(iri)
        if self._store.contains_named_graph(graph):
            self._settle()
            self._remove(graph)
        if run is not None and run not in self._runs:
            self._runs.add(run)
            self._add(run_quads)
        self._add(own_quads)

    def _add(self, nquads: bytes) -> None:
        self._batch.append(nquads)
        self._size += len(nquads)
        self.quads += nquads.count(b"\n")
        if self._size >= BATCH_BYTES:
            self._load()

    def flush(self) -> None:
        """Load what waits."""
        self._load()
        self._settle()

    def _load(self) -> None:
        """Begin to load what waits, when nothing else is being loaded any more."""
        self._settle()
        if self._batch:
            nquads = b"".join(self._batch)
            self._loaded += len(nquads)
            self._loading = self._loader.submit(self._store.bulk_load, nquads, RdfFormat.N_QUADS)
            self._batch, self._size = [], 0

    def _settle(self) -> None:
        """Wait for what is being loaded."""
        if self._loading is not None:
            loading, self._loading = self._loading, None
            loading.result()

    def _remove(self, graph: NamedNode) -> None:
        self._store.remove_graph(graph)
        for quad in self._about(graph):
            self._forgot = self._forgot or quad.predicate == WAS_GENERATED_BY
            self._store.remove(quad)

    def _about(self, subject: NamedNode) -> list[Quad]:
        return list(self._store.quads_for_pattern(subject, None, None, _CATALOGUE))

    def remove_others(self, iri: str) -> None:
        """Remove, in the end, the other records of the same class and id that were there before.

        Args:
            iri: Of one that was put.
        """
        self._alone.append(iri)

    def _remove_others(self, iri: str) -> None:
        own = {quad.predicate: quad.object for quad in self._about(NamedNode(iri))}
        same = self._store.quads_for_pattern(None, IDENTIFIER, own[IDENTIFIER], _CATALOGUE)
        for quad in list(same):
            other = quad.subject
            if not isinstance(other, NamedNode) or other.value in self._put:
                continue
            if Quad(other, TYPE, own[TYPE]) in self._store:
                self._remove(other)

    def finish(self) -> None:
        """Load what waits, and forget runs that nothing refers to any more."""
        self.flush()
        for iri in self._alone:
            self._remove_others(iri)
        while self._forgot:
            self._forgot = False
            kept = {quad.object for quad in self._catalogue()} | set(self._store.named_graphs())
            for quad in self._catalogue():
                if quad.subject not in kept:
                    self._store.remove(quad)
                    self._forgot = True
        if self._loaded > max(self._began, BATCH_BYTES):
            # What many loads wrote side by side is merged: questions take half as long.
            self._store.optimize()
        self._store.flush()

    def close(self) -> None:
        """Let go of the store, which would stay locked as long as somebody keeps the writer."""
        self._loader.shutdown()
        self._loading = None
        del self._store

    def _catalogue(self) -> list[Quad]:
        return list(self._store.quads_for_pattern(None, None, None, _CATALOGUE))
