"""An event loop that runs now and then, in a program that is not asynchronous itself."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any, TypeVar

Item = TypeVar("Item")


class Loop:
    """Runs tasks while somebody waits for one of them."""

    def __init__(self) -> None:
        """Make the loop; nothing runs yet."""
        self._loop = asyncio.new_event_loop()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Add a task that goes on whenever the loop runs."""
        self._loop.create_task(work)

    def run(self, work: Coroutine[Any, Any, Item]) -> Item:
        """Run until some work is done, and all tasks with it.

        Args:
            work: What to wait for.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed; the tasks were not disturbed. Other signals
                are handled as before, once the loop rests.
        """
        return _aside(lambda: self._uninterrupted(work))

    def _uninterrupted(self, work: Coroutine[Any, Any, Item]) -> Item:
        """Keep signals, which would strike in the middle of any task, until the loop rests."""
        waiting = self._loop.create_task(work)
        noted: list[int] = []

        def note(number: int, frame: FrameType | None) -> None:
            noted.append(number)
            self._loop.call_soon_threadsafe(waiting.cancel)

        handlers = _handlers()
        for number in handlers:
            signal.signal(number, note)
        try:
            return self._loop.run_until_complete(waiting)
        except asyncio.CancelledError:
            if not noted:
                raise
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for number in noted:
                handlers[number](number, None)
        raise KeyboardInterrupt

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Drop all tasks and end.

        Args:
            last: Done after the tasks are gone.
        """
        try:
            self.run(_drop_others())
            self.run(last)
        finally:
            self._loop.close()


Handler = Callable[[int, FrameType | None], Any]


def _handlers() -> dict[int, Handler]:
    """Return what is done at signals that end a program, where that is ours to change."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    found = {getattr(signal, name): signal.getsignal(getattr(signal, name)) for name in names}
    return {number: handler for number, handler in found.items() if callable(handler)}


async def _drop_others() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _aside(run: Callable[[], Item]) -> Item:
    """Call something that runs an event loop, where a loop may be running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    # Whoever calls has a loop of his own in this thread, as notebooks do.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()
