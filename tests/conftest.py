"""How thorough property tests are: ``--hypothesis-profile=quick`` while working, ``thorough``
before a release."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "usual", max_examples=400, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("thorough", parent=settings.get_profile("usual"), max_examples=2000)
settings.register_profile("quick", parent=settings.get_profile("usual"), max_examples=150)
settings.load_profile("usual")
