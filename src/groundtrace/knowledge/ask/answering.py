"""The process in which a query is answered: what it is asked, and what it sends back."""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple

from groundtrace.errors import GroundtraceError, InputError, LimitError, bug_of
from groundtrace.knowledge.ask.endpoints import unreadable
from groundtrace.knowledge.ask.engine import unanswerable
from groundtrace.knowledge.ask.sources import Engine, Source, opened
from groundtrace.processes.children import leave_the_network, start_child
from groundtrace.processes.endings import too_much_memory

DEFAULT_ROW_LIMIT = 10_000
ROWS_AT_ONCE = 500
LARGEST_ANSWER = 512 * 1024**2
"""Characters of all terms of an answer: who asks holds it in memory, and has no limit there."""

MOST_FRAMES = 100_000
STACK_BYTES = 512 * 1024**2
"""The parser that judges queries is recursive."""

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


def answer_all(pipe: Connection, source: Source, estate: str) -> None:
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
