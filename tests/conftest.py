"""How thorough property tests are: ``pytest --hypothesis-profile=quick`` while working."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "thorough", max_examples=1200, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("quick", parent=settings.get_profile("thorough"), max_examples=150)
settings.load_profile("thorough")
