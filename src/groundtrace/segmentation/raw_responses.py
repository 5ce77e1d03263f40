"""Raw responses from Python: cut into the segments of a trace."""

from collections.abc import Mapping, Sequence
from typing import Any

from groundtrace.models.arguments import refuse
from groundtrace.models.trace import Trace
from groundtrace.segmentation.segmenter import raw_fields, trace_from_raw


def segment(
    raw: str | Mapping[str, Any],
    *,
    context: str | Sequence[str] = (),
    id: str = "trace",  # noqa: A002 - the name of the field
) -> Trace:
    """Return a raw response as a trace without relations, each segment with its place in it.

    Args:
        raw: A record with ``context`` and ``response``; or a response alone.
        context: The question and the evidence given, for a response alone: the leaves.
        id: Of the trace, unless the record has one.

    Raises:
        InputError: the record cannot be used.
        ArgumentError: an argument has the wrong type.
    """
    if isinstance(raw, str):
        return trace_from_raw(id, context, raw)
    if not isinstance(raw, Mapping):
        raise refuse("raw", "a response, or a mapping with context and response", raw)
    if context:
        raise refuse("context", "no context beside a record, which has its own", context)
    return trace_from_raw(**raw_fields(raw, id))
