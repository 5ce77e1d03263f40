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
def opened_for_writing(path: Path | None) -> Iterator[IO[str]]:
    """Give a text file in UTF-8 that replaces ``path`` when the block ends without an error.

    Args:
        path: Where the text goes; None or "-" means standard output, written as it comes.

    Raises:
        InputError: the file cannot be written.
        SystemExit: the reader of standard output has gone; nothing is left to do.
    """
    if path is None or str(path) == "-":
        yield from _standard_output()
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        # mkstemp makes private files; an output is as readable as any other file.
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _standard_output() -> Iterator[IO[str]]:
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        # `| head` has seen enough. Python must not complain about it again while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
