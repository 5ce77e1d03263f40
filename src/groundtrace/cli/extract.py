"""``groundtrace graph extract``: triplets from rationales, by language models."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import Cases, Out, Strict
from groundtrace.cli.outputs import join_outputs
from groundtrace.cli.server_options import CacheOptions, ServerOptions
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError, ModelError

if TYPE_CHECKING:
    from groundtrace.chat.service import ChatService
    from groundtrace.models.graph import GraphCase


def extract_command(
    files: Cases,
    server: ServerOptions,
    cache: CacheOptions,
    out: Out = None,
    fill_gaps: Annotated[
        bool,
        typer.Option("--fill-gaps", help="Ask for unsaid steps too; their triplets are marked."),
    ] = False,
    strict: Strict = False,
) -> None:
    """Extract triplets from rationales: one extraction per model, written with the case.

    A case has "id" and "rationale"; what a model has extracted already is not asked again.

    Example: groundtrace graph extract data/graphs/rationale.json --base-url http://localhost:8000/v1
    --model a --model b --model c --out extractions.jsonl
    """
    from groundtrace.files.writing import output_file

    tally = Tally(strict)
    listed = out is not None and out.suffix == ".json"
    with output_file(out) as output, server.service(cache) as service:
        # Only now, since it needs the packages for servers.
        from groundtrace.graphs.extraction import extract_all

        try:
            cases = extract_all(_rationales(files, tally), service, fill_gaps)
            for text in join_outputs(map(_case_json, _count_lost(cases, tally)), listed):
                output.write(text)
        except (KeyboardInterrupt, ModelError):
            if service.counts.calls and cache.path():
                say("groundtrace: the answers so far are kept; the same command goes on from there")
            raise
        summarise_service(service, tally)
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _rationales(files: list[str], tally: Tally) -> "Iterator[GraphCase]":
    """Yield the cases that have a rationale; others are reported and left out."""
    from groundtrace.graphs.cases import case_of
    from groundtrace.graphs.extraction import check_rationale
    from groundtrace.models.graph import GraphCase

    for record in tally.records(files):
        try:
            case = case_of(record, GraphCase)
            check_rationale(case)
            if error := tally.problem_with_id(case.id):
                raise error
            yield case
        except InputError as error:
            tally.refuse(record.place, error)


def _count_lost(cases: "Iterator[GraphCase]", tally: Tally) -> "Iterator[GraphCase]":
    """Yield cases, counting those of which an extraction failed."""
    for case in cases:
        tally.done += 1
        lost = [one for one in case.extractions or () if one.triplets is None]
        if lost:
            tally.counts["failed"] = tally.counts.get("failed", 0) + len(lost)
            tally.exit_code = max(tally.exit_code, ModelError.exit_code)
            for one in lost:
                say(f"groundtrace: {case.id}: no triplets from {one.model}: {one.error}")
        yield case


def _case_json(case: "GraphCase") -> str:
    from pydantic_core import to_json

    fields = case.written()
    for extraction in fields.get("extractions", ()):
        if not extraction["complaints"]:
            del extraction["complaints"]
    return to_json(fields).decode()


def summarise_service(service: "ChatService", tally: Tally) -> None:
    """Print what asking took."""
    from groundtrace.phrases import counted

    counts = service.counts
    say(
        f"{counted(tally.done, 'case')}: {counted(counts.calls, 'call')}, "
        f"{counted(counts.cached, 'answer')} known before; "
        f"{counts.tokens_in:,} tokens in, {counts.tokens_out:,} out"
    )
    for remark in service.remarks:
        say(f"  {remark}")
