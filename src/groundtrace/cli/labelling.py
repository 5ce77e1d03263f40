"""Labelling as commands do it: with progress, a summary, and a forecast on request."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

from groundtrace.cli.labelling_options import LabellingOptions, Mode
from groundtrace.cli.messages import say
from groundtrace.cli.options import Conflict
from groundtrace.cli.tally import Tally
from groundtrace.errors import InputError, ModelError

if TYPE_CHECKING:
    from groundtrace.files.reading import Record
    from groundtrace.labelling.plan import LabelledTrace, LabellingCounts, LabellingPlan
    from groundtrace.models.trace import Trace

REASONS_SHOWN = 3


def label_records(
    files: list[str],
    labelling: LabellingOptions,
    constants: dict[str, int | str],
    on_conflict: Conflict,
    tally: Tally,
) -> "Iterator[LabelledTrace]":
    """Yield every record of some files with its trace labelled, showing progress and a summary.

    Args:
        files: Paths, or "-" for standard input.
        constants: Constant name to value.
        on_conflict: What to do with two labels for one relation.
        tally: Learns of files that cannot be read.

    Raises:
        InputError: an option or the cache cannot be used.
        ModelError: the server or model cannot be used.
    """
    from groundtrace.cli.progress import CallProgress, on_terminal
    from groundtrace.labelling.plan import LabellingCounts
    from groundtrace.labelling.run import label_all

    counts = LabellingCounts()
    total = _total(files, labelling, on_conflict) if on_terminal() else None
    with (
        CallProgress(total) as progress,
        labelling.plan(constants, progress.watch) as plan,
        plan.labeller,
    ):
        try:
            yield from label_all(tally.records(files), _reader(on_conflict), plan, counts)
        except (KeyboardInterrupt, GeneratorExit, ModelError):
            if counts.answered:
                say(_how_to_go_on(plan))
            raise
    summarise(counts, plan.labeller.remarks)
    if counts.relations and counts.unlabelled.total() == counts.relations:
        tally.exit_code = max(tally.exit_code, ModelError.exit_code)


def _reader(on_conflict: Conflict) -> "Callable[[Record], Trace]":
    """Return what makes a trace of a record, and refuses an id that came before."""
    from groundtrace.segmentation.segmenter import trace_from_either

    ids = Tally(strict=False, quiet=True)

    def read(record: "Record") -> "Trace":
        trace = trace_from_either(record, on_conflict.value)
        if error := ids.problem_with_id(trace.id):
            raise error
        return trace

    return read


def _how_to_go_on(plan: "LabellingPlan") -> str:
    if plan.cache is None:
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
    read = _reader(on_conflict)
    for record in tally.records(files):
        try:
            yield read(record)
        except InputError as error:
            tally.refuse(record.place, error)


def trace_json(trace: "Trace") -> str:
    """Return a trace as JSON; a relation without a label says so."""
    from pydantic_core import to_json

    fields = trace.model_dump()
    for relation in fields["relations"]:
        _drop_absent(relation, "probability", "error")
    return to_json(fields).decode()


def _drop_absent(record: dict[str, Any], *names: str) -> None:
    for name in names:
        if record[name] is None:
            del record[name]


def summarise(counts: "LabellingCounts", remarks: Sequence[str]) -> None:
    """Print what labelling took.

    Args:
        counts: Of the whole run.
    """
    from groundtrace.phrases import counted

    parts = [counted(counts.calls, "call")]
    if counts.cached:
        parts.append(f"{counted(counts.cached, 'answer')} known before")
    if counts.repeated:
        parts.append(f"{counted(counts.repeated, 'question')} asked once for several relations")
    if counts.skipped:
        parts.append(f"{counts.skipped:,} relations left out by economy")
    if counts.given:
        parts.append(f"{counts.given:,} labelled in the input")
    if counts.tokens_in or counts.tokens_out:
        parts.append(f"{counts.tokens_in:,} tokens in, {counts.tokens_out:,} out")
    unlabelled = counts.unlabelled.total()
    say(
        f"labelled {counts.relations - unlabelled:,} of {counts.relations:,} relations in "
        f"{counted(counts.traces, 'trace')}: {'; '.join(parts)}"
    )
    for remark in remarks:
        say(f"  {remark}")
    # Reasons that differ in a number only are one reason.
    kinds: Counter[str] = Counter()
    samples: dict[str, str] = {}
    for reason, times in counts.unlabelled.items():
        kind = re.sub(r"\d[\d,.]*", "", reason)
        samples.setdefault(kind, reason)
        kinds[kind] += times
    for kind, times in kinds.most_common(REASONS_SHOWN):
        say(f"  {times:,} unlabelled: {samples[kind]}")
    if len(kinds) > REASONS_SHOWN:
        say(f"  and {len(kinds) - REASONS_SHOWN:,} other reasons, in the output")


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
        constants: Constant name to value.
        on_conflict: What to do with two labels for one relation.
        tally: Learns of records that are left out.

    Raises:
        InputError: an option or the cache cannot be used.
        ModelError: a package is missing.
        Exit: a record was left out.
    """
    from groundtrace.labelling.forecast import forecast
    from groundtrace.phrases import counted

    with labelling.plan(constants, lambda counts: None) as plan:
        found = forecast(_readable(files, on_conflict, tally), plan)
        voters = len(plan.labeller.voters)
    relations = counted(found.relations, "relation")
    typer.echo(f"{counted(found.traces, 'trace')}, {relations} to be labelled")
    if voters > 1:
        typer.echo(f"each asked {voters:,} times, by models and votes")
    economy = labelling.candidates is Mode.economy
    least = f"between {found.single:,} and " if economy else ""
    typer.echo(f"{least}{counted(found.asked, 'call')} to be made")
    if found.cached:
        typer.echo(f"{counted(found.cached, 'answer')} known before")
    if found.repeated:
        typer.echo(f"{counted(found.repeated, 'question')} asked once for several relations")
    most = "at most" if economy else "about"
    typer.echo(f"{most} {found.tokens_in:,} tokens in, {found.tokens_out:,} out, without thinking")
    prices = labelling.price_in or 0, labelling.price_out or 0
    if any(prices):
        cost = (found.tokens_in * prices[0] + found.tokens_out * prices[1]) / 1e6
        shown = f"{cost:,.2f}" if cost >= 1 else f"{cost:.2g}"
        typer.echo(f"cost: {most} {shown}")
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)
