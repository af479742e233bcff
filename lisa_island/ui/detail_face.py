"""The widgets of the detail page: who, figures, what cannot be known, history, evidence, buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import AgentSession, Can, Freshness, Origin, Reply
from lisa_island.core.looks import look
from lisa_island.core.pill import badge
from lisa_island.core.roster import LABEL_LIMIT
from lisa_island.core.rows import agent_name
from lisa_island.core.summary import title, twin_number
from lisa_island.core.text import clean, elide_end
from lisa_island.core.times import ago, span
from lisa_island.core.words import say
from lisa_island.ui import price, theme
from lisa_island.ui.controls import Banner, Button, Card, Field, IconButton, PlainLabel
from lisa_island.ui.page_parts import SIDE, AgentLine, ConfirmBar, Footer, HintLine, PageHeader, clear
from lisa_island.ui.page_scroll import PageScroll
from lisa_island.ui.said import state_word, who
from lisa_island.ui.shell import Shell
from lisa_island.ui.trail import entries, why
from lisa_island.ui.trail_view import SIDE_ROOM, TrailView

# From here on four figures beside one another would be cut.
WIDE_UNTIL = 1.4


class Figures(Card):
    """A few numbers with their names above them."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 9, 14, 9)
        self._grid.setSpacing(10)
        self._shown: tuple[tuple[str, str], ...] = ()
        theme.watcher().changed.connect(self._lay_out)

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        return self._shown

    def show_figures(self, figures: tuple[tuple[str, str], ...]) -> None:
        if figures == self._shown:
            return
        self._shown = figures
        self._lay_out()

    def _lay_out(self) -> None:
        columns = 4 if theme.current().scale < WIDE_UNTIL else 2
        clear(self._grid)
        for i in range(4):
            self._grid.setColumnStretch(i, 1 if i < min(columns, len(self._shown)) else 0)
        for i, (name, value) in enumerate(self._shown):
            self._grid.addWidget(_figure(name, value), i // columns, i % columns)


class _Figure(QWidget):
    """A number and what it counts, told as one."""

    told_as = QAccessible.Role.Grouping


def _figure(name: str, value: str) -> QWidget:
    found = _Figure()
    found.setAccessibleName(f"{name}: {value}")
    column = QVBoxLayout(found)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(1)
    column.addWidget(PlainLabel(name, "small", "text.3", elide="end"))
    column.addWidget(PlainLabel(value, "body.600", elide="end"))
    return found


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
        self.trail = TrailView(say(lang, "detail.trail"))
        self.why = Button(say(lang, "detail.why"), "quiet", icon="action/info")
        self.why_text = PlainLabel("", "small", "text.2", wrap=True)
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
        self.confirm = ConfirmBar()
        self.why.clicked.connect(self._toggle_why)

    def _build(self) -> None:
        inner = QWidget()
        self._upper, lower = QVBoxLayout(), QVBoxLayout()
        for part in (self._upper, lower):
            part.setContentsMargins(SIDE_ROOM, 0, SIDE_ROOM, 0)
            part.setSpacing(10)
        for widget in (self._label_row, self.figures):
            self._upper.addWidget(widget)
        for widget in (self.why_text, self.note):
            lower.addWidget(widget)
        body = QVBoxLayout(inner)
        body.setContentsMargins(SIDE - SIDE_ROOM, 2, SIDE - SIDE_ROOM, 12)
        body.setSpacing(7)
        body.addLayout(self._upper)
        body.addWidget(self.trail)
        # The button's own padding puts its icon below those of the trail.
        body.addWidget(self.why, 0, Qt.AlignmentFlag.AlignLeading)
        body.addLayout(lower)
        body.addStretch(1)
        self.area = PageScroll(inner)
        self._footer = Footer()
        for widget in (self.more, self.copy_id):
            self._footer.add(widget)
        self._footer.stretch()
        for button in (self.stop, self.again, self.leave, self.read, self.answer):
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
        self.why_text.hide()
        self.area.verticalScrollBar().setValue(0)

    def show_gone(self) -> None:
        """The row has left; nothing can be done with it here."""
        self.end_confirm()
        self.end_editing()
        self._show_banner("neutral", self._say("gone"))
        for widget in (self.figures, self.trail, self.why, self.why_text, self.note, self.edit_label):
            widget.hide()
        self._footer.hide()

    def show_session(self, session: AgentSession, now: int, told: tuple[str, str]) -> None:
        """Fill everything."""
        lang = self._shell.lang
        local, pinned = session.origin is Origin.LOCAL, session.origin is Origin.PINNED
        self.header.set_title(self._say("local" if local else "pinned" if pinned else "remote"))
        drawn = look(session)
        word = state_word(session, lang)
        twin = twin_number(self._shell.store.roster, session.key)
        name = clean(title(session), 120) + (f" #{twin}" if twin else "")
        state = (str(drawn.glyph), word, drawn.grey)
        self.line.show_agent(badge(session), name, below=self._below(session), state=state)
        self.figures.show()
        self.figures.show_figures(self._figures(session, now))
        self.trail.show()
        self.trail.show_entries(entries(session, lang, now))
        self.why.show()
        self.why_text.setText(f"{why(session, lang)}\n{self._say('why.silence')}")
        removable = Can.STOP_FOLLOWING in session.capabilities
        self.note.set_text(self._say("stop.note") if removable else "")
        self._show_banner(*(told if told[1] else self._banner_of(session)))
        self._show_buttons(session)

    def _below(self, session: AgentSession) -> str:
        lang = self._shell.lang
        provider = agent_name(session.key.agent, lang)
        if session.origin is Origin.LOCAL:
            return " · ".join(p for p in (provider, clean(session.cwd, 80)) if p)
        cost = price.word(lang, session.price) if session.price else ""
        lisa = self._say("lisa") if session.origin is Origin.LISA else ""
        return " · ".join(p for p in (who(session, lang), provider, cost, lisa) if p)

    def _figures(self, session: AgentSession, now: int) -> tuple[tuple[str, str], ...]:
        lang, at = self._shell.lang, session.last_activity
        last = ago(lang, at, now) if at is not None else self._say("never")
        found = [(self._say("last"), last)]
        if session.origin is Origin.LOCAL or session.task is None:
            if session.activity.updates:
                found.append((self._say("updates"), str(session.activity.updates)))
            if session.started_at is not None and session.origin is Origin.LOCAL:
                found.append((self._say("running"), span(lang, now - session.started_at)))
            return tuple(found)
        found.append((self._say("calls"), str(session.task.calls)))
        found.append((self._say("artifacts"), str(len(session.activity.artifacts))))
        if session.origin is Origin.CALLED:
            found.append((self._say("cost"), self._cost(session.price, session.task.calls)))
        return tuple(found)

    def _cost(self, known: str, calls: int) -> str:
        if price.is_paid(known):
            return self._say("cost.calls", n=calls, price=price.word(self._shell.lang, known))
        return self._say("cost.free" if known == "free" else "cost.unknown")

    def _banner_of(self, session: AgentSession) -> tuple[str, str]:
        match session.state_reason:
            case "outcome-unknown":
                return "unknown", self._say("unknown")
            case "not-sent":
                return "error", self._say("not-sent")
            case "not-heard-since-restart" if session.freshness is not Freshness.OFFLINE:
                return "unknown", self._say("not-heard")
            case _ if session.reply is Reply.LOST:
                return "neutral", self._say("lost")
            case _:
                return "", ""

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
        again = Can.SEND_AGAIN in can
        shown: dict[QWidget, bool] = {
            self.answer: session.is_blocked,
            self.read: Can.READ_REPLY in can and session.reply is Reply.HELD,
            self.again: again,
            self.leave: again and session.state_reason == "outcome-unknown",
            self.more: remote and not again,
            self.stop: Can.STOP_FOLLOWING in can and not again,
            self.edit_label: Can.LABEL in can and self._label_row.isHidden(),
        }
        kind = f"card.button.{session.requests[0].kind}" if session.is_blocked else "detail.reply"
        answerable = Can.ANSWER in can
        self.answer.setText(say(self._shell.lang, kind if answerable else "card.show"))
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
        """Keys of the catalogue; `do` may be a sentence already."""
        lang = self._shell.lang
        deed = say(lang, do) if do.startswith("detail.") else do
        self._footer.hide()
        self.confirm.ask(say(lang, text), say(lang, cancel), deed, danger=danger)

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
