"""Make RDF of many records, in child processes that can be ended."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pyoxigraph import Quad, RdfFormat, parse, serialize

from groundtrace.errors import InputError
from groundtrace.files.reading import Record
from groundtrace.knowledge.rdf.records import AnyRecord, draft_of, kind_of, record_of
from groundtrace.processes.pool import Done, OneByOne, Reply

LONGEST_LINE = 16_000_000


class Exported(NamedTuple):
    """One record as RDF, in N-Quads."""

    iri: str
    """Of the record and of its graph."""
    run: str | None
    """That made it."""
    run_quads: bytes
    """What describes the run; the same for all records that it made."""
    own_quads: bytes
    """What is said of the record alone."""


@dataclass(frozen=True)
class Exporting(OneByOne[Exported]):
    """Makes RDF of records, as work for child processes."""

    def done(self, record: Record) -> Done[Exported]:
        """Make RDF of one record.

        Raises:
            InputError: it is of no kind that a knowledge base keeps, or faulty.
        """
        found = record_of(record)
        made = exported(found)
        return Done(made.iri, {kind_of(found).name: 1}, made, None)


def exported(record: AnyRecord) -> Exported:
    """Return a record as RDF.

    Raises:
        InputError: RDF or JSON cannot hold it.
    """
    draft = draft_of(record)
    return Exported(
        draft.iri.value,
        draft.run.iri.value if draft.run else None,
        _nquads(draft.run.quads) if draft.run else b"",
        b"".join(map(_nquads, draft.own_parts())),
    )


def _nquads(quads: Iterable[Quad]) -> bytes:
    """Return statements as sorted lines: to sort text is faster than to sort terms."""
    lines = (serialize(quads, format=RdfFormat.N_QUADS) or b"").splitlines(keepends=True)
    return b"".join(sorted(set(lines)))


def quads_from(replies: Iterable[Reply[Exported]]) -> Iterator[Quad]:
    """Yield the statements of exported records in their order, each run described once.

    Args:
        replies: With an output each.

    Raises:
        InputError: a text is longer than the parser of RDF reads.
    """
    runs: set[str] = set()
    for reply in replies:
        if reply.output is None:
            continue
        own = reply.output.own_quads
        if len(own) > LONGEST_LINE and max(map(len, own.split(b"\n"))) > LONGEST_LINE:
            raise InputError(f"{reply.record.place}: holds a text of more than 16 MiB; use --store")
        if reply.output.run is not None and reply.output.run not in runs:
            runs.add(reply.output.run)
            yield from parse(reply.output.run_quads, RdfFormat.N_QUADS)
        yield from parse(own, RdfFormat.N_QUADS)
