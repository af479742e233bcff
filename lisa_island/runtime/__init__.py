"""Holds the roster and owns every running task. Knows no Qt and no agent kind by name."""
