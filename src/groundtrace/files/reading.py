"""From files to traces: JSON, JSON lines, plain responses and standard input, record by record.

A record that cannot be used becomes an error that names file, line, field and what was
expected; the records around it go on.
"""

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json, to_json

from groundtrace.errors import InputError
from groundtrace.files.json_text import is_wide, strip_mark, text_of
from groundtrace.files.records import (
    DOCUMENT_BYTES,
    LINE_BYTES,
    holds_lines,
    is_json,
    is_object,
    record_of_response,
    records_of_document,
    records_of_lines,
)
from groundtrace.files.records import Record as Record
from groundtrace.models.arguments import refuse
from groundtrace.models.trace import OnConflict, Trace

STANDARD_INPUT = "-"
PLAIN_SUFFIXES = (".txt", ".text", ".md", ".markdown")
"""Such a file holds one raw response, unless it holds JSON."""

ERRORS_SHOWN = 5


def read_records(path: str) -> Iterator[Record]:
    """Yield the records of a file in order, reading no more than one at a time from JSON lines.

    A ``.jsonl`` file holds one JSON object per line, a ``.json`` file one object or a list.
    Any other file, and standard input, may be either: it counts as JSON lines if its first
    line is a whole JSON object. A file with one of PLAIN_SUFFIXES that holds neither is one raw
    response without a context. UTF-16 and UTF-32 are read if they have a byte order mark.

    Args:
        path: A file, or "-" for standard input.

    Raises:
        InputError: the file cannot be opened or read.
    """
    shown = shown_name(path)
    stem = "stdin" if path == STANDARD_INPUT else Path(path).stem
    with _open(path) as file:
        first = file.readline(LINE_BYTES + 1)
        if is_wide(first):
            file = io.BytesIO(text_of(first + file.read(DOCUMENT_BYTES)).encode())
            first = file.readline(LINE_BYTES + 1)
        first = strip_mark(first)
        plain = path.lower().endswith(PLAIN_SUFFIXES)
        while first and not first.strip() and not plain and not path.endswith(".jsonl"):
            first = file.readline(LINE_BYTES + 1)
        if path.endswith(".jsonl") or (not path.endswith(".json") and is_object(first)):
            yield from records_of_lines(file, first, shown, stem)
        else:
            content = first + file.read(DOCUMENT_BYTES)
            if len(content) >= DOCUMENT_BYTES:
                problem = InputError(f"larger than {DOCUMENT_BYTES:,} bytes; use JSON lines")
                yield Record(shown, stem, problem)
            elif plain and not (content.lstrip()[:1] in b"{[" and is_json(content)):
                yield record_of_response(content, shown, stem)
            elif holds_lines(content):
                whole = io.BytesIO(content)
                yield from records_of_lines(whole, whole.readline(), shown, stem)
            else:
                yield from records_of_document(content, shown, stem)


def shown_name(path: str) -> str:
    """Return how messages call a file.

    Args:
        path: A file, or "-" for standard input.
    """
    return "standard input" if path == STANDARD_INPUT else path


@contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    """Open a file or standard input, and turn trouble on the way into an InputError.

    Raises:
        InputError: the file cannot be opened or read.
    """
    try:
        if path == STANDARD_INPUT and sys.stdin is None:
            raise InputError("cannot be read: it is closed")
        if path == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            with Path(path).open("rb") as file:
                yield file
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}") from None


def find_record(path: str, wanted: str | None) -> Record:
    """Return the one record of a file, or the one whose trace has a given id.

    Args:
        path: A file, or "-" for standard input.
        wanted: The id; None where the file holds one record only.

    Raises:
        InputError: the file cannot be read, or holds no such record, or several and none is
            named.
    """
    found: Record | None = None
    for record in read_records(path):
        if wanted is None and found is not None:
            raise InputError(f"{shown_name(path)} holds more than one record; name one with --id")
        if wanted is None or _id_of(record) == wanted:
            found = record
            if wanted is not None:
                break
    if found is None:
        named = f" with the id {wanted!r}" if wanted else ""
        raise InputError(f"{shown_name(path)} holds no record{named}")
    return found


def _id_of(record: Record) -> str | None:
    """Return the id of a record, as far as it can be read."""
    if isinstance(record.content, InputError):
        return None
    try:
        value = from_json(record.content)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    # Rows of the MedCEG data call it index.
    return str(value.get("id", value.get("index", record.name)))


def object_of(record: Record) -> dict[str, Any]:
    """Return the JSON object that a record holds.

    Raises:
        InputError: the record is no JSON object.
    """
    if isinstance(record.content, InputError):
        raise record.content
    try:
        value = from_json(record.content)
    except ValueError as error:
        raise InputError(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, got {_short(value)}")
    return value


def with_fields(record: Record, fields: Mapping[str, Any]) -> Record:
    """Return a record at the same place that holds other fields.

    Args:
        record: Whose place and name stay.
        fields: Field name to value.
    """
    return record._replace(content=to_json(fields))


def trace_of(record: Record, on_conflict: OnConflict = "refuse") -> Trace:
    """Return the trace that a record holds.

    Args:
        on_conflict: What to do with two labels for one relation.

    Raises:
        InputError: the record is no trace; the message names the fields.
    """
    if isinstance(record.content, InputError):
        raise record.content
    try:
        trace = Trace.model_validate_json(record.content, context={"on_conflict": on_conflict})
    except ValidationError as error:
        raise InputError(problems_of(error)) from None
    if "id" not in trace.model_fields_set:
        trace.id = record.name
    return trace


def trace_from(value: Trace | Mapping[str, Any], on_conflict: OnConflict = "refuse") -> Trace:
    """Return a trace from what a Python caller gave.

    Args:
        value: A trace, or a mapping like a JSON object.
        on_conflict: What to do with two labels for one relation.

    Raises:
        InputError: the mapping is no trace.
        ArgumentError: it is no mapping.
    """
    if isinstance(value, Trace):
        return value
    if not isinstance(value, Mapping):
        raise refuse("trace", "a Trace, or a mapping like its JSON object", value)
    try:
        return Trace.model_validate(value, context={"on_conflict": on_conflict})
    except ValidationError as error:
        raise InputError(problems_of(error)) from None


def problems_of(error: ValidationError) -> str:
    """Return what is wrong with the fields of a record, the first few in full.

    Args:
        error: Of a model that was to be made from the record.
    """
    details = error.errors(include_url=False, include_context=True)
    if details[0]["type"] == "missing" and details[0]["loc"] == ("segments",):
        given = details[0]["input"]
        if isinstance(given, Mapping) and "response" in given:
            return "a raw response without labels: name a labeller with --labeller"
        return "segments: field required; a raw record has context and response instead"
    told = [_problem_text(detail) for detail in details[:ERRORS_SHOWN]]
    if len(details) > ERRORS_SHOWN:
        told.append(f"and {len(details) - ERRORS_SHOWN} more")
    return "; ".join(told)


def _problem_text(detail: ErrorDetails) -> str:
    """Return one problem as "field: what is expected, got what"."""
    if detail["type"] == "json_invalid":
        # A line of a file knows its own number.
        return f"not valid JSON: {detail['ctx']['error'].replace(' line 1 column', ' column')}"
    if detail["type"] in ("inconsistent", "empty_case"):
        return detail["msg"]
    path = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in detail["loc"]
    ).lstrip(".")
    message = detail["msg"][:1].lower() + detail["msg"][1:]
    given = "" if detail["type"] == "missing" else f", got {_short(detail['input'])}"
    return f"{path}: {message}{given}" if path else f"{message}{given}"


def _short(value: object) -> str:
    """Return a value as it would be written, cut to a readable length."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # A number of many thousand digits, or a bottomless list.
        return f"an enormous {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}…"
