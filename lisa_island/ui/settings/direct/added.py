"""An agent that was added: its card as it is now, a test that costs nothing, its credential, and the way out.

AddedWindow(shell, name, parent)
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from lisa_island.core.intents import Describe, Outcome, Result, TryAgent
from lisa_island.core.naming import DIRECT
from lisa_island.core.preferences import DirectAgent, Preferences
from lisa_island.core.text import clean
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.direct.card_view import LINE_LIMIT, Addresses, CardView
from lisa_island.ui.settings.direct.credential_box import CredentialBox
from lisa_island.ui.settings.direct.window import AgentWindow
from lisa_island.ui.settings.rows import Confirm, Sentence
from lisa_island.ui.shell import Shell


class AddedWindow(AgentWindow):
    """Its card is asked for when the window opens: by the owner's act, without a credential."""

    def __init__(self, shell: Shell, name: str, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.name = name
        self.set_title(self.say("direct.agent.title", name=name))
        self._make()
        self._lay_out()
        self.credential.ask()
        self._describe()

    def agent(self) -> DirectAgent | None:
        return next((a for a in self.shell.preferences.direct_agents if a.name == self.name), None)

    def _make(self) -> None:
        say = self.say
        self.sentence = Sentence()
        self.card = CardView(self)
        self.card.hide()
        self.origins = Addresses(say("direct.agent.goes"))
        agent = self.agent()
        self.origins.show_lines(agent.origins if agent else ())
        self.credential = CredentialBox(self, self.name)
        self.outcome = Sentence()
        self.confirm = Confirm(
            say("direct.agent.remove.ask", name=self.name),
            say("direct.agent.remove.do"),
            say("direct.agent.keep"),
        )
        self.remove = Button(say("direct.agent.remove"), "quiet", tall=True)
        self.test = Button(say("direct.agent.test"), tall=True)
        self.test.setAccessibleDescription(say("direct.agent.test.hint"))
        self.shut = Button(say("direct.agent.close"), tall=True)
        for part in ("remove", "test", "shut"):
            getattr(self, part).setObjectName(f"agent-{part}")
        self.remove.clicked.connect(self._ask_remove)
        self.confirm.confirmed.connect(self._remove)
        self.confirm.refused.connect(lambda: self.remove.setFocus())
        self.test.clicked.connect(self._test)
        self.shut.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        goes = PlainLabel(self.say("direct.agent.goes"), "small", "text.3")
        hint = PlainLabel(self.say("direct.agent.test.hint"), "small", "text.3", wrap=True)
        for part in (
            self.sentence, self.card, goes, self.origins, self.credential, self.outcome, hint, self.confirm,
        ):  # fmt: skip
            self.body.addWidget(part)
        self.body.addStretch(1)
        self.footer.add(self.remove)
        self.footer.stretch()
        self.footer.add(self.test)
        self.footer.add(self.shut)

    def focus_credential(self) -> None:
        """Put the keyboard where the credential is typed, and show the place."""
        field = self.credential.field
        if field.isVisibleTo(self):
            field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.pane.ensureWidgetVisible(self.credential)

    # --- its card ---

    def _describe(self) -> None:
        def told(outcome: Outcome) -> None:
            if outcome.result is not Result.DONE or not outcome.agents:
                self.sentence.say(self._outcome(outcome), "error")
                return
            info = outcome.agents[0]
            self.sentence.say("")
            self.card.show_card(info, self.name)
            self.card.show()
            self.credential.suggest(info.needs)
            self.fit()

        self.sentence.say(self.say("direct.agent.asking"), "queued")
        self.shell.perform(Describe(DIRECT, self.name), self.alive(told))

    def _outcome(self, outcome: Outcome) -> str:
        return self.say(outcome.word, **{k: clean(v, LINE_LIMIT) for k, v in outcome.values})

    # --- the owner's acts ---

    def _test(self) -> None:
        def told(outcome: Outcome) -> None:
            self.test.setEnabled(True)
            good = outcome.result is Result.DONE
            self.outcome.say(self._outcome(outcome), "done" if good else "error")
            self.announce(self.outcome.text())

        self.test.setEnabled(False)
        self.outcome.say(self.say("direct.agent.testing"), "queued")
        self.shell.perform(TryAgent(DIRECT, self.name), self.alive(told))

    def _ask_remove(self) -> None:
        self.confirm.ask()
        self.fit()
        self.pane.ensureWidgetVisible(self.confirm)

    def _remove(self) -> None:
        def told(failure: str) -> None:
            if failure:
                self.outcome.say(failure, "error")
                self.announce(failure)

        kept = tuple(a for a in self.shell.preferences.direct_agents if a.name != self.name)
        self.prefer(told, direct_agents=kept)

    def preferences_changed(self, preferences: Preferences) -> None:
        """Removed, here or elsewhere: there is nothing to show any more."""
        if not any(a.name == self.name for a in preferences.direct_agents):
            self.accept()
            return
        self.credential.show_agent()
