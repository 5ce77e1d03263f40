"""An event loop in a thread of its own, for programs that are not asynchronous themselves.

Whoever waits for a task may stop waiting, as Ctrl-C does, and disturbs no task.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

SECONDS_TO_CLOSE = 5.0

Item = TypeVar("Item")


class BackgroundLoop:
    """Runs tasks. For any number of threads; it starts with the first task."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._process = 0

    @property
    def running(self) -> bool:
        """Whether the thread runs, in this very process."""
        return self._loop is not None and not self.inherited

    @property
    def inherited(self) -> bool:
        """Whether this process was forked from the one in which the tasks run."""
        return self._process not in (0, os.getpid())

    def submit(self, task: Coroutine[Any, Any, Item]) -> "Future[Item]":
        """Start a task."""
        with self._lock:
            if self._loop is None:
                self._process = os.getpid()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(task, self._loop)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Drop all tasks and end the thread; a later task starts another one.

        Args:
            last: Makes what is done after the tasks are gone.
        """
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None or self.inherited:
            return
        ended = asyncio.run_coroutine_threadsafe(_end(last), loop)
        # Whatever goes wrong now, nobody waits for it any more.
        with contextlib.suppress(Exception):
            ended.result(SECONDS_TO_CLOSE)
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(SECONDS_TO_CLOSE)
            if not self._thread.is_alive():
                loop.close()


async def _end(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await last()
