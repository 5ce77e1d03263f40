"""``groundtrace rules check``: what is wrong in a rule file, in words."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import ConstantSettings, ListFormat, constants_of

if TYPE_CHECKING:
    from groundtrace.workbench.check.checker import Checked

FAULTY = 2
"""Exit code where a file has errors: it is bad input."""


class Rules(StrEnum):
    """Which rules of ours a file goes with."""

    audit = "audit"
    graph = "graph"
    guards = "guards"


def check_rules_command(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Rule files of your own.")],
    rules: Annotated[
        Rules | None,
        typer.Option(help="What the files are for; told from the words they use if not given."),
    ] = None,
    set_: ConstantSettings = None,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.text,  # noqa: A002
    time_limit: Annotated[
        float,
        typer.Option(min=1, metavar="SECONDS", help="End the trial of one file after this time."),
    ] = 20.0,
) -> None:
    """Check rule files: say what is wrong, where, and how to mend it.

    The rules are tried on made-up traces or graphs, not on yours. The exit code is 2 if a file
    cannot be used as it is; warnings do not count.

    Example: groundtrace rules check asp/examples/legal.lp
    """
    from groundtrace.workbench.check.checker import check_files

    checked = check_files(files, rules.value if rules else None, constants_of(set_), time_limit)
    if format is ListFormat.json:
        _write_json(checked)
    else:
        for one in checked:
            _write_text(one)
    errors = sum(one.errors for one in checked)
    warnings = sum(len(one.faults) for one in checked) - errors
    if errors or warnings:
        from groundtrace.phrases import counted

        say(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
    if errors:
        raise typer.Exit(FAULTY)


def _write_json(checked: "list[Checked]") -> None:
    from pydantic_core import to_json

    fields = [
        {
            "file": one.path,
            "rules": one.program,
            "derives": one.derives,
            "reads": one.reads,
            "faults": [fault.fields() for fault in one.faults],
        }
        for one in checked
    ]
    typer.echo(to_json(fields, indent=2).decode())


def _write_text(one: "Checked") -> None:
    from groundtrace.rules.judge.words_of_trial import all_well, taken_for

    for fault in one.faults:
        typer.echo(fault.shown())
    if one.assumed and one.faults:
        typer.echo(taken_for(one.path, one.program))
    if not one.faults:
        typer.echo(all_well(one.path, one.program, one.derives, one.reads))
