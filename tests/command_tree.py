"""Every command of the program, found where it is declared."""

from collections.abc import Iterator
from typing import Any

import typer

from groundtrace.cli import app


def commands() -> dict[str, Any]:
    """Return every command by its name, such as "graph vote"; as typer makes it."""
    return dict(_commands_below(typer.main.get_command(app), ""))


def _commands_below(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for more, below in command.commands.items():
        yield from _commands_below(below, f"{name} {more}".strip())
