"""Pinned agents, and the registry's live search: asked only while the owner types, shown as plain text."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.intents import AgentInfo, Discover, Outcome, Result
from lisa_island.core.preferences import Pin, Preferences
from lisa_island.core.text import clean, name, word
from lisa_island.ui import theme
from lisa_island.ui.controls import Field, PlainLabel
from lisa_island.ui.settings.address_box import AGENT
from lisa_island.ui.settings.agent_list import AgentList, AgentRow, shown_note
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import Sentence, heading

DEBOUNCE_MS = 300
MOST_FOUND = 200
QUERY_LIMIT = 100
SLUG_LIMIT = 100


class AgentsBox(QWidget):
    """The list of pins above, the search below."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page, self._shell = page, page.shell
        self._found: tuple[AgentInfo, ...] = ()
        self._total = 0
        self._asked = 0
        say = page.say
        self.pins = AgentList(say("settings.pins"), self._shell)
        self.pins.setObjectName("pins")
        self.none = PlainLabel(say("settings.pins.none"), "small", "text.2", wrap=True)
        self.search = Field(
            say("settings.registry"), placeholder=say("settings.registry"), icon="action/search"
        )
        self.search.setObjectName("registry")
        self.search.setMaxLength(QUERY_LIMIT)
        self.count = PlainLabel("", "small", "text.2")
        self.found = AgentList(say("settings.registry.found"), self._shell)
        self.found.setObjectName("found")
        self.found.hide()
        self.progress = Sentence()
        self._lay_out()
        self._debounce = QTimer(self)
        self._debounce.setSingleShot(True)
        self._debounce.setInterval(DEBOUNCE_MS)
        self._debounce.timeout.connect(self._ask)
        self.search.textEdited.connect(self._typed)
        self.search.returnPressed.connect(self._ask)
        self.pins.toggled.connect(self._toggle)
        self.found.toggled.connect(self._toggle)
        page.bind(self._show_pins)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.current().space(2))
        column.addWidget(heading(self._page.say("settings.pins")))
        column.addWidget(self.pins)
        column.addWidget(self.none)
        line = QHBoxLayout()
        line.setContentsMargins(0, 4, 0, 0)
        line.setSpacing(10)
        line.addWidget(self.search, 1)
        line.addWidget(self.count)
        column.addLayout(line)
        column.addWidget(self.progress)
        column.addWidget(self.found)
        column.addWidget(PlainLabel(self._page.say("settings.registry.plain"), "small", "text.3", wrap=True))

    # --- pins ---

    def _show_pins(self, p: Preferences) -> None:
        self.pins.show_rows(
            [AgentRow(x.target, shown_note(x.name, x.target, ""), x.price, True) for x in p.pins]
        )
        self.none.setVisible(not p.pins)
        self._show_found()

    def _toggle(self, row: AgentRow) -> None:
        pins = self._shell.preferences.pins
        if any(p.target == row.target for p in pins):
            kept = tuple(p for p in pins if p.target != row.target)
        else:
            kept = (*pins, self._pin(row))
        self._page.prefer(pins=kept)

    def _pin(self, row: AgentRow) -> Pin:
        info = next((a for a in self._found if a.target == row.target), None)
        return Pin(row.target, word(row.price), name(info.name) if info else "")

    # --- the registry ---

    def _typed(self, text: str) -> None:
        self._asked += 1  # an answer to what stood here before is late
        self._waits(False)
        if text.strip():
            self._debounce.start()
            return
        self._debounce.stop()
        self._found, self._total = (), 0
        self._show_found()

    def _ask(self) -> None:
        self._debounce.stop()
        self._asked += 1
        asked = self._asked
        self._waits(True)

        def told(outcome: Outcome) -> None:
            if asked == self._asked:
                self._take(outcome)

        query = self.search.text().strip()
        self._shell.perform(Discover(AGENT, query, limit=MOST_FOUND), self._page.alive(told))

    def _waits(self, on: bool) -> None:
        self.progress.say(self._page.say("settings.registry.asking") if on else "", "queued" if on else "")

    def _take(self, outcome: Outcome) -> None:
        if outcome.result is not Result.DONE:
            self._keep_last(outcome)
            return
        self._found = tuple(a for a in outcome.agents if a.callable)[:MOST_FOUND]
        self._total = max(outcome.total, len(self._found))
        nothing = "" if self._found else self._page.say("settings.registry.nothing")
        self.progress.say(nothing, "action/info" if nothing else "")
        self._show_found()
        self._page.announce(nothing or self.count.text())

    def _keep_last(self, outcome: Outcome) -> None:
        """The last good list stays, and it is said that it is the last."""
        origin = self._shell.preferences.base_url
        values = {"origin": origin} | dict(outcome.values)
        said = self._page.say(outcome.word or "settings.registry.failed", **values)
        kept = self._page.say("settings.registry.kept") if self._found else ""
        self.progress.say(f"{said} {kept}".strip(), "error")
        self._page.announce(self.progress.text())

    def _show_found(self) -> None:
        pinned = {p.target for p in self._shell.preferences.pins}
        self.found.show_rows([_row(a, a.target in pinned) for a in self._found])
        n = len(self._found)
        self.count.setText(
            self._page.say("settings.registry.count", n=n, total=self._total) if self._found else ""
        )
        self.count.setVisible(bool(self._found))

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody types in a window that is away."""
        super().hideEvent(event)
        self._debounce.stop()


def _row(info: AgentInfo, pinned: bool) -> AgentRow:
    target = clean(info.target, SLUG_LIMIT)
    return AgentRow(target, shown_note(info.name, target, info.description), info.price, pinned)
