"""How far a long run is: a bar on a terminal, a quiet line now and then elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import rich.progress
from rich.console import Console

from groundtrace.cli.messages import print_aside

if TYPE_CHECKING:
    from groundtrace.labelling.plan import LabellingCounts
    from groundtrace.processes.pool import Reply

SECONDS_BETWEEN_LINES = 10.0

Output = TypeVar("Output")


class _Shown:
    """A bar, if there is one, while a block runs."""

    def __init__(self, unit: str) -> None:
        self._bar = _bar(unit) if on_terminal() else None

    def __enter__(self) -> Self:
        """Show the bar, if there is one."""
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the bar, if there is one."""
        if self._bar:
            self._bar.stop()


class Progress(_Shown):
    """Watches replies pass by and reports on standard error, never on standard output."""

    def __init__(self, files: Iterable[str], unit: str = "traces") -> None:
        """Learn how many bytes there are to read.

        Args:
            files: Paths, or "-" for standard input, whose size is unknown.
            unit: What the records are.
        """
        self._unit = unit
        paths = [Path(file) for file in files]
        sizes = [path.stat().st_size for path in paths if path.is_file()]
        self._total = sum(sizes) if len(sizes) == len(paths) else None
        super().__init__(unit)

    def follow(self, replies: "Iterable[Reply[Output]]") -> "Iterator[Reply[Output]]":
        """Yield the replies, reporting on the way."""
        start = last = time.monotonic()
        task = self._bar.add_task("", total=self._total, count="0", rate="?") if self._bar else None
        for count, reply in enumerate(replies, 1):
            now = time.monotonic()
            rate = f"{count / max(now - start, 0.001):.0f}"
            if self._bar and task is not None:
                content = reply.record.content
                size = len(content) if isinstance(content, bytes) else 0
                self._bar.update(task, advance=size, count=f"{count:,}", rate=rate)
            elif sys.stderr is not None and now - last >= SECONDS_BETWEEN_LINES:
                last = now
                print_aside(f"{count:,} {self._unit}, {rate}/s")
            yield reply


class CallProgress(_Shown):
    """Shows how far labelling is, on standard error."""

    def __init__(self, total: int | None) -> None:
        """Make the bar, if standard error is a terminal.

        Args:
            total: Candidates to be labelled, where they could be counted beforehand.
        """
        super().__init__("relations")
        self._start = self._last = time.monotonic()
        if self._bar:
            self._task = self._bar.add_task("", total=total, count="0", rate="?")

    def watch(self, counts: "LabellingCounts") -> None:
        """Report, if it is time to."""
        now = time.monotonic()
        rate = f"{counts.calls / max(now - self._start, 0.001):.1f} calls"
        done = counts.relations + counts.skipped
        if self._bar:
            self._bar.update(self._task, completed=done, count=f"{done:,}", rate=rate)
        elif sys.stderr is not None and now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            unlabelled = f", {counts.unlabelled.total():,} unlabelled" if counts.unlabelled else ""
            print_aside(
                f"{done:,} relations, {counts.cached:,} answers known before, "
                f"{counts.calls:,} calls, {rate}/s{unlabelled}"
            )


def on_terminal() -> bool:
    """Say whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def _bar(unit: str) -> rich.progress.Progress:
    """Return a bar over things of one kind."""
    return rich.progress.Progress(
        rich.progress.TextColumn(f"{{task.fields[count]}} {unit}"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}/s"),
        rich.progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # Standard output holds data, and may be a file: it is none of rich's business.
        redirect_stdout=False,
        redirect_stderr=False,
    )
