"""The switch of one kind of agent on this machine: off until the owner chooses it."""

from __future__ import annotations

from lisa_island.core.preferences import Preferences
from lisa_island.ui.checks import Switch
from lisa_island.ui.settings.page import Host


class LocalSwitch(Switch):
    """Writes the choice at once, and follows it wherever it is made."""

    def __init__(self, host: Host, kind: str) -> None:
        super().__init__(host.say(f"settings.local.{kind}"))
        self._host, self._kind = host, kind
        self.setObjectName(f"local-{kind}")
        self.clicked.connect(self._choose)
        host.bind(self._show)

    def _choose(self, on: bool) -> None:
        others = tuple(kind for kind in self._host.shell.preferences.agents_on if kind != self._kind)
        self._host.prefer(agents_on=(*others, self._kind) if on else others)

    def _show(self, preferences: Preferences) -> None:
        self.setChecked(preferences.is_on(self._kind))
