"""``groundtrace check``: does a knowledge base hold what it must?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import Out, RecordFormat, record_format
from groundtrace.cli.source_options import SourceOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundtrace.knowledge.checking import Checked, Violation

MOST_SHOWN = 20
"""Violations of one check in text."""


def check_command(
    sources: SourceOptions,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="RDF (.trig, .nq, .ttl, .jsonld) or records (.json, .jsonl), unless --store or "
            "--endpoint says.",
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the checks, and stop.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CHECK", help="Run this check; repeatable.")
    ] = None,
    checks: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Run the checks of a folder of your own instead of ours; repeatable.",
        ),
    ] = None,
    reason: Annotated[
        bool,
        typer.Option(
            "--reason",
            help="Ask a reasoner too whether all of it can be true together with the ontology; for "
            "a few cases; needs Java.",
        ),
    ] = False,
    format: Annotated[  # noqa: A002
        RecordFormat | None,
        typer.Option(help="Output format; text unless --out has another ending."),
    ] = None,
    out: Out = None,
) -> None:
    """Check a knowledge base: each check is a query whose every row is a violation.

    The exit code is 1 if a violation is an error; warnings do not count.

    Example: groundtrace check data/graphs/graph.json
    """
    from groundtrace.files.writing import output_file
    from groundtrace.knowledge.ask.asker import Asker
    from groundtrace.knowledge.checking import chosen_checks, run_checks

    chosen = chosen_checks(only or [], checks or [])
    if list_:
        with output_file(out) as output:
            output.writelines(f"{one.name}\n  {one.title}. {one.answers}\n" for one in chosen)
        return
    wanted = record_format(format, out)
    with output_file(out) as output, Asker(sources.source(files or [])) as asker:
        done = list(run_checks(asker, chosen, sources.time_limit, sources.limit))
        output.writelines(_output_lines(done, wanted))
    code = _exit_code(done)
    if reason:
        code = max(code, _ask_reasoner(sources, files or []))
    raise typer.Exit(code)


def _ask_reasoner(sources: SourceOptions, files: list[str]) -> int:
    """Tell what a reasoner says, and return 0, 1 for a contradiction, or 3 if it says nothing."""
    from groundtrace.knowledge.ask.sources import quads_in
    from groundtrace.knowledge.reason.reasoner import Verdict, judge

    judgement = judge(quads_in(sources.source(files)), time_limit=sources.time_limit)
    say(f"reasoner: {judgement.message}")
    return {Verdict.CONSISTENT: 0, Verdict.INCONSISTENT: 1}.get(judgement.verdict, 3)


def _exit_code(done: "list[Checked]") -> int:
    """Tell what was not done, and return 2 for that, 1 for errors that were found, or 0."""
    from groundtrace.phrases import counted

    found = [one.severity for checked in done for one in checked.violations]
    failed = [checked for checked in done if checked.error is not None]
    for checked in failed:
        say(f"groundtrace: check {checked.check.name}: {checked.error}")
    for checked in done:
        if checked.more:
            say(f"groundtrace: check {checked.check.name} finds more than was fetched (--limit)")
    not_run = f", {len(failed)} could not be run" if failed else ""
    errors, warnings = found.count("error"), found.count("warning")
    say(
        f"{counted(len(done), 'check')}: {counted(errors, 'error')}, "
        f"{counted(warnings, 'warning')}{not_run}"
    )
    return 2 if failed else int(bool(errors))


def _output_lines(done: "list[Checked]", format: RecordFormat) -> "Iterator[str]":  # noqa: A002
    from pydantic_core import to_json

    violations = [one for checked in done for one in checked.violations]
    if format is RecordFormat.jsonl:
        yield from (f"{to_json(one._asdict()).decode()}\n" for one in violations)
    elif format is RecordFormat.json:
        fields = {
            "checks": [
                {
                    "name": one.check.name,
                    "violations": len(one.violations),
                    "more": one.more,
                    "error": None if one.error is None else str(one.error),
                }
                for one in done
            ],
            "violations": [one._asdict() for one in violations],
        }
        yield f"{to_json(fields).decode()}\n"
    else:
        for checked in done:
            yield from _check_lines(checked)


def _check_lines(checked: "Checked") -> "Iterator[str]":
    """Yield the violations of one check as text."""
    from groundtrace.phrases import clean

    if not checked.violations:
        return
    severity = checked.violations[0].severity
    title = checked.check.title or str(checked.check.path)
    yield f"{severity}: {title} ({checked.check.name})\n"
    for one in checked.violations[:MOST_SHOWN]:
        yield f"  {_place(one)}: {clean(one.message)}\n"
    if len(checked.violations) > MOST_SHOWN:
        yield f"  and {len(checked.violations) - MOST_SHOWN:,} more\n"


def _place(one: "Violation") -> str:
    """Return where a violation is: the record, and what in it."""
    from groundtrace.knowledge.ask.tables import short
    from groundtrace.phrases import clean

    subject = clean(short(one.subject))
    if one.graph is None or one.graph == one.subject:
        return subject
    if one.subject.startswith(f"{one.graph}/"):
        return f"{clean(short(one.graph))} {one.subject.removeprefix(f'{one.graph}/')}"
    return f"{clean(short(one.graph))} {subject}"
