"""How thorough property tests are: ``--hypothesis-profile=quick`` while working, ``thorough``
before a release. And what a suite in the background must put right."""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "usual", max_examples=200, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("thorough", parent=settings.get_profile("usual"), max_examples=2000)
settings.register_profile("quick", parent=settings.get_profile("usual"), max_examples=150)
settings.load_profile("usual")

# A shell starts what runs in the background with Ctrl-C ignored, and the commands that tests
# start would inherit that: none of them could be interrupted.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
