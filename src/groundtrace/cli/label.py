"""``groundtrace label``: label the relations of traces, and write the traces with them."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.labelling import dry_run, label_records, trace_json
from groundtrace.cli.labelling_options import LabellingOptions
from groundtrace.cli.options import (
    Conflict,
    ConstantSettings,
    Files,
    OnConflict,
    Out,
    Strict,
    constants_of,
)
from groundtrace.cli.outputs import join_outputs
from groundtrace.cli.tally import Tally

if TYPE_CHECKING:
    from groundtrace.files.reading import Record
    from groundtrace.labelling.plan import LabelledTrace
    from groundtrace.models.trace import Trace


class Format(StrEnum):
    """How labelled traces are written."""

    json = "json"
    jsonl = "jsonl"


def label_command(
    files: Files,
    labelling: LabellingOptions,
    format: Annotated[  # noqa: A002
        Format | None, typer.Option(help="Output format; jsonl unless --out ends in .json.")
    ] = None,
    out: Out = None,
    set_: ConstantSettings = None,
    on_conflict: OnConflict = Conflict.refuse,
    strict: Strict = False,
) -> None:
    """Label relations: ask a labeller what premise sets mean for later segments.

    Takes traces and raw responses; writes traces that `groundtrace audit` reads. Relations that
    the input has labelled stay as they are.

    With a server: groundtrace label data/raw.json --labeller openai --base-url
    http://localhost:8000/v1 --model Qwen/Qwen3-32B --out labelled.jsonl

    Example: groundtrace label data/raw.json --model any --dry-run
    """
    from groundtrace.files.writing import output_file

    tally = Tally(strict)
    constants = constants_of(set_)
    if labelling.dry_run:
        dry_run(files, labelling, constants, on_conflict, tally)
        return
    by_name = Format.json if out and out.suffix == ".json" else Format.jsonl
    with output_file(out) as output:
        traces = _traces(label_records(files, labelling, constants, on_conflict, tally), tally)
        chosen = format or by_name
        for text in join_outputs(map(trace_json, traces), listed=chosen is Format.json):
            output.write(text)
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _traces(found: "Iterator[LabelledTrace]", tally: Tally) -> "Iterator[Trace]":
    """Yield the labelled traces; report the others."""
    for one in found:
        record: Record = one.source
        if one.error is not None:
            tally.refuse(record.place, one.error)
        elif one.trace:
            yield one.trace
