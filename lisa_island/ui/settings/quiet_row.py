"""The line of the quiet hours: from, to, and whether they count.

QuietRow(host)      .row   .begins   .ends   .switch
    .say_now()      the hint: what it means, or why it is quiet at this moment
"""

from __future__ import annotations

from collections.abc import Callable

from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Why, time_typed
from lisa_island.ui import mute, theme
from lisa_island.ui.controls import Field, PlainLabel, Switch
from lisa_island.ui.settings.page import Page


class QuietRow:
    """Times are saved when the keyboard leaves the field; what is no time jumps back."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.begins, self.ends = self._field("quiet_from"), self._field("quiet_to")
        between = PlainLabel(page.say("settings.quiet.to"), "body", "text.2")
        self.switch = Switch(page.say("settings.quiet"))
        self.switch.setObjectName("quiet_hours")
        self.switch.clicked.connect(lambda on: page.prefer(quiet_hours=on))
        self.row = page.row("settings.quiet", self.begins, between, self.ends, self.switch)
        page.bind(self._show)

    def _field(self, name: str) -> Field:
        field = Field(self._page.say(f"settings.{name.replace('_', '-')}"), placeholder="22:00")
        field.setObjectName(name)
        field.setMaxLength(8)
        wide = field.fontMetrics().horizontalAdvance("00:00") + 2 * theme.current().space(3) + 8
        field.setFixedWidth(wide)
        field.editingFinished.connect(self._saver(field, name))
        return field

    def _saver(self, field: Field, name: str) -> Callable[[], None]:
        def save() -> None:
            page = self._page
            if field.text() == getattr(page.shell.preferences, name):
                return
            if time := time_typed(field.text()):
                page.prefer(None, **{name: time})
            else:
                page.show_preferences(page.shell.preferences)
                page.complain(page.say("settings.quiet.no-time"))

        return save

    def _show(self, preferences: Preferences) -> None:
        self.switch.setChecked(preferences.quiet_hours)
        self.begins.setText(preferences.quiet_from)
        self.ends.setText(preferences.quiet_to)
        self.say_now()

    def say_now(self) -> None:
        page, p = self._page, self._page.shell.preferences
        quiet = page.shell.quiet()
        if quiet is not None and quiet.why is Why.HOURS:
            self.row.set_hint(mute.quiet_line(quiet, page.shell.lang, page.shell.now()))
        elif p.quiet_hours and p.quiet_from == p.quiet_to:
            self.row.set_hint(page.say("settings.quiet.never"))
        else:
            self.row.set_hint(page.hint("settings.quiet"))
