"""Several askers of one source, so that a query that takes long does not hold up all others."""

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

from starlette.concurrency import run_in_threadpool

from groundtrace.errors import GroundtraceError, LimitError
from groundtrace.knowledge.ask.answering import Answer, Request
from groundtrace.knowledge.ask.asker import Asker
from groundtrace.knowledge.ask.sources import Source

MOST_WAITING = 64
"""Queries that wait for an asker; more are turned away."""

_GLANCE = 0.02
"""Seconds between two looks at whether a thread has ended."""


class BusyError(LimitError):
    """So many queries are being answered that another one would wait too long."""


class UnavailableError(GroundtraceError):
    """The source, which could be read at the start, cannot be read any more."""


class StoppableAsker(Asker):
    """An asker that can be ended from another thread."""

    _working = False
    _stopped = False
    _ended = False

    def stop(self) -> None:
        """End what it does at the moment."""
        process = self._process
        if process is not None:
            self._stopped = True
            process.kill()

    def end(self) -> None:
        """End it for good, whatever it does at the moment."""
        self._ended = True
        while self._working:  # It may be starting a process, which cannot be stopped yet.
            self.stop()
            time.sleep(_GLANCE)
        self.__exit__()

    @property
    def running(self) -> bool:
        """Whether its process can be asked at once."""
        process = self._process
        return process is not None and not self._stopped and process.is_alive()

    def begin(self) -> None:
        """Start its process, and have it load what it needs to read a query.

        That takes longer than many a query, and is no part of the time that one may take.

        Raises:
            InputError: the source cannot be read.
            LimitError: the process does not start.
        """
        self.__enter__()
        self.ask(Request("ASK {}"))

    def start(self) -> None:
        """Start its process if none is running.

        Raises:
            UnavailableError: the source cannot be read, or the asker was ended.
        """
        self._working = True
        try:
            self._start_unless_running()
        finally:
            self._working = False

    def _start_unless_running(self) -> None:
        if self._ended:
            raise UnavailableError("the server is ending")
        if self.running:
            return
        self.__exit__()
        self._stopped = False
        try:
            self.begin()
        except GroundtraceError as error:
            raise UnavailableError(str(error)) from None

    def answer(self, request: Request, time_limit: float) -> Answer:
        """Return the answer to a query.

        Args:
            time_limit: Seconds that it may take.

        Raises:
            InputError: the query is refused.
            LimitError: it was ended at its time or memory limit.
            UnavailableError: the source cannot be read, or the asker was ended.
        """
        self._working = True
        try:
            self._start_unless_running()
            return self.ask(request, time_limit)
        except LimitError:
            if self._ended:
                raise UnavailableError("the server is ending") from None
            raise
        finally:
            self._working = False


class Askers:
    """A number of askers, and a queue of those who want one.

    Used from one event loop; the askers work in threads.
    """

    def __init__(self, source: Source, count: int) -> None:
        """Make them; they start when the block is entered.

        Args:
            count: Fewer than the 40 threads that starlette has.
        """
        self._all = [StoppableAsker(source) for _ in range(count)]
        self._free: asyncio.Queue[StoppableAsker] = asyncio.Queue()
        self._waiting = 0
        self._starting: set[asyncio.Task[None]] = set()

    def __enter__(self) -> "Askers":
        """Start all processes, each of which opens the source.

        Raises:
            InputError: the source cannot be read.
            LimitError: a process does not start.
        """
        with ThreadPoolExecutor(len(self._all)) as threads:
            try:
                list(threads.map(StoppableAsker.begin, self._all))
            except BaseException:
                for asker in self._all:
                    asker.stop()
                raise
        for asker in self._all:
            self._free.put_nowait(asker)
        return self

    def __exit__(self, *_: object) -> None:
        """End them all."""
        self.end()

    def end(self) -> None:
        """End them all, and what they are asked at the moment."""
        for asker in self._all:
            asker.end()

    @asynccontextmanager
    async def free(self, patience: float) -> AsyncIterator[StoppableAsker]:
        """Give an asker that nobody else uses.

        Args:
            patience: Seconds to wait for one.

        Raises:
            BusyError: none was free in time, or too many wait already.
        """
        if self._waiting >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} queries are waiting already; try again later")
        self._waiting += 1
        try:
            async with asyncio.timeout(patience):
                asker = await self._free.get()
        except TimeoutError:
            raise BusyError(f"no process was free in {patience:g} seconds; try later") from None
        finally:
            self._waiting -= 1
        try:
            yield asker
        finally:
            self._give_back(asker)

    def _give_back(self, asker: StoppableAsker) -> None:
        if asker.running:
            self._free.put_nowait(asker)
        else:  # The next one to ask need not wait until files are loaded again.
            task = asyncio.get_running_loop().create_task(self._started(asker))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _started(self, asker: StoppableAsker) -> None:
        with suppress(Exception):  # Who asks it next is told, if it still does not start.
            await run_in_threadpool(asker.start)
        self._free.put_nowait(asker)
