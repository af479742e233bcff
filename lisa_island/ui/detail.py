"""One session on a page of its own, honest about what cannot be known.

    DetailPage(shell, drafts)
        .open(SessionKey)
        .begin(deed)          ask for one of `row_menu.DEEDS`, as its button here does
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

from lisa_island.core.agent import AgentSession, Can, Reply, SessionKey
from lisa_island.core.intents import Continue, Intent, Outcome, Rename, Result
from lisa_island.core.roster import LABEL_LIMIT, Roster
from lisa_island.core.text import clean
from lisa_island.core.times import next_minute
from lisa_island.core.words import say
from lisa_island.ui.detail_deeds import Deeds
from lisa_island.ui.detail_face import DetailFace
from lisa_island.ui.reply_view import RAW, REPLY, ReplyView, What, artifact
from lisa_island.ui.row_menu import AGAIN, CANCEL, MORE, STOP
from lisa_island.ui.said import outcome, who
from lisa_island.ui.shell import Done, Shell


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
        self._told_of: tuple[object, ...] = ()
        self.deeds = Deeds(self)
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
        f.read.clicked.connect(lambda: self._read(REPLY))
        f.raw.clicked.connect(lambda: self._read(RAW))
        f.artifacts.viewed.connect(self._view)
        f.cancel.clicked.connect(lambda: self.begin(CANCEL))
        f.say_more.clicked.connect(lambda: self.begin(MORE))
        f.more_box.typed.connect(self._typed)
        f.more_box.sent.connect(self._go_on)
        f.more_box.closed.connect(self._end_more)
        f.answer.clicked.connect(self._answer)
        f.more.clicked.connect(self._more)
        f.stop.clicked.connect(lambda: self.begin(STOP))
        f.again.clicked.connect(lambda: self.begin(AGAIN))
        f.leave.clicked.connect(self.back)
        f.copy_id.clicked.connect(self._copy_id)
        f.confirm.confirmed.connect(self.deeds.confirmed)
        f.confirm.cancelled.connect(self.deeds.end)
        f.label_saved.connect(self._rename)
        self.reply.back.connect(self._show_face)

    # What others call.

    @property
    def session_key(self) -> SessionKey | None:
        return self._key

    @property
    def has_draft(self) -> bool:
        return self.face.is_editing or (self._key is not None and self._draft in self._drafts)

    @property
    def _draft(self) -> str:
        return f"more:{self._key}"

    @property
    def lang(self) -> str:
        return self._shell.lang

    def perform(self, intent: Intent, done: Done) -> None:
        """Hand an intent to its source."""
        self._shell.perform(intent, done)

    def session(self) -> AgentSession | None:
        return self._shell.store.roster.get(self._key) if self._key else None

    def open(self, key: SessionKey) -> None:
        """Show this session from its top."""
        self._follow_language()
        self._key, self._told = key, ("", "")
        self.deeds.forget()
        self.reply.close_text()
        self.face.begin()
        self._pages.setCurrentWidget(self.face)
        self.render_page()
        if self._draft in self._drafts:
            self.begin(MORE)
        self.focus_first()

    def begin(self, deed: str) -> None:
        """Ask once before a deed, or open the box to say more. What is not offered any more is not asked."""
        session = self.session()
        if session is None:
            return
        if deed == MORE:
            if Can.CONTINUE in session.capabilities or self._draft in self._drafts:
                self.face.begin_more(session, self._drafts.get(self._draft, ""))
        else:
            self.deeds.ask(deed, session)

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
        if self._told_of != _mark(session):  # what was said was said of another state
            self._told = ("", "")
        self.deeds.refresh(session)
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

    def _read(self, what: What) -> None:
        session = self.session()
        if session is not None and (what is RAW or session.reply is Reply.HELD):
            self._pages.setCurrentWidget(self.reply)
            self.reply.open(session, what)

    def _view(self, number: int) -> None:
        session = self.session()
        made = session.activity.artifacts if session else ()
        if number < len(made):
            self._read(artifact(number, made[number].name))

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
            self.tell("done", say(self._shell.lang, "detail.copied"))

    def _rename(self, label: str) -> None:
        if self._key is not None:
            self._shell.perform(Rename(self._key, clean(label, LABEL_LIMIT)), self._renamed)

    def _renamed(self, how: Outcome) -> None:
        self.report(how)

    # More for a task that is ready for it.

    def _typed(self, text: str) -> None:
        if text.strip():
            self._drafts[self._draft] = text
        else:
            self._drafts.pop(self._draft, None)

    def _go_on(self, text: str) -> None:
        key, draft = self._key, self._draft
        if key is None:
            return
        self.face.more_box.set_sending(True)
        self._shell.perform(Continue(key, text), lambda how: self._went_on(key, draft, how))

    def _went_on(self, key: SessionKey, draft: str, how: Outcome) -> None:
        # Of unknown outcome, the row holds the text: sending it again is asked there.
        is_over = how.result is not Result.REFUSED
        if is_over:
            self._drafts.pop(draft, None)
        if key != self._key:
            return
        self.face.more_box.set_sending(False)
        if is_over:
            self._end_more()
        self.report(how)

    def _end_more(self) -> None:
        """The box goes; a text that was not sent stays until it is."""
        self.face.more_box.hide()
        self.render_page()
        self.focus_first()

    def report(self, how: Outcome) -> None:
        """Say what was refused, or nothing."""
        if how.result is Result.DONE:
            self.tell("", "")
        else:
            self.tell("error", outcome(self._shell.lang, how))

    def tell(self, kind: str, text: str) -> None:
        """A banner that holds while the session stays as it is."""
        session = self.session()
        self._told, self._told_of = (kind, text), _mark(session) if session else ()
        self.render_page()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._pages.currentWidget() is self.reply:
            self._show_face()
        elif self.face.is_asking:
            self.deeds.end()
        elif self.face.is_editing:
            self.face.end_editing()
        else:
            super().keyPressEvent(event)


def _mark(session: AgentSession) -> tuple[object, ...]:
    """Two equal marks: what was said of it still holds."""
    return session.state, session.state_reason, session.requests
