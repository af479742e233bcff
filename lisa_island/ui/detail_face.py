"""The widgets of the detail page: who, figures, what cannot be known, history, evidence, buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import AgentSession, Can, Origin, Reply
from lisa_island.core.looks import look
from lisa_island.core.pill import badge
from lisa_island.core.roster import LABEL_LIMIT
from lisa_island.core.row_words import state_word
from lisa_island.core.summary import title, twin_number
from lisa_island.core.text import clean, elide_end
from lisa_island.core.words import say
from lisa_island.ui.artifact_list import ArtifactList
from lisa_island.ui.controls import Banner, Button, Field, IconButton, PlainLabel
from lisa_island.ui.detail_words import banner, below, figures, is_direct, is_unsure, kind, place, stop_note
from lisa_island.ui.figures import Figures
from lisa_island.ui.more_box import MoreBox
from lisa_island.ui.page_parts import SIDE, AgentLine, ConfirmBar, Footer, HintLine, PageHeader, put_after
from lisa_island.ui.page_scroll import PageScroll
from lisa_island.ui.said import can_answer, can_sign_in, who
from lisa_island.ui.shell import Shell
from lisa_island.ui.trail import entries, why
from lisa_island.ui.trail_view import SIDE_ROOM, TrailView


class DetailFace(QWidget):
    """Built once; `show_session` fills it."""

    label_saved = Signal(str)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        lang = shell.lang
        self.header = PageHeader(lang)
        self.line = AgentLine()
        self.figures = Figures()
        self.banner: Banner | None = None
        self.more_box = MoreBox(lang)
        self.artifacts = ArtifactList(lang)
        self.trail = TrailView(say(lang, "detail.trail"))
        self.why = Button(say(lang, "detail.why"), "quiet", icon="action/info")
        self.why_text = PlainLabel("", "small", "text.2", wrap=True)
        self.raw = Button(say(lang, "detail.raw"), "quiet", icon="action/list")
        self.note = HintLine()
        self._build_label()
        self._build_buttons()
        self._build()

    def _say(self, key: str, **values: object) -> str:
        return say(self._shell.lang, f"detail.{key}", **values)

    def _build_label(self) -> None:
        self.label = Field(self._say("label"), placeholder=self._say("label.hint"))
        self.label.setMaxLength(LABEL_LIMIT)
        self.label.returnPressed.connect(self._save_label)
        self.save_label = Button(self._say("label.save"), "outline")
        self.save_label.clicked.connect(self._save_label)
        self.edit_label = IconButton("action/edit", self._say("label.edit"), size=32, icon_size=18)
        self.edit_label.clicked.connect(self.begin_editing)
        self._label_row = QWidget()
        row = QHBoxLayout(self._label_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.label, 1)
        row.addWidget(self.save_label)
        self._label_row.hide()

    def _build_buttons(self) -> None:
        self.answer = Button(self._say("reply"), "primary", tall=True)
        self.read = Button(self._say("read"), "primary", tall=True)
        self.again = Button(say(self._shell.lang, "answer.again"), "outline", tall=True)
        self.leave = Button(say(self._shell.lang, "answer.leave"), "outline", tall=True)
        self.more = Button(self._say("more"), "outline", tall=True, icon="action/reply")
        self.copy_id = IconButton("action/copy", self._say("copy-id"), size=32, icon_size=18)
        self.stop = Button(self._say("stop"), "outline", tall=True)
        self.cancel = Button(say(self._shell.lang, "deed.cancel"), "outline", tall=True)
        self.say_more = Button(say(self._shell.lang, "deed.more"), "primary", tall=True)
        self.confirm = ConfirmBar()
        self.why.clicked.connect(self._toggle_why)

    def _build(self) -> None:
        inner = QWidget()
        self._upper, lower = QVBoxLayout(), QVBoxLayout()
        for part in (self._upper, lower):
            part.setContentsMargins(SIDE_ROOM, 0, SIDE_ROOM, 0)
            part.setSpacing(10)
        for widget in (self._label_row, self.more_box, self.figures, self.artifacts):
            self._upper.addWidget(widget)
        for widget in (self.why_text, self.note):
            lower.addWidget(widget)
        body = QVBoxLayout(inner)
        body.setContentsMargins(SIDE - SIDE_ROOM, 2, SIDE - SIDE_ROOM, 12)
        body.setSpacing(7)
        body.addLayout(self._upper)
        body.addWidget(self.trail)
        # The button's own padding puts its icon below those of the trail.
        evidence = QHBoxLayout()
        evidence.setSpacing(8)
        for button in (self.why, self.raw):
            evidence.addWidget(button)
        evidence.addStretch(1)
        body.addLayout(evidence)
        body.addLayout(lower)
        body.addStretch(1)
        self.area = PageScroll(inner)
        self._footer = Footer()
        for widget in (self.more, self.copy_id):
            self._footer.add(widget)
        self._footer.stretch()
        for button in (
            self.stop, self.cancel, self.again, self.leave, self.read, self.say_more, self.answer,
        ):  # fmt: skip
            self._footer.add(button)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, SIDE - 8, 0)
        line.addWidget(self.line, 1)
        line.addWidget(self.edit_label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(line)
        column.addWidget(self.area, 1)
        column.addWidget(self._footer)
        column.addWidget(self.confirm)

    # What the page asks for.

    def begin(self) -> None:
        """A session is opened: nothing of the last one stays open."""
        self.end_confirm()
        self.end_editing()
        self.more_box.hide()
        self.why_text.hide()
        self.area.verticalScrollBar().setValue(0)

    def show_gone(self) -> None:
        """The row has left; nothing can be done with it here."""
        self.end_confirm()
        self.end_editing()
        self._show_banner("neutral", self._say("gone"))
        for widget in (
            self.figures, self.artifacts, self.trail, self.why, self.raw, self.why_text, self.note,
            self.edit_label,
        ):  # fmt: skip
            widget.hide()
        self.more_box.set_ready(False)
        self._footer.hide()

    def show_session(self, session: AgentSession, now: int, told: tuple[str, str]) -> None:
        """Fill everything."""
        lang = self._shell.lang
        self.header.set_title(self._say(kind(session)))
        drawn = look(session)
        word = state_word(session, lang)
        twin = twin_number(self._shell.store.roster, session.key)
        name = clean(title(session), 120) + (f" #{twin}" if twin else "")
        state = (str(drawn.glyph), word, drawn.grey)
        self.line.show_agent(badge(session), name, below=below(session, lang), state=state)
        self.figures.show()
        self.figures.show_figures(figures(session, lang, now))
        readable = Can.READ_REPLY in session.capabilities and session.reply is Reply.HELD
        if self.artifacts.show_artifacts(session.activity.artifacts if is_direct(session) else (), readable):
            put_after(self.more_box.send, *self.artifacts.buttons())
        self.trail.show()
        self.trail.show_entries(entries(session, lang, now))
        self.why.show()
        self.why_text.setText(why(session, lang, now))
        self.raw.setVisible(Can.SHOW_RAW in session.capabilities)
        self.note.set_text(stop_note(session, lang))
        self._show_banner(*(told if told[1] else banner(session, lang)))
        self.more_box.set_ready(Can.CONTINUE in session.capabilities)
        self._show_buttons(session)

    def _show_banner(self, kind: str, text: str) -> None:
        if self.banner is not None and (self.banner.kind, self.banner.text()) == (kind, text):
            return
        if self.banner is not None:
            self.banner.hide()
            self._upper.removeWidget(self.banner)
            self.banner.deleteLater()
            self.banner = None
        if text:
            self.banner = Banner(kind, text)  # type: ignore[arg-type]
            self._upper.insertWidget(1, self.banner)
            self.banner.show()

    def _show_buttons(self, session: AgentSession) -> None:
        can, remote = session.capabilities, session.origin is not Origin.LOCAL
        unsure = is_unsure(session)
        shown: dict[QWidget, bool] = {
            self.answer: session.is_blocked,
            self.read: Can.READ_REPLY in can and session.reply is Reply.HELD,
            self.again: Can.SEND_AGAIN in can,
            self.leave: unsure and session.state_reason == "outcome-unknown",
            self.say_more: Can.CONTINUE in can and self.more_box.isHidden(),
            self.more: remote and not unsure and Can.CONTINUE not in can,
            self.cancel: Can.CANCEL in can,
            self.stop: Can.STOP_FOLLOWING in can and not unsure,
            self.edit_label: Can.LABEL in can and self._label_row.isHidden(),
        }
        word = f"card.button.{session.requests[0].kind}" if session.is_blocked else "detail.reply"
        answerable = can_answer(session) or can_sign_in(session)
        self.answer.setText(say(self._shell.lang, word if answerable else "card.show"))
        for widget, visible in shown.items():
            widget.setVisible(visible)
        self._footer.setVisible(self.confirm.isHidden())
        if self._label_row.isHidden():
            self.label.setText(elide_end(session.label, LABEL_LIMIT))

    def _toggle_why(self) -> None:
        self.why_text.setVisible(self.why_text.isHidden())

    # Asking, editing.

    @property
    def is_asking(self) -> bool:
        return not self.confirm.isHidden()

    @property
    def is_editing(self) -> bool:
        return not self._label_row.isHidden()

    def ask(self, text: str, cancel: str, do: str, *, danger: bool = True) -> None:
        """One question in place of the buttons, in words that were said already."""
        self._footer.hide()
        self.confirm.ask(text, cancel, do, danger=danger)

    def show_asking(self, name: str) -> None:
        """The wish to cancel is on its way; "" when it has come to an end."""
        lang = self._shell.lang
        self.cancel.setEnabled(not name)
        self.cancel.setText(say(lang, "deed.cancel.asking", name=name) if name else say(lang, "deed.cancel"))

    def begin_more(self, session: AgentSession, text: str) -> None:
        """The box to say more to this very task."""
        lang = self._shell.lang
        tag = session.key.session_id.rpartition("/")[2][:4]
        self.more_box.set_ready(Can.CONTINUE in session.capabilities)
        goes = say(lang, "deed.more.goes", tag=tag, host=place(session) or who(session, lang))
        self.more_box.begin(who(session, lang), goes, text)
        self.say_more.hide()
        self.area.verticalScrollBar().setValue(0)

    def end_confirm(self) -> None:
        self.confirm.hide()
        self._footer.show()

    def begin_editing(self) -> None:
        self._label_row.show()
        self.edit_label.hide()
        self.label.selectAll()
        self.label.setFocus(Qt.FocusReason.OtherFocusReason)

    def end_editing(self) -> None:
        self._label_row.hide()
        self.edit_label.show()

    def _save_label(self) -> None:
        self.label_saved.emit(self.label.text())
        self.end_editing()
        self.trail.setFocus(Qt.FocusReason.OtherFocusReason)
