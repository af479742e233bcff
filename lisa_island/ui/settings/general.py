"""General: look, language, place, behaviour."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.core.text import word
from lisa_island.core.words import LANGUAGES, has
from lisa_island.ui.controls import Button, PlainLabel, Switch
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import Choice, has_keyboard

_RULES = ("pointer", "primary")
_ROWS = {"comfortable": False, "compact": True}


class GeneralPage(Page):
    NAME = "general"
    ICON = "action/settings"

    def build(self) -> None:
        self.choice("theme", "settings.theme", ("system", "dark", "light", "contrast"))
        self.language = self.choice("language", "settings.language", ("system", *LANGUAGES))
        self.language.chosen.disconnect()
        self.language.chosen.connect(self._choose_language)
        self._screen()
        self._position()
        self.switch("open_on_hover", "settings.hover")
        self.switch("shrink_when_quiet", "settings.shrink")
        self._row_height()
        self.switch("reduced_motion", "settings.motion")
        self.switch("presenting", "settings.presenting")
        self._start_at_login()
        self.mode = PlainLabel("", "body", "text.2")
        self.mode_row = self.row("settings.mode", self.mode)
        self.shown()

    def _choose_language(self, value: str) -> None:
        def told(failure: str) -> None:
            overruled = not failure and self.shell.preferences.language != value
            self.complain(self.say("settings.overruled.language") if overruled else failure)

        self.prefer(told, language=value)

    def _screen(self) -> None:
        """The two rules, and the displays there are where there are several; a chosen one also while away."""
        self.screen_choice = Choice(self.say("settings.screen"), [])
        self.screen_choice.setObjectName("screen")
        self.screen_choice.chosen.connect(lambda value: self.prefer(screen=value))
        self.row("settings.screen", self.screen_choice)
        self.bind(lambda _: self._show_screens())

    def _show_screens(self) -> None:
        chosen, screens = self.shell.preferences.screen, QGuiApplication.screens()
        options = [(self.say(f"settings.screen.{rule}"), rule) for rule in _RULES]
        for screen in screens if len(screens) > 1 or chosen not in _RULES else ():
            size = screen.size() * screen.devicePixelRatio()
            values = {"name": word(screen.name()), "width": size.width(), "height": size.height()}
            options.append((self.say("settings.screen.named", **values), screen.name()))
        if chosen not in [value for _, value in options]:
            options.append((self.say("settings.screen.away", name=word(chosen)), chosen))
        self.screen_choice.set_options(options)
        self.screen_choice.show_value(chosen)

    def _position(self) -> None:
        self.back = Button(self.say("settings.position.back"))
        self.back.setObjectName("positions")
        self.back.clicked.connect(lambda: self.prefer(positions=()))
        row = self.row("settings.position", self.back)

        def show(p: Preferences) -> None:
            # Disabled only with its reason beside it.
            row.set_hint(self.say(f"settings.position.{'hint' if p.positions else 'centred'}"))
            _enable(self.back, bool(p.positions))

        self.bind(show)

    def _start_at_login(self) -> None:
        self.login = Switch(self.say("settings.login"))
        self.login.setObjectName("autostart")
        self.login.clicked.connect(self._choose_login)
        self.login_row = self.row("settings.login", self.login)

    def _choose_login(self, on: bool) -> None:
        def told(word: str) -> None:
            self.complain(self.say(word) if word else "")
            self.shown()

        self.shell.set_autostart(on, self.alive(told))

    def _row_height(self) -> None:
        self.rows = Choice(self.say("settings.rows"), [(self.say(f"settings.rows.{r}"), r) for r in _ROWS])
        self.rows.setObjectName("compact_rows")
        self.rows.chosen.connect(lambda value: self.prefer(compact_rows=_ROWS[value]))
        self.bind(lambda p: self.rows.show_value("compact" if p.compact_rows else "comfortable"))
        self.row("settings.rows", self.rows)

    def shown(self) -> None:
        """What changes outside: a compositor comes or goes, another tool switches the start at login."""
        self._show_screens()
        self.login.setChecked(self.shell.autostart() is True)
        self.login_row.setVisible(self.shell.autostart() is not None)
        mode = dict(self.shell.data_facts()).get("fact.window", "")
        self.mode.setText(self.say(mode) if has(mode) else mode or self.say("settings.mode.unknown"))
        limit = f"{mode}.limit"
        known = self.say(limit) if has(limit) else self.say("settings.mode.full") if has(mode) else ""
        self.mode_row.set_hint(known)


def _enable(widget: QWidget, on: bool) -> None:
    """A button that goes grey must not keep the keyboard."""
    if not on and has_keyboard(widget):
        widget.focusNextChild()
    widget.setEnabled(on)
