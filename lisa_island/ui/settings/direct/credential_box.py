"""The credential of one agent: typed blind, kept for the agent's own addresses alone, never shown again.

    CredentialBox(host, name)    .saved()  .ask()  .suggest(needs)  .show_agent()
What comes back from the shell is a state and a sentence; there is no way from here to the value.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from lisa_island.core.adding import auth_of, is_auth
from lisa_island.core.agent import KeyState
from lisa_island.core.origin import CREDENTIAL_LIMIT, check_credential, is_here
from lisa_island.core.preferences import DirectAgent
from lisa_island.core.words import has
from lisa_island.ui.controls import Button, Field, PlainLabel
from lisa_island.ui.settings.key_box import KeyField
from lisa_island.ui.settings.lines import Labelled, Split, hands
from lisa_island.ui.settings.page import Host
from lisa_island.ui.settings.rows import Choice, Sentence

KINDS = ("bearer", "basic", "header")
_HELD = (KeyState.READY, KeyState.MEMORY)
_ICONS = {
    KeyState.READY: "done",
    KeyState.MEMORY: "action/info",
    KeyState.NONE: "action/info",
}


class SecretField(KeyField):
    """Unlike a key of ours, a password may have spaces in it."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.setMaxLength(CREDENTIAL_LIMIT)

    def _tidy(self, text: str) -> None:
        """Nothing is taken out of what was typed."""


class CredentialBox(Labelled):
    """How it is sent, the field, and where it is now."""

    saved = Signal()

    def __init__(self, host: Host, name: str) -> None:
        super().__init__(host.say("direct.credential"))
        self._host, self._shell, self._name = host, host.shell, name
        self._state: KeyState | None = None
        self._told: tuple[str, str] | None = None
        self._editing = self._waiting = False
        self._make()
        self._lay_out()
        self._suggested = ("bearer", "")
        self._shown: tuple[object, ...] = ()
        self.show_agent()

    def _make(self) -> None:
        say = self._host.say
        self.kind = Choice(
            say("direct.credential.kind"), [(say(f"direct.credential.kind.{k}"), k) for k in KINDS]
        )
        self.header = Field(
            say("direct.credential.header"), placeholder=say("direct.credential.header"), mono=True
        )
        self.header.setMaxLength(64)
        self.field = SecretField(say("direct.credential.field"))
        self.save = Button(say("direct.credential.save"), "primary", tall=True)
        self.replace = Button(say("direct.credential.replace"), tall=True)
        self.forget = Button(say("direct.credential.forget"), "quiet", tall=True)
        self.unlock = Button(say("direct.credential.unlock"), tall=True)
        self.sentence = Sentence()
        self.where = PlainLabel("", "small", "text.3", wrap=True)
        self.shared = PlainLabel("", "small", "text.3", wrap=True)
        names = ("kind", "header", "field", "save", "replace", "forget", "unlock")
        for part in names:
            getattr(self, part).setObjectName(f"credential-{part}")
        self.kind.chosen.connect(lambda _: self._chosen())
        self.field.textEdited.connect(lambda _: self._typed())
        self.field.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        self.replace.clicked.connect(self._edit)
        self.forget.clicked.connect(self._forget)
        self.unlock.clicked.connect(self._unlock)

    def _lay_out(self) -> None:
        how = Split()
        how.addWidget(self.kind)
        how.addWidget(self.header, 1)
        how.addStretch(0)
        typed = Split()
        typed.addWidget(self.field, 1)
        typed.addLayout(hands(self.save))
        held = Split()
        for button in (self.unlock, self.replace, self.forget):
            held.addWidget(button)
        held.addStretch(1)
        for line in (how, typed):
            self.column.addLayout(line)
        self.column.addWidget(self.sentence)
        self.column.addLayout(held)
        self.column.addWidget(self.where)
        self.column.addWidget(self.shared)

    # --- what is true ---

    @property
    def state(self) -> KeyState | None:
        """Where it is, None while nobody has looked."""
        return self._state

    def agent(self) -> DirectAgent | None:
        return next((a for a in self._shell.preferences.direct_agents if a.name == self._name), None)

    def ask(self) -> None:
        """Look where it is; nobody is prompted."""
        self._shell.look_at_credential(self._name, self._host.alive(self._learn))

    def suggest(self, needs: tuple[str, ...]) -> None:
        """What the card asks for is chosen, unless the owner has chosen before."""
        auth, header = auth_of(needs)
        self._suggested = (auth or "bearer", header)
        self.show_agent()

    def show_agent(self) -> None:
        """Show how the agent's credential is sent now."""
        agent = self.agent()
        now = (agent, self._suggested, self._others())
        if agent is None or now == self._shown:  # what the owner chose here meanwhile stays
            return
        self._shown = now
        auth, header = (agent.auth, agent.header) if agent.auth else self._suggested
        self.kind.show_value(auth)
        self.header.setText(header)
        origins = self._host.say("row.name-comma").join(agent.origins)
        self.where.setText(self._host.say("direct.credential.where", origins=origins))
        others = ", @".join(self._others())
        self.shared.setText(self._host.say("direct.credential.shared", others=others) if others else "")
        self.shared.setVisible(bool(others))
        self._chosen()

    def _others(self) -> tuple[str, ...]:
        """Agents that are called at the same place, so with the same credential."""
        agents, agent = self._shell.preferences.direct_agents, self.agent()
        own = set(agent.origins) if agent else set()
        return tuple(a.name for a in agents if a.name != self._name and own & set(a.origins))

    def _insecure(self) -> str:
        agent = self.agent()
        origins = agent.origins if agent else ()
        return next((o for o in origins if o.startswith("http:") and not is_here(o)), "")

    def _chosen(self) -> None:
        kind = self.kind.currentData() or "bearer"
        self.field.setPlaceholderText(self._host.say(f"direct.credential.placeholder.{kind}"))
        self.refresh()

    def refresh(self) -> None:
        """Show the face of the state."""
        state, insecure = self._state, self._insecure()
        held = state in _HELD
        typing = not insecure and (state in (KeyState.NONE, KeyState.ABSENT) or (held and self._editing))
        focus = self.window().focusWidget() if self.isVisible() else None
        self.kind.setVisible(typing)
        self.header.setVisible(typing and self.kind.currentData() == "header")
        self.field.setVisible(typing)
        self.save.setVisible(typing)
        run = state is KeyState.ABSENT
        self.save.setText(self._host.say(f"direct.credential.{'run' if run else 'save'}"))
        self.replace.setVisible(held and not self._editing and not insecure)
        self.forget.setVisible(held and not self._editing)
        self.unlock.setVisible(state in (KeyState.LOCKED, KeyState.TIMED_OUT))
        again = state is KeyState.TIMED_OUT
        self.unlock.setText(self._host.say("settings.key.again" if again else "direct.credential.unlock"))
        for control in (self.save, self.field, self.replace, self.forget, self.unlock):
            control.setEnabled(not self._waiting)
        self._show_sentence(insecure)
        self._keep_focus(focus)

    def _show_sentence(self, insecure: str) -> None:
        if self._told is not None:
            self.sentence.say(*self._told)
        elif insecure:
            sentence = self._host.say("direct.credential.insecure", origin=insecure)
            self.sentence.say(sentence, "action/warning")
        elif self._state is None:
            self.sentence.say("")
        else:
            icon = _ICONS.get(self._state, "action/warning")
            self.sentence.say(self._host.say(f"direct.credential.{self._state}"), icon)

    def _keep_focus(self, before: QWidget | None) -> None:
        """A control that went away hands the keyboard to what stands in its place, never to Forget."""
        if before is None or not self.isAncestorOf(before) or (before.isVisible() and before.isEnabled()):
            return
        for next_one in (self.field, self.replace, self.unlock):
            if next_one.isVisible() and next_one.isEnabled():
                next_one.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    # --- the owner's acts ---

    def _typed(self) -> None:
        if self._told is not None:
            self._told = None
            self.refresh()

    def _edit(self) -> None:
        self._editing, self._told = True, None
        self.refresh()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self) -> None:
        if self._waiting or self.field.isHidden():
            return
        auth = self.kind.currentData()
        header = self.header.text().strip() if auth == "header" else ""
        if not is_auth(auth, header):
            self._complain("direct.credential.bad-header")
            return
        if word := check_credential(self.field.text().strip()):
            self._complain(word)
            return
        value = self.field.take().strip()
        source = "run" if self._state is KeyState.ABSENT else "keyring"
        self._await("direct.credential.saving")
        self._shell.save_credential(
            self._name, value, self._host.alive(self._kept), auth=auth, header=header, source=source
        )

    def _complain(self, word: str) -> None:
        self._told = (self._host.say(word), "error")
        self.refresh()
        self._host.announce(self.sentence.text())

    def _forget(self) -> None:
        def told(state: KeyState, word: str) -> None:
            self._learn(state, word)
            if not word:
                self._told = (self._host.say("direct.credential.forgotten"), "action/info")
                self.refresh()

        self._await("direct.credential.saving")
        self._shell.drop_credential(self._name, self._host.alive(told))

    def _unlock(self) -> None:
        self._await("direct.credential.waiting")
        self._shell.unlock_credential(self._name, self._host.alive(self._learn))

    def _await(self, word: str) -> None:
        self._waiting, self._told = True, (self._host.say(word), "queued")
        self.refresh()

    def _kept(self, state: KeyState, word: str) -> None:
        self._learn(state, word)
        if state in _HELD and not word:
            self.saved.emit()

    def _learn(self, state: KeyState, word: str) -> None:
        self._waiting, self._told, self._state = False, None, state
        self._editing = self._editing and bool(word)
        if word and word != f"secrets.state.{state}" and has(word):
            self._told = (self._host.say(word), "error")
        self.refresh()
        self._host.announce(self.sentence.text())

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed and not saved does not wait in a window that is away."""
        super().hideEvent(event)
        self.field.take()
