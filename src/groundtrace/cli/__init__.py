"""The command ``groundtrace``: parses, calls, prints, and turns errors into exit codes."""

import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Annotated, Any

import typer

from groundtrace.cli.audit import audit_command
from groundtrace.cli.check import check_command
from groundtrace.cli.explain import explain_command
from groundtrace.cli.export import export_command, import_command
from groundtrace.cli.extract import extract_command
from groundtrace.cli.graph import ConclusionOptions, critical_command, vote_command
from groundtrace.cli.help_text import Command
from groundtrace.cli.label import label_command
from groundtrace.cli.labelling_options import LabellingOptions
from groundtrace.cli.messages import say
from groundtrace.cli.option_groups import spread
from groundtrace.cli.query import query_command
from groundtrace.cli.reward import ScoreOptions, reward_command
from groundtrace.cli.rules import list_command, show_command, test_command
from groundtrace.cli.rules_check import check_rules_command
from groundtrace.cli.rules_diff import diff_command
from groundtrace.cli.segment import segment_command
from groundtrace.cli.serve import serve_command
from groundtrace.cli.server_options import CacheOptions, EmbeddingOptions, ServerOptions
from groundtrace.cli.source_options import SourceOptions
from groundtrace.errors import BugError, GroundtraceError, bug_of
from groundtrace.version import __version__

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

app = typer.Typer(
    name="groundtrace",
    help="Says whether a language model's reasoning stands on its own evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundtrace {__version__}")
        raise typer.Exit


graph_app = typer.Typer(
    help="Evidence graphs: extract triplets, vote on them, keep what leads to a conclusion.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

rules_app = typer.Typer(
    help="The rules: read them, check and test your own, see what an edit changes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Says whether a language model's reasoning stands on its own evidence."""


def main() -> None:
    """Run the command and exit: see the README for exit codes."""
    # Child processes must not pick up a pickle.py that lies in the current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _terminate)
    try:
        app()
    except Exception as error:  # Whatever happens, a user sees words, not a stack trace.
        if isinstance(error, GroundtraceError) and not isinstance(error, BugError):
            _say(str(error))
            sys.exit(error.exit_code)
        bug = bug_of(error)
        _say(f"{bug}. This is a fault of groundtrace; please report it with the input.")
        sys.exit(bug.exit_code)


def _terminate(number: int, frame: FrameType | None) -> None:
    """Leave in good order: end the children, remove what is half written."""
    sys.exit(128 + number)


def _interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that says so when Ctrl-C ends it."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            _say("stopped")
            sys.exit(INTERRUPTED)

    return run


def _say(message: str) -> None:
    say(f"groundtrace: {message}")


_with_labelling = spread(labelling=LabellingOptions)
_COMMANDS: list[tuple[typer.Typer, str, Callable[..., None], str]] = [
    (
        app,
        "audit",
        _with_labelling(audit_command),
        "Audit traces: outcome and reason for each segment.",
    ),
    (app, "segment", segment_command, "Cut raw responses into segments."),
    (
        app,
        "label",
        _with_labelling(label_command),
        "Label relations, most often with a language model.",
    ),
    (app, "explain", explain_command, "Explain one segment in full."),
    (
        app,
        "reward",
        spread(
            scores=ScoreOptions,
            embedding=EmbeddingOptions,
            server=ServerOptions,
            cache=CacheOptions,
        )(reward_command),
        "Score reasoning against critical evidence graphs.",
    ),
    (app, "export", export_command, "Export records as RDF, to a file or a knowledge base."),
    (app, "import", import_command, "Import records from RDF."),
    (
        app,
        "query",
        spread(sources=SourceOptions)(query_command),
        "Ask a knowledge base, by name or in SPARQL.",
    ),
    (
        app,
        "check",
        spread(sources=SourceOptions)(check_command),
        "Check what must hold in a knowledge base.",
    ),
    (app, "serve", serve_command, "Serve a knowledge base as a SPARQL endpoint."),
    (rules_app, "list", list_command, "List the rule files, the named rules and the constants."),
    (rules_app, "show", show_command, "Show a rule, a file, a predicate or a constant."),
    (rules_app, "check", check_rules_command, "Find what is wrong in rule files of your own."),
    (rules_app, "test", test_command, "Run test files of rules."),
    (rules_app, "diff", diff_command, "Show what an edit of the rules changes, case by case."),
    (
        graph_app,
        "extract",
        spread(server=ServerOptions, cache=CacheOptions)(extract_command),
        "Extract triplets from rationales with language models.",
    ),
    (
        graph_app,
        "vote",
        spread(embedding=EmbeddingOptions, cache=CacheOptions)(vote_command),
        "Keep the triplets that several models extracted.",
    ),
    (
        graph_app,
        "critical",
        spread(
            found=ConclusionOptions,
            embedding=EmbeddingOptions,
            server=ServerOptions,
            cache=CacheOptions,
        )(critical_command),
        "Reduce evidence graphs to what leads to their conclusion.",
    ),
]
for _app, _name, _command, _help in _COMMANDS:
    _app.command(_name, cls=Command, short_help=_help)(_interruptible(_command))
app.add_typer(graph_app, name="graph")
app.add_typer(rules_app, name="rules")
