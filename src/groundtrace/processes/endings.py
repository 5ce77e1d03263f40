"""Why a child process ended, told from what it left behind.

A child writes what it prints as an error, and how much memory it holds, into files of its own; who
started it reads them when it is gone. Memory is blamed only where its limit was reached.
"""

import faulthandler
import os
import re
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from multiprocessing import process
from pathlib import Path
from typing import NamedTuple

from groundtrace.errors import BugError, GroundtraceError, LimitError, MemoryLimitError

MEMORY_LIMIT = 4 * 1024**3
"""Bytes of address space per child process; twice what the encoder lets a trace need."""

NEAR_THE_LIMIT = 0.9
"""Of the memory limit: a child that held so much was most likely ended by it."""

WITHOUT_GUARD = 87
"""Exit code of a child that would start children before the script of its parent was read."""

GUARD_CURE = (
    "each process that is started reads the script again: in a script, call this under "
    "`if __name__ == '__main__':`"
)

LAST_WORDS = 4_000
"""Bytes of what a child printed that are read."""

_OUT_OF_MEMORY = re.compile(
    r"MemoryError|bad_alloc|memory allocation of \d+ bytes failed|[Oo]ut of memory|"
    r"[Cc]annot allocate memory"
)
_NO_GUARD = "An attempt has been made to start a new process before the"
_EXCEPTION = re.compile(r"^(?:[\w.]+\.)?(?P<kind>[A-Z]\w*)(?:: (?P<words>.*))?$", re.MULTILINE)
_PEAK = re.compile(r"VmPeak:\s+(\d+) kB")


class Remains(NamedTuple):
    """What a child left behind."""

    exit_code: int | None
    """Negative for the number of a signal; None where it is not known."""
    last_words: str = ""
    """The end of what it printed as errors."""
    peak: int = 0
    """Bytes of address space that it held at most, as far as it was seen."""


class Estate:
    """A folder in which children leave their last words; for a ``with`` statement."""

    def __enter__(self) -> "Estate":
        """Make the folder."""
        _keep_standard_error_taken()
        self.folder = tempfile.mkdtemp(prefix="groundtrace-")
        self._read: set[str] = set()
        return self

    def __exit__(self, *_: object) -> None:
        """Print what children said who ended well, and remove the folder."""
        for path in sorted(Path(self.folder).glob("*.err")):
            if path.name not in self._read and sys.stderr is not None:
                sys.stderr.write(path.read_text(encoding="utf-8", errors="replace"))
        shutil.rmtree(self.folder, ignore_errors=True)

    def remains(self, pid: int | None, exit_code: int | None) -> Remains:
        """Return what one child left behind.

        Args:
            pid: None where it is not known.
        """
        words, peak = "", 0
        with suppress(OSError):
            content = Path(self.folder, f"{pid}.err").read_bytes()
            words = content[-LAST_WORDS:].decode(errors="replace")
            self._read.add(f"{pid}.err")
        with suppress(OSError, ValueError):
            peak = int(Path(self.folder, f"{pid}.peak").read_text(encoding="ascii"))
        return Remains(exit_code, words, peak)


def _keep_standard_error_taken() -> None:
    """Open what stands for standard error if it is closed.

    A pipe to a child would get its number otherwise, and lose it to the child's errors.
    """
    try:
        os.fstat(2)
    except OSError:
        _make_standard_error(os.open(os.devnull, os.O_WRONLY))


def _make_standard_error(handle: int) -> None:
    """Let an open file be standard error, for child processes too."""
    if handle != 2:  # It is, where whoever started the command had closed that.
        os.dup2(handle, 2)
        os.close(handle)
    os.set_inheritable(2, True)


def leave_words(folder: str) -> None:
    """Write what this process prints as errors into the folder of an estate from now on."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    _make_standard_error(os.open(Path(folder, f"{os.getpid()}.err"), flags, 0o600))
    with suppress(OSError, ValueError, RuntimeError):
        faulthandler.enable(2)


def leave_peak(folder: str) -> None:
    """Note in the folder of an estate how much memory this process held at most."""
    with suppress(OSError, ValueError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        if found := _PEAK.search(status):
            peak = int(found[1]) * 1024
            Path(folder, f"{os.getpid()}.peak").write_text(str(peak), encoding="ascii")


def refuse_unguarded_start() -> None:
    """End this process if it is a child that reads its parent's script, which starts children.

    Nothing can be told from here: the exit code tells the parent, which knows the cure.
    """
    if getattr(process.current_process(), "_inheriting", False):
        sys.exit(WITHOUT_GUARD)


def why_ended(remains: Remains, memory_limit: int = MEMORY_LIMIT) -> GroundtraceError:
    """Return why a child ended that should not have: a LimitError, or a BugError.

    Args:
        memory_limit: Bytes that it was allowed.
    """
    words, code = remains.last_words, remains.exit_code
    if code == WITHOUT_GUARD or _NO_GUARD in words:
        return LimitError(f"its process could not start: {GUARD_CURE}")
    if _OUT_OF_MEMORY.search(words) or remains.peak >= NEAR_THE_LIMIT * memory_limit:
        return MemoryLimitError(too_much_memory(memory_limit))
    if error := _exception(words):
        return BugError(f"its process ended with {error}")
    if code is not None and code < 0:
        return LimitError(f"its process {_signal(-code)}")
    said = words.strip().rpartition("\n")[2]
    how = "" if code is None else f" with exit code {code}"
    return LimitError(f"its process ended{how}" + (f": {said}" if said else ""))


def too_much_memory(memory_limit: int | None = None) -> str:
    """Return what to say where the memory limit was reached.

    Args:
        memory_limit: Bytes that were allowed; None for the limit of this process.
    """
    if memory_limit is None:
        memory_limit = _own_limit()
    return f"needs more than {memory_limit / 1024**3:g} GiB of memory"


def _own_limit() -> int:
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return MEMORY_LIMIT
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return MEMORY_LIMIT if limit == resource.RLIM_INFINITY else limit


def _exception(words: str) -> str | None:
    """Return the last exception that was printed, with its words."""
    trace = words.rpartition("Traceback (most recent call last):\n")
    if not trace[1]:
        return None
    found = _EXCEPTION.search(trace[2])
    if found is None:
        return None
    return f"{found['kind']}: {found['words']}" if found["words"] else found["kind"]


def _signal(number: int) -> str:
    """Return what a signal did to a process, in words."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if name == "SIGKILL":
        return "was killed from outside (SIGKILL)"
    if name in ("SIGSEGV", "SIGBUS"):
        return f"crashed ({name}): what it was given may be too deeply nested"
    return f"was ended by {name}"
