"""Pill and panel in one picture, drawn by the widgets themselves: works on any platform, also offscreen."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from lisa_island.ui import theme

MARGIN = 32
GAP = 8


def compose(pill: QWidget, panel: QWidget) -> QImage:
    """The pill above the panel, on the desk's colour, as sharp as its screen."""
    scale = panel.devicePixelRatioF()
    size = QSize(
        max(pill.width(), panel.width()) + 2 * MARGIN, pill.height() + GAP + panel.height() + 2 * MARGIN
    )
    image = QImage(size * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(theme.current().color("surface.hover"))
    painter = QPainter(image)
    _draw(painter, pill, (size.width() - pill.width()) // 2, MARGIN)
    _draw(painter, panel, (size.width() - panel.width()) // 2, MARGIN + pill.height() + GAP)
    painter.end()
    return image


def _draw(painter: QPainter, widget: QWidget, x: int, y: int) -> None:
    flags = QWidget.RenderFlag.DrawChildren
    widget.render(painter, QPoint(x, y), QRect(QPoint(), widget.size()), flags)
