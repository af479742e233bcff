"""The first run in three steps: what it is, remote agents if there are any, how it may reach the owner.

    Welcome(shell, parent=None)      a QDialog; show it, do not execute it
        .finished(int)               over, however it ended: finished, skipped, closed (QDialog's own signal)

Nothing is switched on but what the owner switches on here. However it ends, `preferences.welcomed` is set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QSystemTrayIcon,
    QVBoxLayout,
    QWidget,
)

from lisa_island.core.agent import KeyState
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.words import say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import Button, PlainLabel, Switch
from lisa_island.ui.paint import rounded
from lisa_island.ui.settings.address_box import AGENT
from lisa_island.ui.settings.key_box import KeyBox
from lisa_island.ui.settings.rows import Row, Sentence
from lisa_island.ui.shell import Shell
from lisa_island.ui.welcome_picture import WelcomePicture

STEPS = 3
MARGIN = 32
_DESKTOP = ("notify_input", "notify_auth", "notify_failed")


class Dots(QWidget):
    """Where we are: the present step is a bar, the others are dots."""

    def __init__(self) -> None:
        super().__init__()
        self._step = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self.update)

    def show_step(self, step: int, name: str) -> None:
        self._step = step
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(18 + (STEPS - 1) * 12, 28)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        left, top = 0.0, self.height() / 2 - 3
        for i in range(STEPS):
            wide = 18.0 if i == self._step else 6.0
            ink = t.color("accent" if i == self._step else "line.control")
            rounded(painter, QRectF(left, top, wide, 6), 3, ink)
            left += wide + 6


class Welcome(QDialog):
    """See the module. Implements `settings.page.Host` for the key's line."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shell = shell
        self._bound: list[Callable[[Preferences], None]] = []
        self._announcer = Announcer(self)
        self.setWindowTitle(self.say("welcome.window"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.stack = QStackedWidget()
        for make in (self._what, self._remote, self._reach):
            self.stack.addWidget(make())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        self.problem = Sentence()
        self.problem.setContentsMargins(MARGIN, 0, MARGIN, 8)
        column.addWidget(self.problem)
        column.addWidget(self._footer())
        m = theme.current().metrics
        self.setMinimumSize(m.onboarding_width, m.onboarding_height)
        self.resize(m.onboarding_width, m.onboarding_height)
        ends = (
            shell.on_preferences(self._show_preferences),
            shell.store.subscribe(self._roster_changed),
        )
        self.destroyed.connect(lambda: [end() for end in ends])
        theme.watcher().changed.connect(self.update)
        self.key.show_status(shell.store.roster.sources.get(AGENT))
        self._show_preferences(shell.preferences)
        self.turn_to(0)

    # --- the steps ---

    def _step(self, key: str) -> tuple[QWidget, QVBoxLayout]:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(MARGIN, 28, MARGIN, 8)
        column.setSpacing(theme.current().space(1))
        column.addWidget(PlainLabel(self.say(f"welcome.{key}.title"), "hero", wrap=True))
        text = PlainLabel(self.say(f"welcome.{key}.text"), "body", "text.2", wrap=True)
        text.setContentsMargins(0, 0, 0, 12)
        column.addWidget(text)
        page.setAccessibleName(self.say(f"welcome.{key}.title"))
        return page, column

    def _point(self, key: str, icon: str) -> Sentence:
        point = Sentence("body")
        point.say(self.say(key), icon)
        point.setContentsMargins(0, 3, 0, 3)
        return point

    def _what(self) -> QWidget:
        page, column = self._step("what")
        column.addWidget(WelcomePicture(self.shell.lang))
        column.addSpacing(10)
        for key, icon in (("answer", "question"), ("calm", "hide"), ("private", "shield")):
            column.addWidget(self._point(f"welcome.what.{key}", f"action/{icon}"))
        column.addStretch(1)
        return page

    def _remote(self) -> QWidget:
        page, column = self._step("remote")
        self.key = KeyBox(self)
        self.follow = Switch(self.say("settings.follow"))
        self.follow.clicked.connect(lambda on: self.prefer(takoapi_enabled=on))
        self.bind(lambda p: self.follow.setChecked(p.takoapi_enabled))
        column.addWidget(self.key)
        column.addWidget(Row(self.say("settings.follow"), self.say("settings.follow.hint"), self.follow))
        column.addSpacing(8)
        for key, icon in (("stored", "key"), ("price", "info"), ("balance", "globe"), ("demo", "terminal")):
            column.addWidget(self._point(f"welcome.remote.{key}", f"action/{icon}"))
        column.addStretch(1)
        return page

    def _reach(self) -> QWidget:
        page, column = self._step("reach")
        self.notify = Switch(self.say("welcome.reach.desktop"))
        self.notify.clicked.connect(lambda on: self.prefer(**dict.fromkeys(_DESKTOP, on)))
        self.bind(lambda p: self.notify.setChecked(all(getattr(p, field) for field in _DESKTOP)))
        self.test = Button(self.say("settings.test"))
        self.test.clicked.connect(self._send_test)
        self.test_row = Row(self.say("settings.test"), self.say("settings.test.hint"), self.test)
        title, hint = self.say("welcome.reach.desktop"), self.say("welcome.reach.desktop.hint")
        column.addWidget(Row(title, hint, self.notify))
        column.addWidget(self.test_row)
        column.addSpacing(10)
        self.no_tray = self._point("welcome.reach.no-tray", "action/info")
        column.addWidget(self.no_tray)
        column.addStretch(1)
        return page

    def _footer(self) -> QWidget:
        footer = Footer()
        self.dots = Dots()
        self.back = Button("", "quiet", tall=True)
        self.main = Button("", "primary", tall=True)
        self.back.clicked.connect(self._go_back)
        self.main.clicked.connect(self._go_on)
        line = QHBoxLayout(footer)
        line.setContentsMargins(MARGIN, 12, 24, 12)
        line.setSpacing(theme.current().metrics.target_gap)
        line.addWidget(self.dots)
        line.addStretch(1)
        line.addWidget(self.back)
        line.addWidget(self.main)
        return footer

    # --- going through ---

    @property
    def step(self) -> int:
        return self.stack.currentIndex()

    def turn_to(self, step: int) -> None:
        """Show a step, 0 to 2; the keyboard starts in a field or nowhere, never on a button."""
        self.stack.setCurrentIndex(step)
        self.dots.show_step(step, self.say("welcome.step", n=step + 1, total=STEPS))
        self.no_tray.setVisible(not QSystemTrayIcon.isSystemTrayAvailable())
        self._label()
        field = self.key.field
        (field if step == 1 and not field.isHidden() else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def setVisible(self, visible: bool) -> None:
        """Shown again, it begins again."""
        if visible and not self.isVisible():
            self.turn_to(0)
        super().setVisible(visible)

    def _label(self) -> None:
        first, last = self.step == 0, self.step == STEPS - 1
        self.back.setText(self.say("welcome.skip" if first else "welcome.back"))
        idle = self.step == 1 and not self._chose_remote()
        self.main.set_kind("outline" if idle else "primary")
        word = "finish" if last else "not-now" if idle else "continue"
        self.main.setText(self.say(f"welcome.{word}"))

    def _chose_remote(self) -> bool:
        return self.shell.preferences.takoapi_enabled or self.key.state in (KeyState.READY, KeyState.MEMORY)

    def _go_back(self) -> None:
        self.turn_to(self.step - 1) if self.step else self.reject()

    def _go_on(self) -> None:
        self.key.field.take()  # what was typed and not saved is not kept
        self.turn_to(self.step + 1) if self.step < STEPS - 1 else self.accept()

    def done(self, result: int) -> None:
        """Finished, skipped or closed: it does not come again by itself."""
        self.key.field.take()
        if not self.shell.preferences.welcomed:
            self.shell.prefer(welcomed=True)
        super().done(result)

    def _send_test(self) -> None:
        def told(word: str) -> None:
            self.test_row.set_hint(self.say(word or "settings.test.sent"))

        self.shell.test_notice(self.alive(told))

    # --- what the key's line asks of its page ---

    def say(self, key: str, **values: object) -> str:
        return say(self.shell.lang, key, **values)

    def alive(self, call: Callable[..., None]) -> Callable[..., None]:
        def answer(*told: Any) -> None:
            if shiboken6.isValid(self):
                call(*told)
                self._label()

        return answer

    def bind(self, call: Callable[[Preferences], None]) -> None:
        self._bound.append(call)

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        def told(word: str) -> None:
            place = "agents.json" if "takoapi_enabled" in changes else "island.json"
            sentence = self.say(word, place=place, file=place) if word else ""
            self._complain(sentence)
            self._show_preferences(self.shell.preferences)
            if done is not None:
                done(sentence)

        self.shell.prefer(self.alive(told), **changes)

    def announce(self, text: str) -> None:
        self._announcer.say(text)

    def _complain(self, sentence: str) -> None:
        self.problem.say(sentence, "error" if sentence else "")
        if sentence:
            self.announce(sentence)

    def _show_preferences(self, preferences: Preferences) -> None:
        for call in self._bound:
            call(preferences)
        self._label()

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        self.key.show_status(new.sources.get(AGENT))
        self._label()

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current().color("surface.panel"))


class Footer(QWidget):
    """Dots and buttons under a line."""

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        QPainter(self).fillRect(0, 0, self.width(), t.line_width, t.color("line.subtle"))
