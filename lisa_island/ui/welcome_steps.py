"""The steps of the first run, each a page that scrolls where large text leaves no room.

STEPS: what it is, what it may see, the key or the demo, how it reaches the owner; in the order of `Welcome`.
Each control writes at once, so that a step that is left half-way has lost nothing.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QScrollArea, QSystemTrayIcon, QVBoxLayout, QWidget

from lisa_island.core.agent import KeyState
from lisa_island.core.intents import CheckKey, Outcome, Result
from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import LOCAL_KINDS
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, PlainLabel, Switch
from lisa_island.ui.page_parts import Badge
from lisa_island.ui.settings.address_box import AGENT
from lisa_island.ui.settings.key_box import KeyBox
from lisa_island.ui.settings.local_switch import LocalSwitch
from lisa_island.ui.settings.page import Host
from lisa_island.ui.settings.rows import Row, Sentence
from lisa_island.ui.welcome_picture import WelcomePicture

MARGIN = 32
BADGE = 22
_DESKTOP = ("notify_input", "notify_auth", "notify_failed")


class Step(QScrollArea):
    """A title, a line below it, and what a step adds in `build`."""

    NAME = ""
    told_as = QAccessible.Role.PropertyPage

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.host = host
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(MARGIN, 26, MARGIN, 6)
        self.column.setSpacing(theme.current().space(1))
        # Its least height is that of its width: wrapped texts alone would ask for the room of a narrow page.
        self.column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        body.setMinimumHeight(1)
        title = host.say(f"welcome.{self.NAME}.title")
        self.column.addWidget(PlainLabel(title, "hero", wrap=True))
        text = PlainLabel(host.say(f"welcome.{self.NAME}.text"), "body", "text.2", wrap=True)
        text.setContentsMargins(0, 0, 0, 12)
        self.column.addWidget(text)
        self.build()
        self.column.addStretch(1)
        self.setWidget(body)
        for part in (body, self.viewport()):  # the dialog paints the surface
            part.setAutoFillBackground(False)
        self.setAccessibleName(title)

    def build(self) -> None:
        """Add what this step has below its title."""

    def opened(self) -> None:
        """It comes into sight: look again at what tells of no change."""

    def field(self) -> QWidget | None:
        """Where the keyboard starts, if there is a field for it."""
        return None

    def is_passed_by(self) -> bool:
        """Whether going on means "not now"."""
        return False

    def points(self, *pairs: tuple[str, str]) -> None:
        """Sentences with an icon: (name below this step's, icon)."""
        for name, icon in pairs:
            point = Sentence("body")
            point.setObjectName(name)
            point.say(self.host.say(f"welcome.{self.NAME}.{name}"), f"action/{icon}")
            point.setContentsMargins(0, 3, 0, 3)
            self.column.addWidget(point)


class WhatStep(Step):
    NAME = "what"

    def build(self) -> None:
        self.column.addWidget(WelcomePicture(self.host.shell.lang))
        self.column.addSpacing(4)
        self.points(("answer", "question"), ("calm", "hide"), ("private", "shield"))


class WatchStep(Step):
    NAME = "watch"

    def build(self) -> None:
        host = self.host
        for kind in LOCAL_KINDS:
            row = Row(
                host.say(f"settings.local.{kind}"), host.say(f"welcome.local.{kind}"), LocalSwitch(host, kind)
            )
            self._line(kind, row)
        self.follow = Switch(host.say("settings.follow"))
        self.follow.setObjectName("takoapi_enabled")
        self.follow.clicked.connect(lambda on: host.prefer(takoapi_enabled=on))
        host.bind(lambda p: self.follow.setChecked(p.takoapi_enabled))
        row = Row(
            host.say("welcome.watch.takoapi"),
            host.say("welcome.watch.takoapi.hint"),
            self.follow,
            separated=False,
        )
        self._line("takoapi", row)
        self.column.addSpacing(10)
        self.points(("kept", "shield"), ("never", "hide"), ("leaves", "globe"))

    def _line(self, kind: str, row: Row) -> None:
        badge = Badge(BADGE)
        badge.show_badge((kind, ""))
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(badge)
        line.addWidget(row, 1)
        self.column.addLayout(line)


class KeyStep(Step):
    NAME = "remote"

    def build(self) -> None:
        host = self.host
        self.key = KeyBox(host)
        self.key.saved.connect(self._try_key)
        self.tried = Sentence()
        self.follow = Switch(host.say("settings.follow"))
        self.follow.clicked.connect(lambda on: host.prefer(takoapi_enabled=on))
        host.bind(lambda p: self.follow.setChecked(p.takoapi_enabled))
        self.follow_row = Row(host.say("settings.follow"), host.say("settings.follow.hint"), self.follow)
        self.column.addWidget(self.key)
        self.column.addWidget(self.tried)
        self.column.addWidget(self.follow_row)
        self._demo()
        self.column.addSpacing(4)
        self.points(("stored", "key"), ("tried", "globe"), ("price", "info"))

    def _demo(self) -> None:
        host = self.host
        self.demo = Button(host.say("welcome.demo.try"))
        self.demo.setObjectName("demo")
        self.demo.clicked.connect(self._press_demo)
        self.demo_row = Row(host.say("welcome.demo"), host.say("welcome.demo.hint"), self.demo)
        self.demo_row.setVisible(host.shell.offers_demo())
        self.column.addWidget(self.demo_row)
        if host.shell.demo_runs():
            self.show_demo("welcome.demo.runs")

    def opened(self) -> None:
        """Whoever has switched it on a step before need not be asked again."""
        self.follow_row.setVisible(not self.host.shell.preferences.takoapi_enabled)

    def field(self) -> QWidget | None:
        return None if self.key.field.isHidden() else self.key.field

    def is_passed_by(self) -> bool:
        has_key = self.key.state in (KeyState.READY, KeyState.MEMORY)
        return not (self.host.shell.preferences.takoapi_enabled or has_key)

    def _press_demo(self) -> None:
        shell = self.host.shell
        shell.end_demo() if shell.demo_runs() else shell.try_demo()

    def show_demo(self, word: str) -> None:
        """`word` says how the demo stands: welcome.demo.runs, .over or .failed."""
        runs = word == "welcome.demo.runs"
        self.demo.setText(self.host.say("welcome.demo.end" if runs else "welcome.demo.try"))
        self.demo_row.set_hint(self.host.say(word))

    def _try_key(self) -> None:
        """A key that was saved is tried once: better here than with the first task."""
        host, shell = self.host, self.host.shell
        origin = origin_of(shell.preferences.base_url)

        def told(outcome: Outcome) -> None:
            good = outcome.result is Result.DONE
            word = outcome.word or ("settings.address.good" if good else "settings.registry.failed")
            values = {"origin": origin} | dict(outcome.values)
            self.tried.say(host.say(word, **values), "done" if good else "error")
            host.announce(self.tried.text())

        self.tried.say(host.say("welcome.remote.trying", origin=origin), "queued")
        shell.perform(CheckKey(AGENT), host.alive(told))


class ReachStep(Step):
    NAME = "reach"

    def build(self) -> None:
        host = self.host
        title, hint = host.say("welcome.reach.desktop"), host.say("welcome.reach.desktop.hint")
        self.notify = Switch(title)
        self.notify.clicked.connect(lambda on: host.prefer(**dict.fromkeys(_DESKTOP, on)))
        host.bind(lambda p: self.notify.setChecked(all(getattr(p, field) for field in _DESKTOP)))
        self.test = Button(host.say("settings.test"))
        self.test.clicked.connect(self._send_test)
        self.test_row = Row(host.say("settings.test"), host.say("settings.test.hint"), self.test)
        self.login = Switch(host.say("settings.login"))
        self.login.clicked.connect(self._choose_login)
        self.login_row = Row(host.say("settings.login"), host.say("settings.login.hint"), self.login)
        self.column.addWidget(Row(title, hint, self.notify))
        self.column.addWidget(self.test_row)
        self.column.addWidget(self.login_row)
        self.column.addSpacing(10)
        self.points(("key", "keyboard"), ("no-tray", "info"))
        self.opened()

    def opened(self) -> None:
        shell = self.host.shell
        self.login.setChecked(shell.autostart() is True)
        self.login_row.setVisible(shell.autostart() is not None)
        no_tray = self.findChild(Sentence, "no-tray")
        if no_tray is not None:
            no_tray.setVisible(not QSystemTrayIcon.isSystemTrayAvailable())

    def _send_test(self) -> None:
        host = self.host

        def told(word: str) -> None:
            self.test_row.set_hint(host.say(word or "settings.test.sent"))
            host.announce(self.test_row.hint.text())

        host.shell.test_notice(host.alive(told))

    def _choose_login(self, on: bool) -> None:
        def told(word: str) -> None:
            self.opened()
            if word:
                self.login_row.set_hint(self.host.say(word))

        self.host.shell.set_autostart(on, self.host.alive(told))


STEPS: tuple[type[Step], ...] = (WhatStep, WatchStep, KeyStep, ReachStep)
