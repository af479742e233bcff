"""Whether words have the room they need: what is cut must say so, and be whole in tooltip and name.

clipped(window) -> list of what is wrong
stretch(monkeypatch)   every word of the catalogue as long as other languages make it: +40 %, long ones +30 %
"""

from __future__ import annotations

from math import ceil
from typing import TypeVar

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractScrollArea, QStackedLayout, QWidget

from lisa_island.core import words
from lisa_island.ui.buttons import Button
from lisa_island.ui.checks import CheckBox
from lisa_island.ui.fields import Select
from lisa_island.ui.labels import PlainLabel

SHORT = 20
T = TypeVar("T", bound=QWidget)


def stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer(text: str, pad: str) -> str:
        more = ceil(len(text) * (0.4 if len(text) <= SHORT else 0.3))
        return text + (pad * more)[:more]

    known = {k: (longer(en, " oe"), longer(zh, "长")) for k, (en, zh) in words.catalogue().items()}
    monkeypatch.setattr(words, "catalogue", lambda: known)


def clipped(window: QWidget) -> list[str]:
    found = [
        f"{b.text()!r} is cut" for b in seen(window, Button) if is_cut(b) and b.text() not in b.toolTip()
    ]
    for label in seen(window, PlainLabel):
        if label.text() and not label.is_cut() and not fits(label):
            found.append(f"{label.text()!r} in {_size(label)}, needs {label.sizeHint()}")
        if label.is_cut() and not (label.toolTip() and label.accessibleName()):
            found.append(f"{label.text()!r} is cut in silence")
    for box in seen(window, CheckBox):
        if box.text() and box.width() < box.sizeHint().width():
            found.append(f"{box.text()!r} is cut")
    for select in seen(window, Select):
        if select.width() < min(select.sizeHint().width(), _room(select)):
            found.append(f"{select.currentText()!r} is cut")
    found += [f"{_name(w)} sticks out" for w in seen(window, QWidget) if sticks_out(w)]
    for widget in [window, *seen(window, QWidget)]:
        found += lying_over(widget)
    return found + beyond_the_screen(window)


def seen(window: QWidget, kind: type[T]) -> list[T]:
    return [w for w in window.findChildren(kind) if w.isVisible()]


def is_cut(button: Button) -> bool:
    return QFontMetrics(button._font()).horizontalAdvance(button.text()) > button._room()


def fits(label: PlainLabel) -> bool:
    if label.wordWrap():
        return label.height() >= label.heightForWidth(label.width())
    return label.width() >= label.sizeHint().width() and label.height() >= label.sizeHint().height()


def sticks_out(widget: QWidget) -> bool:
    """Out of its parent sideways; downwards things may scroll."""
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or widget.inherits("QFocusFrame"):
        return False
    here = QRect(widget.pos(), widget.size())
    return here.left() < 0 or here.right() > parent.rect().right()


def lying_over(widget: QWidget) -> list[str]:
    """Parts of one layout that lie on one another, or below the end of what holds them."""
    layout = widget.layout()
    if layout is None or isinstance(widget, QAbstractScrollArea):
        return []
    items = (layout.itemAt(i) for i in range(layout.count()))
    parts = [w for item in items if item and (w := item.widget()) and w.isVisible()]
    found = [
        f"{_name(a)} lies over {_name(b)}"
        for i, a in enumerate(parts)
        for b in parts[i + 1 :]
        if a.geometry().intersects(b.geometry()) and not isinstance(layout, QStackedLayout)
    ]
    return found + [
        f"{_name(w)} ends below its parent" for w in parts if w.geometry().bottom() > widget.height()
    ]


def beyond_the_screen(window: QWidget) -> list[str]:
    area = window.screen().availableGeometry().size()
    size = window.size()
    big = size.width() > area.width() or size.height() > area.height()
    return [f"{size} is larger than the screen, {area}"] if big else []


def _room(select: Select) -> int:
    parent = select.parentWidget()
    return parent.width() if parent is not None else 0


def _size(widget: QWidget) -> str:
    return f"{widget.width()} x {widget.height()}"


def _name(widget: QWidget) -> str:
    parent = type(widget.parentWidget()).__name__
    return f"{type(widget).__name__} in {parent} {widget.accessibleName()!r} {_size(widget)}"
