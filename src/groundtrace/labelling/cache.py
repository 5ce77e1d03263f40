"""Answers on disk, so that nothing is asked twice.

One SQLite file in write-ahead mode: every answer is committed as it arrives, a killed process
loses none that was committed and leaves none half-written, and several processes may use one
file. It holds hashes of questions and labels; no text of a trace and no key of a server.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, get_args

from platformdirs import user_cache_path

from groundtrace.errors import InputError
from groundtrace.labelling.questions import Answer, Question
from groundtrace.vocabulary import Label

LAYOUT = 1
"""Counts up when the table changes; kept in the file as user_version."""

SECONDS_TO_WAIT = 60.0
"""How long a process waits for another one that writes."""

_CREATE = """
    CREATE TABLE IF NOT EXISTS answers (
        key BLOB PRIMARY KEY,
        label TEXT NOT NULL,
        probability REAL
    ) WITHOUT ROWID
"""
_INSERT = "INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_REPLACE = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)"


def default_path() -> Path:
    """Return where answers are kept unless another file is named."""
    return user_cache_path("groundtrace") / "answers.sqlite"


class AnswerCache:
    """A file of answers, for any number of threads."""

    def __init__(self, path: Path, *, refresh: bool = False) -> None:
        """Open the file, making it if it is not there.

        Args:
            path: Of the file.
            refresh: Whether to find nothing and replace what is asked anew.

        Raises:
            InputError: the file cannot be opened, or is no answer cache of this version.
        """
        self._path = path
        self._refresh = refresh
        self._lock = threading.Lock()
        self._broken: InputError | None = None
        try:
            if path == default_path():
                path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise self._trouble(OSError("it is no ordinary file"))
            # The labels are nobody else's business.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._file = sqlite3.connect(
                path.absolute(),
                timeout=SECONDS_TO_WAIT,
                isolation_level=None,
                check_same_thread=False,
            )
        except (OSError, ValueError, sqlite3.Error) as error:
            raise self._trouble(error) from None
        try:
            self._prepare()
        except BaseException:
            self._file.close()
            raise

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
        """Make our table in an empty file.

        Raises:
            InputError: the file is somebody else's.
        """
        self._file.execute("BEGIN IMMEDIATE")
        try:
            (layout,) = self._file.execute("PRAGMA user_version").fetchone()
            tables = [name for (name,) in self._file.execute("SELECT name FROM sqlite_schema")]
            if (layout or tables) and (layout != LAYOUT or "answers" not in tables):
                raise InputError(
                    f"{self._path} is no answer cache of this version of groundtrace; "
                    "name another file with --cache"
                )
            if not layout:
                self._file.execute(_CREATE)
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

    def get(self, key: bytes) -> Answer | None:
        """Return the answer to a question, if it was asked before.

        Args:
            key: From the labeller; 32 bytes.

        Raises:
            InputError: the file cannot be read.
        """
        if self._refresh:
            return None
        return self._found(key)

    def _found(self, key: bytes) -> Answer | None:
        query = "SELECT label, probability FROM answers WHERE key = ?"
        try:
            with self._lock, closing(self._file.execute(query, (key,))) as rows:
                row = rows.fetchone()
        except (sqlite3.Error, UnicodeError) as error:
            raise self._trouble(error) from None
        if row is None or not _believable(*row):
            return None
        return Answer(*row)

    def put(self, question: Question, answer: Answer) -> Answer:
        """Keep an answer that has a label, and return the one that now stands in the file.

        That is another one if another process was faster: all who share a file agree.

        Args:
            question: As it was asked.
            answer: Kept only if it has a label.

        Raises:
            InputError: the file cannot be written.
        """
        if answer.label is None:
            return answer
        row = (question.key, answer.label, answer.probability)
        if self._broken:
            # Each answer on its way would wait for the lock anew.
            raise self._broken
        try:
            with self._lock:
                changed = self._file.execute(_REPLACE if self._refresh else _INSERT, row).rowcount
        except sqlite3.Error as error:
            self._broken = self._trouble(error)
            raise self._broken from None
        found = None if changed else self._found(question.key)
        if found is None:
            return answer
        return replace(answer, label=found.label, probability=found.probability)

    def holds(self, keys: Sequence[bytes]) -> int:
        """Return how many of some questions have an answer.

        Args:
            keys: From the labeller.

        Raises:
            InputError: the file cannot be read.
        """
        return sum(self.get(key) is not None for key in keys)

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


def _believable(label: object, probability: object) -> bool:
    """Say whether a row can be an answer; anybody may have written into the file."""
    likely = probability is None or (isinstance(probability, float) and 0 <= probability <= 1)
    return label in get_args(Label) and likely
