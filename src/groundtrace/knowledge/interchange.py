"""Records into RDF and back, from Python: what ``export`` and ``import`` do on the command line."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pyoxigraph import Quad

from groundtrace.errors import GroundtraceError, InputError, placed
from groundtrace.files.writing import output_file
from groundtrace.knowledge.rdf.export import Exported, exported
from groundtrace.knowledge.rdf.formats import FORMATS, format_of, read_quads, write_quads
from groundtrace.knowledge.rdf.record_reading import records_in, records_of
from groundtrace.knowledge.rdf.records import AnyRecord, draft_of, kind_of, record_from
from groundtrace.knowledge.store import current_generation, opened_for_reading, opened_for_writing


def export_records(
    records: Iterable[AnyRecord | Mapping[str, Any]],
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    replace: bool = False,
) -> int:
    """Write records as RDF, and return how many; all of them, or none where one is refused.

    Args:
        records: Traces, audits, cases, graphs and rewards, as models or as in files.
        out: A file, whose ending names the format: .trig, .nq, .jsonld; .ttl for one record.
        store: Folder of a knowledge base; made if it is not there.
        replace: Whether what other runs made of the same cases is removed from the store.

    Raises:
        InputError: a record is refused, its place among the others is named; or it cannot be
            written there.
    """
    if (out is None) == (store is None):
        raise InputError("export_records: expected out or store, and not both")
    if replace and store is None:
        raise InputError("replace: expected with store")
    if store is not None:
        count = 0
        with opened_for_writing(Path(store)) as writer:
            for one in _exported(records):
                writer.put(*one)
                if replace:
                    writer.remove_others(one.iri)
                count += 1
        return count
    return _into_file(records, Path(str(out)))


def _into_file(records: Iterable[AnyRecord | Mapping[str, Any]], out: Path) -> int:
    """Write records into one file, and return how many.

    Raises:
        InputError: the format is unknown, or holds one record only.
    """
    wanted = format_of(out)
    if wanted is None:
        raise InputError(f"{out}: expected a name with {', '.join(f'.{one}' for one in FORMATS)}")
    found = list(_models(records))
    if len(found) > 1 and not wanted.supports_datasets:
        raise InputError(f"{wanted.name} holds one record only, and there are {len(found):,}")
    with output_file(out) as output:
        output.flush()
        below: Any = output
        write_quads(_quads(found), below.buffer, wanted)
    return len(found)


def _quads(records: Iterable[AnyRecord]) -> Iterator[Quad]:
    """Yield the statements of records, each run described once."""
    runs: set[str] = set()
    for record in records:
        draft = draft_of(record)
        if draft.run is not None and draft.run.iri.value not in runs:
            runs.add(draft.run.iri.value)
            yield from draft.run.quads
        for part in draft.own_parts():
            yield from sorted(set(part), key=str)


def _models(records: Iterable[AnyRecord | Mapping[str, Any]]) -> Iterator[AnyRecord]:
    """Yield records as models that RDF can hold.

    Raises:
        GroundtraceError: one is refused.
    """
    for number, record in enumerate(records, 1):
        try:
            found = record_from(record) if isinstance(record, Mapping) else record
            draft_of(found)
        except GroundtraceError as error:
            raise placed(error, f"record {number}") from None
        yield found


def _exported(records: Iterable[AnyRecord | Mapping[str, Any]]) -> Iterator[Exported]:
    return map(exported, _models(records))


def import_records(
    *files: str | Path,
    store: str | Path | None = None,
    id: str | None = None,  # noqa: A002
    kind: str | None = None,
) -> Iterator[AnyRecord]:
    """Yield the records of RDF, one at a time, by their IRIs.

    Args:
        files: RDF: .trig, .nq, .jsonld, .ttl.
        store: Folder of a knowledge base, instead.
        id: Of the only records that are wanted.
        kind: Of them: trace, audit, case, evidence graph, critical graph or reward.

    Raises:
        InputError: it is not files or a folder, it cannot be read, or what a record's triples say
            and the record disagree.
    """
    if bool(files) == (store is not None):
        raise InputError("expected files of RDF, or --store DIR")
    for record in _all_records(files, store):
        same_kind = kind is None or kind_of(record).name == kind.replace("-", " ")
        if same_kind and (id is None or record.id == id):
            yield record


def _all_records(files: Iterable[str | Path], store: str | Path | None) -> Iterator[AnyRecord]:
    """Yield the records of what is named.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    for file in files:
        quads = list(read_quads(file))
        try:
            yield from records_of(quads)
        except InputError as error:
            raise placed(error, str(file)) from None
    if store is not None:
        yield from records_in(opened_for_reading(current_generation(Path(store))))
