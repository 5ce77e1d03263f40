"""Runs the command as a user does: as a process."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
CACHE = Path(tempfile.mkdtemp(prefix="groundtrace-tests-"))
"""Where the command keeps answers, instead of the user's own cache."""

atexit.register(shutil.rmtree, CACHE, ignore_errors=True)


def groundtrace(
    *arguments: str | Path, stdin: bytes | None = None, cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run ``groundtrace`` and return what it printed; a traceback is always a failure."""
    environment = {
        **os.environ,
        "COLUMNS": "80",
        "PYTHONWARNINGS": "error",
        "XDG_CACHE_HOME": str(CACHE),
    }
    result = subprocess.run(
        command(arguments),
        input=stdin or b"",
        capture_output=True,
        cwd=cwd,
        env=environment,
        timeout=120,
    )
    stderr = result.stderr.decode()
    assert "Traceback" not in stderr, stderr
    return subprocess.CompletedProcess(
        result.args, result.returncode, result.stdout.decode(), stderr
    )


def command(arguments: Sequence[str | Path]) -> list[str]:
    """Return the command line for some arguments."""
    return [sys.executable, "-m", "groundtrace", *(str(argument) for argument in arguments)]
