"""State glyphs: shape first, colour second. What a shape means is decided in `core`, not here.

SHAPES -> ("working", "waiting", "error", "done", "idle", "your-turn", "unknown", "offline", "queued")
token(shape, quiet=False) -> str                 # the ink of the glyph; quiet = stale, seen or past: text.3
word_token(shape, quiet=False) -> str            # ink of words in that state (amber words differ)
tint(shape) -> str                               # surface of a tag or banner in that state
glyph(shape, size=14, dpr=1.0, theme=None, quiet=False, step=0, color=None) -> QPixmap
    # step: events seen so far; the working ring stands 45 degrees further for each. color overrides the ink.
paint(painter, rect, shape, theme, quiet=False, step=0, color=None)   # centred in rect, logical px
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

from lisa_island.ui import assets
from lisa_island.ui import theme as _theme
from lisa_island.ui.theme import Theme

SHAPES = ("working", "waiting", "error", "done", "idle", "your-turn", "unknown", "offline", "queued")
TURN_STEPS = 8  # 45 degrees each

_TOKENS = {
    "working": "state.working",
    "waiting": "state.waiting.fill",
    "error": "state.error",
    "done": "state.done",
    "idle": "state.idle",
    "your-turn": "text.2",
    "unknown": "state.unknown",
    "offline": "state.offline",
    "queued": "state.working",
}
_TINTS = {
    "working": "tint.working",
    "queued": "tint.working",
    "waiting": "tint.waiting",
    "error": "tint.error",
    "done": "tint.done",
    "unknown": "tint.unknown",
}


def token(shape: str, quiet: bool = False) -> str:
    """Ink of a glyph. KeyError for a shape that the design does not have."""
    return "text.3" if quiet and shape in _TOKENS else _TOKENS[shape]


def word_token(shape: str, quiet: bool = False) -> str:
    """Ink of words: the fill amber is too weak for text on light surfaces."""
    found = token(shape, quiet)
    return "state.waiting" if found == "state.waiting.fill" else found


def tint(shape: str) -> str:
    return _TINTS.get(shape, "surface.hover")


def glyph(
    shape: str,
    size: float = 14,
    dpr: float = 1.0,
    theme: Theme | None = None,
    quiet: bool = False,
    step: int = 0,
    color: str | QColor | None = None,
) -> QPixmap:
    """One tinted glyph, kept; `step` turns only the working ring, all else stands still."""
    turn = step % TURN_STEPS * 360 // TURN_STEPS if shape == "working" else 0
    return assets.pixmap(f"state/{shape}", size, color or token(shape, quiet), dpr, theme, turn)


def paint(
    painter: QPainter,
    rect: QRectF,
    shape: str,
    theme: Theme | None = None,
    quiet: bool = False,
    step: int = 0,
    color: str | QColor | None = None,
) -> None:
    """Draw a glyph in the middle of `rect`, as large as its shorter side, at the painter's own DPR."""
    device = painter.device()
    dpr = device.devicePixelRatioF() if device else 1.0
    size = min(rect.width(), rect.height())
    look = theme or _theme.current()
    picture = glyph(shape, size, dpr, look, quiet, step, color)
    painter.drawPixmap(rect.center() - QPointF(size / 2, size / 2), picture)
