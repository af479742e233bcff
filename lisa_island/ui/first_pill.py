"""The pill's stand-in while the program is still being read: "Starting…", where the pill will stand.

    FirstPill(text, theme, positions, screen)     theme: dark, light, contrast; screen, positions as saved
        .is_drawn    .hand_over(pill)    it goes once the real one has been painted in its place

Light on purpose: two SVG renderings on a splash screen, which is frameless and takes no focus by itself.
To name Qt's flags, pens or alignments for the first time costs 20 ms, as much as all of this.
"""

import re
from pathlib import Path

import shiboken6
from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QTimer
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPixmap,
    QScreen,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QSplashScreen, QWidget

from lisa_island.ui.tokens import COLOURS, TYPE, Metrics

Positions = tuple[tuple[str, int, int], ...]

_M = Metrics()
_DEFAULT_FONT_PX = 40 / 3
_MIDDLE_GREY = 128
_BODY = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}">'
    '<rect x="{half}" y="{half}" width="{iw}" height="{ih}" rx="{r}" fill="{fill}" stroke="{edge}"'
    ' stroke-width="{line}"/>'
    '<text x="{x}" y="{y}" font-family="{family}" font-size="{px}" fill="{ink}">{text}</text></svg>'
)


def look(choice: str) -> str:
    """The owner's choice of a theme, or what the desktop's own palette looks like."""
    if choice in ("dark", "light", "contrast"):
        return choice
    is_dark = QGuiApplication.palette().window().color().lightness() < _MIDDLE_GREY
    return "dark" if is_dark else "light"


def _display(wanted: str) -> QScreen:
    """As `core.geometry.choose` does."""
    named = next((s for s in QGuiApplication.screens() if s.name() == wanted), None)
    at_pointer = QGuiApplication.screenAt(QCursor.pos()) if wanted == "pointer" else None
    return named or at_pointer or QGuiApplication.primaryScreen()


class FirstPill(QSplashScreen):
    """Lives until the pill has been painted."""

    def __init__(self, text: str, theme: str, positions: Positions, screen: str) -> None:
        display = _display(screen)
        picture = _draw(text, theme, display.devicePixelRatio())
        super().__init__(picture)
        if QGuiApplication.platformName() == "xcb":
            # Without a compositor the corners would be black.
            self.setMask(picture.mask())
        self.is_drawn = False
        self._pill: QWidget | None = None
        self._place(display, picture.width() / picture.devicePixelRatio(), positions)

    def _place(self, screen: QScreen, width: float, positions: Positions) -> None:
        """As `core.geometry.pill` does, which is not read yet."""
        area, name = screen.availableGeometry(), screen.name()
        saved = ((x, y) for display, x, y in positions if display == name)
        middle, top = next(saved, (area.width() // 2, _M.pill_top))
        self.move(area.x() + middle - int(width) // 2, area.y() + top)

    def event(self, event: QEvent) -> bool:
        """A splash screen waits a second for its own window before it lets anybody go on."""
        return QWidget.event(self, event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The picture."""
        QPainter(self).drawPixmap(0, 0, self.pixmap())
        self.is_drawn = True

    def hand_over(self, pill: QWidget) -> None:
        """The real one is about to show itself."""
        self._pill = pill
        pill.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """After its first painting there is nothing left to do here."""
        if event.type() == QEvent.Type.Paint and self._pill is not None:
            self._pill = None
            # Not from within: taking the filter away may take the last hold of this very object.
            QTimer.singleShot(0, self._leave)
        return False

    def _leave(self) -> None:
        if shiboken6.isValid(self):
            self.hide()
            self.deleteLater()


def _draw(text: str, theme: str, dpr: float) -> QPixmap:
    """The quiet pill of `ui.pill_line` with one faint line."""
    colours = {token: column[("dark", "light", "contrast").index(theme)] for token, column in COLOURS.items()}
    font, scale = _font()
    metrics = QFontMetrics(font)
    line = 2 if theme == "contrast" else 1
    left = _M.pill_pad_left + _M.pill_glyph + _M.pill_gap
    wanted = left + metrics.horizontalAdvance(text) + _M.pill_pad_right
    width = min(max(wanted, _M.pill_min), round(_M.pill_max * scale))
    px, tall, _ = TYPE["body"]
    height = max(_M.pill_height, max(round(tall * scale), metrics.height()) + _M.pill_height - tall)
    body = _BODY.format(
        w=width, h=height, half=line / 2, iw=width - line, ih=height - line, r=(height - line) / 2, line=line,
        fill=colours["surface.pill"], edge=colours["line.control"], ink=colours["text.3"], x=left,
        y=(height - metrics.height()) / 2 + metrics.ascent(), family=_escaped(font.family()),
        px=round(px * scale), text=_escaped(text),
    )  # fmt: skip
    picture = QPixmap(round(width * dpr), round(height * dpr))
    picture.setDevicePixelRatio(dpr)
    picture.fill(QColor(0, 0, 0, 0))
    painter = QPainter(picture)
    _render(painter, body, QRectF(0, 0, width, height))
    side = _M.pill_glyph
    symbol = re.sub('fill="[^"]+"', f'fill="{colours["text.3"]}"', _symbol())
    _render(painter, symbol, QRectF(_M.pill_pad_left, (height - side) / 2, side, side))
    painter.end()
    return picture


def _font() -> tuple[QFont, float]:
    """The desktop's own font at the size of the pill's line, and how much larger than usual it is."""
    own = QApplication.font()
    scale = min(max(QFontInfo(own).pixelSize() / _DEFAULT_FONT_PX, 1.0), 2.0)
    font = QFont(own.family())
    font.setPixelSize(max(1, round(TYPE["body"][0] * scale)))
    return font, scale


def _render(painter: QPainter, svg: str, area: QRectF) -> None:
    QSvgRenderer(QByteArray(svg.encode())).render(painter, area)


def _symbol() -> str:
    package = Path(__file__).parents[1]
    packed = package / "resources"
    root = packed if packed.is_dir() else package.parent / "resources"
    return (root / "icons/app/lisa-island-symbolic.svg").read_text("utf-8")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
