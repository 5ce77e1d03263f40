"""``groundtrace audit``: audit traces from files."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.labelling import dry_run, label_records, trace_json
from groundtrace.cli.labelling_options import LabellingOptions
from groundtrace.cli.messages import say
from groundtrace.cli.options import (
    Conflict,
    ConstantSettings,
    Files,
    Jobs,
    MaxTrees,
    OnConflict,
    Out,
    Overlays,
    Strict,
    TimeLimit,
    constants_of,
    picture_format,
    plan_of,
    suffix_of,
    terminal,
)
from groundtrace.cli.outputs import TABLES_HELP, write_outputs
from groundtrace.cli.progress import Progress
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError
from groundtrace.files.tables import TABLE_FORMATS
from groundtrace.vocabulary import FLAGS, OUTCOMES, WARNINGS

if TYPE_CHECKING:
    from groundtrace.auditing.batch import Render
    from groundtrace.files.reading import Record
    from groundtrace.processes.pool import Reply


CONDITIONS = (*OUTCOMES, *FLAGS, WARNINGS)
"""What --fail-on can name."""


class Format(StrEnum):
    """How audits are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    mermaid = "mermaid"
    dot = "dot"
    svg = "svg"
    csv = "csv"
    xlsx = "xlsx"
    parquet = "parquet"


def audit_command(
    files: Files,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(help=f"Output format; text unless --out names another. {TABLES_HELP}"),
    ] = None,
    out: Out = None,
    overlay: Overlays = None,
    set_: ConstantSettings = None,
    max_trees: MaxTrees = 50,
    jobs: Jobs = 1,
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="OUTCOME,...",
            help=f"Exit with 1 if any of these occurs: {', '.join(CONDITIONS)}.",
        ),
    ] = None,
    on_conflict: OnConflict = Conflict.refuse,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
    *,
    labelling: LabellingOptions,
) -> None:
    """Audit traces: label each segment supported, unsupported, orphan or contradicted, and say why.

    The labels stand in the input, or come from a labeller: then raw responses will do.

    Example: groundtrace audit data/clinical.json
    """
    from groundtrace.auditing.batch import Auditing
    from groundtrace.files.writing import output_file
    from groundtrace.processes.pool import run

    conditions = _conditions(fail_on)
    chosen = format or _format_of(out)
    constants = constants_of(set_)
    plan = plan_of(overlay, constants, max_trees, on_conflict, labelling.labeller)
    tally = Tally(strict)
    if labelling.dry_run:
        dry_run(files, labelling, constants, on_conflict, tally)
        return
    with output_file(out) as output, ExitStack() as stack:
        if labelling.wanted:
            records = _labelled_records(files, labelling, constants, on_conflict, tally)
            stack.enter_context(closing(records))
        else:
            records = tally.records(files)
        replies = tally.usable_replies(
            run(records, Auditing(plan, renderer(chosen, out)), jobs, time_limit)
        )
        if not labelling.wanted:
            replies = stack.enter_context(Progress(files)).follow(replies)
        write_outputs(_outputs(replies, chosen), chosen.value, output)
    tally.summarise()
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)
    held = [f"{tally.counts[name]} {name}" for name in conditions if tally.counts.get(name)]
    if held:
        say(f"--fail-on: {', '.join(held)}")
        raise typer.Exit(1)


def _labelled_records(
    files: list[str],
    labelling: LabellingOptions,
    constants: dict[str, int | str],
    on_conflict: Conflict,
    tally: Tally,
) -> "Generator[Record]":
    """Yield the records of some files with their relations labelled."""
    for one in label_records(files, labelling, constants, on_conflict, tally):
        content = trace_json(one.trace).encode() if one.trace else one.error
        yield one.source._replace(content=content)


def _conditions(fail_on: str | None) -> list[str]:
    """Return the outcomes and flags that --fail-on names.

    Raises:
        InputError: one is unknown, or none is named: an unset variable in a script must not
            make a check pass.
    """
    if fail_on is None:
        return []
    names = [name.strip() for name in fail_on.split(",")]
    for name in names:
        if name not in CONDITIONS:
            known = ", ".join(CONDITIONS)
            raise InputError(f"--fail-on: there is no {name!r}; known are {known}")
    return names


def _format_of(out: Path | None) -> Format:
    known = tuple(one.value for one in Format if one not in (Format.text, Format.mermaid))
    return Format(suffix_of(out, known) or "text")


def renderer(format: Format, out: Path | None) -> "Render[str]":  # noqa: A002
    """Return what turns one audit into text.

    Args:
        out: Where the text goes; decides width and colour.
    """
    from groundtrace.show import audit_records, audit_text

    if format is Format.text:
        return partial(audit_text.audit_text, **terminal(out))
    if format in (Format.json, Format.jsonl):
        return audit_records.audit_json
    if format in TABLE_FORMATS:
        return audit_records.audit_rows
    return partial(audit_records.audit_picture, format=picture_format(format.value))


def _outputs(replies: "Iterable[Reply[str]]", format: Format) -> Iterator[str]:  # noqa: A002
    """Yield the output of each trace.

    Raises:
        InputError: more than one picture would go into one file.
    """
    for count, reply in enumerate(replies, 1):
        if count > 1 and format in (Format.svg, Format.mermaid):
            raise InputError(f"--format {format}: one picture at a time; give one trace")
        yield reply.output or ""
