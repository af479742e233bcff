"""LISA Island: every agent you run, at a glance; everything that waits for you, answered in place."""

__version__ = "0.1.0"
