"""Text as people save it: its encoding, and what in it no JSON reader takes."""

import codecs
import json
import math
import re
from collections.abc import Iterator

from groundtrace.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32-LE"),
    (codecs.BOM_UTF32_BE, "UTF-32-BE"),
    (codecs.BOM_UTF16_LE, "UTF-16-LE"),
    (codecs.BOM_UTF16_BE, "UTF-16-BE"),
)
"""Byte order marks; the one of UTF-32-LE starts with that of UTF-16-LE."""
_SUSPECT = re.compile(rb"NaN|Infinity|\\u[dD][89a-fA-F]|[eE]\+?\d{3}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_wide(start: bytes) -> bool:
    """Say whether a text is UTF-16 or UTF-32, by its first bytes."""
    return start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in start[:4]


def strip_mark(start: bytes) -> bytes:
    """Return the start of a UTF-8 text without its byte order mark."""
    return start.removeprefix(codecs.BOM_UTF8)


def text_of(content: bytes) -> str:
    """Return a text by its byte order mark, or as UTF-8 without one.

    Raises:
        InputError: it has no byte order mark and is UTF-16 or UTF-32, or breaks its encoding.
    """
    mark, encoding = next((one for one in _MARKS if content.startswith(one[0])), (b"", "UTF-8"))
    if not mark and b"\0" in content[:4]:
        wide = "UTF-32" if content[:4].count(0) == 3 else "UTF-16"
        raise InputError(
            f"looks like {wide} without a byte order mark; save it with one, or as UTF-8"
        )
    try:
        return content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, len(mark) + error.start) + 1
        raise InputError(
            f"not valid {encoding}: byte {len(mark) + error.start + 1}, in line {line}; "
            "save it as UTF-8"
        ) from None


def json_problem(content: bytes) -> InputError | None:
    """Return what in a JSON text is half a character or no finite number, with its field.

    None also where the text breaks JSON in another way, which its reader will tell.
    """
    value = lenient_value(content)
    return None if value is None else value_problem(value)


def lenient_value(content: bytes) -> object:
    """Return the value of a JSON text that may hold half characters or infinite numbers.

    None if there is no sign of them, or if it is no JSON for other reasons.
    """
    if _SUSPECT.search(content) is None:
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def value_problem(value: object) -> InputError | None:
    """Return the first half character or number that is not finite in a value of JSON."""
    for path, found in _leaves(value):
        field = f"{path}: " if path else ""
        if isinstance(found, str) and (half := _SURROGATE.search(found)):
            return InputError(
                f"not valid JSON: {field}{ascii(half[0])[1:-1]} is half a character, "
                "a surrogate without its partner; expected a whole one"
            )
        if isinstance(found, float) and not math.isfinite(found):
            name = "NaN" if math.isnan(found) else "Infinity" if found > 0 else "-Infinity"
            return InputError(f"not valid JSON: {field}expected a finite number, got {name}")
    return None


def _leaves(value: object) -> Iterator[tuple[str, object]]:
    """Yield the texts and numbers in a value of JSON, names of fields too, with their paths."""
    pending: list[tuple[str, object]] = [("", value)]
    while pending:
        path, one = pending.pop()
        if isinstance(one, dict):
            yield from ((path, name) for name in one)
            inside = [(f"{path}.{name}".lstrip("."), item) for name, item in one.items()]
            pending += reversed(inside)
        elif isinstance(one, list):
            pending += reversed([(f"{path}[{place}]", item) for place, item in enumerate(one)])
        else:
            yield path, one
