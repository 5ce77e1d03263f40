"""Work that waits for others, some items ahead, with results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_AHEAD = 256
"""Items that are open at once: bounds memory."""


def in_order(
    items: Iterable[Item], start: Callable[[Item], Callable[[], Result]]
) -> Iterator[Result]:
    """Yield a result per item, in order, while later items are under way already.

    Args:
        items: Consumed up to 256 ahead.
        start: Begins with an item, and returns what waits for its result.
    """
    waiting: deque[Callable[[], Result]] = deque()
    for item in items:
        waiting.append(start(item))
        if len(waiting) >= MOST_AHEAD:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()
