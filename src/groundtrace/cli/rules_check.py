"""``groundtrace rules check``: what is wrong in a rule file, in words."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import (
    ConstantSettings,
    ListFormat,
    ListFormatOption,
    Out,
    TimeLimit,
    constants_of,
    list_format,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    format: ListFormatOption = None,  # noqa: A002
    out: Out = None,
    time_limit: TimeLimit = 20.0,
) -> None:
    """Check rule files: say what is wrong, where, and how to mend it.

    The rules are tried on made-up traces or graphs, not on yours. The exit code is 2 if a file
    cannot be used as it is; warnings do not count.

    Example: groundtrace rules check asp/examples/legal.lp
    """
    from groundtrace.files.writing import output_file
    from groundtrace.workbench.check.checker import check_files

    checked = check_files(files, rules.value if rules else None, constants_of(set_), time_limit)
    with output_file(out) as output:
        if list_format(format, out) is ListFormat.json:
            output.write(_json(checked))
        else:
            output.writelines(f"{line}\n" for one in checked for line in _lines(one))
    errors = sum(one.errors for one in checked)
    warnings = sum(len(one.faults) for one in checked) - errors
    if errors or warnings:
        from groundtrace.phrases import counted

        say(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
    if errors:
        raise typer.Exit(FAULTY)


def _json(checked: "list[Checked]") -> str:
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
    return f"{to_json(fields, indent=2).decode()}\n"


def _lines(one: "Checked") -> "Iterator[str]":
    from groundtrace.rules.judge.words_of_trial import all_well, taken_for

    for fault in one.faults:
        yield fault.shown()
    if one.assumed and one.faults:
        yield taken_for(one.path, one.program)
    if not one.faults:
        yield all_well(one.path, one.program, one.derives, one.reads)
