"""A knowledge base from Python: what it is given, and what is told when its process ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groundtrace
from groundtrace.errors import LimitError
from tests.command import DATA

KnowledgeBase: Any = groundtrace.KnowledgeBase
CLINICAL = str(DATA / "clinical.json")
WRONG: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a list of files": (lambda _: KnowledgeBase([CLINICAL]), "files: expected a path, got list"),
    "a list as store": (lambda _: KnowledgeBase(store=["kb"]), "store: expected a path, got list"),
    "a path as endpoint": (
        lambda _: KnowledgeBase(endpoint=Path("x")),
        "endpoint: expected a text, got",
    ),
    "a limit as text": (
        lambda _: KnowledgeBase("a", time_limit="1"),
        "time_limit: expected a number, got",
    ),
    "half a row": (lambda _: KnowledgeBase("a", limit=1.5), "limit: expected a whole number, got"),
    "no engine": (lambda _: KnowledgeBase("a", engine=None), "engine: expected a text, got None"),
    "a list of queries": (lambda base: base.query(["ASK {}"]), "sparql: expected a text, got list"),
    "no question": (lambda base: base.question(None), "name: expected a text, got None"),
    "no frame": (lambda base: base.frame(["ASK {}"]), "name_or_sparql: expected a text, got list"),
    "a list of checks": (lambda base: base.check(["a"]), "names: expected a text, got list"),
    "a number as folders": (lambda base: base.check(folders=5), "folders: expected an iterable"),
    "folders in folders": (
        lambda base: base.check(folders=[["a"]]),
        "folders: expected a path",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_told_at_the_call(name: str) -> None:
    call, message = WRONG[name]
    base = KnowledgeBase(CLINICAL)
    with pytest.raises(TypeError, match=message):
        call(base)


SCRIPT = """
import groundtrace
with groundtrace.KnowledgeBase({file!r}) as base:
    print(base.query("ASK {{}}").truth)
"""


def test_a_script_without_a_guard_is_told_the_cure(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(file=CLINICAL), encoding="utf-8")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "under `if __name__ == '__main__':`" in result.stderr.splitlines()[-1]
    assert "memory" not in result.stderr
    assert "freeze_support" not in result.stderr


def test_a_process_that_is_killed_is_not_said_to_lack_memory() -> None:
    with KnowledgeBase(CLINICAL) as base:
        os.kill(base._asker._process.pid, signal.SIGKILL)
        with pytest.raises(LimitError) as told:
            base.query("ASK {}")
        assert "the query was ended: its process was killed from outside" in str(told.value)
        assert base.query("ASK {}").truth
