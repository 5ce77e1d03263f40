"""``groundtrace segment``: cut raw responses into segments."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.options import Files, Out, Strict
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError

if TYPE_CHECKING:
    from groundtrace.models.trace import Trace


class Format(StrEnum):
    """How segmented traces are written."""

    text = "text"
    jsonl = "jsonl"


def segment_command(
    files: Files,
    format: Annotated[  # noqa: A002
        Format | None, typer.Option(help="Output format; text unless --out ends in .jsonl.")
    ] = None,
    out: Out = None,
    strict: Strict = False,
) -> None:
    """Cut raw responses into segments, each with its exact place in the response.

    A raw record has "id", "context" (a text, or a list of texts) and "response". A file of plain
    text (.txt, .md) is one response without a context.

    Example: groundtrace segment data/raw.json
    """
    from groundtrace.files.writing import output_file

    by_name = Format.jsonl if out and out.suffix == ".jsonl" else Format.text
    write = {Format.text: _text, Format.jsonl: _line}[format or by_name]
    tally = Tally(strict)
    with output_file(out) as output:
        for trace in _traces(files, tally):
            output.write(write(trace))
    if tally.refused:
        raise typer.Exit(tally.exit_code)


def _traces(files: list[str], tally: Tally) -> "Iterator[Trace]":
    """Yield the trace of each raw record; others are reported and left out."""
    from groundtrace.files.reading import object_of
    from groundtrace.segmentation.segmenter import raw_fields, trace_from_raw

    for record in tally.records(files):
        try:
            yield trace_from_raw(**raw_fields(object_of(record), record.name))
        except InputError as error:
            tally.refuse(record.place, error)


def _line(trace: "Trace") -> str:
    return trace.model_dump_json(exclude_none=True) + "\n"


def _text(trace: "Trace") -> str:
    """Return the segments of a trace, one line each, so that breaks inside them show."""
    from groundtrace.phrases import clean

    def on_one_line(text: str) -> str:
        return " ⏎ ".join(clean(line) for line in text.splitlines())

    lines = [clean(trace.id)]
    for index, segment in enumerate(trace.segments, 1):
        place = f"{segment.meta['start']}:{segment.meta['end']}" if segment.meta else "leaf"
        lines.append(f"{index:4} {place:>11}  {on_one_line(segment.text)}")
    return "\n".join([*lines, ""]) + "\n"
