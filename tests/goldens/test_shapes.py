"""Without colour, shape alone tells the states apart: in grey all nine differ from one another."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from lisa_island.core.looks import Glyph
from lisa_island.ui import glyphs, theme
from lisa_island.ui.theme import Theme

SIZES = (12, 14, 16, 24)
SHARE = 0.06
"""Of the ink of both, how much must lie where only one of them has it."""
pytestmark = pytest.mark.usefixtures("qapp")


def grey(shape: Glyph, size: int, look: Theme, one_ink: bool) -> list[float]:
    """How dark each pixel is, 0 to 1 of what the strongest ink makes."""
    made = QImage(size, size, QImage.Format.Format_RGB32)
    made.fill(look.color("surface.panel"))
    painter = QPainter(made)
    painter.drawPixmap(0, 0, glyphs.glyph(shape, size, 1.0, look, quiet=one_ink))
    painter.end()
    ground = theme.luminance(look.color("surface.panel"))
    found = [
        abs(theme.luminance(QColor(made.pixel(x, y))) - ground) for y in range(size) for x in range(size)
    ]
    most = max(found)
    return [value / most for value in found]


@pytest.mark.parametrize("one_ink", [False, True], ids=["in colour", "stale"])
@pytest.mark.parametrize("name", ["dark", "light", "contrast"])
@pytest.mark.parametrize("size", SIZES)
def test_in_grey_all_shapes_differ_from_one_another(size: int, name: str, one_ink: bool) -> None:
    look = theme.build(name)  # type: ignore[arg-type]
    drawn = {shape: grey(shape, size, look, one_ink) for shape in Glyph}
    assert len(drawn) == 9
    alike = {}
    for (a, one), (b, other) in combinations(drawn.items(), 2):
        apart = sum(abs(x - y) for x, y in zip(one, other, strict=True))
        share = apart / (sum(one) + sum(other))
        if share < SHARE:
            alike[f"{a} and {b}"] = round(share, 3)
    assert alike == {}
