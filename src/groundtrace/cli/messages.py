"""Messages for people, on standard error."""

import sys


def say(message: str) -> None:
    """Print a message without anything in it that could command a terminal.

    Args:
        message: May quote a stranger's text, such as a file name; may have several lines.
    """
    from groundtrace.phrases import clean

    for line in message.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        print_aside(f"{indent}{clean(line)}")


def print_aside(line: str) -> None:
    """Print a line on standard error; one that cannot be printed must not cost the output."""
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)  # noqa: T201
    except (OSError, ValueError):
        sys.stderr = None
