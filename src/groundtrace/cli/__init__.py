"""The command ``groundtrace``: parses, calls, prints, and turns errors into exit codes."""

import sys
from typing import Annotated

import typer

from groundtrace import __version__
from groundtrace.cli.audit import audit_command
from groundtrace.cli.explain import explain_command
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
app.command("audit", short_help="Audit traces: outcome and reason for each segment.")(audit_command)
app.command("segment", short_help="Cut raw responses into segments.")(segment_command)
app.command("explain", short_help="Explain one segment in full.")(explain_command)


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
    """Run the command and exit: 0 done, 1 a --fail-on condition held, 2 bad input or usage."""
    try:
        app()
    except BugError as error:
        _say(f"{error}. This is a fault of groundtrace; please report it with the input.")
        sys.exit(error.exit_code)
    except GroundtraceError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except Exception as error:  # Whatever happens, a user sees words, not a stack trace.
        bug = bug_of(error)
        _say(f"{bug}. This is a fault of groundtrace; please report it with the input.")
        sys.exit(bug.exit_code)
    except KeyboardInterrupt:
        _say("stopped")
        sys.exit(INTERRUPTED)


def _say(message: str) -> None:
    say(f"groundtrace: {message}")
