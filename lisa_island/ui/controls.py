"""Small controls of the design, all real widgets with a role and a name. Import them from here.

All text is plain, all follow `theme.watcher().changed`. Names are accessible names, in the user's language.

    Button(text, kind="outline", *, icon="", tall=False, arm_ms=0, parent=None)
        kind: primary | outline | quiet | danger; 28 px high, tall = 32 (footers); icon: "action/jump"
        .clicked  .setText(text)  .set_kind(kind)  .arm(ms=None)  .is_inert() -> bool  .ready (no more inert)
        arm_ms: inert (not greyed) for so long after each show and each changed text; call arm() when the
        card moves or changes
    IconButton(icon, accessible_name, *, size=32, icon_size=20, ink="text.2", arm_ms=0, parent=None)
        .set_icon(icon, accessible_name)   setCheckable(True): the accent ink when checked
    Switch(accessible_name, *, parent=None)            .toggled(bool)  .isChecked()  .setChecked(bool)
    CheckBox(text="", *, accessible_name="", parent=None)
    Select(accessible_name, *, parent=None)            a QComboBox: .addItem(text, data)  .currentData()
    Field(accessible_name, *, text="", placeholder="", icon="", mono=False, parent=None)   a QLineEdit
    TextBox(accessible_name, *, placeholder="", min_lines=2, max_lines=8, mono=False, read_only=False,
        parent=None)
        a QPlainTextEdit  .submitted (Signal: Ctrl+Enter, on macOS Command)  .lines() -> int
    PlainLabel(text="", style="body", ink="text.1", *, elide="none"|"end"|"middle", wrap=False, max_lines=0,
        parent=None)   .setText(text)  .set_ink(token)  .setContentsMargins(l, t, r, b): they stay
        wrap breaks long words anywhere; what is cut stands in the tooltip and always in the accessible name
    Tag(text, shape="", *, filled=False, parent=None)  shape: a state of `glyphs`, or "" for neutral
    Banner(kind, text, button="", *, parent=None)
        kind: neutral | waiting | error | working | done | unknown | offline
        .button -> Button | None   .set_text(text)   .text() -> str
    Card(kind="plain", *, parent=None)                 kind: plain | waiting | inset; a QFrame
        .set_kind(kind)
    Separator(*, vertical=False, parent=None)
    plain_tooltip(text) -> str                         pass every text to setToolTip through this
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from lisa_island.ui import assets, glyphs, theme
from lisa_island.ui.buttons import Button, IconButton, Kind
from lisa_island.ui.checks import CheckBox, Switch
from lisa_island.ui.fields import Field, Select, TextBox
from lisa_island.ui.labels import PlainLabel, Tag, plain_tooltip
from lisa_island.ui.paint import FocusRing, KeyboardRing, rounded

__all__ = [
    "Banner",
    "Button",
    "Card",
    "CheckBox",
    "Field",
    "FocusRing",
    "IconButton",
    "KeyboardRing",
    "Kind",
    "PlainLabel",
    "Select",
    "Separator",
    "Switch",
    "Tag",
    "TextBox",
    "plain_tooltip",
    "rounded",
]

CardKind = Literal["plain", "waiting", "inset"]
BannerKind = Literal["neutral", "waiting", "error", "working", "done", "unknown", "offline"]
_CARDS = {
    "plain": ("surface.card", "line.subtle"),
    "waiting": ("tint.waiting", "line.waiting"),
    "inset": ("surface.inset", "line.subtle"),
}


class Card(QFrame):
    """A rounded box that holds other widgets."""

    told_as = QAccessible.Role.Grouping

    def __init__(self, kind: CardKind = "plain", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: CardKind = kind
        self.setFrameShape(QFrame.Shape.NoFrame)
        theme.watcher().changed.connect(self.update)

    @property
    def kind(self) -> CardKind:
        return self._kind

    def set_kind(self, kind: CardKind) -> None:
        self._kind = kind
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        fill, line = _CARDS[self._kind]
        radius = t.radius("r.control" if self._kind == "inset" else "r.card")
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), radius, t.color(fill), t.color(line), t.line_width)


class Banner(QFrame):
    """A sentence that stays until it is no longer true, with its glyph and perhaps one button."""

    told_as = QAccessible.Role.Grouping

    def __init__(
        self, kind: BannerKind, text: str, button: str = "", *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._label = PlainLabel(text, "small", "text.2", wrap=True)
        self.button = Button(button) if button else None
        row = QHBoxLayout(self)
        row.setContentsMargins(38, 10, 12, 10)
        row.setSpacing(12)
        row.addWidget(self._label, 1)
        if self.button:
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        theme.watcher().changed.connect(self.update)

    @property
    def kind(self) -> BannerKind:
        return self._kind

    def text(self) -> str:
        return self._label.text()

    def set_text(self, text: str) -> None:
        self._label.setText(text)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        plain = self._kind == "neutral"
        fill = t.color("surface.hover" if plain else glyphs.tint(self._kind))
        line = t.color("line.subtle") if t.name == "contrast" else None
        rounded(painter, QRectF(self.rect()), t.radius("r.banner"), fill, line, t.line_width)
        dpr = self.devicePixelRatioF()
        picture = (
            assets.pixmap("action/info", 18, "text.2", dpr, t)
            if plain
            else glyphs.glyph(self._kind, 16, dpr, t)
        )
        side = 18 if plain else 16
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        top = self._label.y() + (t.line_height("small") - side) // 2
        painter.drawPixmap(QPoint(self.width() - 12 - side if mirrored else 12, top), picture)


class Separator(QWidget):
    """A line between parts: decoration, so assistive technology is told nothing."""

    def __init__(self, *, vertical: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vertical = vertical
        fixed, wide = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(fixed if vertical else wide, wide if vertical else fixed)
        theme.watcher().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = theme.current().line_width
        return QSize(width, width)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current().color("line.subtle"))
