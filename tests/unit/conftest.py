"""Settings of the property tests: how fast a machine is decides nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("steady")
