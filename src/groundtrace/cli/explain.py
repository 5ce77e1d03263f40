"""``groundtrace explain``: one segment of an audit, in full."""

from enum import StrEnum
from typing import Annotated

import typer

from groundtrace.cli.options import (
    Conflict,
    ConstantSettings,
    MaxTrees,
    OnConflict,
    Out,
    Overlays,
    TimeLimit,
    constants_of,
    picture_format,
    plan_of,
    terminal,
)
from groundtrace.errors import placed


class Format(StrEnum):
    """How one segment is shown."""

    text = "text"
    json = "json"
    dot = "dot"
    svg = "svg"
    mermaid = "mermaid"


def explain_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Traces: .json, .jsonl, or - for standard input.")
    ],
    segment: Annotated[
        int, typer.Option("--segment", "-n", metavar="N", help="The segment to explain, from 1.")
    ],
    id: Annotated[  # noqa: A002
        str | None,
        typer.Option("--id", metavar="ID", help="The trace, if the file holds more than one."),
    ] = None,
    format: Annotated[  # noqa: A002
        Format, typer.Option(help="text, json, or a drawing of the support tree.")
    ] = Format.text,
    out: Out = None,
    overlay: Overlays = None,
    set_: ConstantSettings = None,
    max_trees: MaxTrees = 50,
    on_conflict: OnConflict = Conflict.refuse,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Explain one segment: its support trees, or where the support for it breaks.

    Example: groundtrace explain data/clinical.json --segment 10
    """
    from functools import partial

    from groundtrace.auditing.batch import Auditing
    from groundtrace.files.reading import find_record
    from groundtrace.files.writing import output_file
    from groundtrace.processes.pool import run
    from groundtrace.show import audit_records, audit_text

    if format is Format.text:
        render = partial(audit_text.segment_text, index=segment, **terminal(out))
    elif format is Format.json:
        render = partial(audit_records.segment_json, index=segment)
    else:
        render = partial(
            audit_records.segment_picture, index=segment, format=picture_format(format.value)
        )
    plan = plan_of(overlay, constants_of(set_), max_trees, on_conflict)
    with output_file(out) as output:
        for reply in run([find_record(file, id)], Auditing(plan, render), 1, time_limit):
            if reply.error is not None:
                raise placed(reply.error, reply.record.place)
            output.write(f"{reply.output}\n")
