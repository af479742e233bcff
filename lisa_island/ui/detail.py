"""One session on a page of its own, honest about what cannot be known.

    DetailPage(shell, drafts)
        .open(SessionKey)
        back()                the owner is done here
        answer(str)           open this request
        command_requested(str)   begin a task in the command bar with this text
        .session_key  .has_draft  .focus_first()

Controls follow what the source says it can do (`Can`). While visible it has one coarse timer, aligned to the
full minute; hidden it has none.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from lisa_island.core.agent import AgentSession, Reply, SessionKey
from lisa_island.core.intents import Outcome, Rename, Result, SendAgain, StopFollowing
from lisa_island.core.roster import LABEL_LIMIT, Roster
from lisa_island.core.text import clean
from lisa_island.core.times import next_minute
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.detail_face import DetailFace
from lisa_island.ui.reply_view import ReplyView
from lisa_island.ui.said import outcome, who
from lisa_island.ui.shell import Shell


class DetailPage(QWidget):
    """Logic of the page; what is drawn is `detail_face.DetailFace`."""

    back = Signal()
    answer = Signal(str)
    command_requested = Signal(str)

    def __init__(self, shell: Shell, drafts: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._drafts = shell, drafts
        self._key: SessionKey | None = None
        self._told: tuple[str, str] = ("", "")
        self._asks_again = False
        self._accepted = ""
        self._pages = QStackedLayout(self)
        self._make_parts()
        self._minute = QTimer(self)
        self._minute.setSingleShot(True)
        self._minute.setTimerType(Qt.TimerType.CoarseTimer)
        self._minute.timeout.connect(self._minute_passed)
        end_store = shell.store.subscribe(self._roster_changed)
        self.destroyed.connect(lambda: end_store())

    def _make_parts(self) -> None:
        self._lang = self._shell.lang
        self.face, self.reply = DetailFace(self._shell), ReplyView(self._shell)
        for part in (self.face, self.reply):
            self._pages.addWidget(part)
        self._connect()

    def _follow_language(self) -> None:
        """The owner chose another language since this page was made."""
        if self._lang != self._shell.lang:
            old = (self.face, self.reply)
            self._make_parts()
            self._pages.setCurrentWidget(self.face)
            for part in old:
                self._pages.removeWidget(part)
                part.hide()
                part.deleteLater()

    def _connect(self) -> None:
        f = self.face
        f.header.back.connect(self.back)
        f.read.clicked.connect(self._read)
        f.answer.clicked.connect(self._answer)
        f.more.clicked.connect(self._more)
        f.stop.clicked.connect(self._ask_stop)
        f.again.clicked.connect(self._ask_again)
        f.leave.clicked.connect(self.back)
        f.copy_id.clicked.connect(self._copy_id)
        f.confirm.confirmed.connect(self._confirmed)
        f.confirm.cancelled.connect(self._end_confirm)
        f.label_saved.connect(self._rename)
        self.reply.back.connect(self._show_face)

    # What others call.

    @property
    def session_key(self) -> SessionKey | None:
        return self._key

    @property
    def has_draft(self) -> bool:
        return self.face.is_editing

    def session(self) -> AgentSession | None:
        return self._shell.store.roster.get(self._key) if self._key else None

    def open(self, key: SessionKey) -> None:
        """Show this session from its top."""
        self._follow_language()
        self._key, self._told, self._accepted = key, ("", ""), ""
        self.reply.close_text()
        self.face.begin()
        self._pages.setCurrentWidget(self.face)
        self.render_page()
        self.focus_first()

    def focus_first(self) -> None:
        """The history, so that reading begins there: never a button that does something."""
        inside = self._pages.currentWidget()
        target = self.reply.text if inside is self.reply else self.face.trail
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    # The store.

    def _roster_changed(self, old: Roster, new: Roster) -> None:
        if self._key is None or not self.isVisible():
            return
        if old.get(self._key) is not new.get(self._key):
            self.render_page()

    def render_page(self) -> None:
        """Everything as it is now."""
        session = self.session()
        if session is None:
            self.face.show_gone()
            return
        self.face.show_session(session, self._shell.now(), self._told)

    def _minute_passed(self) -> None:
        self.render_page()
        self._minute.start(next_minute(self._shell.now()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_language()
        if self._key is not None:
            self.render_page()
        self._minute.start(next_minute(self._shell.now()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._minute.stop()

    # The owner's hands.

    def _read(self) -> None:
        session = self.session()
        if session is not None and session.reply is Reply.HELD:
            self._pages.setCurrentWidget(self.reply)
            self.reply.open(session)

    def _show_face(self) -> None:
        self.reply.close_text()
        self._pages.setCurrentWidget(self.face)
        self.focus_first()

    def _answer(self) -> None:
        session = self.session()
        if session is not None and session.requests:
            self.answer.emit(session.requests[0].request_id)

    def _more(self) -> None:
        session = self.session()
        if session is not None:
            self.command_requested.emit(f"@{who(session, 'en')} ")

    def _copy_id(self) -> None:
        if self._key is not None:
            self._shell.copy(self._key.session_id)
            self._tell("done", say(self._shell.lang, "detail.copied"))

    def _rename(self, label: str) -> None:
        if self._key is not None:
            self._shell.perform(Rename(self._key, clean(label, LABEL_LIMIT)), self._renamed)

    def _renamed(self, how: Outcome) -> None:
        self._report(how)

    def _ask_stop(self) -> None:
        self._asks_again = False
        self.face.ask("detail.stop.ask", "detail.keep", "detail.stop.do")

    def _ask_again(self) -> None:
        session = self.session()
        self._price_again(session.price if session else "")

    def _price_again(self, known: str) -> None:
        self._asks_again, self._accepted = True, price.accepted(known)
        lang = self._shell.lang
        do = say(lang, "answer.again.do")
        if price.is_paid(known):
            do = say(lang, "answer.again.for", price=price.word(lang, known))
        self.face.ask("answer.again.ask", "answer.leave", do, danger=False)

    def _confirmed(self) -> None:
        key = self._key
        self._end_confirm()
        if key is None:
            return
        if self._asks_again:
            self._shell.perform(SendAgain(key, self._accepted), lambda how: self._sent_again(key, how))
        else:
            self._shell.perform(StopFollowing(key), lambda how: self._stopped(key, how))

    def _end_confirm(self) -> None:
        self.face.end_confirm()
        self.render_page()
        self.focus_first()

    def _sent_again(self, key: SessionKey, how: Outcome) -> None:
        if key != self._key:
            return
        if how.result is Result.REFUSED and how.price:
            self._price_again(how.price)
        elif how.result is not Result.REFUSED and how.key is not None and how.key != key:
            self.open(how.key)
        else:
            self._report(how)

    def _stopped(self, key: SessionKey, how: Outcome) -> None:
        if key != self._key:
            return
        if how.result is Result.DONE:
            self.back.emit()
        else:
            self._report(how)

    def _report(self, how: Outcome) -> None:
        if how.result is Result.DONE:
            self._tell("", "")
        else:
            self._tell("error", outcome(self._shell.lang, how))

    def _tell(self, kind: str, text: str) -> None:
        self._told = (kind, text)
        self.render_page()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._pages.currentWidget() is self.reply:
            self._show_face()
        elif self.face.is_asking:
            self._end_confirm()
        elif self.face.is_editing:
            self.face.end_editing()
        else:
            super().keyPressEvent(event)
