"""Questions are answered by a process of their own, which is ended when its time is up.

Nothing inside a query engine can be relied on to stop a query: a path over a large graph, or a
product of everything with everything, runs within a single step.
"""

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple

from groundtrace.errors import GroundtraceError, InputError, LimitError, bug_of
from groundtrace.knowledge.ask.endpoints import unreadable
from groundtrace.knowledge.ask.engine import unanswerable
from groundtrace.knowledge.ask.sources import Engine, Source, opened
from groundtrace.processes.children import (
    ctrl_c_held_back,
    leave_the_network,
    start_child,
    starting_context,
)
from groundtrace.processes.endings import (
    Estate,
    refuse_unguarded_start,
    too_much_memory,
    why_ended,
)

DEFAULT_TIME_LIMIT = 60.0
DEFAULT_ROW_LIMIT = 10_000
ROWS_AT_ONCE = 500
LARGEST_ANSWER = 512 * 1024**2
"""Characters of all terms of an answer: who asks holds it in memory, and has no limit there."""

MOST_FRAMES = 100_000
STACK_BYTES = 512 * 1024**2
"""The parser that judges queries is recursive."""

SECONDS_TO_DIE = 5.0
"""For a process that closed its end of the pipe."""

START_SECONDS = 600.0
"""For a process to start and load files."""

Form = Literal["rows", "truth", "triples"]


class Answer(NamedTuple):
    """What a query brought."""

    form: Form
    """rows of SELECT; truth of ASK; triples of CONSTRUCT and DESCRIBE."""
    variables: list[str]
    """Of rows."""
    rows: list[tuple[Any, ...]]
    """RDF terms, None where a variable is unbound; triples have three."""
    truth: bool | None
    more: bool
    """Whether there are more rows than were asked for."""


@dataclass(frozen=True)
class Request:
    """One query and its limits.

    Attributes:
        query: In SPARQL 1.1.
        trusted: Whether it is one of ours, and need not be judged.
        most_rows: More are not fetched.
    """

    query: str
    trusted: bool = False
    most_rows: int = DEFAULT_ROW_LIMIT


@dataclass
class Asker:
    """Answers questions on one source, one at a time. For any number of threads.

    Attributes:
        source: What is asked.
    """

    source: Source
    _process: Any = None
    _pipe: Connection | None = None
    _estate: Estate | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "Asker":
        """Start the process that answers."""
        with self._lock:
            self._start()
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        with self._lock:
            self._end()

    def ask(self, request: Request, time_limit: float = DEFAULT_TIME_LIMIT) -> Answer:
        """Return the answer to a query.

        Args:
            time_limit: Seconds that it may take.

        Raises:
            InputError: the query is refused, or the source cannot be read.
            LimitError: it was ended at its time or memory limit.
            ModelError: an endpoint could not be reached or used.
        """
        with self._lock:
            if self._pipe is None:
                self._start()
            try:
                return self._asked(request, time_limit)
            except BaseException as error:
                if not isinstance(error, GroundtraceError) or isinstance(error, LimitError):
                    self._end()
                raise

    def _asked(self, request: Request, time_limit: float) -> Answer:
        pipe = self._pipe
        if pipe is None:
            raise AssertionError("the process was started")
        end = time.monotonic() + time_limit
        form: Form = "rows"
        variables: list[str] = []
        rows: list[tuple[Any, ...]] = []
        try:
            pipe.send(request)
            while True:
                if not pipe.poll(max(end - time.monotonic(), 0)):
                    raise LimitError(
                        f"ended after {time_limit:g} seconds; ask for less, or allow more time "
                        "(--time-limit)"
                    )
                kind, content = pipe.recv()
                if kind == "head":
                    form, variables = content
                elif kind == "rows":
                    rows += content
                elif kind == "error":
                    raise content
                else:
                    return Answer(form, variables, rows, *content)
        except (EOFError, OSError):
            raise self._ending("the query was ended") from None

    def _start(self) -> None:
        """Start the process, and wait until it has opened the source.

        Raises:
            InputError: the source cannot be read.
            LimitError: it does not start.
        """
        refuse_unguarded_start()
        self._estate = Estate().__enter__()
        context = starting_context()
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_answer_all,
            args=(theirs, self.source, self._estate.folder),
            daemon=True,
        )
        with ctrl_c_held_back():
            process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        try:
            if not ours.poll(START_SECONDS):
                raise LimitError(f"{self.source}: not opened within {START_SECONDS:g} seconds")
            kind, content = ours.recv()
        except (EOFError, OSError):
            error = self._ending(str(self.source))
            self._end()
            raise error from None
        if kind == "error":
            self._end()
            raise content

    def _ending(self, what: str) -> GroundtraceError:
        """Return why the process ended by itself.

        Args:
            what: Was ended by that.
        """
        if self._estate is None:
            raise AssertionError("the process was started")
        self._process.join(SECONDS_TO_DIE)
        remains = self._estate.remains(self._process.pid, self._process.exitcode)
        error = why_ended(remains)
        needs = "it " if what.endswith("ended") and str(error).startswith("needs") else ""
        return type(error)(f"{what}: {needs}{error}")

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
        if self._estate is not None:
            if self._process is not None:
                # What a library prints as it dies says nothing to a user.
                self._estate.remains(self._process.pid, None)
            self._estate.__exit__()
        self._pipe = self._process = self._estate = None


def _answer_all(pipe: Connection, source: Source, estate: str) -> None:
    """Answer queries until the other end is closed; runs in the child process."""
    if source.endpoint is None:
        leave_the_network()
    start_child(estate)
    gc.enable()
    sys.setrecursionlimit(MOST_FRAMES)
    threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=_answering, args=(pipe, source))
    thread.start()
    thread.join()


def _answering(pipe: Connection, source: Source) -> None:
    with suppress(EOFError, OSError):
        try:
            engine = opened(source)
        except Exception as error:
            pipe.send(("error", _sendable(error)))
            return
        pipe.send(("open", None))
        while True:
            request = pipe.recv()
            try:
                for message in _messages(engine, request):
                    pipe.send(message)
            except Exception as error:
                pipe.send(("error", _sendable(_understood(error, source))))


def _messages(engine: Engine, request: Request) -> Iterator[tuple[str, Any]]:
    """Yield what is sent back, in pieces: an answer may be long.

    Raises:
        LimitError: it is too long.
    """
    from pyoxigraph import QueryBoolean, QuerySolutions

    results = engine.answer(request.query, request.trusted)
    if isinstance(results, QueryBoolean):
        yield "head", ("truth", [])
        yield "end", (bool(results), False)
        return
    selected = isinstance(results, QuerySolutions)
    variables = [variable.value for variable in results.variables] if selected else []
    yield "head", ("rows" if selected else "triples", variables)
    batch: list[tuple[Any, ...]] = []
    size = 0
    for count, row in enumerate(results):
        if count == request.most_rows:
            break
        batch.append(tuple(row))
        size += sum(len(getattr(term, "value", "")) for term in row)
        if size > LARGEST_ANSWER:
            raise LimitError(f"the answer is larger than {LARGEST_ANSWER:,} characters (--limit)")
        if len(batch) == ROWS_AT_ONCE:
            yield "rows", batch
            batch = []
    else:
        yield "rows", batch
        yield "end", (None, engine.cut)
        return
    yield "rows", batch
    yield "end", (None, True)


def _understood(error: Exception, source: Source) -> Exception:
    """Return what an error means that arose while rows were read, as far as that is known."""
    if isinstance(error, GroundtraceError):
        return error
    if source.endpoint is not None and isinstance(error, SyntaxError | ValueError | OSError):
        return unreadable(source.endpoint, error)
    return unanswerable(error) if type(error) is RuntimeError else error


def _sendable(error: Exception) -> GroundtraceError:
    """Return an error that means the same in the other process."""
    if isinstance(error, MemoryError):
        return LimitError(too_much_memory())
    if isinstance(error, OSError):
        # Two exports overtook the query: the generation that it read is gone.
        return InputError("the knowledge base was changed while it was read; ask again")
    return error if isinstance(error, GroundtraceError) else bug_of(error)


def ask(
    source: Source,
    query: str,
    *,
    most_rows: int = DEFAULT_ROW_LIMIT,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Answer:
    """Return the answer to one query.

    Args:
        query: In SPARQL 1.1, that only reads.
        most_rows: More are not fetched.
        time_limit: Seconds that it may take.

    Raises:
        InputError: the query is refused, or the source cannot be read.
        LimitError: it was ended at its time or memory limit.
        ModelError: an endpoint could not be reached or used.
    """
    with Asker(source) as asker:
        return asker.ask(Request(query, most_rows=most_rows), time_limit)
