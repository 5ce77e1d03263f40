"""How a field of settings is called and explained where people set it: declared once, beside it.

A field of a settings class is annotated with a :class:`Setting`; the command line makes its
option of it.
"""

from typing import Literal, NamedTuple


class Setting(NamedTuple):
    """What the command line shows of a field."""

    help: str
    metavar: str
    option: str = ""
    """Name of its parameter, if it is not the field's."""
    form: Literal["one", "several", "pairs"] = "one"
    """Whether the option is repeated, and whether each time it is NAME=VALUE."""
    of: str = ""
    """The labeller, embedding or other part that alone heeds it, if only one does."""
