"""What models said, on disk, so that nothing is asked twice.

One SQLite file in write-ahead mode: every answer is committed as it arrives, a killed process
loses none that was committed and leaves none half-written, and several processes may use one
file. It holds hashes of questions, and labels, triplets and vectors as answers; no key of a
server.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from platformdirs import user_cache_path

from groundtrace.errors import InputError

LAYOUT = 2
"""Counts up when the tables change; kept in the file as user_version."""

SECONDS_TO_WAIT = 60.0
"""How long a process waits for another one that writes."""

_TABLES = {
    "answers": "key BLOB PRIMARY KEY, label TEXT NOT NULL, probability REAL",
    "texts": "key BLOB PRIMARY KEY, text TEXT NOT NULL",
    "vectors": "key BLOB PRIMARY KEY, vector BLOB NOT NULL",
}
"""Name to columns. The first is as old as the file; an older file gets the others added."""


_carried_over: list[sqlite3.Connection] = []
"""Connections of the process before a fork, kept so that nobody closes them."""


def default_path() -> Path:
    """Return where answers are kept unless another file is named."""
    return user_cache_path("groundtrace") / "answers.sqlite"


class CacheFile:
    """A file of answers, for any number of threads; what they are, its subclasses know."""

    def __init__(self, path: Path, *, refresh: bool = False) -> None:
        """Open the file, making it if it is not there.

        Args:
            refresh: Whether to find nothing and replace what is asked anew.

        Raises:
            InputError: the file cannot be opened, or is no answer cache of this version.
        """
        self._path = path
        self.refresh = refresh
        self._lock = threading.Lock()
        self._broken: InputError | None = None
        try:
            if path == default_path():
                path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise self._trouble(OSError("it is no ordinary file"))
            # The labels are nobody else's business.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._file = self._connected()
        except (OSError, ValueError, sqlite3.Error) as error:
            raise self._trouble(error) from None
        try:
            self._prepare()
        except BaseException:
            self._file.close()
            raise

    def _connected(self) -> sqlite3.Connection:
        self._process = os.getpid()
        return sqlite3.connect(
            self._path.absolute(),
            timeout=SECONDS_TO_WAIT,
            isolation_level=None,
            check_same_thread=False,
        )

    def _own(self) -> None:
        """Open the file anew in a process that was forked: SQLite must not be carried over."""
        if self._process != os.getpid():
            self._lock = threading.Lock()
            # Not closed: that would let go of the locks of the process before the fork.
            _carried_over.append(self._file)
            self._file = self._connected()

    def _prepare(self) -> None:
        """Make sure that the file is ours.

        Raises:
            InputError: it is not.
        """
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while True:
            try:
                self._lay_out()
                # Readers and a writer do not wait for each other.
                self._file.execute("PRAGMA journal_mode = WAL")
                # A power cut may lose the last answers; a killed process loses none.
                self._file.execute("PRAGMA synchronous = NORMAL")
                return
            except (sqlite3.Error, UnicodeError) as error:
                # SQLite does not wait for others that make the same file at the same time.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise self._trouble(error) from None
                time.sleep(0.05)

    def _lay_out(self) -> None:
        """Make our tables, where they are missing.

        Raises:
            InputError: the file is somebody else's.
        """
        self._file.execute("BEGIN IMMEDIATE")
        try:
            (layout,) = self._file.execute("PRAGMA user_version").fetchone()
            tables = [name for (name,) in self._file.execute("SELECT name FROM sqlite_schema")]
            ours = layout <= LAYOUT and "answers" in tables if layout or tables else True
            if not ours or (tables and not layout):
                raise InputError(
                    f"{self._path} is no answer cache of this version of groundtrace; "
                    "name another file with --cache"
                )
            for name, columns in _TABLES.items():
                self._file.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID")
            self._file.execute(f"PRAGMA user_version = {LAYOUT}")
            self._file.execute("COMMIT")
        except BaseException:
            self._file.execute("ROLLBACK")
            raise

    def _trouble(self, error: Exception) -> InputError:
        reason = getattr(error, "strerror", None) or str(error)
        return InputError(
            f"the answer cache {self._path} cannot be used: {reason}; name another file with "
            "--cache, or do without with --no-cache"
        )

    def found(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Args:
            query: In SQL, of ours.
            values: For its question marks.

        Raises:
            InputError: the file cannot be read.
        """
        try:
            self._own()
            with self._lock, closing(self._file.execute(query, values)) as rows:
                return rows.fetchall()
        except (sqlite3.Error, UnicodeError) as error:
            raise self._trouble(error) from None

    def kept(self, table: str, rows: Sequence[Sequence[Any]]) -> int:
        """Keep rows that are not there yet, or all of them if the file is refreshed.

        Args:
            rows: Its columns, the key first.

        Returns:
            How many rows were written.

        Raises:
            InputError: the file cannot be written.
        """
        if self._broken:
            # Each answer on its way would wait for the lock anew.
            raise self._broken
        self._own()
        how = "REPLACE" if self.refresh else "IGNORE"
        marks = ", ".join("?" * len(rows[0]))
        try:
            with self._lock:
                self._file.execute("BEGIN IMMEDIATE")
                try:
                    changed = self._file.executemany(
                        f"INSERT OR {how} INTO {table} VALUES ({marks})",  # noqa: S608
                        rows,
                    ).rowcount
                    self._file.execute("COMMIT")
                except BaseException:
                    # SQLite may have rolled back by itself; what went wrong first is what counts.
                    with suppress(sqlite3.Error):
                        self._file.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            self._broken = self._trouble(error)
            raise self._broken from None
        return changed

    def __enter__(self) -> Self:
        """Use the file."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()
