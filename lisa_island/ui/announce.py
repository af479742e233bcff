"""Says a sentence to assistive technology without moving the focus.

At most one in two seconds: what comes sooner waits, and only the newest is said then. No timer runs while
nothing waits.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

PAUSE_MS = 2000


class Announcer(QObject):
    """`say(text)` speaks for the widget it belongs to."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._since = QElapsedTimer()
        self._next = ""
        self._urgent = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._speak)
        self.said: list[str] = []

    def say(self, text: str, *, urgent: bool = False) -> None:
        """Polite, or assertive when it is urgent. Nothing happens where nobody listens."""
        self._next, self._urgent = text, urgent or self._urgent
        passed = self._since.elapsed() if self._since.isValid() else PAUSE_MS
        if passed >= PAUSE_MS:
            self._speak()
        elif not self._timer.isActive():
            self._timer.start(PAUSE_MS - passed)

    def _speak(self) -> None:
        text, self._next = self._next, ""
        if not text:
            return
        self._since.restart()
        self.said = [*self.said[-7:], text]
        event = QAccessibleAnnouncementEvent(self._widget, text)
        polite, assertive = (
            QAccessible.AnnouncementPoliteness.Polite,
            QAccessible.AnnouncementPoliteness.Assertive,
        )
        event.setPoliteness(assertive if self._urgent else polite)
        self._urgent = False
        QAccessible.updateAccessibility(event)
