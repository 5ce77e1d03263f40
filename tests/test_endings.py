"""Why child processes end is told as it was: memory is blamed only where its limit was reached."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundtrace.errors import BugError, GroundtraceError, LimitError
from groundtrace.files.reading import Record
from groundtrace.processes.endings import (
    MEMORY_LIMIT,
    WITHOUT_GUARD,
    Remains,
    too_much_memory,
    why_ended,
)
from groundtrace.processes.pool import Done, OneByOne, run

TRACE = "Traceback (most recent call last):\n  File x, line 1, in <module>\n    f()\n"


@pytest.mark.parametrize(
    ("remains", "kind", "words"),
    [
        (Remains(-9), LimitError, "was killed from outside (SIGKILL)"),
        (Remains(-9, "", MEMORY_LIMIT // 2), LimitError, "was killed from outside (SIGKILL)"),
        (Remains(-9, "", MEMORY_LIMIT - 2**20), LimitError, "needs more than 4 GiB of memory"),
        (Remains(1, f"{TRACE}MemoryError\n"), LimitError, "needs more than 4 GiB of memory"),
        (Remains(-6, "terminate called ... 'std::bad_alloc'"), LimitError, "needs more than 4 GiB"),
        (Remains(-6, "memory allocation of 4096 bytes failed"), LimitError, "needs more than"),
        (Remains(-11, "Fatal Python error: Segmentation fault"), LimitError, "crashed (SIGSEGV)"),
        (Remains(-15), LimitError, "was ended by SIGTERM"),
        (Remains(WITHOUT_GUARD), LimitError, "if __name__ == '__main__':"),
        (
            Remains(1, f"{TRACE}RuntimeError: \n        An attempt has been made to start a new "
                    "process before the\n        current process has finished"),
            LimitError,
            "if __name__ == '__main__':",
        ),
        (
            Remains(1, f"{TRACE}UnicodeDecodeError: 'utf-8' codec can't decode byte\nPANIC: x"),
            BugError,
            "its process ended with UnicodeDecodeError: 'utf-8' codec can't decode byte",
        ),
        (Remains(1, f"{TRACE}pkg.errors.OwnError: why\n"), BugError, "OwnError: why"),
        (Remains(3, "odd words\n"), LimitError, "ended with exit code 3: odd words"),
        (Remains(None), LimitError, "its process ended"),
    ],
)  # fmt: skip
def test_why_a_child_ended(remains: Remains, kind: type[GroundtraceError], words: str) -> None:
    error = why_ended(remains)
    assert type(error) is kind
    assert words in str(error)
    assert ("memory" in str(error)) == ("needs more than" in words)


@dataclass(frozen=True)
class Dying(OneByOne[str]):
    """Dies in the way that a record names."""

    def done(self, record: Record) -> Done[str]:
        if record.name == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if record.name == "panics":
            sys.stderr.write(f"{TRACE}ValueError: of its own\n")
            sys.stderr.flush()
            os._exit(1)
        if record.name == "hungry":
            return Done(None, None, str(len(bytearray(2**31))), None)
        return Done(None, None, "well", None)


def test_children_die_each_in_its_own_way() -> None:
    names = ["fine", "killed", "panics", "hungry", "fine"]
    records = [Record(str(place), name, b"") for place, name in enumerate(names)]
    replies = list(run(iter(records), Dying(), 1, 60, memory_limit=2**30))
    told = [reply.output or str(reply.error) for reply in replies]
    assert told == [
        "well",
        "its process was killed from outside (SIGKILL)",
        "its process ended with ValueError: of its own",
        too_much_memory(2**30),
        "well",
    ]


def test_a_script_without_guard_is_told_the_cure(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    trace = {"segments": ["a", "b"], "relations": []}
    script.write_text(f"import groundtrace\nlist(groundtrace.audit_many([{trace}]))\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert result.returncode == 1
    assert "if __name__ == '__main__':" in result.stderr.strip().rpartition("\n")[2]
    assert "memory" not in result.stderr
    # The children say nothing themselves.
    assert result.stderr.count("Traceback") == 1
