"""Agents: those on this machine, each off until chosen, and those at their own address."""

from __future__ import annotations

from PySide6.QtCore import Qt

from lisa_island.core.preferences import LOCAL_KINDS, DirectAgent, Preferences
from lisa_island.core.text import clean
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.agent_list import AgentList, AgentRow
from lisa_island.ui.settings.direct.add import AddWindow
from lisa_island.ui.settings.direct.added import AddedWindow
from lisa_island.ui.settings.direct.import_pi import ImportWindow
from lisa_island.ui.settings.lines import Split
from lisa_island.ui.settings.local_switch import LocalSwitch
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import Sentence, heading

NOTE_LIMIT = 200


class AgentsPage(Page):
    NAME = "agents"
    ICON = "action/terminal"

    def build(self) -> None:
        say = self.say
        self.agents = AgentList(say("settings.direct"), self.shell, opens=True)
        self.agents.setObjectName("direct-agents")
        self.none = PlainLabel(say("settings.direct.none"), "small", "text.2", wrap=True)
        self.new = Button(say("settings.direct.add"), icon="action/plus")
        self.new.setObjectName("add-agent")
        self.pi = Button(say("settings.direct.import"))
        self.pi.setObjectName("import-agents")
        self.result = Sentence()
        about = PlainLabel(say("settings.direct.about"), "small", "text.2", wrap=True)
        plain = PlainLabel(say("settings.direct.plain"), "small", "text.3", wrap=True)
        plain.setContentsMargins(0, 8, 0, 0)
        self._local()
        self.add(heading(say("settings.direct")), about, self.agents, self.none)
        self.column.addSpacing(8)
        hands = Split()
        hands.addWidget(self.new)
        hands.addWidget(self.pi)
        hands.addStretch(1)
        self.column.addLayout(hands)
        self.add(self.result, plain)
        self.agents.toggled.connect(self._open)
        self.new.clicked.connect(self.add_agent)
        self.pi.clicked.connect(self.import_agents)
        self.bind(self._show)

    def _local(self) -> None:
        """A switch for each kind on this machine, with the one sentence on what it reads."""
        self.add(heading(self.say("settings.local")))
        self.add(PlainLabel(self.say("settings.local.about"), "small", "text.2", wrap=True))
        for kind in LOCAL_KINDS:
            self.row(f"settings.local.{kind}", LocalSwitch(self, kind))
        self._reporters()

    def _reporters(self) -> None:
        """The hosts that may report: allowed at a terminal, one by one; taken back here, all at once."""
        self.forbid = Button(self.say("settings.reporters.forbid"))
        self.forbid.setObjectName("forbid-reporters")
        self.forbid.clicked.connect(lambda: self.prefer(reporters=()))
        self.reporters = self.row("settings.reporters", self.forbid)

        def show(p: Preferences) -> None:
            names = clean(", ".join(p.reporters), NOTE_LIMIT)
            self.reporters.set_hint(names or self.say("settings.reporters.none"))
            if not names and self.forbid.hasFocus():
                self.forbid.focusNextChild()  # what goes must not take the keyboard along
            self.forbid.setVisible(bool(names))

        self.bind(show)

    def _show(self, p: Preferences) -> None:
        self.agents.show_rows([AgentRow(agent.name, self._note(agent)) for agent in p.direct_agents])
        self.none.setVisible(not p.direct_agents)

    def _note(self, agent: DirectAgent) -> str:
        where = agent.endpoint or agent.url or ", ".join(agent.origins)
        return clean(where, NOTE_LIMIT) or self.say("settings.direct.file")

    # --- windows ---

    def _open(self, row: AgentRow) -> None:
        self.open_agent(row.target)

    def open_agent(self, name: str, *, credential: bool = False) -> None:
        """Open an added agent; `credential`: with the keyboard where one is typed."""
        window = AddedWindow(self.shell, name, self.window())
        window.come()
        if credential:
            window.focus_credential()

    def add_agent(self) -> None:
        """Open the window that adds one by its address or card."""
        window = AddWindow(self.shell, self.window())
        window.added.connect(self._added)
        window.come()

    def import_agents(self) -> None:
        """Read pi-a2a's list, by this click."""
        window = ImportWindow(self.shell, self.window())
        window.added.connect(self._tell)
        window.come()

    def _added(self, name: str, needs: bool) -> None:
        self._tell(name)
        if needs:
            self.open_agent(name, credential=True)
        else:
            self.agents.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self, name: str) -> None:
        self.result.say(self.say("agent.added", name=name), "done")
        self.announce(self.result.text())
