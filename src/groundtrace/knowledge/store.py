"""A knowledge base on disk: generations of an Oxigraph store, one of them current.

Oxigraph cannot be read while it is written, and a writer that is killed may leave half of what it
did. So a writer works on the next generation, which begins as a copy of the current one (its large
files never change and are linked, not copied), and makes it current at the end, in one step.
Readers keep to the current generation. A killed writer leaves nothing that anybody reads.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, Store

from groundtrace.errors import InputError
from groundtrace.knowledge.terms import (
    IDENTIFIER,
    TYPE,
    WAS_GENERATED_BY,
)

CURRENT = "CURRENT"
LOCK = "writer.lock"
GENERATION = "generation-"
NEXT = "generation-next"
_GENERATIONS = re.compile(rf"{GENERATION}[0-9]{{1,18}}")
_OURS = re.compile(rf"{LOCK}|{CURRENT}\.part|{NEXT}|{_GENERATIONS.pattern}")
BATCH_BYTES = 32 * 1024 * 1024
"""Of N-Quads that are loaded at once."""

_CATALOGUE = DefaultGraph()


def current_generation(folder: Path) -> Path:
    """Return the folder that readers read.

    Args:
        folder: Of the knowledge base.

    Raises:
        InputError: there is no knowledge base.
    """
    name = _named_in(folder)
    if name is None:
        raise InputError(
            f"{folder} holds no knowledge base; make one with groundtrace export FILE --store"
        )
    return folder / name


def _named_in(folder: Path) -> str | None:
    """Return the name of the current generation; None if the folder is no knowledge base."""
    try:
        name = (folder / CURRENT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return _newest(folder)
    # Other databases have a file of this name as well.
    return name if _GENERATIONS.fullmatch(name) else None


def _newest(folder: Path) -> str | None:
    """Return the newest generation where nothing says which is current; each is whole."""
    if not (folder / LOCK).exists() or (folder / CURRENT).exists():
        return None
    names = [path.name for path in folder.iterdir() if _GENERATIONS.fullmatch(path.name)]
    return max(names, key=lambda name: int(name.removeprefix(GENERATION)), default=None)


def opened_for_reading(generation: Path) -> Store:
    """Return a store that cannot be changed.

    Args:
        generation: From :func:`current_generation`.

    Raises:
        InputError: it is damaged.
    """
    try:
        return Store.read_only(str(generation))
    except (OSError, RuntimeError) as error:
        raise _damaged(generation.parent, error) from None


def _damaged(folder: Path, error: Exception) -> InputError:
    reason = str(error).splitlines()[0][:200]
    return InputError(
        f"{folder}: cannot be opened ({reason}); it can be made again from the records with "
        "groundtrace export FILE --store DIR"
    )


class Writer:
    """Changes the next generation of a knowledge base."""

    def __init__(self, generation: Path) -> None:
        """Open the store.

        Args:
            generation: Its folder, which nobody reads yet.

        Raises:
            OSError: it cannot be opened.
        """
        self._store = Store(str(generation))
        self._batch: list[str] = []
        self._put: set[str] = set()
        self._alone: list[str] = []
        self._size = 0
        self._runs: set[str] = set()
        self._forgot = False
        self.quads = 0

    def put(self, iri: str, run: str | None, run_quads: str, own_quads: str) -> None:
        """Add a record; one of the same IRI is removed first.

        Args:
            iri: Of the record.
            run: That made it; None if it is unknown.
            run_quads: What describes the run, in N-Quads.
            own_quads: What is said of the record, in N-Quads.
        """
        graph = NamedNode(iri)
        if iri in self._put:
            self.flush()
        self._put.add(iri)
        if self._store.contains_named_graph(graph):
            self._remove(graph)
        if run is not None and run not in self._runs:
            self._runs.add(run)
            self._add(run_quads)
        self._add(own_quads)

    def _add(self, nquads: str) -> None:
        self._batch.append(nquads)
        self._size += len(nquads)
        self.quads += nquads.count("\n")
        if self._size >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Load what waits."""
        if self._batch:
            self._store.bulk_load("".join(self._batch), RdfFormat.N_QUADS)
            self._batch, self._size = [], 0

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
        self._store.flush()

    def close(self) -> None:
        """Let go of the store, which would stay locked as long as somebody keeps the writer."""
        del self._store

    def _catalogue(self) -> list[Quad]:
        return list(self._store.quads_for_pattern(None, None, None, _CATALOGUE))


@contextmanager
def opened_for_writing(folder: Path) -> Iterator[Writer]:
    """Give a writer whose changes all become visible when the block ends without an error.

    Args:
        folder: Of the knowledge base; made if it is not there.

    Raises:
        InputError: it cannot be written, holds something else, or somebody else writes to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _named_in(folder) is None and not _is_begun(folder):
            raise InputError(f"{folder} is not empty, and holds no knowledge base")
        with FileLock(folder / LOCK, timeout=0):
            yield from _next_generation(folder)
    except Timeout:
        raise InputError(f"{folder} is being written by another process; try again later") from None
    except RuntimeError as error:
        raise _damaged(folder, error) from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def _is_begun(folder: Path) -> bool:
    """Say whether a folder holds nothing but what a killed writer of ours left behind, if that."""
    names = {path.name for path in folder.iterdir()}
    return not names or (LOCK in names and all(map(_OURS.fullmatch, names)))


def _next_generation(folder: Path) -> Iterator[Writer]:
    """Give a writer to a copy of the current generation, and make that current."""
    following = folder / NEXT
    shutil.rmtree(following, ignore_errors=True)
    number = 1
    before: Path | None = None
    if (name := _named_in(folder)) is not None:
        before = folder / name
        number = int(name.removeprefix(GENERATION)) + 1
    try:
        if before is not None:
            _branch(before, following)
        writer = Writer(following)
        try:
            yield writer
            writer.finish()
        finally:
            writer.close()
        if not writer.quads and before is not None:
            return
        named = folder / f"{GENERATION}{number}"
        shutil.rmtree(named, ignore_errors=True)
        following.replace(named)
        _point_at(folder, named.name)
    finally:
        shutil.rmtree(following, ignore_errors=True)
    _forget(folder, {named.name, before.name if before else named.name})


def _branch(before: Path, following: Path) -> None:
    """Copy a generation; its tables never change, and are shared."""

    def copied(source: str, target: str) -> str:
        if source.endswith(".sst"):
            with suppress(OSError):
                os.link(source, target)
                return target
        return shutil.copy2(source, target)

    shutil.copytree(
        before, following, copy_function=copied, ignore=shutil.ignore_patterns("LOCK", "LOG*")
    )


def _point_at(folder: Path, name: str) -> None:
    """Make a generation current, in one step."""
    part = folder / f"{CURRENT}.part"
    part.write_text(f"{name}\n", encoding="ascii")
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(folder / CURRENT)


def _forget(folder: Path, kept: set[str]) -> None:
    """Remove old generations; the one before is kept for those who still read it."""
    for path in folder.glob(f"{GENERATION}*"):
        if _GENERATIONS.fullmatch(path.name) and path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
