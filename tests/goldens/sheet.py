"""Subjects side by side in one picture, each with its words above it: fewer files, and one look at them all.

compose(subjects, columns, dpr) -> QImage      a subject is (words, picture)
picture(widget) -> QImage                      a widget as it stands, on the desk's colour
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from lisa_island.ui import theme
from tests.goldens.colours import DESK

Subject = tuple[str, QImage]

GAP = 16
CAPTION = 20


def desk() -> QColor:
    return QColor(DESK[theme.current().name])


def picture(widget: QWidget, *, ground: bool = False) -> QImage:
    """The widget with what lies on it. A masked window leaves the desk in its corners.

    `ground` is for a window that does not paint its own surface.
    """
    scale = widget.devicePixelRatioF()
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(desk())
    painter = QPainter(image)
    whole = QRegion(QRect(QPoint(), widget.size()))
    flags = QWidget.RenderFlag.DrawChildren
    widget.render(
        painter, QPoint(), whole, flags | QWidget.RenderFlag.DrawWindowBackground if ground else flags
    )
    painter.end()
    return image


def compose(subjects: Iterable[Subject], columns: int, dpr: int) -> QImage:
    """Each subject goes where its column is shortest, so that pages of all heights lie close together."""
    placed: list[tuple[QPoint, Subject]] = []
    all_of_them = list(subjects)
    width = max(_size(image).width() for _, image in all_of_them)
    depth = [GAP] * columns
    for words, image in all_of_them:
        column = depth.index(min(depth))
        placed.append((QPoint(GAP + column * (width + GAP), depth[column]), (words, image)))
        depth[column] += CAPTION + _size(image).height() + GAP
    size = QSize(GAP + columns * (width + GAP), max(depth))
    made = QImage(size * dpr, QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(dpr)
    made.fill(desk())
    painter = QPainter(made)
    for at, (words, image) in placed:
        _caption(painter, QRectF(at.x(), at.y(), width, CAPTION - 4), words)
        painter.drawImage(at + QPoint(0, CAPTION), image)
    painter.end()
    return made


def _size(image: QImage) -> QSize:
    return image.size() / image.devicePixelRatio()


def _caption(painter: QPainter, box: QRectF, words: str) -> None:
    font = QFont("Island Test")
    font.setPixelSize(11)
    painter.setFont(font)
    painter.setPen(Qt.GlobalColor.black if theme.current().name == "light" else Qt.GlobalColor.white)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
