"""Messages for people, on standard error."""

import sys


def say(message: str) -> None:
    """Print a message without anything in it that could command a terminal.

    Args:
        message: May quote a stranger's text, such as a file name; may have several lines.
    """
    from groundtrace.wording import clean

    if sys.stderr is not None:
        for line in message.split("\n"):
            indent = line[: len(line) - len(line.lstrip(" "))]
            print(f"{indent}{clean(line)}", file=sys.stderr)  # noqa: T201
