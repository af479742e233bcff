"""Which displays one window fills, from the stack of windows: pure rectangles in px of the server."""

from collections.abc import Iterable
from dataclasses import dataclass

from lisa_island.core.geometry import Rect


@dataclass(frozen=True, slots=True)
class Window:
    """An ordinary window that is shown; `is_full` is what the window manager says of it."""

    rect: Rect
    is_full: bool


def is_covered(display: Rect, windows: Iterable[Window]) -> bool:
    """Whether the topmost of `windows` (topmost first) on this display is full screen there.

    It need not be the active one: a film goes on while its owner works on the other display.
    """
    top = next((window for window in windows if _overlap(window.rect, display)), None)
    return top is not None and top.is_full and _fills(top.rect, display)


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _fills(window: Rect, display: Rect) -> bool:
    """A scaled display's size may be a px off."""
    x, y = abs(window.x - display.x), abs(window.y - display.y)
    inside = window.x <= display.x and window.y <= display.y
    return (inside or max(x, y) <= 1) and (
        window.right >= display.right - 1 and window.bottom >= display.bottom - 1
    )
