"""One request on a page of its own: read it whole, answer it once, see what became of the answer.

    AnswerPage(shell, drafts)
        .open(request_id)      bound to this id until the next open
        back()                 the owner is done here
        sign_in_requested(str) a credential is to be entered for this request
        opened(str)            the page went to another request by itself (Alt+↓, Alt+↑, "Next")
        .request_id  .phase  .has_draft  .focus_first()

`drafts` maps request ids to unsent replies, in memory only; a refused or unknown reply stays in it.
Price and target stand on the page before anything can be sent, so that pressing the button accepts them.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lisa_island.core.agent import AgentSession, RequestKind, SessionKey
from lisa_island.core.announcing import About
from lisa_island.core.intents import Answer, Outcome, Result, SendAgain, StopFollowing
from lisa_island.core.roster import Roster
from lisa_island.core.summary import Need, find_request
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.announce import Announcer
from lisa_island.ui.answer_draw import View, draw
from lisa_island.ui.answer_face import Face
from lisa_island.ui.answering import SIGNED_IN, Phase, gone, neighbour, unknown
from lisa_island.ui.detail_words import again
from lisa_island.ui.said import outcome, who
from lisa_island.ui.shell import Shell

OUTCOME_UNKNOWN = "outcome-unknown"
_SENDABLE = (Phase.ASK, Phase.CONFIRM)


class AnswerPage(QWidget):
    """Logic of the page; what is drawn is `answer_face.Face`."""

    back = Signal()
    opened = Signal(str)
    sign_in_requested = Signal(str)

    def __init__(self, shell: Shell, drafts: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._drafts = shell, drafts
        self._id = ""
        self._need: Need | None = None
        self._phase = Phase.ASK
        self._banner: tuple[str, str] | None = None
        self._price = ""
        self._pending = ""  # what waits for a yes to its price
        self._sent_at = 0
        self._in_flight: set[str] = set()
        self._returning = self._fresh = False
        self._announcer = Announcer(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._make_face()
        end_store = shell.store.subscribe(self._roster_changed)
        self.destroyed.connect(lambda: end_store())

    def _make_face(self) -> None:
        self._lang = self._shell.lang
        self.face = Face(self._lang)
        self._column.addWidget(self.face)
        self._connect()

    def _follow_language(self) -> None:
        """The owner chose another language since this page was made."""
        if self._lang != self._shell.lang:
            old, text = self.face, self.face.box.toPlainText()
            self._make_face()
            self.face.box.setPlainText(text)
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()

    def _connect(self) -> None:
        f = self.face
        f.header.back.connect(self._leave)
        f.header.moved.connect(self._move)
        f.box.textChanged.connect(self._wrote)
        f.options.changed.connect(self._typed)
        f.box.submitted.connect(self._submit)
        f.primary.clicked.connect(self._primary)
        f.browse.clicked.connect(self._open_address)
        f.sign_in.clicked.connect(lambda: self.sign_in_requested.emit(self._id))
        f.signed.clicked.connect(lambda: self._send(SIGNED_IN, self._known_price()))
        f.stop.clicked.connect(lambda: f.ask_stop())
        f.confirm.confirmed.connect(self._confirmed)
        f.again.clicked.connect(self._ask_again)
        f.leave.clicked.connect(self._leave_unknown)
        f.next.clicked.connect(self._go_on)
        f.copy.clicked.connect(lambda: self._shell.copy(f.box.toPlainText()))
        f.address.copied.connect(lambda: self._shell.copy(f.address.url()))

    # What others call.

    @property
    def request_id(self) -> str:
        return self._id

    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def has_draft(self) -> bool:
        return self._phase is not Phase.GONE and bool(self._drafts.get(self._id, "").strip())

    def open(self, request_id: str) -> None:
        """Show one request; an id that is not in the queue any more says so and cannot send."""
        self._follow_language()
        self._forget_gone_draft()
        self._id, self._fresh = request_id, True
        self._need = find_request(self._shell.store.roster, request_id)
        self._phase = Phase.ASK if self._need else Phase.GONE
        if request_id in self._in_flight:
            self._phase = Phase.SENDING
        self._banner, self._price, self._pending, self._returning = None, "", "", False
        self.face.end_confirm()
        self.face.options.choose_none()
        self.face.box.setPlainText(self._drafts.get(request_id, ""))
        self.render_page()
        self.face.arm()
        self.focus_first()

    def focus_first(self) -> None:
        """The reply box, else the text to read, never a button; where neither is left, the way out."""
        f = self.face
        text = f.next if f.quote.isHidden() else f.quote.text
        target = text if f.box.isHidden() or f.box.isReadOnly() else f.box
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    # The store.

    def _session(self) -> AgentSession | None:
        return self._shell.store.roster.get(self._need.session.key) if self._need else None

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        if not self._id:
            return
        if self._phase in _SENDABLE:
            self._look_again(find_request(new, self._id))
        elif self._phase is Phase.UNKNOWN and self._is_known_again():
            self._drafts.pop(self._id, None)
            self._phase, self._banner = Phase.SENT, None
        if self.isVisible():
            self.render_page()

    def _look_again(self, need: Need | None) -> None:
        session = self._session()
        if need is None:
            # A refused answer gives the question back, but the roster hears of that a moment later.
            if self._returning and session is not None and session.state_reason == "sending":
                return
            self._phase, self._banner = Phase.GONE, None
            self._announcer.say(gone(session, self._shell.lang), About.GONE)
            self.face.end_confirm()
            return
        self._returning = False
        if self._need is not None and need.request != self._need.request:
            self._banner = ("waiting", say(self._shell.lang, "answer.changed"))
            self._phase = Phase.ASK
            self.face.options.choose_none()
            self.face.arm()
        self._need = need

    def _is_known_again(self) -> bool:
        """Whether the agent was heard of after the outcome had become unknown."""
        session = self._session()
        said = [e.detail for e in session.trail if e.at >= self._sent_at] if session else []
        return OUTCOME_UNKNOWN in said and said[-1] != OUTCOME_UNKNOWN

    # What is drawn.

    def render_page(self) -> None:
        """Put everything in place for the phase."""
        view = View(
            self._shell,
            self._id,
            self._need,
            self._session(),
            self._phase,
            self._banner,
            self._known_price(),
            self._sent_at,
        )
        draw(self.face, view)
        self._typed()

    def _known_price(self) -> str:
        if self._price or self._need is None:
            return self._price
        session = self._session() or self._need.session
        target = who(session, "en")
        return session.price or next((p for slug, p, _ in self._shell.targets() if slug == target), "")

    # The owner's hands.

    def _wrote(self) -> None:
        """The owner's own words take a choice back."""
        if self.face.box.toPlainText().strip():
            self.face.options.choose_none()
        self._typed()

    def _reply(self) -> str:
        """What would be sent: the choice, else the words in the box."""
        return self.face.options.chosen or self.face.box.toPlainText()

    def _typed(self) -> None:
        f = self.face
        f.show_choice()
        text = f.box.toPlainText()
        if self._phase in (*_SENDABLE, Phase.SENDING):
            if text.strip():
                self._drafts[self._id] = text
            else:
                self._drafts.pop(self._id, None)
        kind = self._need.request.kind if self._need else RequestKind.INPUT
        ready = self._phase in _SENDABLE and (bool(self._reply().strip()) or kind is RequestKind.AUTH)
        f.primary.setEnabled(ready)
        f.signed.setEnabled(self._phase in _SENDABLE)

    def _submit(self) -> None:
        f = self.face
        if f.primary.isEnabled() and not f.primary.isHidden() and not f.primary.is_inert():
            self._primary()

    def _primary(self) -> None:
        if self._need is None or self._phase not in _SENDABLE:
            return
        if self._phase is Phase.CONFIRM and self._pending == SIGNED_IN:
            self._send(SIGNED_IN, self._price)
        else:
            self._send(self._reply(), self._known_price())

    def _open_address(self) -> None:
        if not self._shell.open_url(self.face.address.url()):
            self._banner = ("waiting", say(self._shell.lang, "answer.auth.not-opened"))
            self.render_page()

    def _send(self, text: str, known: str) -> None:
        need = self._need
        if need is None or self._phase not in _SENDABLE or not text.strip():
            return
        self._phase, self._banner, self._sent_at = Phase.SENDING, None, self._shell.now()
        self.render_page()
        request_id = self._id
        self._in_flight.add(request_id)
        intent = Answer(need.session.key, request_id, text, price.accepted(known))
        self._shell.perform(intent, lambda how: self._ended(request_id, text, how))

    def _ended(self, request_id: str, text: str, how: Outcome) -> None:
        self._in_flight.discard(request_id)
        if request_id != self._id or self._phase is not Phase.SENDING:
            if how.result is Result.DONE:
                self._drafts.pop(request_id, None)
            return
        match how.result:
            case Result.DONE:
                self._was_sent(how)
            case Result.UNKNOWN:
                self._phase = Phase.UNKNOWN
                self._announcer.say(unknown(self._session(), self._shell.lang))
            case Result.REFUSED:
                self._was_refused(text, how)
        self.render_page()
        if self._phase in _SENDABLE:
            self.focus_first()
        else:
            self.face.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _was_sent(self, how: Outcome) -> None:
        lang = self._shell.lang
        self._drafts.pop(self._id, None)
        self._phase = Phase.SENT
        self._banner = ("error", outcome(lang, how)) if how.word else None
        name = who(self._need.session, lang) if self._need else ""
        self._announcer.say(say(lang, "answer.said.sent", name=name))

    def _was_refused(self, text: str, how: Outcome) -> None:
        lang = self._shell.lang
        if how.price:
            name = who(self._need.session, lang) if self._need else ""
            sentence = say(lang, "answer.price.confirm", name=name, price=price.word(lang, how.price))
            self._phase, self._price, self._pending = Phase.CONFIRM, how.price, text
            self._banner = ("waiting", sentence)
            return
        if how.word == "outcome.request-gone":
            self._phase = Phase.GONE
            return
        self._phase, self._banner, self._returning = Phase.ASK, ("error", outcome(lang, how)), True
        self._announcer.say(self._banner[1])

    # Stop following, send again, leave.

    def _confirmed(self) -> None:
        f, session = self.face, self._session()
        f.end_confirm()
        if session is None:
            return
        if f.asks_again:
            self._send_again(session.key, session.price)
        else:
            self._stop_following(session.key)

    def _stop_following(self, key: SessionKey) -> None:
        def ended(how: Outcome) -> None:
            if how.result is Result.DONE:
                self._drafts.pop(self._id, None)
                self.back.emit()
            else:
                self._banner = ("error", outcome(self._shell.lang, how))
                self.render_page()

        self._shell.perform(StopFollowing(key), ended)

    def _ask_again(self) -> None:
        if session := self._session():
            self.face.ask_again(session.price, again(session, self._shell.lang))

    def _send_again(self, key: SessionKey, known: str) -> None:
        def ended(how: Outcome) -> None:
            lang = self._shell.lang
            if how.result is Result.REFUSED and how.price:
                self.face.ask_again(how.price)  # a gateway's: direct agents have no price
            elif how.result is Result.REFUSED:
                self._banner = ("error", outcome(lang, how))
                self.render_page()
            else:
                self._leave_unknown()

        self._shell.perform(SendAgain(key, price.accepted(self.face.again_price or known)), ended)

    def _leave_unknown(self) -> None:
        self._drafts.pop(self._id, None)
        self._go_on()

    def _go_on(self) -> None:
        other = neighbour(self._shell.store.roster, self._id, 1)
        if other:
            self._turn_to(other)
        else:
            self._leave()

    def _move(self, step: int) -> None:
        other = neighbour(self._shell.store.roster, self._id, step)
        if other:
            self._turn_to(other)

    def _turn_to(self, request_id: str) -> None:
        self.open(request_id)
        self.opened.emit(request_id)

    def _leave(self) -> None:
        self._forget_gone_draft()
        self.back.emit()

    def _forget_gone_draft(self) -> None:
        """A text that can never be sent any more was shown, and could be copied."""
        if self._phase is Phase.GONE:
            self._drafts.pop(self._id, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if alt and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move(1 if event.key() == Qt.Key.Key_Down else -1)
        elif control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._submit()
        elif event.key() == Qt.Key.Key_Escape and self.face.end_confirm():
            pass
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_language()
        if self._id:
            self._roster_changed(self._shell.store.roster, self._shell.store.roster)
        if self._fresh:
            self._fresh = False
            self.focus_first()
