"""About: name, versions, licences, and what works on this computer."""

from __future__ import annotations

import platform

from PySide6.QtCore import QSize, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island import __version__
from lisa_island.core.words import has
from lisa_island.ui import assets
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import Row, heading

# Said on another page, or above.
_ELSEWHERE = frozenset({"fact.version", "fact.home", "fact.rows", "fact.size", "fact.agent-calls"})
SHORT = 44
PICTURE = 64


class Picture(QWidget):
    """The app's own icon: decoration."""

    def sizeHint(self) -> QSize:
        return QSize(PICTURE, PICTURE)

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, assets.app_pixmap(PICTURE, self.devicePixelRatioF()))


class AboutPage(Page):
    NAME = "about"
    ICON = "action/info"

    welcome_requested = Signal()

    def build(self) -> None:
        self._head()
        self.row("settings.licences")
        start = Button(self.say("settings.welcome.start"))
        start.setObjectName("welcome")
        start.setAccessibleName(self.say("settings.welcome"))
        start.clicked.connect(self.welcome_requested)
        self.row("settings.welcome", start)
        self.add(heading(self.say("settings.check")))
        self._facts: tuple[tuple[str, str], ...] | None = None
        self.facts = QVBoxLayout()
        self.facts.setSpacing(0)
        self.column.addLayout(self.facts)
        self.shown()

    def _head(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(PlainLabel(self.say("settings.about.name"), "lead.600"))
        version = PlainLabel(self.say("settings.about.version", version=__version__), "body", "text.2")
        version.setObjectName("version")
        words.addWidget(version)
        parts = {
            "qt": qVersion(),
            "python": platform.python_version(),
            "platform": QGuiApplication.platformName(),
        }
        words.addWidget(PlainLabel(self.say("settings.about.runs-on", **parts), "small", "text.3", wrap=True))
        words.addStretch(1)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 12)
        head.setSpacing(16)
        picture = Picture()
        picture.setFixedSize(PICTURE, PICTURE)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addLayout(words, 1)
        self.column.addLayout(head)

    def shown(self) -> None:
        """Show the self-check of this moment."""
        facts = tuple(f for f in self.shell.data_facts() if f[0] not in _ELSEWHERE)
        if facts == self._facts:
            return
        self._facts = facts
        while item := self.facts.takeAt(0):
            if old := item.widget():
                old.deleteLater()
        for key, value in facts:
            self.facts.addWidget(self._fact(key, value))
        if not facts:
            self.facts.addWidget(PlainLabel(self.say("settings.check.none"), "small", "text.2", wrap=True))

    def _fact(self, key: str, value: str) -> Row:
        shown = self.say(value) if has(value) else value
        name = self.say(key) if has(key) else key
        if len(shown) > SHORT:
            return Row(name, shown)
        return Row(name, "", PlainLabel(shown, "body", "text.2", elide="end"))
