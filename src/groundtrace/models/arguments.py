"""What a Python caller gives: a wrong type is told at the call, and in words."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from groundtrace.errors import ArgumentError, InputError
from groundtrace.models.trace import OnConflict

ON_CONFLICT = ("refuse", "weakest")


def refuse(name: str, expected: str, given: object) -> ArgumentError:
    """Return the error for an argument of a wrong type.

    Args:
        expected: What it should be, as a noun.
    """
    kind = "None" if given is None else f"{type(given).__name__} {_short(given)}"
    return ArgumentError(f"{name}: expected {expected}, got {kind}")


def _short(value: object) -> str:
    try:
        text = ascii(value)
    except Exception:  # Whatever a stranger's object does when it is written.
        return ""
    return text if len(text) <= 60 else f"{text[:57]}…"


def many(name: str, given: object, what: str) -> Iterable[Any]:
    """Return an argument that holds several things, each of which may be wrong still.

    Args:
        what: These are, in the plural; one alone is no list of one.

    Raises:
        ArgumentError: it is a text, a mapping or a record, or no iterable.
    """
    if isinstance(given, Mapping | BaseModel):
        raise refuse(name, f"several {what}, such as a list of one", given)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise refuse(name, f"an iterable of {what}", given)
    return given


def paths(name: str, given: object) -> tuple[str, ...]:
    """Return paths as texts; one alone stands for a list of one.

    Raises:
        ArgumentError: one is no path.
    """
    if isinstance(given, str | PathLike):
        return (str(given),)
    found = tuple(many(name, given, "paths"))
    for one in found:
        path(name, one)
    return tuple(str(one) for one in found)


def path(name: str, given: object) -> Path:
    """Return a path.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(given, str | PathLike):
        raise refuse(name, "a path", given)
    return Path(given)


def text(name: str, given: object) -> str:
    """Return a text.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(given, str):
        raise refuse(name, "a text", given)
    return given


def constants(name: str, given: object) -> dict[str, int | str]:
    """Return the values of constants by their names.

    Raises:
        ArgumentError: it is no mapping of names to numbers or names.
    """
    if given is None:
        return {}
    expected = "a mapping such as {'closest_gap_limit': 4}"
    if not isinstance(given, Mapping):
        raise refuse(name, expected, given)
    for key, value in given.items():
        if not isinstance(key, str) or not isinstance(value, int | str):
            raise refuse(name, expected, given)
    return dict(given)


def number(name: str, given: object) -> float:
    """Return a number.

    Raises:
        ArgumentError: it is none.
    """
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise refuse(name, "a number", given)
    return given


def whole(name: str, given: object) -> int:
    """Return a whole number.

    Raises:
        ArgumentError: it is none.
    """
    if isinstance(given, bool) or not isinstance(given, int):
        raise refuse(name, "a whole number", given)
    return given


def conflict(given: object) -> OnConflict:
    """Return what to do with two labels for one relation.

    Raises:
        InputError: there is no such choice.
    """
    for known in ON_CONFLICT:
        if given == known:
            return known  # type: ignore[return-value]
    raise InputError(f"on_conflict: expected {' or '.join(ON_CONFLICT)}, got {given!r}")
