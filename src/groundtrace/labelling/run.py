"""Label the candidates of many traces: remembers, asks, votes, and keeps the order.

Traces are opened only as fast as the labeller takes questions, so that a file of any length
can be labelled; they come out in the order in which they went in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from groundtrace.errors import BugError, InputError
from groundtrace.files.reading import trace_from
from groundtrace.labelling.candidates import Candidates
from groundtrace.labelling.label_cache import LabelCache
from groundtrace.labelling.labellers import make
from groundtrace.labelling.open_traces import OpenTraces
from groundtrace.labelling.plan import LabelledTrace, LabellingCounts, LabellingPlan
from groundtrace.labelling.settings import LabellingSettings
from groundtrace.models import arguments
from groundtrace.models.trace import Trace
from groundtrace.segmentation.segmenter import raw_fields, trace_from_raw


def label_all(
    sources: Iterable[Any],
    read: Callable[[Any], Trace],
    plan: LabellingPlan,
    counts: LabellingCounts,
) -> Iterator[LabelledTrace]:
    """Yield every trace with its candidates labelled, in order.

    Args:
        sources: What the traces are read from; consumed as they are labelled.
        read: Makes a trace of a source; an InputError of its takes the trace's place.
        counts: Added to on the way.

    Raises:
        ModelError: the server or model cannot be used; answers so far are in the cache.
        InputError: the cache or a constant cannot be used.
    """
    labeller, traces_open = plan.labeller, OpenTraces(sources, read, plan, counts)
    if plan.cache:
        labeller.keep = plan.cache.put
    while True:
        while (room := labeller.room) > 0 and not traces_open.waiting:
            if questions := traces_open.take(room):
                labeller.submit(questions)
            yield from traces_open.pop_finished()
        if not labeller.pending:
            yield from traces_open.pop_finished()
            return
        for question, answer in labeller.collect():
            traces_open.give(question, answer)
        plan.watch(counts)
        yield from traces_open.pop_finished()


def label(
    trace: Trace | Mapping[str, Any],
    settings: LabellingSettings,
    *,
    candidates: Candidates | None = None,
    cache: str | Path | None = None,
    constants: Mapping[str, int | str] | None = None,
) -> Trace:
    """Return a trace with its candidates labelled; a relation may stay without a label.

    Args:
        trace: With or without relations, or a raw record; what is labelled stays as it is.
        candidates: What to label; all premise sets of one and two by default.
        cache: A file of answers; None remembers nothing.
        constants: Constant name to value, for economy.

    Raises:
        InputError: the trace, a setting or the cache cannot be used.
        ModelError: the server or model cannot be used.

    Source: paper, section 3.1.
    """
    found = label_many([trace], settings, candidates=candidates, cache=cache, constants=constants)
    (one,) = found
    if isinstance(one, InputError):
        raise one
    return one


def label_many(
    traces: Iterable[Trace | Mapping[str, Any]],
    settings: LabellingSettings,
    *,
    candidates: Candidates | None = None,
    cache: str | Path | None = None,
    constants: Mapping[str, int | str] | None = None,
) -> Iterator[Trace | InputError]:
    """Yield one labelled trace per trace, in order, or the error that took its place.

    Args:
        traces: As for :func:`label`; consumed as they are labelled.
        candidates: What to label; all premise sets of one and two by default.
        cache: A file of answers; None remembers nothing.
        constants: Constant name to value, for economy.

    Raises:
        InputError: a setting or the cache cannot be used.
        ModelError: the server or model cannot be used; answers so far are in the cache.
        ArgumentError: an argument has the wrong type; this at the call, the others at the first
            trace.
    """
    given = arguments.many("traces", traces, "traces")
    if not isinstance(settings, LabellingSettings):
        raise arguments.refuse("settings", "LabellingSettings", settings)
    values = arguments.constants("constants", constants)
    path = None if cache is None else arguments.path("cache", cache)
    return _labelled(given, settings, candidates or Candidates(), path, values)


def _labelled(
    traces: Iterable[Trace | Mapping[str, Any]],
    settings: LabellingSettings,
    candidates: Candidates,
    cache: Path | None,
    constants: Mapping[str, int | str],
) -> Iterator[Trace | InputError]:
    """Yield the labelled traces.

    Raises:
        BugError: one came back with neither labels nor an error.
    """
    with ExitStack() as stack:
        store = stack.enter_context(LabelCache(cache)) if cache else None
        labeller = stack.enter_context(make(settings))
        plan = LabellingPlan(labeller, candidates, store, constants)
        for one in label_all(traces, _trace, plan, LabellingCounts()):
            result = one.error or one.trace
            if result is None:
                raise BugError("a trace came back with neither labels nor an error")
            yield result


def _trace(given: Trace | Mapping[str, Any]) -> Trace:
    """Return the trace that a Python caller gave."""
    if isinstance(given, Mapping) and "response" in given and "segments" not in given:
        return trace_from_raw(**raw_fields(given, "trace"))
    return trace_from(given)
