"""A knowledge base on disk: generations of an Oxigraph store, one of them current.

Oxigraph cannot be read while it is written, and a writer that is killed may leave half of what it
did. So a writer works on the next generation, which begins as a copy of the current one (its large
files never change and are linked, not copied), and makes it current at the end, in one step.
Readers keep to the current generation. A killed writer leaves nothing that anybody reads.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pyoxigraph import Store

from groundtrace.errors import InputError
from groundtrace.knowledge.store_writer import Writer

CURRENT = "CURRENT"
LOCK = "writer.lock"
GENERATION = "generation-"
NEXT = "generation-next"
_GENERATIONS = re.compile(rf"{GENERATION}[0-9]{{1,18}}")
_OURS = re.compile(rf"{LOCK}|{CURRENT}\.part|{NEXT}|{_GENERATIONS.pattern}")


def current_generation(folder: Path) -> Path:
    """Return the folder that readers read.

    Args:
        folder: Of the knowledge base.

    Raises:
        InputError: there is no knowledge base.
    """
    name = _named_in(folder)
    if name is None:
        raise InputError(
            f"{folder} holds no knowledge base; make one with groundtrace export FILE --store"
        )
    return folder / name


def _named_in(folder: Path) -> str | None:
    """Return the name of the current generation; None if the folder is no knowledge base."""
    try:
        name = (folder / CURRENT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return _newest(folder)
    # Other databases have a file of this name as well.
    return name if _GENERATIONS.fullmatch(name) else None


def _newest(folder: Path) -> str | None:
    """Return the newest generation where nothing says which is current; each is whole."""
    if not (folder / LOCK).exists() or (folder / CURRENT).exists():
        return None
    names = [path.name for path in folder.iterdir() if _GENERATIONS.fullmatch(path.name)]
    return max(names, key=lambda name: int(name.removeprefix(GENERATION)), default=None)


def opened_for_reading(generation: Path) -> Store:
    """Return a store that cannot be changed.

    Raises:
        InputError: it is damaged.
    """
    try:
        return Store.read_only(str(generation))
    except (OSError, RuntimeError) as error:
        raise _damaged(generation.parent, error) from None


def _damaged(folder: Path, error: Exception) -> InputError:
    reason = str(error).splitlines()[0][:200]
    return InputError(
        f"{folder}: cannot be opened ({reason}); it can be made again from the records with "
        "groundtrace export FILE --store DIR"
    )


@contextmanager
def opened_for_writing(folder: Path) -> Iterator[Writer]:
    """Give a writer whose changes all become visible when the block ends without an error.

    Args:
        folder: Of the knowledge base; made if it is not there.

    Raises:
        InputError: it cannot be written, holds something else, or somebody else writes to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _named_in(folder) is None and not _is_begun(folder):
            raise InputError(f"{folder} is not empty, and holds no knowledge base")
        with FileLock(folder / LOCK, timeout=0):
            yield from _next_generation(folder)
    except Timeout:
        raise InputError(f"{folder} is being written by another process; try again later") from None
    except RuntimeError as error:
        raise _damaged(folder, error) from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def _is_begun(folder: Path) -> bool:
    """Say whether a folder holds nothing but what a killed writer of ours left behind, if that."""
    names = {path.name for path in folder.iterdir()}
    return not names or (LOCK in names and all(map(_OURS.fullmatch, names)))


def _next_generation(folder: Path) -> Iterator[Writer]:
    """Give a writer to a copy of the current generation, and make that current."""
    following = folder / NEXT
    shutil.rmtree(following, ignore_errors=True)
    number = 1
    before: Path | None = None
    if (name := _named_in(folder)) is not None:
        before = folder / name
        number = int(name.removeprefix(GENERATION)) + 1
    try:
        if before is not None:
            _branch(before, following)
        writer = Writer(following)
        try:
            yield writer
            writer.finish()
        finally:
            writer.close()
        if not writer.quads and before is not None:
            return
        named = folder / f"{GENERATION}{number}"
        shutil.rmtree(named, ignore_errors=True)
        following.replace(named)
        _point_at(folder, named.name)
    finally:
        shutil.rmtree(following, ignore_errors=True)
    _forget(folder, {named.name, before.name if before else named.name})


def _branch(before: Path, following: Path) -> None:
    """Copy a generation; its tables never change, and are shared."""
    following.mkdir()
    for source in sorted(before.iterdir()):
        target = following / source.name
        if source.name == "LOCK" or source.name.startswith("LOG"):
            continue
        if source.suffix == ".sst":
            with suppress(OSError):
                os.link(source, target)
                continue
        shutil.copy2(source, target)


def _point_at(folder: Path, name: str) -> None:
    """Make a generation current, in one step."""
    part = folder / f"{CURRENT}.part"
    part.write_text(f"{name}\n", encoding="ascii")
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(folder / CURRENT)


def _forget(folder: Path, kept: set[str]) -> None:
    """Remove old generations; the one before is kept for those who still read it."""
    for path in folder.glob(f"{GENERATION}*"):
        if _GENERATIONS.fullmatch(path.name) and path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
