"""The panel's header: the pill's own line once more, and the icons at its end.

PanelHeader(shell)
    .set_view(view, step)   .set_pinned(on)
    pill_clicked()  nudged(dx, dy)  centred()  pin_toggled(bool)  settings_asked()  menu_opened(QMenu)
    menu_asked(QPoint)      the pill's menu, for the right click
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from lisa_island.core.pill import PillView
from lisa_island.core.words import say
from lisa_island.ui import pill_line, theme
from lisa_island.ui.controls import IconButton, KeyboardRing
from lisa_island.ui.mute import quiet_line
from lisa_island.ui.mute_menu import mute_menu
from lisa_island.ui.pill import ARROWS
from lisa_island.ui.shell import Shell


class PillTwin(KeyboardRing, QPushButton):
    """The pill where the keyboard can reach it: the pill's window itself never has the focus."""

    told_as = QAccessible.Role.Button

    nudged = Signal(int, int)
    centred = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PillView()
        self._step = 0
        self.setFlat(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self.update)

    def set_view(self, view: PillView, step: int = 0) -> None:
        view = replace(view, shrunk=False)
        if (view, step) != (self.view, self._step):
            self.view, self._step = view, step
            self.setAccessibleName(view.name)
            self._refit_ring()
            self.update()

    def told_states(self) -> dict[str, bool]:
        """What it expands into stands around it."""
        return {"expandable": True, "expanded": True}

    def told_press(self) -> None:
        """As a click."""
        self.click()

    def focus_shape(self) -> tuple[QRectF, float]:
        t = theme.current()
        line = pill_line.layout(self.view, t, self.width()).width
        left = self.width() - line if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0
        return QRectF(left - 2, 3, line + 6, self.height() - 6), t.radius("r.control.s")

    def sizeHint(self) -> QSize:
        t = theme.current()
        return QSize(120, t.height(t.metrics.icon_button))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        line = pill_line.layout(self.view, t, self.width())
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        pill_line.paint(painter, QRectF(self.rect()), line, t, self._step, mirrored)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if way := ARROWS.get(Qt.Key(event.key())):
            self.nudged.emit(*way)
        elif event.key() == Qt.Key.Key_Home:
            self.centred.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class PanelHeader(QWidget):
    """48 px: line, pin, bell, settings."""

    pill_clicked = Signal()
    nudged = Signal(int, int)
    centred = Signal()
    pin_toggled = Signal(bool)
    settings_asked = Signal()
    menu_opened = Signal(QMenu)
    menu_asked = Signal(QPoint)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.twin = PillTwin()
        self.pin = IconButton("action/pin", "pin")
        self.pin.setCheckable(True)
        self.bell = IconButton("action/bell", "bell")
        self.settings = IconButton("action/settings", "settings")
        row = QHBoxLayout(self)
        m = theme.current().metrics
        row.setContentsMargins(m.row_pad, 0, m.card_margin, 0)
        row.setSpacing(m.card_margin)
        row.addWidget(self.twin, 1)
        for button in (self.pin, self.bell, self.settings):
            row.addWidget(button)
        self.twin.clicked.connect(self.pill_clicked)
        self.twin.nudged.connect(self.nudged)
        self.twin.centred.connect(self.centred)
        self.pin.toggled.connect(self._pinned)
        self.bell.clicked.connect(self._mute)
        self.settings.clicked.connect(self.settings_asked)
        self.translate()

    def sizeHint(self) -> QSize:
        t = theme.current()
        return QSize(t.metrics.panel_width, t.height(t.metrics.panel_header))

    def minimumSizeHint(self) -> QSize:
        # The list gives way where room is short, never the pill's own line.
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def translate(self) -> None:
        """Say everything in the language of now."""
        lang = self._shell.lang
        self.pin.set_icon("action/pin", say(lang, "panel.unpin" if self.pin.isChecked() else "panel.pin"))
        self.pin.setAccessibleName(say(lang, "panel.pin"))  # that it is on is told as its state
        self.settings.set_icon("action/settings", say(lang, "panel.settings"))
        self._quiet = self._shell.quiet()
        why = quiet_line(self._quiet, lang, self._shell.now())
        self.bell.set_icon("action/mute" if why else "action/bell", why or say(lang, "menu.mute"))

    def set_view(self, view: PillView, step: int = 0) -> None:
        self.twin.set_view(view, step)
        if self._shell.quiet() != self._quiet:
            self.translate()

    def set_pinned(self, on: bool) -> None:
        """Follow the machine without asking it again."""
        before = self.pin.blockSignals(True)
        self.pin.setChecked(on)
        self.pin.blockSignals(before)
        self.translate()

    def _pinned(self, on: bool) -> None:
        self.translate()
        self.pin_toggled.emit(on)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_asked.emit(event.globalPos())

    def _mute(self) -> None:
        menu = mute_menu(self._shell, self)
        menu.aboutToHide.connect(menu.deleteLater)
        self.menu_opened.emit(menu)
        menu.popup(self.bell.mapToGlobal(QPoint(0, self.bell.height() + 4)))
