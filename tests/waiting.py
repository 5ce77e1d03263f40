"""Waiting for what happens, on a machine of any speed."""

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds after which what was waited for will not happen: far more than a busy machine needs."""


def wait_until(happens: Callable[[], object], what: str = "") -> None:
    """Return as soon as something is so.

    Args:
        what: Is said if it never is.
    """
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, what or "what was waited for did not happen"
        time.sleep(0.005)


def runs(process: int | str) -> bool:
    """Say whether a process runs; one that ended and that nobody asked after does not."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
