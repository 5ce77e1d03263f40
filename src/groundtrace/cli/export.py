"""``groundtrace export`` and ``groundtrace import``: records to RDF, and back."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import Jobs, Out, Store, Strict, TimeLimit
from groundtrace.cli.progress import Progress
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundtrace.knowledge.rdf.export import Exported
    from groundtrace.processes.pool import Reply


class Format(StrEnum):
    """How records are written as RDF."""

    trig = "trig"
    nq = "nq"
    ttl = "ttl"
    jsonld = "jsonld"


def export_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Traces, audits, cases, graphs, rewards: .json, .jsonl, or - for standard input.",
        ),
    ],
    store: Store = None,
    out: Out = None,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(help="RDF format; as the name of --out says, otherwise trig."),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="With --store: remove what other runs made of the same cases, such as audits "
            "with other rules.",
        ),
    ] = False,
    jobs: Jobs = 1,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Export records as RDF: to a file, or into a knowledge base on disk.

    A record that is in the knowledge base already is replaced. Of a run that is stopped, nothing
    arrives in it.

    Example: groundtrace export data/clinical.json data/graphs/graph.json --out kb.trig
    """
    from groundtrace.knowledge.rdf.export import Exporting
    from groundtrace.processes.pool import run

    _check_target(store, out, format, replace)
    _check_sources(files)
    tally = Tally(strict)
    with Progress(files, "records") as progress:
        replies = progress.follow(
            tally.usable_replies(run(tally.records(files), Exporting(), jobs, time_limit))
        )
        if store is not None:
            _into_store(replies, store, replace)
        else:
            _into_file(replies, out, format, tally)
    told = "record" if tally.done == 1 else "records"
    kinds = [kind.replace("-", " ") for kind in Kind]
    tally.summarise(told, (), kinds, "could not be used", even_one=bool(out or store))
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _check_target(
    store: Path | None,
    out: Path | None,
    chosen: Format | None,
    replace: bool,
) -> None:
    """Refuse options that do not go together.

    Raises:
        InputError: they do not.
    """
    if store is not None and (out is not None or chosen is not None):
        raise InputError("--store and --out: expected one of them; --format goes with --out")
    if replace and store is None:
        raise InputError("--replace: expected with --store")
    if out is not None and chosen is None and out.suffix.removeprefix(".") not in tuple(Format):
        known = ", ".join(f".{one.value}" for one in Format)
        raise InputError(f"{out}: expected a name with {known}, or --format")


def _check_sources(files: list[str]) -> None:
    """Refuse RDF, which holds no records as JSON.

    Raises:
        InputError: a file is RDF.
    """
    from groundtrace.knowledge.rdf.formats import format_of

    for file in files:
        if format_of(file) is not None:
            raise InputError(f"{file}: is RDF; groundtrace import makes records of it first")


def _into_store(replies: "Iterator[Reply[Exported]]", folder: Path, replace: bool) -> None:
    from groundtrace.knowledge.store import opened_for_writing

    with opened_for_writing(folder) as writer:
        for reply in replies:
            if reply.output is not None:
                writer.put(*reply.output)
                if replace:
                    writer.remove_others(reply.output.iri)


def _into_file(
    replies: "Iterator[Reply[Exported]]",
    out: Path | None,
    chosen: Format | None,
    tally: Tally,
) -> None:
    """Write all records to one file.

    Raises:
        InputError: the format holds one record only, and there are several.
    """
    from groundtrace.files.writing import output_file
    from groundtrace.knowledge.rdf.export import quads_from
    from groundtrace.knowledge.rdf.formats import FORMATS, format_of, write_quads

    wanted = FORMATS[chosen.value] if chosen else format_of(out) if out else None
    wanted = wanted or FORMATS["trig"]
    quads = quads_from(replies)
    with output_file(out) as output:
        if not wanted.supports_datasets:
            quads = iter(list(quads))
        if tally.done > 1 and not wanted.supports_datasets:
            raise InputError(
                f"{wanted.name} holds one record only, and there are {tally.done:,}; "
                "use .trig, .nq or .jsonld"
            )
        output.flush()
        below: Any = output
        write_quads(quads, below.buffer, wanted)
        if not tally.done and out is not None:
            raise InputError(f"{out} was not written: no record could be used")


class Kind(StrEnum):
    """Kinds of records."""

    trace = "trace"
    audit = "audit"
    case = "case"
    evidence = "evidence-graph"
    critical = "critical-graph"
    reward = "reward"


def import_command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="RDF: .trig, .nq, .jsonld, .ttl."),
    ] = None,
    store: Store = None,
    id: Annotated[  # noqa: A002
        str | None, typer.Option("--id", metavar="ID", help="Only records of this id.")
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only records of this kind.")] = None,
    out: Out = None,
) -> None:
    """Import records from RDF: the opposite of export, as JSON lines.

    What `groundtrace export` wrote to kb.trig, back again:

    Example: groundtrace import kb.trig --kind trace
    """
    from groundtrace.files.writing import output_file
    from groundtrace.knowledge.interchange import import_records
    from groundtrace.knowledge.rdf.records import record_json

    wanted = None if kind is None else kind.value
    count = 0
    with output_file(out) as output:
        for record in import_records(*files or (), store=store, id=id, kind=wanted):
            count += 1
            output.write(f"{record_json(record)}\n")
    if out is not None or not count:
        say(f"{count:,} {'record' if count == 1 else 'records'}")
