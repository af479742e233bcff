"""Sign in to an agent: what it said, the address in it, and its credential. Its answer comes by itself.

SignInWindow(shell, request_id, parent)
The agent's words are plain text. An address opens by a click, after the whole of it was shown.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from lisa_island.core.agent import Can, RequestKind
from lisa_island.core.intents import Outcome, Result, SendAgain, TryNow
from lisa_island.core.naming import DIRECT
from lisa_island.core.roster import Roster
from lisa_island.core.summary import find_request
from lisa_island.core.text import clean, plain_url
from lisa_island.core.words import say
from lisa_island.ui.answer_parts import TEXT_LIMIT, AddressBox, QuoteBox
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.said import can_sign_in
from lisa_island.ui.said import outcome as said
from lisa_island.ui.settings.direct.credential_box import CredentialBox
from lisa_island.ui.settings.direct.window import AgentWindow
from lisa_island.ui.settings.rows import ARM_MS, Sentence
from lisa_island.ui.shell import Shell


def can_be_met(roster: Roster, request_id: str) -> bool:
    """Whether this request is there and a credential can meet it."""
    need = find_request(roster, request_id)
    return need is not None and need.request.kind is RequestKind.AUTH and can_sign_in(need.session)


class SignInWindow(AgentWindow):
    """Bound to one request; once that is gone the window says so and goes by the owner's hand."""

    def __init__(self, shell: Shell, request_id: str, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._id = request_id
        need = find_request(shell.store.roster, request_id)
        assert need is not None and need.session.task is not None
        self.name = need.session.task.target
        self.set_title(self.say("direct.sign-in.title", name=self.name))
        self._make(need.request.summary)
        self._end_store = shell.store.subscribe(self.alive(self._roster_changed))
        self.destroyed.connect(lambda _=None, end=self._end_store: end())
        self.credential.ask()

    def _make(self, summary: str) -> None:
        say_ = self.say
        text = clean(summary, TEXT_LIMIT, newlines=True)
        self.quote = QuoteBox()
        self.quote.show_text(say(self.shell.lang, "answer.quoted"), text)
        self.quote.setVisible(bool(text))
        self.about = PlainLabel(say_("direct.sign-in.denied"), "small", "text.2", wrap=True)
        self.about.setVisible(not text)
        url = plain_url(summary) or ""
        self.address = AddressBox(say_("direct.sign-in.address"), say_("direct.sign-in.copy"))
        self.address.show_url(url)
        self.address_title = PlainLabel(say_("direct.sign-in.address"), "small", "text.3")
        self.browse = Button(say_("direct.sign-in.open"), icon="action/jump", arm_ms=ARM_MS)
        self.browse.setObjectName("sign-in-open")
        safe = url.startswith("https://")
        self.address_title.setVisible(bool(url))
        self.address.setVisible(bool(url))
        self.browse.setVisible(safe)
        self.credential = CredentialBox(self, self.name)
        self.sentence = Sentence()
        self.again = Button(say_("direct.sign-in.again"), "primary", tall=True, arm_ms=ARM_MS)
        self.again.setObjectName("sign-in-again")
        self.again.hide()
        self.again.clicked.connect(self._send_again)
        self.shut = Button(say_("direct.agent.close"), tall=True)
        self.shut.setObjectName("sign-in-close")
        said = (self.quote, self.about, self.address_title, self.address, self.browse)
        for part in (*said, self.credential, self.sentence):
            self.body.addWidget(part)
        self.body.addStretch(1)
        self.footer.stretch()
        self.footer.add(self.shut)
        self.footer.add(self.again)
        self.address.copied.connect(lambda: self.shell.copy(self.address.url()))
        self.browse.clicked.connect(self._open)
        self.credential.saved.connect(self._saved)
        self.shut.clicked.connect(self.accept)

    def _open(self) -> None:
        if not self.shell.open_url(self.address.url()):
            self.sentence.say(self.say("direct.sign-in.not-opened"), "action/warning")
            self.announce(self.sentence.text())

    def _saved(self) -> None:
        """A task that is there is asked after again; a call that was refused is the owner's to repeat."""
        need = find_request(self.shell.store.roster, self._id)
        session = need.session if need else None
        if session is None or (session.task is not None and session.task.task_id):
            self._tell("saved", "queued")
            self.shell.perform(TryNow(DIRECT))
            return
        can_repeat = Can.SEND_AGAIN in session.capabilities
        self.again.setVisible(can_repeat)
        self._tell("anew" if can_repeat else "text-gone", "action/info")

    def _tell(self, word: str, icon: str) -> None:
        self.sentence.say(self.say(f"direct.sign-in.{word}", name=self.name), icon)
        self.announce(self.sentence.text())
        self.fit()

    def _send_again(self) -> None:
        need = find_request(self.shell.store.roster, self._id)
        if need is None:
            return

        def told(outcome: Outcome) -> None:
            if outcome.result is not Result.REFUSED:
                self.accept()
                return
            self.again.setEnabled(True)
            self.sentence.say(said(self.shell.lang, outcome), "error")
            self.announce(self.sentence.text())

        self.again.setEnabled(False)
        self._tell("sending", "queued")
        self.shell.perform(SendAgain(need.session.key), self.alive(told))

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        if find_request(new, self._id) is not None or not self.isVisible():
            return
        if self.sentence.icon == "queued":  # the credential was taken: nothing is left to read here
            self.accept()
            return
        self.again.hide()
        self._tell("over", "done")
