"""Options that several commands share, and what they stand for."""

import os
import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from groundtrace.errors import InputError

if TYPE_CHECKING:
    from groundtrace.auditing.batch import Plan
    from groundtrace.show.audit_pictures import PictureFormat


class Conflict(StrEnum):
    """What to do with two labels for one relation."""

    refuse = "refuse"
    weakest = "weakest"


class ListFormat(StrEnum):
    """How one thing is written as a whole."""

    text = "text"
    json = "json"


class RecordFormat(StrEnum):
    """How records are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="Records: .json, .jsonl, or - for standard input; raw responses: .txt, .md.",
    ),
]
Cases = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Cases: .json, .jsonl, or - for standard input."),
]
OnlyId = Annotated[
    str | None, typer.Option("--id", metavar="ID", help="Only the case of this name.")
]
Store = Annotated[
    Path | None, typer.Option("--store", metavar="DIR", help="A knowledge base on disk.")
]
Guard = Annotated[
    list[Path] | None,
    typer.Option("--guard", metavar="FILE", help="A file of guard rules of your own; repeatable."),
]
Out = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Write to a file, whole or not at all.")
]
ListFormatOption = Annotated[
    ListFormat | None, typer.Option(help="Output format; text unless --out ends in .json.")
]
Overlays = Annotated[
    list[Path] | None,
    typer.Option("--overlay", metavar="FILE", help="A rule file of your own; repeatable."),
]
ConstantSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Set a constant of asp/constants.lp; repeatable."
    ),
]
MaxTrees = Annotated[
    int, typer.Option(min=1, metavar="N", help="List at most N support trees per segment.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad record.")]
OnConflict = Annotated[
    Conflict, typer.Option(help="Two labels for one relation: refuse, or take the weakest.")
]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Processes to use.")]
TimeLimit = Annotated[
    float,
    typer.Option(min=0.1, metavar="SECONDS", help="End the work on one record after this time."),
]


def plan_of(
    overlay: list[Path] | None,
    constants: dict[str, int | str],
    max_trees: int,
    on_conflict: Conflict,
    labeller: str = "replay",
) -> "Plan":
    """Return the plan that options describe.

    Args:
        overlay: Paths of users' rule files.
        constants: Constant name to value.
        max_trees: Support trees listed per segment.
        on_conflict: What to do with two labels for one relation.
        labeller: Where the labels come from.
    """
    from groundtrace.auditing.batch import Plan

    return Plan(
        overlays=tuple(str(path) for path in overlay or ()),
        constants=tuple(constants.items()),
        max_trees=max_trees,
        on_conflict=on_conflict.value,
        labeller=labeller,
    )


def constants_of(settings: list[str] | None) -> dict[str, int | str]:
    """Return the constants that --set gives, by name.

    Args:
        settings: Constants as NAME=VALUE.

    Raises:
        InputError: a setting has no "=".
    """
    constants: dict[str, int | str] = {}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set: expected NAME=VALUE, got {setting!r}")
        constants[name.strip()] = value
    return constants


def picture_format(name: str) -> "PictureFormat":
    """Return the picture format of a name.

    Args:
        name: Of a format; not text and not JSON.

    Raises:
        InputError: there is no such picture format.
    """
    from groundtrace.show.audit_pictures import PICTURE_FORMATS

    for known in PICTURE_FORMATS:
        if known == name:
            return known
    raise InputError(f"{name} is no picture format")


class Terminal(TypedDict):
    """What text output depends on."""

    width: int
    colour: bool


def terminal(out: Path | None) -> Terminal:
    """Return the width and colour that suit where the text goes.

    Args:
        out: A file, or None for standard output.
    """
    to_terminal = out is None and sys.stdout.isatty()
    return {
        "width": max(shutil.get_terminal_size().columns, 40) if to_terminal else 80,
        "colour": to_terminal and not os.environ.get("NO_COLOR"),
    }


def suffix_of(out: Path | None, known: tuple[str, ...]) -> str | None:
    """Return the format that a file's name asks for, if it is one that is known.

    Args:
        out: A file, or None for standard output.
    """
    suffix = out.suffix.removeprefix(".") if out else ""
    return suffix if suffix in known else None


def list_format(chosen: ListFormat | None, out: Path | None) -> ListFormat:
    """Return the format that was chosen, or that a file's name asks for, or text."""
    return chosen or ListFormat(suffix_of(out, ("json",)) or "text")


def record_format(chosen: RecordFormat | None, out: Path | None) -> RecordFormat:
    """Return the format that was chosen, or that a file's name asks for, or text."""
    return chosen or RecordFormat(suffix_of(out, ("json", "jsonl")) or "text")
