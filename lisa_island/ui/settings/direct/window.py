"""What every window about an agent is: a title, lines that scroll, and buttons below a line.

    AgentWindow(shell, parent)     .body  .below  .footer  .say(key)  .alive(call)  .announce(text)
        .come()                    open it over its parent, or alone; closed, it is gone for good
It is a `settings.page.Host`, so parts of the settings stand in it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.core.words import say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import PlainLabel
from lisa_island.ui.page_parts import Footer
from lisa_island.ui.page_scroll import PageScroll
from lisa_island.ui.shell import Shell

WIDTH, HEIGHT = 520, 640
SIDE = 24


class AgentWindow(QDialog):
    """Modal for its parent's window alone; it is opened, it never runs a loop."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shell = shell
        self._fitted = 0
        self._announcer = Announcer(self)
        self._title = PlainLabel("", "lead.600", wrap=True)
        self._title.setContentsMargins(SIDE, 18, SIDE, 8)
        inner = QWidget()
        self.body = QVBoxLayout(inner)
        self.body.setContentsMargins(SIDE, 0, SIDE, 16)
        self.body.setSpacing(8)
        self.pane = PageScroll(inner)
        # What must be in sight beside the buttons, however long the rest is; hidden while it is empty.
        self.standing = standing = QWidget()
        standing.hide()
        self.below = QVBoxLayout(standing)
        self.below.setContentsMargins(SIDE, 10, SIDE, 10)
        self.below.setSpacing(6)
        self.footer = Footer()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._title)
        column.addWidget(self.pane, 1)
        column.addWidget(standing)
        column.addWidget(self.footer)
        self._end: Callable[[], None] = shell.on_preferences(self.alive(self._told))
        self.destroyed.connect(lambda _=None, end=self._end: end())
        theme.watcher().changed.connect(self.update)

    def set_title(self, text: str) -> None:
        self._title.setText(text)
        self.setWindowTitle(text)

    def title(self) -> str:
        return self._title.text()

    def sizeHint(self) -> QSize:
        """As high as what is in it, up to a limit; wider where letters are large."""
        scale = min(theme.current().scale, 1.5)
        area = self.screen().availableGeometry()
        width = min(round(WIDTH * scale), area.width() - 32)
        standing = 0 if self.standing.isHidden() else self.below.totalHeightForWidth(width)
        parts = (self._title.heightForWidth(width), self.pane.heightForWidth(width), standing)
        wanted = sum(parts) + self.footer.sizeHint().height()
        return QSize(width, min(wanted, round(HEIGHT * scale), area.height() - 48))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def come(self) -> None:
        """Open it over its parent, or alone; closed, it is gone for good."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.parent() is None:
            self.show()
        else:
            self.open()
        self.raise_()
        self.activateWindow()

    def fit(self) -> None:
        """Grow when there is more in it than before; what the owner made of its size stays otherwise."""
        hint = self.sizeHint()
        if hint.height() > self._fitted:
            self._fitted = hint.height()
            self.resize(max(self.width(), hint.width()) if self.isVisible() else hint.width(), hint.height())

    def event(self, event: QEvent) -> bool:
        """Heights follow from widths: the scroll area tells of its own a moment after the window is shown."""
        if event.type() is QEvent.Type.LayoutRequest and self.isVisible():
            self.fit()
        return super().event(event)

    # --- what parts of the settings ask of their page ---

    def say(self, key: str, **values: object) -> str:
        return say(self.shell.lang, key, **values)

    def alive(self, call: Callable[..., None]) -> Callable[..., None]:
        """`call`, unless the window is gone when the answer comes."""

        def answer(*told: Any) -> None:
            if shiboken6.isValid(self):
                call(*told)

        return answer

    def bind(self, call: Callable[[Preferences], None]) -> None:
        """Call with the preferences now; what changes afterwards comes to `preferences_changed`."""
        call(self.shell.preferences)

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        """Save; `done` gets the sentence of a failure, or "" ."""

        def told(word: str) -> None:
            if done is not None:
                done(self.say(word, place="island.json", file="island.json") if word else "")

        self.shell.prefer(self.alive(told), **changes)

    def announce(self, text: str) -> None:
        """Tell assistive technology what came of an act."""
        self._announcer.say(text)

    # --- for the windows ---

    def preferences_changed(self, preferences: Preferences) -> None:
        """The owner's choices are others now."""

    def _told(self, preferences: Preferences) -> None:
        self.preferences_changed(preferences)

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current().color("surface.panel"))
