"""Audit many records in child processes that can be ended.

clingo cannot be interrupted while it grounds, so a rule that grounds for ever would take the
whole run with it. Every record is therefore audited in a child process with a time and a
memory limit; replies come back in the order of the records, whatever the number of processes.
"""

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from groundtrace.auditing import DEFAULT_MAX_TREES, Audited, Auditor
from groundtrace.children import MEMORY_LIMIT, ctrl_c_held_back, start_child
from groundtrace.errors import BugError, GroundtraceError, InputError, LimitError, bug_of
from groundtrace.models.audit import Audit, Summary
from groundtrace.models.trace import OnConflict, Trace
from groundtrace.reading import Record, trace_from, trace_of
from groundtrace.rulebook import rulebook_for

DEFAULT_TIME_LIMIT = 60.0
NO_CHILDREN = (
    "the child processes could not be started, or were killed as they started; in a script, call "
    "this under `if __name__ == '__main__':`"
)
TOO_MUCH_MEMORY = f"needs more than {MEMORY_LIMIT / 1024**3:g} GiB of memory"

CHUNK_RECORDS = 16
CHUNK_BYTES = 200_000
CHUNKS_AHEAD = 3
"""Chunks in flight per process: bounds memory, and keeps every process busy."""

Output = TypeVar("Output")


@dataclass(frozen=True)
class Plan:
    """What decides the result of an audit, besides the trace.

    Attributes:
        overlays: Paths of users' rule files, in order.
        constants: (name, value) pairs.
        max_trees: Support trees listed per segment, from 1.
        on_conflict: What to do with two labels for one relation.
        labeller: Where the labels come from, for the record.
    """

    overlays: tuple[str, ...] = ()
    constants: tuple[tuple[str, int | str], ...] = ()
    max_trees: int = DEFAULT_MAX_TREES
    on_conflict: OnConflict = "refuse"
    labeller: str = "replay"

    def auditor(self) -> Auditor:
        """Return an auditor with these rules.

        Raises:
            RuleError: an overlay cannot be used.
            InputError: a constant or max_trees cannot be used.
        """
        rulebook = rulebook_for("audit", self.overlays, dict(self.constants))
        return Auditor(rulebook, self.max_trees, self.labeller)


class Reply(NamedTuple, Generic[Output]):
    """What became of one record."""

    record: Record
    id: str | None
    """The trace's, where the record is one."""
    summary: Summary | None
    output: Output | None
    error: GroundtraceError | None
    """Set where the record could not be audited; then there is no output."""


Render = Callable[[Trace, Audited], Output]


def audit_many(
    traces: Iterable[Trace | Mapping[str, Any]],
    *,
    overlays: Iterable[str | Path] = (),
    constants: Mapping[str, int | str] | None = None,
    max_trees: int = DEFAULT_MAX_TREES,
    on_conflict: OnConflict = "refuse",
    jobs: int = 1,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Iterator[Audit | GroundtraceError]:
    """Yield one audit per trace, in order, or the error that took its place.

    The audits are made in child processes, so a script that calls this at its top level needs
    the usual ``if __name__ == "__main__":``.

    Args:
        traces: With labelled relations; consumed as audits are asked for.
        overlays: Paths of rule files of your own, loaded after ours.
        constants: Constant name to value, as in asp/constants.lp.
        max_trees: List at most this many support trees per segment, from 1.
        on_conflict: What to do with two labels for one relation.
        jobs: Child processes, from 1.
        time_limit: Seconds that one trace may take.

    Raises:
        RuleError: an overlay cannot be used at all.
        LimitError: the rules do not end even without a trace, or no child process can start.
        InputError: a constant, max_trees, jobs or time_limit cannot be used.
    """
    plan = Plan(
        tuple(str(path) for path in ([overlays] if isinstance(overlays, str) else overlays)),
        tuple(sorted((constants or {}).items())),
        max_trees,
        on_conflict,
    )
    for reply in run(_given(traces, on_conflict), plan, _audit_of, jobs, time_limit):
        result = reply.error or reply.output
        if result is None:
            raise BugError("a reply holds neither an audit nor an error")
        yield result


def _given(
    traces: Iterable[Trace | Mapping[str, Any]], on_conflict: OnConflict
) -> Iterator[Record]:
    for number, given in enumerate(traces, 1):
        content: bytes | InputError
        try:
            trace = trace_from(given, on_conflict)
            unnamed = None if "id" in trace.model_fields_set else {"id"}
            content = trace.model_dump_json(exclude=unnamed).encode()
        except InputError as error:
            content = error
        except (ValueError, RecursionError) as error:
            content = InputError(f"cannot be written as JSON: {error}")
        yield Record(f"trace {number}", f"trace-{number}", content)


def _audit_of(trace: Trace, audited: Audited) -> Audit:
    return audited.audit


def run(
    records: Iterable[Record], plan: Plan, render: Render[Output], jobs: int, time_limit: float
) -> Iterator[Reply[Output]]:
    """Yield a reply per record, in order.

    Args:
        records: Read only a few chunks ahead of what was yielded.
        plan: The rules.
        render: Makes the output of one audit, in the child process; must be picklable.
        jobs: Child processes, from 1.
        time_limit: Seconds that one record may take.

    Raises:
        RuleError: an overlay cannot be used at all.
        LimitError: the rules do not end even without a trace, or no child process can start.
        InputError: a constant, max_trees, jobs or time_limit cannot be used.
    """
    if jobs < 1 or not time_limit > 0:
        raise InputError(f"expected jobs >= 1 and time_limit > 0, got {jobs} and {time_limit}")
    plan.auditor()
    chunks = _chunks(records)
    pool = ProcessPool(
        max_workers=jobs,
        initializer=start_child,
        initargs=[os.getpid()],
        context=multiprocessing.get_context("spawn"),
    )
    ahead: deque[tuple[list[Record], ProcessFuture[Any]]] = deque()

    def schedule(chunk: list[Record]) -> ProcessFuture[Any]:
        return pool.schedule(_audit_chunk, args=[chunk, plan, render], timeout=time_limit)

    try:
        with ctrl_c_held_back():
            # The pool starts its threads with its first task; what they start inherits this.
            pool.schedule(os.getpid)
        _check_rules(pool, plan, time_limit)
        for chunk in chunks:
            ahead.append((chunk, schedule(chunk)))
            if len(ahead) >= jobs * CHUNKS_AHEAD:
                yield from _collect(*ahead.popleft(), schedule, time_limit)
        while ahead:
            yield from _collect(*ahead.popleft(), schedule, time_limit)
    except BrokenProcessPool:
        raise LimitError(NO_CHILDREN) from None
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _check_rules(pool: ProcessPool, plan: Plan, time_limit: float) -> None:
    """Say once, rather than for each record, what is wrong with the rules themselves.

    Raises:
        RuleError: they are faulty.
        LimitError: they do not end.
    """
    if plan.overlays or plan.constants:
        try:
            pool.schedule(_check, args=[plan], timeout=time_limit).result()
        except (FutureTimeoutError, ProcessExpired) as error:
            raise _ended(error, time_limit) from None


def _check(plan: Plan) -> None:
    try:
        _auditor(plan).check()
    except MemoryError:
        raise LimitError(TOO_MUCH_MEMORY) from None


def _chunks(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield records in groups that are worth a message to another process."""
    chunk: list[Record] = []
    size = 0
    for record in records:
        chunk.append(record)
        size += len(record.content) if isinstance(record.content, bytes) else 0
        if len(chunk) >= CHUNK_RECORDS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _collect(
    chunk: list[Record],
    future: ProcessFuture[Any],
    schedule: Callable[[list[Record]], ProcessFuture[Any]],
    time_limit: float,
) -> Iterator[Reply[Any]]:
    """Yield the replies of a chunk; if it was ended, try its records one by one."""
    try:
        for record, result in zip(chunk, future.result(), strict=True):
            yield Reply(record, *result)
    except (FutureTimeoutError, ProcessExpired) as error:
        if len(chunk) > 1:
            for record in chunk:
                yield from _collect([record], schedule([record]), schedule, time_limit)
        else:
            yield Reply(chunk[0], None, None, None, _ended(error, time_limit))


def _ended(error: Exception, time_limit: float) -> LimitError:
    if isinstance(error, FutureTimeoutError):
        return LimitError(
            f"ended after {time_limit:g} seconds; simplify the rules, label fewer relations, "
            "or allow more time (--time-limit)"
        )
    return LimitError("its process was killed, most often for lack of memory")


@cache
def _auditor(plan: Plan) -> Auditor:
    return plan.auditor()


_Result = tuple[str | None, Summary | None, Output | None, GroundtraceError | None]


def _audit_chunk(chunk: list[Record], plan: Plan, render: Render[Output]) -> list[_Result[Output]]:
    """Return what becomes of some records, in a child process."""
    results = [_audit_one(record, plan, render) for record in chunk]
    gc.collect()
    return results


def _audit_one(record: Record, plan: Plan, render: Render[Output]) -> _Result[Output]:
    identifier = None
    try:
        trace = trace_of(record, plan.on_conflict)
        identifier = trace.id
        audited = _auditor(plan).audit(trace)
        return identifier, audited.audit.summary, render(trace, audited), None
    except GroundtraceError as error:
        return identifier, None, None, error
    except MemoryError:
        return identifier, None, None, LimitError(TOO_MUCH_MEMORY)
    except Exception as error:  # A bug must not take the other records along.
        return identifier, None, None, bug_of(error)
