"""The records in a file's text: JSON lines, a JSON document, or one plain response."""

from collections.abc import Iterator
from typing import IO, NamedTuple

from pydantic_core import from_json, to_json

from groundtrace.errors import InputError
from groundtrace.files.json_text import json_problem, lenient_value, text_of, value_problem

LINE_BYTES = 256 * 1024 * 1024
"""A longer line is refused rather than held in memory."""

DOCUMENT_BYTES = 1024 * 1024 * 1024
"""A JSON document is read whole; a larger one must come as JSON lines."""


class Record(NamedTuple):
    """One record of a file: its place, and its JSON text or why it has none."""

    place: str
    """ "file:line" or "file: record N", for messages."""
    name: str
    """The trace's id if it has none of its own."""
    content: bytes | InputError


def holds_lines(content: bytes) -> bool:
    """Say whether a content that is no JSON document has a line that is a whole object."""
    lines = content.splitlines()
    return not is_json(content) and any(is_object(one) for one in lines if one[:1] == b"{")


def is_json(content: bytes) -> bool:
    """Say whether a content is one JSON document, half characters and infinities let pass."""
    try:
        from_json(content)
    except ValueError:
        return lenient_value(content) is not None
    return True


def is_object(line: bytes) -> bool:
    """Say whether a line is a whole JSON object."""
    try:
        return isinstance(from_json(line), dict)
    except ValueError:
        return False


def records_of_lines(file: IO[bytes], line: bytes, shown: str, stem: str) -> Iterator[Record]:
    """Yield one record per line that is not blank."""
    number = 0
    while line:
        number += 1
        place, name = f"{shown}:{number}", f"{stem}-{number}"
        if len(line) > LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = file.readline(LINE_BYTES)
            problem = InputError(f"the line is longer than {LINE_BYTES:,} bytes")
            yield Record(place, name, problem)
        elif line.strip():
            yield Record(place, name, json_problem(line) or line)
        line = file.readline(LINE_BYTES + 1)


def records_of_document(content: bytes, shown: str, stem: str) -> Iterator[Record]:
    """Yield the records of one JSON document."""
    if not content.strip():
        yield Record(shown, stem, InputError("the file is empty; expected a trace"))
        return
    lenient = lenient_value(content)
    try:
        document = from_json(content) if lenient is None else lenient
    except ValueError as error:
        plain = content.lstrip()[:1] not in b'{["'
        cure = "; a plain response is read from a file named *.txt or *.md" if plain else ""
        yield Record(shown, stem, InputError(f"not valid JSON: {error}{cure}"))
        return
    items = document if isinstance(document, list) else [document]
    for number, item in enumerate(items, 1):
        several = items is document
        place, name = (
            (f"{shown}: record {number}", f"{stem}-{number}") if several else (shown, stem)
        )
        problem = None if lenient is None else value_problem(item)
        yield Record(place, name, problem or (to_json(item) if several else content))


def record_of_response(content: bytes, shown: str, stem: str) -> Record:
    """Return the record of a file that holds one raw response and nothing else."""
    try:
        response = text_of(content)
    except InputError as error:
        return Record(shown, stem, error)
    if not response.strip():
        return Record(shown, stem, InputError("the file is empty; expected a response"))
    return Record(shown, stem, to_json({"context": [], "response": response}))
