"""Answers on disk: found again, shared by processes, and never half-written."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterable
from pathlib import Path

import numpy
import pytest

from groundtrace.chat.settings import Voter
from groundtrace.embedding.vector_cache import VectorCache
from groundtrace.errors import InputError
from groundtrace.files.answer_cache import LAYOUT
from groundtrace.labelling.label_cache import LabelCache
from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
from tests.command import ROOT


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def question(number: int) -> LabelQuestion:
    return LabelQuestion(key(number), ("premise",), "conclusion", Voter("m", 0))


def held(cache: LabelCache, numbers: Iterable[int]) -> int:
    return sum(cache.get(key(number)) is not None for number in numbers)


def test_an_answer_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with LabelCache(path) as cache:
        assert cache.get(key(1)) is None
        cache.put(question(1), LabelAnswer("implied", 0.25, None, 3, 100, 1))
    with LabelCache(path) as cache:
        assert cache.get(key(1)) == LabelAnswer("implied", 0.25)
        assert cache.get(key(2)) is None


def test_failures_are_not_kept(tmp_path: Path) -> None:
    with LabelCache(tmp_path / "a.sqlite") as cache:
        cache.put(question(1), LabelAnswer(None, error="out of time"))
        assert cache.get(key(1)) is None


def test_who_comes_second_takes_the_first_answer(tmp_path: Path) -> None:
    with LabelCache(tmp_path / "a.sqlite") as one, LabelCache(tmp_path / "a.sqlite") as other:
        assert one.put(question(1), LabelAnswer("neutral")).label == "neutral"
        assert other.put(question(1), LabelAnswer("entailment")).label == "neutral"
        assert other.get(key(1)) == LabelAnswer("neutral")


def test_refresh_finds_nothing_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with LabelCache(path) as cache:
        cache.put(question(1), LabelAnswer("neutral"))
    with LabelCache(path, refresh=True) as cache:
        assert cache.get(key(1)) is None
        assert cache.put(question(1), LabelAnswer("entailment")).label == "entailment"
    with LabelCache(path) as cache:
        assert cache.get(key(1)) == LabelAnswer("entailment")


def test_the_file_is_private_and_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with LabelCache(path) as cache:
        cache.put(question(1), LabelAnswer("neutral"))
    assert path.stat().st_mode & 0o077 == 0


def spoilt(path: Path, how: str) -> None:
    if how == "no database":
        path.write_bytes(b"not a database, " * 100)
    elif how == "folder":
        path.mkdir()
    elif how == "device":
        path.symlink_to("/dev/null")
    elif how == "of somebody else with our number":
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE theirs (x)")
            file.execute(f"PRAGMA user_version = {LAYOUT}")
    elif how == "of somebody else":
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE theirs (x)")
    elif how == "of a later version":
        with sqlite3.connect(path) as file:
            file.execute(f"PRAGMA user_version = {LAYOUT + 1}")


@pytest.mark.parametrize(
    "how",
    [
        "no database",
        "folder",
        "device",
        "of somebody else",
        "of somebody else with our number",
        "of a later version",
    ],
)
def test_a_file_that_is_no_cache_is_refused_and_left_alone(tmp_path: Path, how: str) -> None:
    path = tmp_path / "a.sqlite"
    spoilt(path, how)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(InputError, match="--cache"):
        LabelCache(path)
    assert not path.is_file() or path.read_bytes() == before


@pytest.mark.parametrize(
    "change", ["label = 'perhaps'", "label = x'00'", "probability = 5.0", "probability = 'abc'"]
)
def test_a_row_that_is_no_answer_is_not_believed(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.sqlite"
    with LabelCache(path) as cache:
        cache.put(question(1), LabelAnswer("neutral"))
    with sqlite3.connect(path) as file:
        file.execute("UPDATE answers SET " + change)
    with LabelCache(path) as cache:
        assert cache.get(key(1)) is None


WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from groundtrace.labelling.label_cache import LabelCache
    from groundtrace.chat.settings import Voter
    from groundtrace.labelling.questions import LabelAnswer, LabelQuestion
    start, count = int(sys.argv[2]), int(sys.argv[3])
    with LabelCache(Path(sys.argv[1])) as cache:
        for number in range(start, start + count):
            asked = LabelQuestion(number.to_bytes(32, "big"), ("p",), "c", Voter("m", 0))
            cache.put(asked, LabelAnswer("neutral", 0.5))
            print(number, flush=True)
    """
)


def writer(path: Path, start: int, count: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", WRITER, str(path), str(start), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)


def test_a_name_that_sqlite_finds_special(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with LabelCache(Path(":memory:")) as cache:
        cache.put(question(1), LabelAnswer("neutral"))
    with LabelCache(Path(":memory:")) as cache:
        assert cache.get(key(1)) == LabelAnswer("neutral")


def test_a_new_file_can_be_made_by_several_at_once(tmp_path: Path) -> None:
    for number in range(3):
        path = tmp_path / f"{number}.sqlite"
        processes = [writer(path, start, 3) for start in range(6)]
        for process in processes:
            process.communicate(timeout=60)
            assert process.returncode == 0


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    processes = [writer(path, start, 300) for start in (0, 200, 400)]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    with LabelCache(path) as cache:
        assert held(cache, range(800)) == 700


def test_a_killed_process_loses_nothing_that_it_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    process = writer(path, 0, 10_000_000)
    assert process.stdout
    threading.Timer(1.0, lambda: os.kill(process.pid, signal.SIGKILL)).start()
    said = process.stdout.read().decode().splitlines()
    process.wait(timeout=60)
    process.stdout.close()
    assert len(said) > 10
    with LabelCache(path) as cache:
        assert held(cache, [int(number) for number in said]) == len(said)


def test_a_file_of_the_first_version_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as file:
        columns = "key BLOB PRIMARY KEY, label TEXT NOT NULL, probability REAL"
        file.execute(f"CREATE TABLE answers ({columns}) WITHOUT ROWID")
        file.execute("INSERT INTO answers VALUES (?, 'implied', 0.5)", (key(1),))
        file.execute("PRAGMA user_version = 1")
    file.close()
    with LabelCache(path) as cache:
        assert cache.get(key(1)) == LabelAnswer("implied", 0.5)
    with VectorCache(path) as vectors:
        vectors.put({key(2): numpy.array([1.0, 0.0], dtype=numpy.float32)})
        assert vectors.get([key(1), key(2)])[key(2)].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("content", [b"", b"abc", b"\0" * 8, b"\xff" * 8, "text", 7])
def test_a_row_that_is_no_vector_is_not_believed(tmp_path: Path, content: object) -> None:
    path = tmp_path / "a.sqlite"
    with VectorCache(path) as cache:
        cache.put({key(1): numpy.array([1.0, 0.0], dtype=numpy.float32)})
        with sqlite3.connect(path) as file:
            file.execute("UPDATE vectors SET vector = ?", (content,))
        file.close()
        assert cache.get([key(1)]) == {}
