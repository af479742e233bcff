"""The comparison sees every change that a person would, and not what another FreeType rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from lisa_island.ui import assets, theme
from lisa_island.ui.theme import Theme
from tests.goldens.colours import STEP, exact, is_rounded, settled
from tests.goldens.compare import difference

LOOK = theme.build("dark")
pytestmark = pytest.mark.usefixtures("qapp")


def sheet(
    *,
    surface: str = "surface.panel",
    shape: str = "state/working",
    ink: str = "state.working",
    text: str = "Waiting for you: input",
    x: int = 40,
    top: int = 20,
    line: str = "line.subtle",
    y: int = 80,
    look: Theme = LOOK,
) -> QImage:
    """A row on a surface, with a separator: what most of the island is made of."""
    made = QImage(440, 120, QImage.Format.Format_RGB32)
    made.fill(look.color(surface))
    painter, at = QPainter(made), QPoint(x, top)
    painter.drawPixmap(at, assets.pixmap(shape, 16, ink, 1.0, look))
    painter.setFont(QFont(painter.font().family(), 10))
    painter.setPen(look.color("text.2"))
    painter.drawText(at + QPoint(30, 13), text)
    painter.fillRect(QRect(0, y, 440, 1), look.color(line))
    painter.end()
    return settled(made, look)


def tinted(token: str, colour: str) -> Theme:
    return replace(LOOK, colors={**LOOK.colors, token: colour})


CHANGES: dict[str, Callable[[], QImage]] = {
    "a surface, two levels lighter": lambda: sheet(surface="surface.card"),
    "a surface that is hardly another": lambda: sheet(surface="surface.pill"),
    "another ink": lambda: sheet(ink="state.done"),
    "nearly the same ink": lambda: sheet(ink="state.unknown"),
    "a token, one level lighter": lambda: sheet(look=tinted("state.working", "#74B3FE")),
    "a separator's token, one level lighter": lambda: sheet(look=tinted("line.subtle", "#2C323D")),
    "another shape": lambda: sheet(shape="state/queued"),
    "another letter": lambda: sheet(text="Waiting for you: inpul"),
    "another word": lambda: sheet(text="Waiting for you: sign-in"),
    "a pixel to the right": lambda: sheet(x=41),
    "a pixel down": lambda: sheet(top=21),
    "a line a pixel lower": lambda: sheet(y=81),
    "another line": lambda: sheet(line="line.edge"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(change: str) -> None:
    assert difference(sheet(), CHANGES[change]()).text


def test_the_same_is_the_same() -> None:
    assert difference(sheet(), sheet()).text == ""


def test_another_size_is_seen() -> None:
    assert "440 x 119" in difference(sheet(), sheet().copy(0, 0, 440, 119)).text


def nudged(pixels: int, by: int) -> QImage:
    """Edges that were rounded to the next step, as another FreeType might."""
    made, found = sheet().convertToFormat(QImage.Format.Format_RGB32), 0
    for y in range(made.height()):
        for x in range(made.width()):
            if found < pixels and is_rounded(made.pixel(x, y)):
                colour = QColor(made.pixel(x, y))
                made.setPixelColor(x, y, QColor(*(min(255, c + by) for c in colour.getRgb()[:3])))
                found += 1
    assert found == pixels
    return made


def test_a_few_edges_may_be_one_step_off_and_no_more() -> None:
    one = round(STEP)
    assert difference(sheet(), nudged(60, one)).text == ""
    assert difference(sheet(), nudged(60, 2 * one)).text
    assert difference(sheet(), nudged(150, one)).text


def test_what_has_too_many_colours_is_refused() -> None:
    made = QImage(300, 300, QImage.Format.Format_RGB32)
    for y in range(300):
        for x in range(300):
            made.setPixelColor(x, y, QColor(x * 255 // 300, y * 255 // 300, (x + y) % 256))
    with pytest.raises(ValueError, match="colours"):
        settled(made, LOOK)


def test_colours_of_the_theme_are_kept_as_they_are() -> None:
    made = QImage(len(exact(LOOK)), 1, QImage.Format.Format_RGB32)
    for x, colour in enumerate(sorted(exact(LOOK))):
        made.setPixel(x, 0, colour)
    kept = settled(made, LOOK).convertToFormat(QImage.Format.Format_RGB32)
    assert [kept.pixel(x, 0) for x in range(kept.width())] == sorted(exact(LOOK))
