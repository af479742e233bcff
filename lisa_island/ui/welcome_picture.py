"""The picture of the first welcome step: an island, its pill, the sea. Drawn from theme colours."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lisa_island.core.words import say
from lisa_island.ui import glyphs, theme
from lisa_island.ui.paint import rounded

WIDTH, HEIGHT = 496, 195
_SEA = 139.0
# Left, right and top of each hill, drawn back to front, with its share of the accent.
_HILLS = ((282.0, 394.0, 91.0, 0.5), (139.0, 300.0, 56.0, 0.74))
_WAVES = ((150.0, 199.0, 152.0), (196.0, 150.0, 166.0), (120.0, 90.0, 179.0))  # left, length, top
_NEEDS, _WORKING = 3, 4


def blend(a: QColor, b: QColor, share: float) -> QColor:
    """`share` of `a` on `b`."""
    parts = ((a.redF(), b.redF()), (a.greenF(), b.greenF()), (a.blueF(), b.blueF()))
    return QColor.fromRgbF(*(x * share + y * (1 - share) for x, y in parts))


class WelcomePicture(QWidget):
    """Scales with its width; says nothing to assistive technology, since the text beside it says it all."""

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lang = lang
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate((self.width() - WIDTH) / 2, 0)
        frame = QPainterPath()
        wide = QRectF(-(self.width() - WIDTH) / 2, 0, self.width(), HEIGHT)
        radius = theme.current().radius("r.card")
        frame.addRoundedRect(wide, radius, radius)
        painter.setClipPath(frame)
        self._paint_land(painter, wide)
        self._paint_pill(painter)

    def _paint_land(self, painter: QPainter, wide: QRectF) -> None:
        t = theme.current()
        accent, ground = t.color("accent"), t.color("surface.panel")
        painter.fillRect(wide, blend(accent, ground, 0.13))
        painter.setPen(Qt.PenStyle.NoPen)
        for left, right, top, share in _HILLS:
            painter.setBrush(blend(accent, ground, share))
            painter.drawPath(_hill(left, right, top))
        painter.fillRect(QRectF(wide.left(), _SEA, wide.width(), HEIGHT - _SEA), blend(accent, ground, 0.22))
        for left, length, top in _WAVES:
            rounded(painter, QRectF(left, top, length, 5), 2.5, blend(accent, ground, 0.35))

    def _paint_pill(self, painter: QPainter) -> None:
        t = theme.current()
        words, number = say(self._lang, "pill.needs.many", n=_NEEDS), str(_WORKING)
        bold, plain = t.font("body.600"), t.font("body")
        wide = QFontMetrics(bold).horizontalAdvance(words)
        length = 12 + 16 + 8 + wide + 12 + 12 + 12 + 6 + QFontMetrics(plain).horizontalAdvance(number) + 16
        pill = QRectF(WIDTH / 2 - length / 2, 13, length, 36)
        edge = t.color("line.subtle") if t.name == "contrast" else None
        rounded(painter, pill, 18, t.color("surface.pill"), edge, t.line_width)
        x = pill.left() + 12
        glyphs.paint(painter, QRectF(x, pill.center().y() - 8, 16, 16), "waiting", t)
        x += 24
        _write(painter, QRectF(x, pill.top(), wide + 2, 36), words, "body.600")
        x += wide + 11
        painter.fillRect(QRectF(x, pill.center().y() - 8, 1, 16), t.color("line.subtle"))
        x += 12
        glyphs.paint(painter, QRectF(x, pill.center().y() - 6, 12, 12), "working", t)
        _write(painter, QRectF(x + 18, pill.top(), 40, 36), number, "body")


def _hill(left: float, right: float, top: float) -> QPainterPath:
    path = QPainterPath(QPointF(left, _SEA + 1))
    middle, wide, high = (left + right) / 2, right - left, _SEA - top
    path.cubicTo(left + wide * 0.14, _SEA - high * 0.62, left + wide * 0.27, top, middle, top)
    path.cubicTo(right - wide * 0.27, top, right - wide * 0.14, _SEA - high * 0.62, right, _SEA + 1)
    return path


def _write(painter: QPainter, box: QRectF, text: str, style: str) -> None:
    t = theme.current()
    painter.setFont(t.font(style))
    painter.setPen(t.color("text.1"))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
