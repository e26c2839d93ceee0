"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: no time limits on single examples.
SLOW = [HealthCheck.too_slow]
# The same examples every time, so that a change is judged by what it changes.
settings.register_profile("project", deadline=None, suppress_health_check=SLOW, derandomize=True)
# `pytest --hypothesis-profile=search tests/rules` looks for others, at random.
settings.register_profile("search", deadline=None, suppress_health_check=SLOW)
settings.load_profile("project")
