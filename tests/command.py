"""Runs the command: within this process, which is quick, or as a user does, as a process."""

import atexit
import io
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO
from unittest.mock import patch

import groundtrace.__main__ as as_a_program
from groundtrace.cli import main, progress

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
CACHE = Path(tempfile.mkdtemp(prefix="groundtrace-tests-"))
"""Where the command keeps answers, instead of the user's own cache."""

atexit.register(shutil.rmtree, CACHE, ignore_errors=True)

SURROUNDINGS = {"COLUMNS": "80", "PYTHONWARNINGS": "error", "XDG_CACHE_HOME": str(CACHE)}
STREAMS = ("stdin", "stdout", "stderr")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Completed = subprocess.CompletedProcess[str]


def groundtrace(
    *arguments: str | Path, stdin: bytes | None = None, cwd: Path | None = None
) -> Completed:
    """Return what ``groundtrace`` printed; a traceback is always a failure.

    It runs within this process, with standard streams of its own down to the descriptors, so
    that what C code and child processes print is seen as well.
    """
    given = command(arguments)
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, SURROUNDINGS))
        stack.enter_context(patch.object(sys, "argv", [str(as_a_program.__file__), *given[3:]]))
        # How far a run is would be told every ten seconds: on a busy machine only.
        stack.enter_context(patch.object(progress, "SECONDS_BETWEEN_LINES", math.inf))
        stack.enter_context(_as_the_main_module())
        stack.enter_context(_signals_put_back())
        stack.enter_context(_folder(cwd))
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in STREAMS]
        files[0].write(stdin or b"")
        files[0].seek(0)
        with _standard_streams(files):
            code = _exit_code()
        stdout, stderr = (_content(file) for file in files[1:])
    assert "Traceback" not in stderr, stderr
    return Completed(given, code, stdout, stderr)


def groundtrace_process(
    *arguments: str | Path, stdin: bytes | None = None, cwd: Path | None = None
) -> Completed:
    """Return what ``groundtrace`` printed as a process; a traceback is always a failure."""
    result = subprocess.run(
        command(arguments),
        input=stdin or b"",
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **SURROUNDINGS},
        timeout=120,
    )
    stderr = result.stderr.decode()
    assert "Traceback" not in stderr, stderr
    return Completed(result.args, result.returncode, result.stdout.decode(), stderr)


def command(arguments: Sequence[str | Path]) -> list[str]:
    """Return the command line for some arguments."""
    return [sys.executable, "-m", "groundtrace", *(str(argument) for argument in arguments)]


def _exit_code() -> int:
    """Return what the process would have exited with; flush what it would have flushed."""
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
            return 1
        return end.code or 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    return 0


@contextmanager
def _standard_streams(files: Sequence[IO[bytes]]) -> Iterator[None]:
    """Let the standard streams be files, for Python and for everything beneath it."""
    python = [getattr(sys, name) for name in STREAMS]
    for stream in python[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(len(STREAMS))]
    try:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        for number, name in enumerate(STREAMS):
            raw = io.FileIO(number, "w" if number else "r", closefd=False)
            buffered = io.BufferedWriter(raw) if number else io.BufferedReader(raw)
            errors = "backslashreplace" if name == "stderr" else "strict"
            setattr(sys, name, io.TextIOWrapper(buffered, encoding="utf-8", errors=errors))
        yield
    finally:
        for name, stream in zip(STREAMS, python, strict=True):
            setattr(sys, name, stream)
        for number, copy in enumerate(kept):
            os.dup2(copy, number)
            os.close(copy)


@contextmanager
def _as_the_main_module() -> Iterator[None]:
    """Let child processes start as those of the command do, not as those of pytest."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = as_a_program
    try:
        yield
    finally:
        sys.modules["__main__"] = before


@contextmanager
def _signals_put_back() -> Iterator[None]:
    handlers = [(number, signal.getsignal(number)) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in handlers:
            signal.signal(number, handler)


@contextmanager
def _folder(path: Path | None) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(path or before)
    try:
        yield
    finally:
        os.chdir(before)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
