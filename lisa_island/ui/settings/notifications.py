"""Notifications: which, muted until when, and a test."""

from __future__ import annotations

from collections.abc import Callable

from lisa_island.ui import mute
from lisa_island.ui.controls import Button
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import has_keyboard, heading

_KINDS = (("input", "waiting"), ("auth", "waiting"), ("failed", "error"), ("finished", "done"))


class NotificationsPage(Page):
    NAME = "notifications"
    ICON = "action/bell"

    def build(self) -> None:
        self.add(heading(self.say("settings.notify")))
        for kind, glyph in _KINDS:
            self.switch(f"notify_{kind}", f"settings.notify.{kind}", glyph=glyph)
        self._mute()
        self._test()

    def _mute(self) -> None:
        self.mute = {c: Button(self.say(f"menu.mute.{c}")) for c in mute.CHOICES}
        for choice, button in self.mute.items():
            button.setObjectName(f"mute-{choice}")
            button.clicked.connect(self._muter(choice))
        self.mute_row = self.row("settings.mute", *self.mute.values())
        for choice, button in self.mute.items():
            button.setAccessibleName(f"{self.say('settings.mute')}: {self.say(f'menu.mute.{choice}')}")
        self.bind(lambda _: self.shown())

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
        """A mute ends by time alone."""
        p, now = self.shell.preferences, self.shell.now()
        muted = mute.is_muted(p, now)
        line = mute.muted_line(p, self.shell.lang, now, "settings.mute.until") if muted else ""
        self.mute_row.set_hint(line or self.say("settings.mute.hint"))
        off = self.mute["off"]
        if not muted and has_keyboard(off):
            self.mute["hour"].setFocus()
        off.setVisible(muted)
