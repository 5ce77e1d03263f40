"""How child processes live: with bounded memory, and no longer than their parent."""

import ctypes
import gc
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from groundtrace.processes.endings import MEMORY_LIMIT, leave_peak, leave_words

_NEW_USER = 0x10000000
_NEW_NETWORK = 0x40000000
"""Flags of Linux, in sched.h."""

SECONDS_BETWEEN_LOOKS = 0.5
"""At the parent, and at the memory that is held."""


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


def start_child(parent: int, estate: str | None = None, memory_limit: int = MEMORY_LIMIT) -> None:
    """Bound a child's memory, and tie its life to the parent's.

    Args:
        estate: The folder in which the child leaves its last words.
        memory_limit: Bytes of address space.
    """
    if estate is not None:
        leave_words(estate)
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
    threading.Thread(target=_die_with, args=(parent, estate), daemon=True).start()


def _die_with(parent: int, estate: str | None) -> None:
    """End this process when its parent is gone, even while clingo grounds."""
    while os.getppid() == parent:
        if estate is not None:
            leave_peak(estate)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    if estate is not None:
        shutil.rmtree(estate, ignore_errors=True)
    os._exit(1)
