"""How a sheet becomes a file: exact where it is flat, coarse where edges are smoothed.

Text alone has a thousand shades along its edges. A colour of the theme is kept as it is, and so is one that
fills an area; every other one is rounded to eleven levels a channel, which no eye sees at an edge. So a sheet
fits into a palette, a quarter of the size, and edges that another FreeType smooths a little differently are
mostly the same.
"""

from __future__ import annotations

from array import array
from collections import Counter

from PySide6.QtGui import QImage

from lisa_island.ui.theme import Theme

# The desk behind the windows: no part of the app.
DESK = {"dark": 0xFF3C4A55, "light": 0xFFCFD9D6, "contrast": 0xFF3C4A55}
MOST = 256
AREA = 8000
"""So many pixels are no edge: their colour is kept too, as in the picture of the first run."""
STEP = 25.5


def exact(look: Theme) -> frozenset[int]:
    """What is not rounded, as 0xffrrggbb."""
    return frozenset((DESK[look.name], *(look.color(token).rgb() for token in look.colors)))


def settled(image: QImage, look: Theme) -> QImage:
    """The sheet in a palette. ValueError where it has too many colours: make two sheets of it."""
    flat = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels, kept = array("I", bytes(flat.constBits())), exact(look)
    counts = Counter(pixels)
    made = {c: c if c in kept or n >= AREA else _coarse(c) for c, n in counts.items()}
    palette = sorted(set(made.values()))
    if len(palette) > MOST:
        raise ValueError(f"{len(palette)} colours do not fit into a palette")
    place = {colour: palette.index(shade) for colour, shade in made.items()}
    data = bytes(map(place.__getitem__, pixels))
    indexed = QImage(data, flat.width(), flat.height(), flat.width(), QImage.Format.Format_Indexed8).copy()
    indexed.setColorTable(palette)
    return indexed


def _coarse(colour: int) -> int:
    channels = (round(round((colour >> shift & 255) / STEP) * STEP) << shift for shift in (16, 8, 0))
    return 0xFF000000 | sum(channels)


def is_rounded(colour: int) -> bool:
    """Whether it may have been another one before. Black and white look as if, and so do few colours more."""
    return _coarse(colour) == colour
