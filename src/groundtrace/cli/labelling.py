"""Labelling as commands do it: with progress, a summary, and a forecast on request."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from groundtrace.cli.labelling_options import LabellingOptions, Mode
from groundtrace.cli.options import Conflict
from groundtrace.cli.say import say
from groundtrace.cli.tally import Tally

if TYPE_CHECKING:
    from groundtrace.labelling.job import Counts, Job, Labelled
    from groundtrace.models.trace import Trace

REASONS_SHOWN = 3


def labelled(
    files: list[str],
    labelling: LabellingOptions,
    constants: dict[str, int | str],
    on_conflict: Conflict,
    tally: Tally,
) -> "Iterator[Labelled]":
    """Yield every record of some files with its trace labelled, showing progress and a summary.

    Args:
        files: Paths, or "-" for standard input.
        labelling: How to label.
        constants: Constant name to value.
        on_conflict: What to do with two labels for one relation.
        tally: Learns of files that cannot be read.

    Raises:
        InputError: an option or the cache cannot be used.
        ModelError: the server or model cannot be used.
    """
    from groundtrace.cli.progress import CallProgress, on_terminal
    from groundtrace.labelling.job import Counts
    from groundtrace.labelling.run import label_all

    counts = Counts()
    total = _total(files, labelling, on_conflict) if on_terminal() else None
    with (
        CallProgress(total) as progress,
        labelling.job(constants, progress.watch) as job,
        job.labeller,
    ):
        try:
            yield from label_all(tally.records(files), _reader(on_conflict), job, counts)
        except KeyboardInterrupt:
            say(_how_to_go_on(counts, job))
            raise
    summarise(counts)
    if counts.calls and not counts.answered:
        tally.exit_code = max(tally.exit_code, 3)


def _reader(on_conflict: Conflict) -> Any:
    from groundtrace.segmentation import trace_from_either

    return lambda record: trace_from_either(record, on_conflict.value)


def _how_to_go_on(counts: "Counts", job: "Job") -> str:
    if job.cache is None:
        return "groundtrace: the answers so far are lost, since --no-cache was given"
    return "groundtrace: the answers so far are kept; the same command goes on from there"


def _total(files: list[str], labelling: LabellingOptions, on_conflict: Conflict) -> int | None:
    """Return how many candidates there are; None where the input can be read only once."""
    from pathlib import Path

    if not all(Path(file).is_file() for file in files):
        return None
    quiet = Tally(strict=False, quiet=True)
    sets = labelling.sets()
    return sum(sets.count(trace) for trace in _readable(files, on_conflict, quiet))


def _readable(files: list[str], on_conflict: Conflict, tally: Tally) -> "Iterator[Trace]":
    """Yield the trace of each record; others are reported and left out."""
    from groundtrace.errors import InputError

    read = _reader(on_conflict)
    for record in tally.records(files):
        try:
            yield read(record)
        except InputError as error:
            tally.refuse(record.place, error)


def trace_json(trace: "Trace") -> str:
    """Return a trace as JSON; a relation without a label says so.

    Args:
        trace: With relations.
    """
    from pydantic_core import to_json

    fields = trace.model_dump(exclude_none=True)
    for relation in fields["relations"]:
        relation.setdefault("label", None)
    return to_json(fields).decode()


def summarise(counts: "Counts") -> None:
    """Print what labelling took.

    Args:
        counts: Of the whole run.
    """
    parts = [f"{counts.calls:,} calls"]
    if counts.cached:
        parts.append(f"{counts.cached:,} answers known before")
    if counts.skipped:
        parts.append(f"{counts.skipped:,} relations left out by economy")
    if counts.given:
        parts.append(f"{counts.given:,} labelled in the input")
    if counts.tokens_in or counts.tokens_out:
        parts.append(f"{counts.tokens_in:,} tokens in, {counts.tokens_out:,} out")
    unlabelled = counts.unlabelled.total()
    say(
        f"labelled {counts.relations - unlabelled:,} of {counts.relations:,} relations in "
        f"{counts.traces:,} {'trace' if counts.traces == 1 else 'traces'}: {'; '.join(parts)}"
    )
    for reason, times in counts.unlabelled.most_common(REASONS_SHOWN):
        say(f"  {times:,} unlabelled: {reason}")
    if len(counts.unlabelled) > REASONS_SHOWN:
        say(f"  and {len(counts.unlabelled) - REASONS_SHOWN:,} other reasons, in the output")


def dry_run(
    files: list[str],
    labelling: LabellingOptions,
    constants: dict[str, int | str],
    on_conflict: Conflict,
    tally: Tally,
) -> None:
    """Print what labelling would ask and cost.

    Args:
        files: Paths, or "-" for standard input.
        labelling: How to label.
        constants: Constant name to value.
        on_conflict: What to do with two labels for one relation.
        tally: Learns of records that are left out.

    Raises:
        InputError: an option or the cache cannot be used.
        ModelError: a package is missing.
        Exit: a record was left out.
    """
    from groundtrace.labelling.forecast import forecast

    with labelling.job(constants, lambda counts: None) as job:
        found = forecast(_readable(files, on_conflict, tally), job)
        voters = len(job.labeller.voters)
    traces = "trace" if found.traces == 1 else "traces"
    typer.echo(f"{found.traces:,} {traces}, {found.relations:,} relations to be labelled")
    if voters > 1:
        typer.echo(f"each asked {voters:,} times, by models and votes")
    economy = labelling.candidates is Mode.economy
    least = f"between {found.single:,} and " if economy else ""
    typer.echo(f"{least}{found.asked:,} calls to be made; {found.cached:,} answers are known")
    typer.echo(f"about {found.tokens_in:,} tokens in, {found.tokens_out:,} out, without thinking")
    prices = labelling.price_in or 0, labelling.price_out or 0
    if any(prices):
        cost = (found.tokens_in * prices[0] + found.tokens_out * prices[1]) / 1e6
        shown = f"{cost:,.2f}" if cost >= 1 else f"{cost:.2g}"
        typer.echo(f"cost: about {shown}{' at most' if economy else ''}")
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)
