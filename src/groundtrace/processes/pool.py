"""Work on many records in child processes that can be ended.

clingo cannot be interrupted while it grounds, so a rule that grounds for ever would take the
whole run with it. Records are therefore worked on in child processes with a time and a memory
limit; replies come back in the order of the records, whatever the number of processes.
"""

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from groundtrace.errors import GroundtraceError, InputError, LimitError, bug_of
from groundtrace.files.reading import Record
from groundtrace.processes.children import ctrl_c_held_back, start_child
from groundtrace.processes.endings import (
    GUARD_CURE,
    MEMORY_LIMIT,
    Estate,
    refuse_unguarded_start,
    too_much_memory,
    why_ended,
)

DEFAULT_TIME_LIMIT = 60.0
NO_CHILDREN = f"the child processes could not be started, or ended as they started; {GUARD_CURE}"

CHUNK_RECORDS = 16
CHUNK_BYTES = 200_000
CHUNKS_AHEAD = 3
"""Chunks in flight per process: bounds memory, and keeps every process busy."""

Output = TypeVar("Output")


class Done(NamedTuple, Generic[Output]):
    """What became of one record, in the child process."""

    id: str | None
    """The case's, where the record is one."""
    counts: Mapping[str, int] | None
    """What a summary adds up, by name."""
    output: Output | None
    error: GroundtraceError | None
    """Set where nothing could be done; then there is no output."""


class Reply(NamedTuple, Generic[Output]):
    """What became of one record."""

    record: Record
    id: str | None
    """The case's, where the record is one."""
    counts: Mapping[str, int] | None
    output: Output | None
    error: GroundtraceError | None
    """Set where nothing could be done; then there is no output."""


class Work(Protocol[Output]):
    """What is done with records; it is sent to the child processes."""

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules or constants must be tried first."""

    def prepare(self) -> None:
        """Say in the parent process what makes all of it impossible.

        Raises:
            GroundtraceError: a rule file or an option cannot be used.
        """

    def check(self) -> None:
        """Try the rules without a record, in a child process.

        Raises:
            GroundtraceError: they are faulty.
        """

    def do(self, records: list[Record]) -> "list[Done[Output]]":
        """Return what becomes of some records, one for each, in a child process."""


class OneByOne(Generic[Output]):
    """Work that takes records one by one; without rules of users unless it says otherwise."""

    @property
    def untrusted(self) -> bool:
        """Whether a user's rules or constants must be tried first."""
        return False

    def prepare(self) -> None:
        """Say in the parent process what makes all of it impossible: nothing."""

    def check(self) -> None:
        """Try the rules without a record: there are none."""

    def done(self, record: Record) -> Done[Output]:
        """Return what becomes of one record.

        Raises:
            GroundtraceError: nothing can be done.
            NotImplementedError: the work does not say how.
        """
        raise NotImplementedError

    def do(self, records: list[Record]) -> list[Done[Output]]:
        """Return what becomes of some records, one for each."""
        return [attempted(partial(self.done, record)) for record in records]


def attempted(do: Callable[[], Done[Output]]) -> Done[Output]:
    """Return what becomes of a record, whatever goes wrong: it must not take others along.

    Args:
        do: Works on the record.
    """
    try:
        return do()
    except GroundtraceError as error:
        return Done(None, None, None, error)
    except MemoryError:
        return Done(None, None, None, LimitError(too_much_memory()))
    except Exception as error:  # A bug, reported as one.
        return Done(None, None, None, bug_of(error))


def run(
    records: Iterable[Record],
    work: Work[Output],
    jobs: int,
    time_limit: float,
    memory_limit: int = MEMORY_LIMIT,
) -> Iterator[Reply[Output]]:
    """Yield a reply per record, in order.

    Args:
        records: Read only a few chunks ahead of what was yielded.
        work: What is done with them; must be picklable.
        jobs: Child processes, from 1.
        time_limit: Seconds that one record may take.
        memory_limit: Bytes of address space of each child.

    Raises:
        RuleError: a rule file cannot be used at all.
        LimitError: the rules do not end even without a record, or no child process can start.
        InputError: an option, jobs or time_limit cannot be used.
    """
    if jobs < 1 or not time_limit > 0:
        raise InputError(f"expected jobs >= 1 and time_limit > 0, got {jobs} and {time_limit}")
    refuse_unguarded_start()
    work.prepare()
    with Estate() as estate:
        pool = ProcessPool(
            max_workers=jobs,
            initializer=start_child,
            initargs=[os.getpid(), estate.folder, memory_limit],
            context=multiprocessing.get_context("spawn"),
        )
        children = _Children(pool, estate, work, time_limit, memory_limit)
        try:
            with ctrl_c_held_back():
                # The pool starts its threads with its first task; what they start inherits this.
                pool.schedule(os.getpid)
            children.check_rules()
            yield from children.replies(_chunks(records), jobs * CHUNKS_AHEAD)
        except BrokenProcessPool:
            raise LimitError(NO_CHILDREN) from None
        finally:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()


class _Children(NamedTuple):
    """The child processes of one run."""

    pool: ProcessPool
    estate: Estate
    work: Work[Any]
    time_limit: float
    memory_limit: int

    def check_rules(self) -> None:
        """Say once, rather than for each record, what is wrong with the rules themselves.

        Raises:
            GroundtraceError: they are faulty, or do not end.
        """
        if self.work.untrusted:
            try:
                self.pool.schedule(_check, args=[self.work], timeout=self.time_limit).result()
            except (FutureTimeoutError, ProcessExpired) as error:
                raise self._ending(error) from None

    def replies(self, chunks: Iterable[list[Record]], most_ahead: int) -> Iterator[Reply[Any]]:
        """Yield the replies of all chunks, in order.

        Args:
            most_ahead: Chunks that are under way at once.
        """
        ahead: deque[tuple[list[Record], ProcessFuture[Any]]] = deque()
        for chunk in chunks:
            ahead.append((chunk, self._start(chunk)))
            if len(ahead) >= most_ahead:
                yield from self._collect(*ahead.popleft())
        while ahead:
            yield from self._collect(*ahead.popleft())

    def _start(self, chunk: list[Record]) -> ProcessFuture[Any]:
        return self.pool.schedule(_do, args=[chunk, self.work], timeout=self.time_limit)

    def _collect(self, chunk: list[Record], future: ProcessFuture[Any]) -> Iterator[Reply[Any]]:
        """Yield the replies of a chunk; if it was ended, try its records one by one."""
        try:
            for record, result in zip(chunk, future.result(), strict=True):
                yield Reply(record, *result)
        except (FutureTimeoutError, ProcessExpired) as error:
            ending = self._ending(error)
            if len(chunk) > 1:
                for record in chunk:
                    yield from self._collect([record], self._start([record]))
            else:
                yield Reply(chunk[0], None, None, None, ending)

    def _ending(self, error: Exception) -> GroundtraceError:
        """Return why a child ended before its work was done."""
        if isinstance(error, FutureTimeoutError):
            return LimitError(
                f"ended after {self.time_limit:g} seconds; simplify the rules or the input, "
                "or allow more time (--time-limit)"
            )
        pid, code = getattr(error, "pid", None), getattr(error, "exitcode", None)
        return why_ended(self.estate.remains(pid, code), self.memory_limit)


def _check(work: Work[Any]) -> None:
    try:
        work.check()
    except MemoryError:
        raise LimitError(too_much_memory()) from None


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


def _do(chunk: list[Record], work: Work[Output]) -> list[Done[Output]]:
    """Return what becomes of some records, in a child process."""
    results = work.do(chunk)
    gc.collect()
    if not gc.get_freeze_count():
        # Modules stay for ever; to look at all of them after each chunk may take as long as it.
        gc.freeze()
    return results
