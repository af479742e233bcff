"""Whether two sheets are the same, and where not.

What is flat must be the same to the last bit: a colour that was not rounded is one of the theme, and two of
those are never alike. At smoothed edges one step of `colours` may lie between them, and that only in a few
pixels, since another FreeType rounds a little differently. More is a change of the island.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage, QPainter

from tests.goldens.colours import STEP, is_rounded

FEW = 0.002
"""Of all pixels, how many may be one step off."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Numbers of pixels: `faint` are one step off, `plain` are more, or of another flat colour."""

    faint: int = 0
    plain: int = 0
    text: str = ""


def difference(expected: QImage, actual: QImage) -> Difference:
    """What is not the same; without a text nothing that counts."""
    if expected.size() != actual.size():
        was, now = expected.size(), actual.size()
        return Difference(text=f"{now.width()} x {now.height()} px and not {was.width()} x {was.height()}")
    faint = plain = 0
    for before, after in zip(_pixels(expected), _pixels(actual), strict=True):
        if before == after:
            continue
        flat = not (is_rounded(before) or is_rounded(after))
        if flat or _apart(before, after) > STEP + 1:
            plain += 1
        else:
            faint += 1
    if not plain and faint <= FEW * expected.width() * expected.height():
        return Difference(faint)
    return Difference(faint, plain, f"{plain} pixels differ plainly, {faint} faintly")


def _pixels(image: QImage) -> array[int]:
    flat = image.convertToFormat(QImage.Format.Format_RGB32)  # Held: its bits do not keep it alive.
    return array("I", bytes(flat.constBits()))


def _apart(before: int, after: int) -> int:
    return max(abs((before >> shift & 255) - (after >> shift & 255)) for shift in (0, 8, 16))


def keep(place: Path, expected: QImage, actual: QImage) -> None:
    """Write what was drawn, what should have been, and where they differ, as bright as it can be."""
    place.mkdir(parents=True, exist_ok=True)
    actual.save(str(place / "actual.png"))
    if expected.isNull():
        return
    expected.save(str(place / "expected.png"))
    apart = expected.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(apart)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Difference)
    painter.drawImage(0, 0, actual.convertToFormat(QImage.Format.Format_RGB32))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
    for _ in range(5):
        painter.drawImage(0, 0, apart.copy())
    painter.end()
    apart.save(str(place / "difference.png"))
