"""What rich prints, as text."""

import io
from collections.abc import Callable

from rich.console import Console


def printed_text(print_to: Callable[[Console], None], width: int, colour: bool) -> str:
    """Return what is printed, as text.

    Args:
        width: Columns, from 40.
        colour: Whether colours are wanted.
    """
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    print_to(console)
    # rich fills lines up with blanks, which is noise in a file and in a diff.
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
