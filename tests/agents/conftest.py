"""Examples are counted, never timed: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("agents", deadline=None)
settings.load_profile("agents")
