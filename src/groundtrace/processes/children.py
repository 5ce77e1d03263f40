"""How child processes live: with bounded memory, and no longer than their parent."""

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext
from typing import cast

_NEW_USER = 0x10000000
_NEW_NETWORK = 0x40000000
"""Flags of Linux, in sched.h."""

MEMORY_LIMIT = 4 * 1024**3
"""Bytes of address space per child process; twice what the encoder lets a trace need."""

START_METHOD = "spawn"
"""How child processes are started: the way that works on every system and beside threads."""


def starting_context() -> SpawnContext:
    """Return what starts child processes."""
    # Whatever the way, it can do what this one can; mypy knows of no type for that.
    return cast(SpawnContext, multiprocessing.get_context(START_METHOD))


def memory_text(limit: int | None = None) -> str:
    """Return a memory limit as people write it.

    Args:
        limit: In bytes; None means the one that this process lives under.
    """
    if limit is None:
        limit = _limit_set() or MEMORY_LIMIT
    return f"{limit / 1024**3:g} GiB of memory"


def _limit_set() -> int | None:
    """Return the bytes of address space that this process may have, if they are bounded."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return None
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if soft == resource.RLIM_INFINITY else soft


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Keep Ctrl-C, which goes to the whole group, from processes and threads started meanwhile.

    The parent ends its children itself.
    """
    if hasattr(signal, "pthread_sigmask"):
        # The tracker that comes with the first child would let Ctrl-C through again.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield


def leave_the_network() -> None:
    """Cut this process off from every network, where the system allows it (Linux).

    A second lock: what judges a query should let nothing through that fetches.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        # Who may not make a network of his own may do so as nobody else's user.
        for flags in (_NEW_NETWORK, _NEW_USER | _NEW_NETWORK):
            if libc.unshare(flags) == 0:
                return


def start_child(memory_limit: int = MEMORY_LIMIT) -> None:
    """Bound a child's memory, and tie its life to the parent's.

    Args:
        memory_limit: Bytes of address space.
    """
    # A large trace is a hundred thousand young objects; to walk over them again and again while
    # they are read takes as long as reading them. Garbage is collected between chunks.
    gc.disable()
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        pass
    else:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = memory_limit if hard == resource.RLIM_INFINITY else min(hard, memory_limit)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    # A handler of Python's, such as pebble sets, would wait until clingo has grounded.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """End this process when its parent is gone, even while clingo grounds."""
    starter = os.getppid()
    parent = multiprocessing.parent_process()
    # A copy of the parent that was forked keeps the parent alive to this test; hence both.
    while os.getppid() == starter and parent is not None and parent.is_alive():
        time.sleep(1)
    os._exit(1)
