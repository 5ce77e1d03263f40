"""How thorough property tests are: ``--hypothesis-profile=quick`` while working, ``thorough``
before a release. How child processes start, and what a suite in the background must put right."""

import multiprocessing
import os
import signal

from hypothesis import HealthCheck, settings

from groundtrace.processes import children

settings.register_profile(
    "usual", max_examples=200, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("thorough", parent=settings.get_profile("usual"), max_examples=2000)
settings.register_profile("quick", parent=settings.get_profile("usual"), max_examples=150)
settings.load_profile("usual")

# There is a worker for each core: more threads of BLAS would only wait for each other, and loudly.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Hundreds of tests need a child process. Each of them is forked from one that has what they all
# import; that is ten times as quick as starting Python. Tests of the command as a process, of
# servers and of signals start theirs as users do.
children.START_METHOD = "forkserver"
multiprocessing.set_forkserver_preload(
    [
        "groundtrace.auditing.batch",
        "groundtrace.graphs.batch",
        "groundtrace.knowledge.ask.asker",
        "groundtrace.rewards.batch",
        "pebble.pool.process",
        "pyoxigraph",
    ]
)

# A shell starts what runs in the background with Ctrl-C ignored, and the commands that tests
# start would inherit that: none of them could be interrupted.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
