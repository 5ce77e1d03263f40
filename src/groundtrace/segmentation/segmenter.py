"""From a raw response to numbered segments, each with its place in the response."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from groundtrace.errors import InputError
from groundtrace.files.reading import Record, object_of, trace_from, trace_of
from groundtrace.models.trace import OnConflict, Trace
from groundtrace.segmentation.pieces import pieces_of, strip_blanks
from groundtrace.segmentation.places import lines_of
from groundtrace.segmentation.regions import regions_of
from groundtrace.segmentation.sentences import Splitter, library_ends

Style = Literal["tags", "headings", "none"]

_TAG = re.compile(
    r"<\s{0,3}(?P<slash>/?)\s{0,3}(?:think|thinking|thought|thoughts)(?:\s[^<>]{0,200})?>",
    re.IGNORECASE,
)
_ANSWER_TAG = re.compile(r"\s*<answer(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_ANSWER_END = "</answer>"
_THINKING_HEADING = re.compile(
    r"\s*^[ \t]{0,3}#{1,6}[ \t]*(?:thinking|reasoning|thoughts?|thinking process|thought process)"
    r"[ \t]*(?::[ \t]*)?(?:#{1,6}[ \t]*)?\r?$",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER_HEADING = re.compile(
    r"^[ \t]{0,3}#{1,6}[ \t]*(?:final[ \t]+(?:response|answer)|response|answer)"
    r"[ \t]*(?::[ \t]*)?(?:#{1,6}[ \t]*)?\r?$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a segment stands: ``response[start:end]`` is its text."""

    start: int
    end: int


class Response(NamedTuple):
    """The parts of a response."""

    reasoning: tuple[int, int]
    """Start and end of what is audited; equal if there is nothing."""
    answer: tuple[int, int] | None
    """Start and end of the answer after the reasoning; None if there is no separate answer."""
    style: Style
    """How the parts are told apart."""
    well_formed: bool
    """One thinking part, opened and closed once, nothing before it and an answer after it."""


class _Mark(NamedTuple):
    """A tag or heading that opens or closes thinking; no segment holds it."""

    start: int
    end: int
    opens: bool


def split_thinking(response: str) -> Response:
    """Tell the thinking, which is audited, from the answer after it.

    The thinking runs from the first opening tag to the last closing one; what stands between
    several thinking parts was said before the answer and is audited with them. Without an
    opening tag it starts with the response, without a closing tag it runs to the end.

    Args:
        response: The whole text of a model's answer.
    """
    marks, style = _marks(response)
    if not marks:
        return Response(strip_blanks(response, 0, len(response)), None, "none", False)
    first, last = marks[0], marks[-1]
    start = first.end if first.opens else 0
    if last.opens:
        reasoning = strip_blanks(response, start, len(response))
        return Response(reasoning, None, style, False)
    answer = strip_blanks(response, *_inside_answer_tag(response, last.end))
    clean = first.opens and len(marks) == 2 and not response[: first.start].strip()
    return Response(
        reasoning=strip_blanks(response, start, last.start),
        answer=answer if answer[0] < answer[1] else None,
        style=style,
        well_formed=clean and answer[0] < answer[1],
    )


def segment(response: str, *, splitter: Splitter = library_ends) -> list[Span]:
    """Cut a response into segments, each a sentence, list item or block.

    Spans are in order and do not overlap; between them lie white space and the tags or headings
    that separate thinking and answer, and nothing else.

    Args:
        splitter: Finds sentence ends; another library can be tried here.
    """
    marks, _ = _marks(response)
    edges = [0, *(edge for mark in marks for edge in (mark.start, mark.end)), len(response)]
    if marks and not marks[-1].opens:
        start, end = _inside_answer_tag(response, marks[-1].end)
        edges[-2:] = [start, end]
    return [
        span
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        for span in _spans(response, start, end, splitter)
    ]


def _spans(response: str, start: int, end: int, splitter: Splitter) -> list[Span]:
    """Return the segments of a stretch of a response, without a cut made by what is around it."""
    pieces = pieces_of(response[start:end], splitter)
    return [Span(start + low, start + high) for low, high in pieces]


def trace_from_raw(
    id: str,  # noqa: A002 - the name of the field
    context: str | Sequence[str],
    response: str,
    **fields: Any,
) -> Trace:
    """Return a trace without relations from a raw record.

    The context comes first, each of its segments a leaf; then the segments of the audited part,
    with ``start`` and ``end``, their place in ``response``, which the trace keeps. The answer's
    place is kept as ``answer_span``.

    Args:
        context: The question and the evidence given, as one segment or several.
        response: What the model wrote.
        fields: Other fields of the record, kept as they are.

    Raises:
        InputError: a value has the wrong type, or a field would overwrite one of the trace.
    """
    _check_raw(context, response, fields)
    leaves = [context] if isinstance(context, str) else list(context)
    parts = split_thinking(response)
    low, high = parts.reasoning
    steps = [
        {"text": response[span.start : span.end], "start": span.start, "end": span.end}
        for span in segment(response)
        if low <= span.start and span.end <= high
    ]
    record = {
        **fields,
        "id": id,
        "segments": [*leaves, *steps],
        "leaves": list(range(1, len(leaves) + 1)),
        "response": response,
    }
    if parts.answer is not None:
        record["answer_span"] = list(parts.answer)
    return trace_from(record)


def trace_from_either(record: Record, on_conflict: OnConflict = "refuse") -> Trace:
    """Return the trace that a record holds, cutting its response if it is a raw one.

    Args:
        record: From :func:`groundtrace.files.reading.read_records`.
        on_conflict: What to do with two labels for one relation.

    Raises:
        InputError: the record is neither a trace nor a raw record.
    """
    fields = object_of(record)
    if "segments" in fields or "response" not in fields:
        return trace_of(record, on_conflict)
    return trace_from_raw(**raw_fields(fields, record.name))


def raw_fields(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the fields of a raw record, with an id.

    Args:
        name: Its id if it has none.

    Raises:
        InputError: one of the two fields that make it raw is missing.
    """
    for needed in ("context", "response"):
        if needed not in fields:
            raise InputError(f"{needed}: field required in a raw record")
    return {"id": name, **fields}


def _check_raw(context: object, response: object, fields: Mapping[str, object]) -> None:
    """Refuse what cannot be made a trace.

    Raises:
        InputError: a value has the wrong type, or a field would overwrite one of the trace.
    """
    taken = {*Trace.model_fields, "response", "answer_span"} & fields.keys()
    if taken:
        raise InputError(f"{min(taken)}: a raw record cannot have this field beside its response")
    if not isinstance(response, str):
        raise InputError(f"response: expected a text, got {type(response).__name__}")
    if not isinstance(context, str | list | tuple):
        raise InputError(f"context: expected a text or a list, got {type(context).__name__}")


def _marks(response: str) -> tuple[list[_Mark], Style]:
    """Return what separates thinking and answer, in order, and its style.

    A tag in quoted code is text. A closing tag in code counts all the same if the thinking
    would never end without it: the code was then left open.
    """
    found = [_Mark(*match.span(), not match["slash"]) for match in _TAG.finditer(response)]
    if found:
        quoted = _stand_in_code(response, found)
        marks = [mark for mark, inside in zip(found, quoted, strict=True) if not inside]
        if marks and marks[-1].opens:
            closing = [mark for mark in found if not mark.opens and mark.start > marks[-1].end]
            marks += closing[-1:]
        while len(marks) > 1 and marks[-1].opens and not response[marks[-1].end :].strip():
            marks.pop()
        if marks:
            return marks, "tags"
    opening = _THINKING_HEADING.match(response)
    if opening is None:
        return [], "none"
    marks = [_Mark(*opening.span(), True)]
    if answer := _ANSWER_HEADING.search(response, opening.end()):
        marks.append(_Mark(*answer.span(), False))
    return marks, "headings"


def _stand_in_code(response: str, marks: Sequence[_Mark]) -> list[bool]:
    """Say of each tag whether it stands in a closed fence or in code within a line."""
    regions = [
        region
        for region in regions_of(response, lines_of(response))
        if region.kind == "fence"
        or (region.kind == "code" and "\n" not in response[region.start : region.end])
    ]
    starts = [region.start for region in regions]
    places = [bisect_left(starts, mark.start) - 1 for mark in marks]
    return [
        place >= 0 and mark.end <= regions[place].end
        for place, mark in zip(places, marks, strict=True)
    ]


def _inside_answer_tag(response: str, start: int) -> tuple[int, int]:
    """Return the stretch from a place to the end, without an answer tag around it."""
    end = len(response)
    opening = _ANSWER_TAG.match(response, start)
    if opening is None:
        return start, end
    tail = response[opening.end() :].rstrip()
    if tail.lower().endswith(_ANSWER_END):
        end = opening.end() + len(tail) - len(_ANSWER_END)
    return opening.end(), end
