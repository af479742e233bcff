"""Follow at the agent: for each pinned agent, off until the owner chooses it, with what it reveals."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.ui.controls import PlainLabel
from lisa_island.ui.settings.agent_list import shown_note
from lisa_island.ui.settings.check_list import CheckList, CheckRow
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import heading


class FollowBox(QWidget):
    """Not there while nothing is pinned."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page, say = page, page.say
        hint = PlainLabel(say("settings.beside.hint"), "small", "text.2", wrap=True)
        words = (say("settings.beside.on"), say("settings.beside.off"))
        self.list = CheckList(say("settings.beside.list"), words, say("row.name-comma"))
        self.list.setObjectName("followAtAgent")
        self.list.setAccessibleDescription(hint.text())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (heading(say("settings.beside")), hint, self.list):
            column.addWidget(part)
        self.list.toggled.connect(self._toggle)
        page.bind(self._show)

    def _show(self, p: Preferences) -> None:
        self.list.show_rows(
            [
                CheckRow(x.target, x.target, shown_note(x.name, x.target, ""), x.target in p.follow_at_agent)
                for x in p.pins
            ]
        )
        self.setVisible(bool(p.pins))

    def _toggle(self, row: CheckRow) -> None:
        now = self._page.shell.preferences.follow_at_agent
        kept = tuple(slug for slug in now if slug != row.key)
        self._page.prefer(follow_at_agent=kept if row.on else (*kept, row.key))
