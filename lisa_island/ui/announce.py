"""Says a sentence to assistive technology without moving the focus. What and when: `core.announcing`.

    Announcer(widget).say(text, about=About.OUTCOME, *, urgent=False)      .tell(sentence)
        .said      what was said through it, the last eight
    hush()         forget the pause and what waits (tests begin in silence)

There is one voice for all windows. No timer runs while nothing waits.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QElapsedTimer, QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from lisa_island.core.announcing import About, Sentence, Spoken, Voice, due, heard, wait


def announce(widget: QWidget, spoken: Spoken) -> None:
    """Hand it to the desktop's bridge; nothing happens where nobody listens."""
    event = QAccessibleAnnouncementEvent(widget, spoken.text)
    kinds = QAccessible.AnnouncementPoliteness
    event.setPoliteness(kinds.Assertive if spoken.assertive else kinds.Polite)
    QAccessible.updateAccessibility(event)


class Announcer(QObject):
    """Speaks for the widget it belongs to."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.widget = widget
        self.said: list[str] = []
        self.destroyed.connect(_mouth.someone_left)

    def say(self, text: str, about: About = About.OUTCOME, *, urgent: bool = False) -> None:
        """Polite, or assertive when it is urgent."""
        self.tell(Sentence(text, about, urgent=urgent))

    def tell(self, sentence: Sentence) -> None:
        _mouth.hear(self, sentence)


class _Mouth:
    """The voice of the whole program; a timer only while something waits."""

    def __init__(self) -> None:
        self._voice = Voice()
        self._clock = QElapsedTimer()
        self._timer: QTimer | None = None
        self._speakers: list[Announcer] = []

    def hear(self, speaker: Announcer, sentence: Sentence) -> None:
        self._voice, spoken = heard(self._voice, sentence, self._now())
        self._speakers.append(speaker)
        self._speak(spoken)

    def hush(self) -> None:
        self._voice = Voice()
        self._speak(None)

    def _now(self) -> int:
        if not self._clock.isValid():
            self._clock.start()
        return self._clock.elapsed()

    def _speak(self, spoken: Spoken | None) -> None:
        """Through the last one who had something to say and is still there."""
        if spoken is not None and self._speakers:
            speaker = self._speakers[-1]
            speaker.said = [*speaker.said[-7:], spoken.text]
            announce(speaker.widget, spoken)
        ms = wait(self._voice, self._now())
        self._end_timer()
        if ms is None:
            self._speakers = []
            return
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._due)
        self._timer.start(ms)

    def _due(self) -> None:
        self._voice, spoken = due(self._voice, self._now())
        self._speak(spoken)

    def someone_left(self) -> None:
        self._speakers = [s for s in self._speakers if shiboken6.isValid(s)]
        if not self._speakers:
            self._voice = Voice(self._voice.said_at)
            self._end_timer()

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None


_mouth = _Mouth()


def hush() -> None:
    """Silence, as at the start."""
    _mouth.hush()
