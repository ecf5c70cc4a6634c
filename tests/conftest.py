"""Settings of the whole suite."""

from hypothesis import settings

# No time limit on one example, and the same examples on every machine.
settings.register_profile("gtpengine", deadline=None, derandomize=True)
settings.load_profile("gtpengine")
