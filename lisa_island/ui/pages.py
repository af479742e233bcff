"""The pages of the panel: one is seen, a page turns in 140 ms, and the size asked for is the seen page's."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QEvent, QPointF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lisa_island.ui import theme

PAGE_SLIDE = 16
ENTER_SLIDE = 6


class Veil(QWidget):
    """Paints a moving picture of a page over it for a moment; takes no clicks and then is gone.

    Below it the page itself is not painted: it would be with every step, for nobody.
    """

    def __init__(self, over: QWidget, page: QWidget, way: QPointF, motion: str, leaving: bool) -> None:
        super().__init__(over)
        self._page, self._way, self._leaving = page, way, leaving
        self._stale = False
        self._take_picture()
        self._at = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(over.rect())
        self.animation = QVariantAnimation(self)
        self.animation.setStartValue(0.0)
        self.animation.setEndValue(1.0)
        self.animation.setDuration(theme.current().motion(motion))
        curve = QEasingCurve.Type.InCubic if leaving else QEasingCurve.Type.OutCubic
        self.animation.setEasingCurve(curve)
        self.animation.valueChanged.connect(self._moved)

    def _take_picture(self) -> None:
        self._page.setUpdatesEnabled(True)
        self._picture = self._page.grab()
        self._page.setUpdatesEnabled(False)

    def end(self) -> None:
        """Uncover the page."""
        self.animation.stop()
        self._page.setUpdatesEnabled(True)
        self.hide()
        self.deleteLater()

    def start(self) -> None:
        self.show()
        self.raise_()
        self.animation.start()

    def content_changed(self) -> None:
        """The page says something else by now: the next frame shows it."""
        self._stale = True

    def _moved(self, value: float) -> None:
        if self._stale:
            self._stale = False
            self._take_picture()
        self._at = value
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        t = theme.current()
        # The window's corners stay round while its content moves.
        corners = QPainterPath()
        corners.addRoundedRect(self.rect(), t.radius("r.panel") - 1, t.radius("r.panel") - 1)
        painter.setClipPath(corners)
        painter.fillRect(self.rect(), t.color("surface.panel"))
        left = self._at if self._leaving else 1 - self._at
        painter.setOpacity(1 - left)
        painter.drawPixmap(self._way * left, self._picture)


class Pages(QWidget):
    """Widgets by name; `main` is where `back` ends."""

    turned = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, QWidget] = {}
        self._order: list[str] = []
        self._veil: Veil | None = None
        self._then: Callable[[], None] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, name: str, page: QWidget) -> None:
        """Take a page in; the first one is seen."""
        page.setParent(self)
        self._pages[name] = page
        page.setVisible(not self._order)
        if not self._order:
            self._order = [name]
        self._place()

    def __contains__(self, name: str) -> bool:
        return name in self._pages

    @property
    def current(self) -> str:
        return self._order[-1] if self._order else ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._pages)

    def page(self, name: str) -> QWidget:
        return self._pages[name]

    def turn(self, name: str) -> int:
        """Show a page: 1 forward, -1 where it lay on the way back, 0 when it is seen already. KeyError."""
        page, before = self._pages[name], self._pages[self.current]
        if page is before:
            return 0
        self.drop_veil()
        forward = name not in self._order
        self._order = [*self._order, name] if forward else self._order[: self._order.index(name) + 1]
        before.hide()
        self._place()
        page.show()
        self.updateGeometry()
        self.turned.emit(name)
        return 1 if forward else -1

    @property
    def before(self) -> str:
        """Where the way back leads, "" on the first page."""
        return self._order[-2] if len(self._order) > 1 else ""

    def veil(
        self, way: QPointF, motion: str, *, leaving: bool = False, then: Callable[[], None] | None = None
    ) -> None:
        """Let the content come in (or leave) by `way`; `then` is called at its end, unless taken back."""
        self.drop_veil()
        self._veil = veil = Veil(self, self._pages[self.current], way, motion, leaving)
        self._then = then
        veil.animation.finished.connect(self.end_veil)
        veil.start()

    def content_changed(self) -> None:
        """Something on the seen page is different: a motion must not show how it was."""
        if self._veil is not None:
            self._veil.content_changed()

    def end_veil(self) -> None:
        """Be at the end of the motion now."""
        then = self._then
        if self.drop_veil() and then is not None:
            then()

    def drop_veil(self) -> bool:
        """Take the motion back: its end does not come. False when nothing moved."""
        veil, self._veil, self._then = self._veil, None, None
        if veil is None:
            return False
        veil.end()
        return True

    def _place(self) -> None:
        if self._order:
            self._pages[self.current].setGeometry(self.rect())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self.end_veil()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """What the seen page needs at this width."""
        page = self._pages[self.current] if self._order else None
        if page is None:
            return 0
        needed = page.heightForWidth(width) if page.hasHeightForWidth() else -1
        return max(needed, page.minimumSizeHint().height()) if needed >= 0 else page.sizeHint().height()

    def sizeHint(self) -> QSize:
        width = theme.current().metrics.panel_width
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)
