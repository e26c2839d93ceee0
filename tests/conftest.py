"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: no time limits on single examples.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")
