"""Whether a window can be shown here. Imports nothing that takes time."""

import os
import sys


def has_display() -> bool:
    """Whether a window can be shown here."""
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
