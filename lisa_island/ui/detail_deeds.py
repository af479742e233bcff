"""What the owner asks of a session on its page, once each: cancel, send again, stop following.

The question stands in place of the buttons; what became of it is said on the page, until the session is in
another state.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from lisa_island.core.agent import AgentSession, Can, SessionKey
from lisa_island.core.intents import Cancel, Outcome, Result, SendAgain, StopFollowing
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.detail_words import again, is_direct
from lisa_island.ui.row_menu import AGAIN, CANCEL, STOP
from lisa_island.ui.said import outcome, who

if TYPE_CHECKING:
    from lisa_island.ui.detail import DetailPage

_NEEDS = {CANCEL: Can.CANCEL, AGAIN: Can.SEND_AGAIN, STOP: Can.STOP_FOLLOWING}


class Deeds:
    """One question at a time, for one page."""

    def __init__(self, page: DetailPage) -> None:
        # The page owns this, not the other way round: a cycle would outlive its window.
        self._page: DetailPage = weakref.proxy(page)
        self._deed = ""
        self._accepted = ""
        self._canceling: set[SessionKey] = set()

    def forget(self) -> None:
        """Another session is on the page; a wish that is on its way stays."""
        self._deed = self._accepted = ""

    def ask(self, deed: str, session: AgentSession) -> None:
        """Ask before `deed`, if it is offered now."""
        if _NEEDS[deed] not in session.capabilities:
            return
        match deed:
            case "cancel" if session.key not in self._canceling:
                self._ask_cancel(session)
            case "again":
                self._ask_again(session, session.price)
            case "stop":
                self._ask("stop", "detail.stop.ask", "detail.keep", "detail.stop.do")
            case _:
                pass

    def refresh(self, session: AgentSession) -> None:
        """The session as it is now: a question about what cannot be done any more goes away."""
        if self._deed and self._page.face.is_asking and _NEEDS[self._deed] not in session.capabilities:
            self._deed = ""
            self._page.face.end_confirm()
        asks = session.key in self._canceling
        self._page.face.show_asking(who(session, self._page.lang) if asks else "")

    def confirmed(self) -> None:
        """The owner said yes."""
        key, deed = self._page.session_key, self._deed
        self.end()
        if key is None:
            return
        match deed:
            case "again":
                self._page.perform(SendAgain(key, self._accepted), lambda how: self._sent_again(key, how))
            case "stop":
                self._page.perform(StopFollowing(key), lambda how: self._stopped(key, how))
            case "cancel":
                self._canceling.add(key)
                self._page.render_page()
                self._page.perform(Cancel(key), lambda how: self._canceled(key, how))

    def end(self) -> None:
        """The question goes, and the buttons come back."""
        self._deed = ""
        self._page.face.end_confirm()
        self._page.render_page()
        self._page.focus_first()

    def _ask(self, deed: str, text: str, cancel: str, do: str, **values: str) -> None:
        lang, self._deed = self._page.lang, deed
        self._page.face.ask(say(lang, text, **values), say(lang, cancel), say(lang, do))

    def _ask_cancel(self, session: AgentSession) -> None:
        name = who(session, self._page.lang)
        self._ask("cancel", "deed.cancel.ask", "deed.cancel.keep", "deed.cancel.do", name=name)

    def _ask_again(self, session: AgentSession, known: str) -> None:
        lang, self._deed, self._accepted = self._page.lang, AGAIN, price.accepted(known)
        do = say(lang, "answer.again.do")
        if price.is_paid(known) and not is_direct(session):
            do = say(lang, "answer.again.for", price=price.word(lang, known))
        no = "answer.leave" if session.state_reason == "outcome-unknown" else "detail.again.no"
        self._page.face.ask(again(session, lang), say(lang, no), do, danger=False)

    def _canceled(self, key: SessionKey, how: Outcome) -> None:
        self._canceling.discard(key)
        session = self._page.session()
        if key != self._page.session_key or session is None:
            return
        lang = self._page.lang
        match how.result:
            case Result.DONE if session.task is not None and session.task.terminal:
                self._page.tell("", "")
            case Result.DONE:
                self._page.tell("neutral", say(lang, "deed.cancel.taken", name=who(session, lang)))
            case Result.UNKNOWN:
                self._page.tell("unknown", outcome(lang, how))
            case Result.REFUSED:
                self._page.tell("error", outcome(lang, how))

    def _sent_again(self, key: SessionKey, how: Outcome) -> None:
        session = self._page.session()
        if key != self._page.session_key or session is None:
            return
        if how.result is Result.REFUSED and how.price:
            self._ask_again(session, how.price)
        elif how.result is not Result.REFUSED and how.key is not None and how.key != key:
            self._page.open(how.key)
        else:
            self._page.report(how)

    def _stopped(self, key: SessionKey, how: Outcome) -> None:
        if key != self._page.session_key:
            return
        if how.result is Result.DONE:
            self._page.back.emit()
        else:
            self._page.report(how)
