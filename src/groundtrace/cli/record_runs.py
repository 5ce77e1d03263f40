"""Commands that do one kind of work with all records of some files."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from groundtrace.cli.outputs import write_outputs
from groundtrace.cli.progress import Progress
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError, ModelError
from groundtrace.processes.lookahead import in_order
from groundtrace.vocabulary import STATUSES

if TYPE_CHECKING:
    from groundtrace.files.reading import Record
    from groundtrace.processes.pool import Work

    Prepare = Callable[[Record], Callable[[], Record]]
    """Begins to prepare a record, and returns what waits until it is prepared."""


def run_work(
    files: list[str],
    work: "Work[str]",
    out: Path | None,
    jobs: int,
    time_limit: float,
    strict: bool,
    format: str,  # noqa: A002
    prepare: "Prepare | None" = None,
    only: str | None = None,
) -> None:
    """Do some work with all records of some files, and write what comes of it.

    Args:
        files: Paths, or "-" for standard input.
        out: Where the outputs go; None for standard output.
        jobs: Child processes, from 1.
        time_limit: Seconds that one record may take.
        strict: Whether the first record that is left out ends the run.
        format: text, jsonl and medceg stand one after the other, several of json make a list,
            those of TABLE_FORMATS a table.
        prepare: What is done with each record beforehand, in this process.
        only: The name of the one case that is wanted; None for all.

    Raises:
        InputError: no file holds that case.
        Exit: a record was left out, or could not be used.
    """
    from groundtrace.files.writing import output_file
    from groundtrace.processes.pool import run

    tally = Tally(strict)
    with output_file(out) as output, Progress(files, "cases") as progress:
        records = tally.records(files) if only is None else iter([_find_case(files, only)])
        prepared = in_order(records, prepare) if prepare else records
        replies = tally.usable_replies(run(prepared, work, jobs, time_limit))
        outputs = (reply.output or "" for reply in progress.follow(replies))
        write_outputs(outputs, format, output)
    told = "case" if tally.done == 1 else "cases"
    more = (*STATUSES, "answers not found", "warnings", "items left out")
    tally.summarise(told, (), more, "could not be used", even_one=out is not None)
    code = max(tally.exit_code, ModelError.exit_code if tally.counts.get("failed") else 0)
    if code:
        raise typer.Exit(code)


def _find_case(files: list[str], name: str) -> "Record":
    """Return the first case of a name.

    Raises:
        InputError: no file holds it, or one cannot be read.
    """
    from groundtrace.files.reading import find_record

    for file in files[:-1]:
        with suppress(InputError):
            return find_record(file, name)
    return find_record(files[-1], name)
