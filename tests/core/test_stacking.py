"""A display is covered by what lies on top of it, not by what is active."""

import pytest

from lisa_island.core.geometry import Rect
from lisa_island.core.stacking import Window, is_covered

LEFT, RIGHT = Rect(0, 0, 1920, 1080), Rect(1920, 0, 2560, 1440)
FILM = Window(LEFT, True)
EDITOR = Window(Rect(2000, 100, 800, 600), False)
TERMINAL = Window(Rect(300, 300, 400, 300), False)


@pytest.mark.parametrize(
    ("windows", "left", "right"),
    [
        ((), False, False),
        ((FILM,), True, False),
        ((EDITOR, FILM), True, False),  # the owner works on the other display
        ((TERMINAL, FILM), False, False),  # something was put over the film
        ((FILM, TERMINAL), True, False),
        ((Window(RIGHT, True), FILM), True, True),
        ((Window(Rect(0, 0, 4480, 1440), True),), True, True),  # over both
        ((Window(LEFT, False),), False, False),  # maximised without a frame is an ordinary window
        ((Window(Rect(0, 0, 1919, 1080), True),), True, False),  # a scaled size, rounded
        ((Window(Rect(0, 0, 960, 1080), True),), False, False),  # says so, and is not there yet
    ],
)
def test_covered(windows: tuple[Window, ...], left: bool, right: bool) -> None:
    assert (is_covered(LEFT, windows), is_covered(RIGHT, windows)) == (left, right)
