"""What trainers' adapters share: completions scored together, none longer than its time.

Equal completions with equal references are scored once. One that is not ready when its time is
over has no score; the others do.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from groundtrace.errors import InputError
from groundtrace.vocabulary import Status

DEFAULT_TIME_LIMIT = 120.0
"""Seconds for one completion and all that is asked about it."""

THREADS = 64
"""Calls of a user's function at once."""

Result = TypeVar("Result")
_LOG = logging.getLogger("groundtrace")


@dataclass(frozen=True)
class Sample:
    """One completion, and what it is compared with.

    Attributes:
        response: What the model wrote, thinking included.
        question: What it was asked.
        reference: Items that should be triplets, or their JSON text.
        answer: The right answer: a text, or the letter of an option.
    """

    response: str | None
    question: str = ""
    reference: Any = None
    answer: str | None = None


class Scored(NamedTuple):
    """What came of one completion."""

    value: float | None
    """None: not scored."""
    parts: Mapping[str, float | None]
    """The components, by name; always the same ones."""
    status: Status
    error: str | None
    """Why it is not scored."""


class Scorer(Protocol):
    """Scores completions. For any number of threads."""

    parts: tuple[str, ...]
    """Names of the components."""

    needs: tuple[str, ...]
    """Fields of a sample without which nothing can be scored: "reference", "answer"."""

    def score(self, samples: Sequence[Sample]) -> list[Scored]:
        """Return what came of each sample, in order; what went wrong stands in it."""


def log_unscored(scored: Sequence[Scored]) -> None:
    """Write to the log of groundtrace how many completions of a batch have no score, and why."""
    reasons = Counter(f"{one.status}: {one.error}" for one in scored if one.value is None)
    if reasons:
        told = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
        _LOG.warning("%d of %d completions have no score: %s", reasons.total(), len(scored), told)


def unscored(parts: Sequence[str], status: Status, error: str) -> Scored:
    """Return what came of a completion that has no score.

    Args:
        parts: Names of the components.
    """
    return Scored(None, dict.fromkeys(parts), status, error)


class Threads:
    """Calls functions in threads that do not keep the process from ending."""

    def __init__(self) -> None:
        """Start with none."""
        self._turns = threading.Semaphore(THREADS)

    def submit(self, function: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Start to call a function.

        Args:
            function: Whatever it raises, the future raises.
        """
        future: Future[Result] = Future()

        def run() -> None:
            with self._turns:
                if not future.set_running_or_notify_cancel():
                    return
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:  # It must reach whoever waits.
                    future.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        return future


LONGEST_WAIT = 10_000_000.0
"""Seconds; threads cannot wait much longer."""


def checked_time_limit(seconds: object) -> None:
    """Make sure that a time limit is a number of seconds.

    Args:
        seconds: As it was given.

    Raises:
        InputError: it is none, or not above 0.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise InputError(f"time_limit: expected seconds above 0, got {seconds!r}")


class Deadline:
    """The time that is left for some completions."""

    def __init__(self, seconds: float) -> None:
        """Start the clock."""
        self.seconds = seconds = min(seconds, LONGEST_WAIT)
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, from 0."""
        return max(self._end - time.monotonic(), 0.0)

    def wait(self, futures: "Sequence[Future[Any]]") -> None:
        """Wait until all are done, or the time is over."""
        wait(futures, self.left)

    @property
    def missed(self) -> str:
        """What is said of whatever was not ready."""
        return f"not ready within {self.seconds:g} s"


def outcome(future: "Future[Any]", deadline: Deadline) -> tuple[Any, str | None]:
    """Return what a future holds, or None and why it holds nothing.

    Args:
        future: That was waited for.
    """
    if not future.done():
        future.cancel()
        return None, deadline.missed
    if future.cancelled():
        return None, "closed before it was ready"
    error = future.exception()
    if error is not None:
        return None, str(error) or type(error).__name__
    return future.result(), None
