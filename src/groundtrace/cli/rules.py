"""``groundtrace rules``: test rule files, and list and show what the rules are."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import (
    ConstantSettings,
    Jobs,
    ListFormat,
    ListFormatOption,
    Out,
    Overlays,
    TimeLimit,
    constants_of,
    list_format,
    suffix_of,
    terminal,
)
from groundtrace.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundtrace.workbench.test.suites import Suite


class ResultFormat(StrEnum):
    """How the results of cases are written."""

    text = "text"
    json = "json"
    junit = "junit"


def test_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Test files, or folders of them (*.test.lp); without any, those that come with "
            "the rules.",
        ),
    ] = None,
    overlay: Overlays = None,
    set_: ConstantSettings = None,
    format: Annotated[  # noqa: A002
        ResultFormat | None,
        typer.Option(help="Output format; text unless --out ends in .json or .xml."),
    ] = None,
    out: Out = None,
    jobs: Jobs = 1,
    time_limit: TimeLimit = 20.0,
) -> None:
    """Try rules on cases: facts, and what is expected to follow from them.

    A test file needs no Python. It starts with "%# Title" and "% Purpose: ...". A case is a line
    "%# case: what it shows", facts, and comments that say what must follow: "% all: ...",
    "% any: ...", "% none: ...", with _ for anything. "% overlay: FILE" uses a rule file that lies
    beside it, "% set: NAME=VALUE" sets a constant; both stand in the header for all cases, or in
    one case. "% rules: graph" in the header tries the rules for graphs instead of the audit.

    The exit code is 1 if a case does not hold, and 2 if a file cannot be read.

    Example: groundtrace rules test asp/examples/legal.test.lp
    """
    from groundtrace.files.writing import output_file
    from groundtrace.workbench.test import suites as trials
    from groundtrace.workbench.test.cases import Added
    from groundtrace.workbench.test.suite_text import summary_of

    constants = tuple((name, str(value)) for name, value in constants_of(set_).items())
    added = Added(tuple(str(path) for path in overlay or ()), constants)
    trials.check_added(added)
    chosen = format or _test_format(out)
    files = trials.files_in(paths or [trials.own_cases()])
    suites = [trials.read_suite(path, added) for path in files]
    with output_file(out) as output:
        with Progress([str(path) for path in files], "cases") as progress:
            for _ in progress.follow(trials.tried(suites, added, jobs, time_limit)):
                pass
        output.writelines(_results(suites, chosen))
    if out is not None or chosen is not ResultFormat.text:
        say(summary_of(suites))
    raise typer.Exit(_exit_code(suites))


def _exit_code(suites: "list[Suite]") -> int:
    if any(suite.error is not None for suite in suites):
        return 2
    return int(any(suite.failed for suite in suites))


def _test_format(out: Path | None) -> ResultFormat:
    if suffix_of(out, ("xml",)):
        return ResultFormat.junit
    return ResultFormat(suffix_of(out, ("json",)) or "text")


def _results(suites: "list[Suite]", format: ResultFormat) -> "Iterator[str]":  # noqa: A002
    from groundtrace.workbench.test import suite_text

    if format is ResultFormat.text:
        yield from suite_text.text_of(suites)
    elif format is ResultFormat.json:
        yield suite_text.json_of(suites)
    else:
        yield suite_text.junit_of(suites)


def list_command(
    overlay: Overlays = None,
    format: ListFormatOption = None,  # noqa: A002
    out: Out = None,
) -> None:
    """List the rules: files in stage order, named rules and constants, with what each is for.

    A rule file of your own is listed too: what it derives, reads and sets.

    Example: groundtrace rules list
    """
    from groundtrace.files.writing import output_file
    from groundtrace.workbench.catalogue.catalogue import Catalogue, own_file
    from groundtrace.workbench.catalogue.catalogue_text import list_json, list_text

    catalogue = Catalogue()
    own = [own_file(path) for path in overlay or ()]
    with output_file(out) as output:
        if list_format(format, out) is ListFormat.json:
            output.write(list_json(catalogue, own))
        else:
            output.writelines(list_text(catalogue, own, terminal(out)["width"]))


def show_command(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Of a rule, a file, a predicate or a constant."),
    ],
    format: ListFormatOption = None,  # noqa: A002
    out: Out = None,
) -> None:
    """Show a named rule, a rule file, a predicate or a constant: what it is for, and where it is.

    Example: groundtrace rules show locality
    """
    from groundtrace.files.writing import output_file
    from groundtrace.workbench.catalogue.catalogue import Catalogue
    from groundtrace.workbench.catalogue.catalogue_text import show_json, show_text

    catalogue = Catalogue()
    found = catalogue.find(name)
    with output_file(out) as output:
        if list_format(format, out) is ListFormat.json:
            output.write(show_json(found))
        else:
            output.writelines(show_text(catalogue, found, terminal(out)["width"]))
