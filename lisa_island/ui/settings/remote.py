"""Remote: the switch, the key, the address, the pins, the registry, and what is followed at the agent."""

from __future__ import annotations

from lisa_island.core.agent import SourceStatus
from lisa_island.core.roster import Roster
from lisa_island.ui.settings.address_box import AGENT, AddressBox
from lisa_island.ui.settings.agents_box import AgentsBox
from lisa_island.ui.settings.follow_box import FollowBox
from lisa_island.ui.settings.key_box import KeyBox
from lisa_island.ui.settings.page import Page


class RemotePage(Page):
    NAME = "remote"
    ICON = "action/globe"

    def build(self) -> None:
        self.follow = self.switch("takoapi_enabled", "settings.follow")
        self.key = KeyBox(self)
        self.address = AddressBox(self)
        self.agents = AgentsBox(self)
        self.beside = FollowBox(self)
        self.add(self.key, self.address, self.agents, self.beside)
        self.show_roster(self.shell.store.roster)

    def show_roster(self, roster: Roster) -> None:
        """The source's own word on its key."""
        status: SourceStatus | None = roster.sources.get(AGENT)
        self.key.show_status(status)

    def shown(self) -> None:
        self.key.refresh()
