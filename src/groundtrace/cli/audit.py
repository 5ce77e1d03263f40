"""``groundtrace audit``: audit traces from files."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from groundtrace.errors import GroundtraceError, InputError, placed
from groundtrace.vocabulary import FLAGS, OUTCOMES

if TYPE_CHECKING:
    from groundtrace.batch import Plan, Render, Reply
    from groundtrace.reading import Record


class Format(StrEnum):
    """How audits are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    mermaid = "mermaid"
    dot = "dot"


class Conflict(StrEnum):
    """What to do with two labels for one relation."""

    refuse = "refuse"
    weakest = "weakest"


Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Traces: .json, .jsonl, or - for standard input."),
]
Overlays = Annotated[
    list[Path] | None,
    typer.Option("--overlay", metavar="FILE", help="A rule file of your own; repeatable."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set a constant of the rules; repeatable."),
]
MaxTrees = Annotated[
    int, typer.Option(min=1, metavar="N", help="List at most N support trees per segment.")
]
OnConflict = Annotated[
    Conflict, typer.Option(help="Two labels for one relation: refuse, or take the weakest.")
]
TimeLimit = Annotated[
    float,
    typer.Option(min=0.1, metavar="SECONDS", help="End the audit of a trace after this time."),
]


def audit_command(
    files: Files,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(help="Output format; text unless --out ends in .json or .jsonl."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write to a file, whole or not at all.")
    ] = None,
    overlay: Overlays = None,
    set_: Settings = None,
    max_trees: MaxTrees = 50,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes to use.")] = 1,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="OUTCOME,...",
            help="Exit with 1 if a segment has one of these outcomes or flags.",
        ),
    ] = "",
    on_conflict: OnConflict = Conflict.refuse,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad record.")] = False,
    time_limit: TimeLimit = 60.0,
) -> None:
    """Audit traces: label each segment supported, unsupported, orphan or contradicted, and say why.

    Example: groundtrace audit data/clinical.json
    """
    from groundtrace.batch import run
    from groundtrace.cli.progress import Progress
    from groundtrace.writing import opened_for_writing

    conditions = _conditions(fail_on)
    chosen = format or _format_of(out)
    plan = plan_of(overlay, set_, max_trees, on_conflict)
    tally = Tally(strict)
    with Progress(files) as progress, opened_for_writing(out) as output:
        replies = tally.checked(
            run(_records(files, tally), plan, renderer(chosen, out), jobs, time_limit)
        )
        for text in _joined(progress.watched(replies), chosen):
            output.write(text)
    _summarise(tally)
    if tally.refused:
        raise typer.Exit(InputError.exit_code)
    if any(tally.counts.get(condition) for condition in conditions):
        raise typer.Exit(1)


def plan_of(
    overlay: list[Path] | None, settings: list[str] | None, max_trees: int, on_conflict: Conflict
) -> "Plan":
    """Return the plan that options describe.

    Args:
        overlay: Paths of users' rule files.
        settings: Constants as NAME=VALUE.
        max_trees: Support trees listed per segment.
        on_conflict: What to do with two labels for one relation.

    Raises:
        InputError: a setting has no "=".
    """
    from groundtrace.batch import Plan

    constants = []
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set: expected NAME=VALUE, got {setting!r}")
        constants.append((name.strip(), value))
    return Plan(
        tuple(str(path) for path in overlay or ()), tuple(constants), max_trees, on_conflict.value
    )


def _conditions(fail_on: str) -> list[str]:
    """Return the outcomes and flags that --fail-on names.

    Raises:
        InputError: one is unknown.
    """
    known = (*OUTCOMES, *FLAGS)
    names = [name.strip() for name in fail_on.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise InputError(f"--fail-on: there is no {name!r}; known are {', '.join(known)}")
    return names


def _format_of(out: Path | None) -> Format:
    suffix = out.suffix.removeprefix(".") if out else ""
    return Format(suffix) if suffix in (Format.json, Format.jsonl, Format.dot) else Format.text


class Tally:
    """Counts what became of the records, and refuses repeated ids."""

    def __init__(self, strict: bool) -> None:
        """Start at nothing.

        Args:
            strict: Whether the first refused record ends the run.
        """
        self._strict = strict
        # Hashes rather than names: a million traces must not fill the memory.
        self._seen: set[int] = set()
        self.audited = 0
        self.refused = 0
        self.counts: dict[str, int] = {}

    def refuse(self, place: str, error: GroundtraceError) -> None:
        """Report a record that is left out.

        Args:
            place: Where it stands.
            error: What is wrong with it.

        Raises:
            GroundtraceError: the run is strict.
        """
        self.refused += 1
        if self._strict:
            raise placed(error, place)
        typer.echo(f"groundtrace: {place}: {error}", err=True)

    def checked(self, replies: "Iterable[Reply[str]]") -> "Iterator[Reply[str]]":
        """Yield the replies that hold an output; report the others.

        Args:
            replies: In order.

        Raises:
            GroundtraceError: the run is strict and a record is refused.
        """
        for reply in replies:
            error = reply.error
            if error is None and hash(reply.id) in self._seen:
                error = InputError(f"the id {reply.id!r} was used before; ids must be distinct")
            if error is not None or reply.summary is None:
                self.refuse(reply.record.place, error or InputError("no result"))
                continue
            self._seen.add(hash(reply.id))
            self.audited += 1
            for name, count in reply.summary:
                self.counts[name] = self.counts.get(name, 0) + count
            yield reply


def _records(files: list[str], tally: Tally) -> "Iterator[Record]":
    """Yield the records of all files; a file that cannot be read is left out."""
    from groundtrace.reading import read_records

    for file in files:
        try:
            yield from read_records(file)
        except InputError as error:
            tally.refuse(file, error)


def renderer(format: Format, out: Path | None) -> "Render[str]":  # noqa: A002
    """Return what turns one audit into text.

    Args:
        format: The format chosen.
        out: Where the text goes; decides width and colour.
    """
    from groundtrace import rendering

    if format is Format.text:
        return partial(rendering.audit_text, **terminal(out))
    if format in (Format.json, Format.jsonl):
        return rendering.audit_json
    return partial(rendering.audit_picture, format=format.value)


class Terminal(TypedDict):
    """What text output depends on."""

    width: int
    colour: bool


def terminal(out: Path | None) -> Terminal:
    """Return the width and colour that suit where the text goes.

    Args:
        out: A file, or None for standard output.
    """
    to_terminal = out is None and sys.stdout.isatty()
    return {
        "width": max(shutil.get_terminal_size().columns, 40) if to_terminal else 80,
        "colour": to_terminal and not os.environ.get("NO_COLOR"),
    }


def _joined(replies: "Iterable[Reply[str]]", format: Format) -> Iterator[str]:  # noqa: A002
    """Yield the pieces of the whole output: a JSON list takes brackets, the rest newlines.

    One trace alone is written as one JSON object.
    """
    if format is not Format.json:
        for reply in replies:
            yield f"{reply.output}\n"
        return
    previous, count = None, 0
    for count, reply in enumerate(replies, 1):
        if previous is not None:
            yield f"{'[' if count == 2 else ','}\n{previous}"
        previous = reply.output
    if count == 1:
        yield f"{previous}\n"
    else:
        yield "[]\n" if previous is None else f",\n{previous}\n]\n"


def _summarise(tally: Tally) -> None:
    """Print the counts of a run that was more than one trace, or not whole."""
    if tally.audited + tally.refused == 1 and not tally.refused:
        return
    parts = [f"{tally.counts.get(name, 0)} {name}" for name in OUTCOMES]
    parts += [f"{tally.counts[name]} {name}" for name in FLAGS if tally.counts.get(name)]
    left_out = f"; {tally.refused} left out" if tally.refused else ""
    typer.echo(f"{tally.audited} audited: {', '.join(parts)}{left_out}", err=True)
