"""One page of the settings: a title, lines that are bound to preferences, and a sentence when saving failed.

Every control writes through `shell.prefer` and shows what is true afterwards: a choice that could not be
saved jumps back, and one that was made elsewhere (a file, another window) shows here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.core.words import has, say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import Banner, PlainLabel, Switch
from lisa_island.ui.settings.rows import Choice, Row
from lisa_island.ui.shell import Shell

# Where a setting is written, for the sentence that says it was not.
_SHARED = frozenset({"takoapi_enabled", "pins"})
MARGIN = 24


class Host(Protocol):
    """What a part of a page asks of the page it stands on; the welcome steps are one too."""

    shell: Shell

    def say(self, key: str, **values: object) -> str: ...

    def alive(self, call: Callable[..., None]) -> Callable[..., None]: ...

    def bind(self, call: Callable[[Preferences], None]) -> None: ...

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None: ...

    def announce(self, text: str) -> None: ...


class Page(QScrollArea):
    """A page scrolls as a whole. Subclasses set `NAME` and build in `build`."""

    NAME = ""
    ICON = ""
    told_as = QAccessible.Role.PropertyPage

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell
        self._bound: list[Callable[[Preferences], None]] = []
        self._announcer = Announcer(self)
        self._frame()
        self.build()
        self.column.addStretch(1)
        self.show_preferences(shell.preferences)

    def _frame(self) -> None:
        self.setObjectName(self.NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(MARGIN, 20, MARGIN, MARGIN)
        self.column.setSpacing(0)
        self.column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
        title = PlainLabel(self.say(f"settings.page.{self.NAME}"), "title")
        title.setContentsMargins(0, 0, 0, 10)
        self.column.addWidget(title)
        self.problem = Banner("error", "")
        self.problem.hide()
        self.column.addWidget(self.problem)
        self.setWidget(body)
        for part in (body, self.viewport()):  # the dialog paints the surface
            part.setAutoFillBackground(False)
        self.setAccessibleName(title.text())

    def build(self) -> None:
        """Make the lines."""
        raise NotImplementedError

    def shown(self) -> None:
        """The page has come into sight: look again at what tells of no change."""

    def say(self, key: str, **values: object) -> str:
        return say(self.shell.lang, key, **values)

    def alive(self, call: Callable[..., None]) -> Callable[..., None]:
        """`call`, unless the page is gone when the answer comes."""

        def answer(*told: Any) -> None:
            if shiboken6.isValid(self):
                call(*told)

        return answer

    def announce(self, text: str) -> None:
        """Tell assistive technology what came of an act; the sentence itself stands on the page."""
        self._announcer.say(text)

    # --- lines ---

    def add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            self.column.addWidget(widget)

    def hint(self, key: str) -> str:
        return self.say(f"{key}.hint") if has(f"{key}.hint") else ""

    def row(self, key: str, *controls: QWidget, glyph: str = "", hint: str = "") -> Row:
        """A line named by `key`, with the hint that the catalogue has for it."""
        row = Row(self.say(key), hint or self.hint(key), *controls, glyph=glyph)
        self.add(row)
        return row

    def switch(self, field: str, key: str, *, glyph: str = "") -> Switch:
        """A line that turns one preference on and off."""
        switch = Switch(self.say(key))
        switch.setObjectName(field)
        switch.clicked.connect(lambda on: self.prefer(**{field: on}))
        self._bound.append(lambda p: switch.setChecked(getattr(p, field)))
        self.row(key, switch, glyph=glyph)
        return switch

    def choice(self, field: str, key: str, values: Sequence[str]) -> Choice:
        """A line that picks one of `values` for a preference."""
        choice = Choice(self.say(key), [(self.say(f"{key}.{v}"), v) for v in values])
        choice.setObjectName(field)
        choice.chosen.connect(lambda value: self.prefer(**{field: value}))
        self._bound.append(lambda p: choice.show_value(getattr(p, field)))
        self.row(key, choice)
        return choice

    def bind(self, call: Callable[[Preferences], None]) -> None:
        """Call with the preferences now and after each change."""
        self._bound.append(call)

    # --- preferences ---

    def show_preferences(self, preferences: Preferences) -> None:
        for call in self._bound:
            call(preferences)

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        """Save; then show what is true. `done` gets the sentence of a failure, or "" ."""

        def told(word: str) -> None:
            sentence = self.failure(word, changes) if word else ""
            if done is None:
                self.complain(sentence)
            else:
                done(sentence)
            self.show_preferences(self.shell.preferences)

        self.shell.prefer(self.alive(told), **changes)

    def failure(self, word: str, changes: dict[str, object]) -> str:
        """Why it could not be saved, with what only this side knows of it."""
        place = "agents.json" if _SHARED & set(changes) else "island.json"
        return self.say(word, place=place, file=place, url=str(changes.get("base_url", "")))

    def complain(self, sentence: str) -> None:
        """Show why nothing was saved, or take that away."""
        self.problem.set_text(sentence)
        self.problem.setVisible(bool(sentence))
        if sentence:
            self.ensureWidgetVisible(self.problem)
            self.announce(sentence)

    def room(self) -> int:
        """Px between lines that are no rows."""
        return theme.current().space(2)
