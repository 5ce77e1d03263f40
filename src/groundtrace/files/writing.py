"""Output files that are written whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from groundtrace.errors import InputError


@contextmanager
def output_file(path: Path | None) -> Iterator[IO[str]]:
    """Give a text file in UTF-8 that replaces ``path`` when the block ends without an error.

    A path that is there and is no ordinary file, such as a pipe or a device, is written as it
    comes; a link is followed.

    Args:
        path: Where the text goes; None or "-" means standard output, written as it comes.

    Raises:
        InputError: the file cannot be written, or standard output is closed.
        SystemExit: the reader of standard output has gone; nothing is left to do.
    """
    if path is None or str(path) == "-":
        yield from _standard_output()
        return
    try:
        target = path.resolve()
        if target.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as file:
                yield file
        else:
            yield from _replacing(target)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def _replacing(target: Path) -> Iterator[IO[str]]:
    """Give a file beside the target that takes its place in the end."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        part.chmod(_mode_for(target))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _mode_for(target: Path) -> int:
    """Return the permissions of the file that is replaced, or those of any new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _standard_output() -> Iterator[IO[str]]:
    """Give standard output in UTF-8.

    Raises:
        InputError: it is closed, or cannot be written.
        SystemExit: its reader has gone.
    """
    if sys.stdout is None:
        raise InputError("standard output is closed; name a file with --out")
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        # `| head` has seen enough.
        _point_at_nothing()
        raise SystemExit(0) from None
    except OSError as error:
        _point_at_nothing()
        raise InputError(f"cannot write to standard output: {error.strerror}") from None


def _point_at_nothing() -> None:
    """Keep Python from complaining once more about standard output while it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
