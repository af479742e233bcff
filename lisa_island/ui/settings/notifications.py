"""Notifications: which, muted until when, quiet hours, what the desktop does, and a test."""

from __future__ import annotations

from collections.abc import Callable

from lisa_island.core.quiet import Why
from lisa_island.ui import mute
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.quiet_row import QuietRow
from lisa_island.ui.settings.rows import has_keyboard, heading

_KINDS = (("input", "waiting"), ("auth", "waiting"), ("failed", "error"), ("finished", "done"))
_DESKTOP = {True: "on", False: "off", None: "unknown"}


class NotificationsPage(Page):
    NAME = "notifications"
    ICON = "action/bell"

    def build(self) -> None:
        self.add(heading(self.say("settings.notify")))
        for kind, glyph in _KINDS:
            self.switch(f"notify_{kind}", f"settings.notify.{kind}", glyph=glyph)
        self._mute()
        self.quiet = QuietRow(self)
        self.desktop = PlainLabel("", "body", "text.2")
        self.desktop_row = self.row("settings.desktop-quiet", self.desktop)
        self._test()
        end = self.shell.on_quiet(self.alive(self.shown))
        self.destroyed.connect(lambda: end())
        self.bind(lambda _: self.shown())

    def _mute(self) -> None:
        self.mute = {c: Button(self.say(f"menu.mute.{c}")) for c in mute.CHOICES}
        for choice, button in self.mute.items():
            button.setObjectName(f"mute-{choice}")
            button.clicked.connect(self._muter(choice))
        self.mute_row = self.row("settings.mute", *self.mute.values())
        for choice, button in self.mute.items():
            button.setAccessibleName(f"{self.say('settings.mute')}: {self.say(f'menu.mute.{choice}')}")

    def _muter(self, choice: str) -> Callable[[], None]:
        return lambda: self.prefer(muted_until=mute.until(choice, self.shell.now()))

    def _test(self) -> None:
        self.test = Button(self.say("settings.test"))
        self.test.setObjectName("test")
        self.test.clicked.connect(self._send_test)
        self.test_row = self.row("settings.test", self.test)

    def _send_test(self) -> None:
        def told(word: str) -> None:
            self.test_row.set_hint(self.say(word or "settings.test.sent"))

        self.shell.test_notice(self.alive(told))

    def shown(self) -> None:
        """Quiet begins and ends by time alone, and in the desktop."""
        self._show_mute()
        self.quiet.say_now()
        state = _DESKTOP[self.shell.desktop_quiet()]
        self.desktop.setText(self.say(f"settings.desktop-quiet.{state}"))
        self.desktop_row.set_hint(self.say(f"settings.desktop-quiet.{state}.hint"))

    def _show_mute(self) -> None:
        p, now, quiet = self.shell.preferences, self.shell.now(), self.shell.quiet()
        ours = quiet if quiet is not None and quiet.why in (Why.MUTED, Why.PRESENTING) else None
        self.mute_row.set_hint(mute.quiet_line(ours, self.shell.lang, now) or self.hint("settings.mute"))
        muted, off = mute.is_muted(p, now), self.mute["off"]
        if not muted and has_keyboard(off):
            self.mute["hour"].setFocus()
        off.setVisible(muted)
