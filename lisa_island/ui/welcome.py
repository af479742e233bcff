"""The first run in four steps: what it is, what it may see, the key or the demo, how it reaches the owner.

    Welcome(shell, parent=None)      a QDialog; show it, do not execute it
        .finished(int)               over, however it ended: finished, skipped, closed (QDialog's own signal)
        .leave()                     the island quits: not over, it comes again at the next start

Nothing is switched on but what the owner switches on here, and that at once. However it ends,
`preferences.welcomed` is set. In another language it is made anew where it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.words import LANGUAGES, say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import Button
from lisa_island.ui.paint import rounded
from lisa_island.ui.settings.address_box import AGENT
from lisa_island.ui.settings.rows import Choice, Sentence
from lisa_island.ui.shell import Shell
from lisa_island.ui.welcome_steps import MARGIN, STEPS, KeyStep, ReachStep, Step, WatchStep

_SCROLL = {
    Qt.Key.Key_Up: -40,
    Qt.Key.Key_Down: 40,
    Qt.Key.Key_PageUp: -300,
    Qt.Key.Key_PageDown: 300,
}


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
        return QSize(18 + (len(STEPS) - 1) * 12, 28)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        left, top = 0.0, self.height() / 2 - 3
        for i in range(len(STEPS)):
            wide = 18.0 if i == self._step else 6.0
            ink = t.color("accent" if i == self._step else "line.control")
            rounded(painter, QRectF(left, top, wide, 6), 3, ink)
            left += wide + 6


class Welcome(QDialog):
    """See the module. Implements `settings.page.Host` for the steps."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shell = shell
        self._bound: list[Callable[[Preferences], None]] = []
        self._announcer = Announcer(self)
        self._lang = ""
        self._root: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._build()
        self._restyle()
        self.resize(self.minimumSize())
        ends = (
            shell.on_preferences(self._preferences_changed),
            shell.store.subscribe(self._roster_changed),
            shell.on_demo(self._demo_changed),
        )
        self.destroyed.connect(lambda: [end() for end in ends])
        theme.watcher().changed.connect(self._restyle)
        self.turn_to(0)

    # --- what it is made of ---

    def _build(self) -> None:
        self._lang, self._bound = self.shell.lang, []
        self.setWindowTitle(self.say("welcome.window"))
        self.steps: tuple[Step, ...] = tuple(kind(self) for kind in STEPS)
        self.stack = QStackedWidget()
        for step in self.steps:
            self.stack.addWidget(step)
        self.problem = Sentence()
        self.problem.setContentsMargins(MARGIN, 0, MARGIN, 8)
        self._root = root = QWidget()
        column = QVBoxLayout(root)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        column.addWidget(self.problem)
        self.footer = self._footer()
        column.addWidget(self.footer)
        self._outer.addWidget(root)
        self.key.show_status(self.shell.store.roster.sources.get(AGENT))
        self._show_preferences(self.shell.preferences)

    def _restyle(self) -> None:
        """As wide as the design says, or as the line of buttons needs at the OS font size."""
        m = theme.current().metrics
        self.setMinimumSize(max(m.onboarding_width, self.footer.sizeHint().width()), m.onboarding_height)
        self.update()

    def _footer(self) -> QWidget:
        footer = Footer()
        self.dots = Dots()
        names = [(self.say(f"settings.language.{value}"), value) for value in ("system", *LANGUAGES)]
        self.language = Choice(self.say("settings.language"), names)
        self.language.setObjectName("language")
        self.language.chosen.connect(self._choose_language)
        self.bind(lambda p: self.language.show_value(p.language))
        self.back = Button("", "quiet", tall=True)
        self.main = Button("", "primary", tall=True)
        self.back.clicked.connect(self._go_back)
        self.main.clicked.connect(self._go_on)
        line = QHBoxLayout(footer)
        line.setContentsMargins(MARGIN, 12, 24, 12)
        line.setSpacing(theme.current().metrics.target_gap)
        line.addWidget(self.dots)
        line.addStretch(1)
        line.addWidget(self.language)
        line.addWidget(self.back)
        line.addWidget(self.main)
        return footer

    def _step(self, kind: type[Step]) -> Any:
        return next(step for step in self.steps if isinstance(step, kind))

    @property
    def watch_step(self) -> WatchStep:
        step: WatchStep = self._step(WatchStep)
        return step

    @property
    def key_step(self) -> KeyStep:
        step: KeyStep = self._step(KeyStep)
        return step

    @property
    def reach_step(self) -> ReachStep:
        step: ReachStep = self._step(ReachStep)
        return step

    @property
    def key(self) -> Any:
        """The key's line."""
        return self.key_step.key

    # --- going through ---

    @property
    def step(self) -> int:
        return self.stack.currentIndex()

    def turn_to(self, step: int) -> None:
        """Show a step, from 0; the keyboard starts in a field or nowhere, never on a button."""
        self.stack.setCurrentIndex(step)
        self.dots.show_step(step, self.say("welcome.step", n=step + 1, total=len(STEPS)))
        self.language.setVisible(step == 0)
        self.steps[step].opened()
        self._label()
        (self.steps[step].field() or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Look again at what tells of no change: the start at login, the tray."""
        self.steps[self.step].opened()

    def setVisible(self, visible: bool) -> None:
        """Shown again, it begins again."""
        if visible and not self.isVisible():
            self.turn_to(0)
        super().setVisible(visible)

    def _label(self) -> None:
        first, last = self.step == 0, self.step == len(STEPS) - 1
        self.back.setText(self.say("welcome.skip" if first else "welcome.back"))
        idle = self.steps[self.step].is_passed_by()
        self.main.set_kind("outline" if idle else "primary")
        word = "finish" if last else "not-now" if idle else "continue"
        self.main.setText(self.say(f"welcome.{word}"))

    def _go_back(self) -> None:
        self.turn_to(self.step - 1) if self.step else self.reject()

    def _go_on(self) -> None:
        self.key.field.take()  # what was typed and not saved is not kept
        self.turn_to(self.step + 1) if self.step < len(STEPS) - 1 else self.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Large text scrolls; nothing in a step that only says something could take the keyboard."""
        by = _SCROLL.get(Qt.Key(event.key()))
        bar = self.steps[self.step].verticalScrollBar()
        if by is None or bar.maximum() == 0:
            super().keyPressEvent(event)
            return
        bar.setValue(bar.value() + by)

    def done(self, result: int) -> None:
        """Finished, skipped or closed: it does not come again by itself."""
        self.key.field.take()
        if not self.shell.preferences.welcomed:
            self.shell.prefer(welcomed=True)
        super().done(result)

    def leave(self) -> None:
        """Go with the island; whoever quits half-way finds the steps again."""
        self.key.field.take()
        self.hide()

    # --- the language ---

    def _choose_language(self, value: str) -> None:
        def told(failure: str) -> None:
            if not failure and self.shell.preferences.language != value:
                self._complain(self.say("settings.overruled.language"))

        self.prefer(told, language=value)

    def _rebuild(self) -> None:
        """Another language: all texts anew, same step, what is typed stays, the keyboard where it was."""
        step, typed = self.step, self.key.field.take()
        focus = self.focusWidget()
        name = focus.objectName() if focus else ""
        old = self._root
        self._build()
        if old is not None:
            old.hide()
            self._outer.removeWidget(old)
            old.deleteLater()
        self.turn_to(step)
        self.key.field.setText(typed)
        again = self._root.findChild(QWidget, name) if name and self._root is not None else None
        if again is not None:
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what the steps ask of their host ---

    def say(self, key: str, **values: object) -> str:
        return say(self.shell.lang, key, **values)

    def alive(self, call: Callable[..., None]) -> Callable[..., None]:
        """`call`, unless its step is gone, or in another language, when the answer comes."""
        made_for = self._root

        def answer(*told: Any) -> None:
            if shiboken6.isValid(self) and self._root is made_for:
                call(*told)
                self._label()

        return answer

    def bind(self, call: Callable[[Preferences], None]) -> None:
        self._bound.append(call)

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        def told(word: str) -> None:
            if not shiboken6.isValid(self):
                return
            place = "agents.json" if "takoapi_enabled" in changes else "island.json"
            sentence = self.say(word, place=place, file=place) if word else ""
            self._complain(sentence)
            self._show_preferences(self.shell.preferences)
            if done is not None:
                done(sentence)

        self.shell.prefer(told, **changes)

    def announce(self, text: str) -> None:
        self._announcer.say(text)

    def _complain(self, sentence: str) -> None:
        self.problem.say(sentence, "error" if sentence else "")
        if sentence:
            self.announce(sentence)

    # --- what changes elsewhere ---

    def _preferences_changed(self, preferences: Preferences) -> None:
        if not shiboken6.isValid(self):
            return
        if self.shell.lang != self._lang:
            self._rebuild()
        else:
            self._show_preferences(preferences)

    def _show_preferences(self, preferences: Preferences) -> None:
        for call in self._bound:
            call(preferences)
        self._label()

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        self.key.show_status(new.sources.get(AGENT))
        self._label()

    def _demo_changed(self, word: str) -> None:
        if shiboken6.isValid(self):
            self.key_step.show_demo(word)
            self.announce(self.say(word))

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current().color("surface.panel"))


class Footer(QWidget):
    """Dots and buttons under a line."""

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        QPainter(self).fillRect(0, 0, self.width(), t.line_width, t.color("line.subtle"))
