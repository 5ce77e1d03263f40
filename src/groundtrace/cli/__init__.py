"""The command ``groundtrace``: parses, calls, prints, and turns errors into exit codes."""

import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Annotated, Any

import typer

from groundtrace import __version__
from groundtrace.cli.audit import audit_command
from groundtrace.cli.explain import explain_command
from groundtrace.cli.label import label_command
from groundtrace.cli.labelling_options import with_labelling
from groundtrace.cli.say import say
from groundtrace.cli.segment import segment_command
from groundtrace.errors import BugError, GroundtraceError, bug_of

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


app.command("audit", short_help="Audit traces: outcome and reason for each segment.")(
    _interruptible(with_labelling(audit_command))
)
app.command("segment", short_help="Cut raw responses into segments.")(
    _interruptible(segment_command)
)
app.command("label", short_help="Label relations, most often with a language model.")(
    _interruptible(with_labelling(label_command))
)
app.command("explain", short_help="Explain one segment in full.")(_interruptible(explain_command))
