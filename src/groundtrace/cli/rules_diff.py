"""``groundtrace rules diff``: what an edit of the rules changes over a set of cases."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from groundtrace.cli.messages import say
from groundtrace.cli.options import (
    Conflict,
    ConstantSettings,
    Jobs,
    OnConflict,
    Out,
    Overlays,
    RecordFormat,
    Strict,
    TimeLimit,
    constants_of,
    plan_of,
    record_format,
    terminal,
)
from groundtrace.cli.progress import Progress
from groundtrace.cli.tally import Tally

if TYPE_CHECKING:
    from groundtrace.processes.pool import Reply
    from groundtrace.workbench.diff.differences import Change, Difference

CASES_SHOWN = 50
"""Cases told in full in text."""


class Rules(StrEnum):
    """Programs whose rules can be compared."""

    audit = "audit"
    graph = "graph"


def diff_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Labelled traces, or cases with triplets: .json, .jsonl, or - for standard input.",
        ),
    ],
    overlay: Overlays = None,
    set_: ConstantSettings = None,
    base_overlay: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A rule file that holds before the edit; repeatable."),
    ] = None,
    base_set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A constant as it is before; repeatable."),
    ] = None,
    rules: Annotated[
        Rules | None, typer.Option(help="Which rules; those that suit each record otherwise.")
    ] = None,
    format: Annotated[  # noqa: A002
        RecordFormat | None,
        typer.Option(help="Output format; text unless --out has another ending."),
    ] = None,
    out: Out = None,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="Exit with 1 if anything changes.")
    ] = False,
    on_conflict: OnConflict = Conflict.refuse,
    jobs: Jobs = 1,
    strict: Strict = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Compare the rules as they are with an edit of yours, over a set of cases.

    The edit is what --overlay and --set say; labels are taken from the files, nobody is asked.

    Example: groundtrace rules diff data/clinical.json --set closest_gap_limit=10
    """
    from groundtrace.files.writing import output_file
    from groundtrace.processes.pool import run
    from groundtrace.workbench.diff.differences import Differing, refuse_nothing_to_compare

    before = plan_of(base_overlay, constants_of(base_set), 1, on_conflict)
    after = plan_of(
        [*(base_overlay or ()), *(overlay or ())],
        constants_of(base_set) | constants_of(set_),
        1,
        on_conflict,
    )
    refuse_nothing_to_compare(before, after)
    work = Differing(before, after, rules.value if rules else None)
    chosen = record_format(format, out)
    tally = Tally(strict)
    with output_file(out) as output, Progress(files, "cases") as progress:
        replies = tally.usable_replies(run(tally.records(files), work, jobs, time_limit))
        found = _differences(progress.follow(replies))
        if chosen is RecordFormat.jsonl:
            output.writelines(f"{_json(one)}\n" for one in found if one.changes)
        elif chosen is RecordFormat.json:
            output.write(_report_json(list(found)))
        else:
            output.write(_report(list(found), **terminal(out)))
    raise typer.Exit(_exit_code(tally, out, chosen, fail_on_change))


def _exit_code(tally: Tally, out: Path | None, chosen: RecordFormat, fail_on_change: bool) -> int:
    """Tell what the run came to, and return its exit code."""
    changed = tally.counts.get("changed cases", 0)
    if tally.refused or out is not None or chosen is not RecordFormat.text:
        more = ("changed cases",)
        tally.summarise("compared", (), more, "could not be used", even_one=bool(out))
    if changed and fail_on_change:
        cases = "1 case changes" if changed == 1 else f"{changed:,} cases change"
        say(f"--fail-on-change: {cases}")
        return max(tally.exit_code, 1)
    return tally.exit_code


def _differences(replies: "Iterable[Reply[Difference]]") -> "Iterator[Difference]":
    for reply in replies:
        if reply.output is not None:
            yield reply.output


def _json(difference: "Difference") -> str:
    from pydantic_core import to_json

    return to_json(_fields(difference)).decode()


def _fields(difference: "Difference") -> dict[str, object]:
    return {
        **difference._asdict(),
        "changes": [change._asdict() for change in difference.changes],
    }


def _table(differences: "Iterable[Difference]") -> "list[tuple[str, str, int]]":
    """Return how often each change happens: before, after, count; the same first every time."""
    counts = Counter((change.before, change.after) for one in differences for change in one.changes)
    return [(*pair, count) for pair, count in sorted(counts.items())]


def _report_json(differences: "list[Difference]") -> str:
    from pydantic_core import to_json

    fields = {
        "cases": len(differences),
        "changed_cases": sum(1 for one in differences if one.changes),
        "judged": sum(one.judged for one in differences),
        "table": [
            {"before": before, "after": after, "count": count}
            for before, after, count in _table(differences)
        ],
        "differences": [_fields(one) for one in differences if one.changes],
    }
    return f"{to_json(fields).decode()}\n"


def _report(differences: "list[Difference]", *, width: int, colour: bool) -> str:
    """Return all changes as text: case by case with reasons, then counted."""
    from groundtrace.phrases import clean, counted
    from groundtrace.show.console import printed_text

    changed = [one for one in differences if one.changes]

    def show(console: Console) -> None:
        for one in changed[:CASES_SHOWN]:
            console.print(Text(clean(one.id), style="bold"))
            for change in one.changes:
                _show_change(console, change, one.rules == "audit")
        if len(changed) > CASES_SHOWN:
            console.print(Text(f"and {len(changed) - CASES_SHOWN:,} more cases (--format jsonl)"))
        if changed:
            console.print(_table_of_counts(differences))
        changes = sum(len(one.changes) for one in changed)
        judged = sum(one.judged for one in differences)
        kinds = {one.rules for one in differences}
        thing = "segment" if kinds == {"audit"} else "triplet" if kinds == {"graph"} else "item"
        console.print(
            Text(
                f"{len(changed):,} of {counted(len(differences), 'case')} changed: "
                f"{changes:,} of {counted(judged, thing)}"
            )
        )

    return printed_text(show, width, colour).rstrip("\n") + "\n"


def _show_change(console: Console, change: "Change", is_segment: bool) -> None:
    from groundtrace.phrases import clean, quote

    head = Text(f"{change.subject} ", style="bold") if is_segment else Text()
    head.append(quote(change.text) if is_segment else change.text)
    console.print(Padding(head, (0, 0, 0, 2)))
    console.print(Padding(Text(f"{change.before} → {change.after}", style="yellow"), (0, 0, 0, 4)))
    console.print(Padding(Text(f"before: {clean(change.reason_before)}"), (0, 0, 0, 4)))
    console.print(Padding(Text(f"after:  {clean(change.reason_after)}"), (0, 0, 0, 4)))


def _table_of_counts(differences: "list[Difference]") -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("before")
    table.add_column("after")
    table.add_column("count", justify="right")
    for before, after, count in _table(differences):
        table.add_row(before, after, f"{count:,}")
    return table
