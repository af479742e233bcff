"""What every page of the panel is made of: header, agent line, a line with a picture, footer.

PageHeader(lang)      .back .moved(int)  .set_title(text)  .set_position(i, n)   buttons are real
AgentLine()           .show_agent(badge, name, verb, below, at, state=None)
StateTag()            .show_state(shape, word, quiet)
HintLine(icon, ink)   a small sentence beside a picture; .set_text(text)
Footer()              .add(widget)  .stretch()
Badge(size)           .show_badge((kind, text))
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.core.words import say
from lisa_island.ui import assets, glyphs, theme
from lisa_island.ui.controls import Button, IconButton, PlainLabel, rounded

SIDE = 16
ARM_MS = 600
STACKED_FROM = 1.75
NAME_ROOM = 220
_ACROSS, _DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class Badge(QWidget):
    """The picture of an agent; its meaning is in the name beside it, so it has none itself."""

    def __init__(self, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._badge = ("other", "")
        self.setFixedSize(size, size)
        theme.watcher().changed.connect(self.update)

    def show_badge(self, badge: tuple[str, str]) -> None:
        if badge != self._badge:
            self._badge = badge
            self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        picture = assets.badge(*self._badge, self._size, self.devicePixelRatioF())
        QPainter(self).drawPixmap(QPoint(0, 0), picture)


class Picture(QWidget):
    """A glyph (`state/…`) or an icon (`action/…`) in one ink."""

    def __init__(self, name: str = "", size: int = 16, ink: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._size, self._ink, self._quiet = name, size, ink, False
        self.setFixedSize(size, size)
        theme.watcher().changed.connect(self.update)

    def show_picture(self, name: str, ink: str = "", quiet: bool = False) -> None:
        self._name, self._ink, self._quiet = name, ink, quiet
        self.update()

    @property
    def name(self) -> str:
        return self._name

    def paintEvent(self, _: QPaintEvent) -> None:
        if self._name:
            painter = QPainter(self)
            paint_picture(painter, QRectF(self.rect()), self._name, self._ink, self._quiet)


def paint_picture(painter: QPainter, rect: QRectF, name: str, ink: str = "", quiet: bool = False) -> None:
    """Draw `state/x` in its own colour, or anything in `ink`, in the middle of a square."""
    folder, _, shape = name.partition("/")
    token = ink or (glyphs.token(shape, quiet) if folder == "state" else "text.2")
    device = painter.device()
    dpr = device.devicePixelRatioF() if device else 1.0
    size = min(rect.width(), rect.height())
    painter.drawPixmap(rect.topLeft().toPoint(), assets.pixmap(name, size, token, dpr))


class StateTag(PlainLabel):
    """The state in its own word and shape, on its tint."""

    padding = QMargins(24, 3, 8, 3)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._shape = "idle"
        self._quiet = False
        super().__init__("", "small", "text.2", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def show_state(self, shape: str, word: str, quiet: bool = False) -> None:
        self._shape, self._quiet = shape, quiet
        self.set_ink(glyphs.word_token(shape, quiet))
        self.setText(word[:1].upper() + word[1:])  # it stands alone; inside sentences the word is small

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        fill = "surface.hover" if self._quiet else glyphs.tint(self._shape)
        line = t.color("line.subtle") if t.name == "contrast" else None
        rounded(painter, QRectF(self.rect()), t.radius("r.tag"), t.color(fill), line, t.line_width)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - 20 if mirrored else 8
        area = QRectF(left, (self.height() - 12) / 2, 12, 12)
        glyphs.paint(painter, area, self._shape, t, self._quiet)
        painter.end()
        super().paintEvent(event)


class PageHeader(QWidget):
    """The page's first line: back, title, and where it stands among its neighbours."""

    back = Signal()
    moved = Signal(int)

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lang = lang
        self._back = IconButton("action/back", say(lang, "answer.back"))
        self._title = PlainLabel("", "body.600", elide="end")
        self._position = PlainLabel("", "body", "text.3")
        self.previous = IconButton("action/collapse", say(lang, "answer.previous"))
        self.next = IconButton("action/expand", say(lang, "answer.next"))
        self._back.clicked.connect(self.back)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self._back)
        row.addSpacing(4)
        row.addWidget(self._title, 1)
        for widget in (self._position, self.previous, self.next):
            row.addWidget(widget)
        self.set_position(0, 0)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedHeight(theme.current().height(theme.current().metrics.panel_header))

    def title(self) -> str:
        return self._title.text()

    def set_title(self, text: str) -> None:
        self._title.setText(text)

    def position(self) -> str:
        return self._position.text()

    def set_position(self, i: int, n: int) -> None:
        """The i-th of n; nothing is shown where there is nowhere to go."""
        self._position.setText(say(self._lang, "card.position", i=i, n=n) if n else "")
        for widget in (self._position, self.previous, self.next):
            widget.setVisible(n > 0)
        for button in (self.previous, self.next):
            button.setEnabled(n > 1)

    def focus_back(self) -> None:
        self._back.setFocus(Qt.FocusReason.OtherFocusReason)


class AgentLine(QWidget):
    """Badge, the agent in bold with what it does, and below it where; the time at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        m = theme.current().metrics
        self._badge = Badge(m.badge_large)
        self._name = NameLabel("lead.600", NAME_ROOM)
        self._verb = PlainLabel("", "lead", "text.2", elide="end")
        self._tag = StateTag()
        self._below = PlainLabel("", "small", "text.2", elide="end")
        self._at = PlainLabel("", "small", "text.3")
        self._first = QBoxLayout(_ACROSS)
        self._first.setSpacing(5)
        for widget in (self._name, self._verb, self._tag):
            self._first.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._first.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(self._first)
        column.addWidget(self._below)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE, 6, SIDE, 6)
        row.setSpacing(10)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(column, 1)
        row.addWidget(self._at, 0, Qt.AlignmentFlag.AlignTop)
        theme.watcher().changed.connect(self._arrange)
        self._arrange()

    def _arrange(self) -> None:
        """How name and state stand: beside one another while letters leave the room for it."""
        self._first.setDirection(_DOWN if is_stacked() else _ACROSS)

    def show_agent(
        self,
        badge: tuple[str, str],
        name: str,
        verb: str = "",
        below: str = "",
        at: str = "",
        state: tuple[str, str, bool] | None = None,
    ) -> None:
        """`state` is (shape, word, quiet) for a tag instead of a verb."""
        self._badge.show_badge(badge)
        self._name.setText(name)
        self._verb.setText(verb)
        self._verb.setVisible(bool(verb))
        self._below.setText(below)
        self._at.setText(at)
        self._tag.setVisible(state is not None)
        if state is not None:
            self._tag.show_state(*state)

    def words(self) -> str:
        """All it says, for tests and screen readers."""
        labels = (self._name, self._verb, self._below, self._at)
        return " ".join(label.text() for label in labels if label.text())


class HintLine(QWidget):
    """A small sentence with a picture before it."""

    def __init__(self, icon: str = "action/info", ink: str = "text.3", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = Picture(icon, 16, ink)
        self._label = PlainLabel("", "small", "text.2", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._label, 1)

    def text(self) -> str:
        return self._label.text()

    def set_text(self, text: str) -> None:
        self._label.setText(text)
        self.setVisible(bool(text))


class NameLabel(PlainLabel):
    """A name that keeps its room beside words that may be cut; very long ones lose their middle."""

    def __init__(self, style: str, room: int) -> None:
        self._room = room
        super().__init__("", style, elide="middle")

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), self._room), hint.height())


def is_stacked() -> bool:
    """Whether letters are so large that buttons stand below one another."""
    return theme.current().scale >= STACKED_FROM


_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Footer(QWidget):
    """The buttons of a page below a line: leading ones, then, after `stretch`, the deciding ones.

    Where they do not fit beside one another the deciding ones take a line of their own; where letters are
    very large each button has its own.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QBoxLayout(_ACROSS, self)
        self._rows.setContentsMargins(12, 12, 12, 12)
        self._lead = QBoxLayout(_ACROSS)
        self._trail = QBoxLayout(_ACROSS)
        for row in (self._rows, self._lead, self._trail):
            row.setSpacing(theme.current().metrics.target_gap)
        self._rows.addLayout(self._lead, 1)
        self._target = self._lead
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._arrange)
        self._arrange()

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        self._target.addWidget(widget, stretch)

    def stretch(self) -> None:
        """What is added from here on stands at the trailing edge."""
        self._lead.addStretch(1)
        self._trail.addStretch(1)
        self._rows.addLayout(self._trail)
        self._target = self._trail

    def _arrange(self) -> None:
        inner = _DOWN if is_stacked() else _ACROSS
        outer = _DOWN if is_stacked() or self._needs() > self.width() else _ACROSS
        changed = self._rows.direction() is not outer or self._lead.direction() is not inner
        self._rows.setDirection(outer)
        self._lead.setDirection(inner)
        self._trail.setDirection(inner)
        if changed:
            self.updateGeometry()

    def _needs(self) -> int:
        """The width of everything beside one another."""
        shown = [w for w in self.findChildren(QWidget, options=_DIRECT) if not w.isHidden()]
        gaps = self._rows.spacing() * max(0, len(shown) - 1)
        return sum(w.sizeHint().width() for w in shown) + gaps + 24

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        # The widest button; the rest finds its line.
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        t = theme.current()
        return QSize(super().sizeHint().width(), max(t.height(t.metrics.footer), super().sizeHint().height()))

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        QPainter(self).fillRect(0, 0, self.width(), t.line_width, t.color("line.subtle"))


def put_after(before: QWidget, *widgets: QWidget) -> None:
    """Tab comes to these after `before`, though they were made later; all take the focus."""
    for widget in widgets:
        QWidget.setTabOrder(before, widget)
        before = widget


def clear(layout: QLayout) -> None:
    """Let every widget of a layout go."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()


class ConfirmBar(QWidget):
    """Asks once before something that cannot be taken back. The deciding button is inert for a moment."""

    confirmed = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel("", "small", "text.2", wrap=True)
        self.cancel = Button(" ", "outline", tall=True)
        self.do = Button(" ", "danger", tall=True, arm_ms=ARM_MS)
        self.cancel.clicked.connect(self.cancelled)
        self.do.clicked.connect(self.confirmed)
        row = QBoxLayout(_DOWN if is_stacked() else _ACROSS)
        row.setSpacing(theme.current().metrics.target_gap)
        row.addWidget(self.cancel)
        row.addStretch(1)
        row.addWidget(self.do)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        column.addWidget(self._label)
        column.addLayout(row)
        self.hide()

    def text(self) -> str:
        return self._label.text()

    def ask(self, text: str, cancel: str, do: str, *, danger: bool = True) -> None:
        """Show the question; the focus goes to the way out, never to the deed."""
        self._label.setText(text)
        self.cancel.setText(cancel)
        self.do.setText(do)
        self.do.set_kind("danger" if danger else "primary")
        self.show()
        self.do.arm()
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        QPainter(self).fillRect(0, 0, self.width(), t.line_width, t.color("line.subtle"))
