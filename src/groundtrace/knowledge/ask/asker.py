"""Questions are answered by a process of their own, which is ended when its time is up.

Nothing inside a query engine can be relied on to stop a query: a path over a large graph, or a
product of everything with everything, runs within a single step.
"""

import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from groundtrace.errors import GroundtraceError, LimitError
from groundtrace.knowledge.ask.answering import (
    DEFAULT_ROW_LIMIT,
    Answer,
    Form,
    Request,
    answer_all,
)
from groundtrace.knowledge.ask.sources import Source
from groundtrace.processes.children import (
    ctrl_c_held_back,
    starting_context,
)
from groundtrace.processes.endings import (
    Estate,
    refuse_unguarded_start,
    why_ended,
)

DEFAULT_TIME_LIMIT = 60.0
SECONDS_TO_DIE = 5.0
"""For a process that closed its end of the pipe."""

START_SECONDS = 600.0
"""For a process to start and load files."""


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
            target=answer_all,
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
