"""The command bar: names an agent, says in words where the text goes, and sends it on Enter.

    CommandBar(shell, drafts)
        .focus_text(prefill="")   the keyboard comes in; a prefill replaces an empty field only
        .focus_first()            the same, as the panel calls it
        .has_draft
        sent(SessionKey)          the task is on its way
        height_changed()          it would like another height
        began(bool)               there is text now, or none any more;  .is_begun

The line of words is core.bar.line; nothing is sent that has no intent there. The text stays in
`drafts["command-bar"]`, in memory only, until it was sent. Completion grows upward inside the panel.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.core.announcing import About
from lisa_island.core.bar import Line, line
from lisa_island.core.intents import Answer, Continue, Outcome, Result, Send
from lisa_island.core.naming import places
from lisa_island.core.routing import complete
from lisa_island.core.words import say
from lisa_island.ui import price, theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.bar_field import BarField
from lisa_island.ui.completion import Completion, choices
from lisa_island.ui.controls import IconButton, PlainLabel, Separator
from lisa_island.ui.page_parts import is_stacked
from lisa_island.ui.route_line import KeyTag, RouteLine
from lisa_island.ui.said import outcome
from lisa_island.ui.shell import Shell

DRAFT = "command-bar"
HINT_ROOM = 34  # px left of the words in the field, and right of the key beside them


class Heading(PlainLabel):
    """The section line of the completion."""

    padding = QMargins(16, 0, 16, 0)


class CommandBar(QWidget):
    """Field, line of words, completion."""

    sent = Signal(object)
    height_changed = Signal()
    began = Signal(bool)

    def __init__(self, shell: Shell, drafts: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._drafts = shell, drafts
        self._line = Line()
        self._sending: Send | Answer | Continue | None = None
        self._priced: Send | Answer | None = None
        self._said = False
        self._dismissed = ""
        self._height = 0
        self._begun = False
        self._announcer = Announcer(self)
        self._build()
        end_store = shell.store.subscribe(lambda _old, _new: self._roster_changed())
        self.destroyed.connect(lambda: end_store())
        if text := drafts.get(DRAFT, ""):
            self.field.put(text)

    def _build(self) -> None:
        lang, m = self._shell.lang, theme.current().metrics
        self._heading = Heading(say(lang, "complete.agents"), "body.600", "text.2")
        self.completion = Completion(lang)
        self._separator = Separator()
        self.field = BarField(say(lang, "bar.name"), say(lang, "bar.placeholder"))
        self.hint = KeyTag(say(lang, "complete.key"))
        self.hint.setParent(self.field)
        self.hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        send = say(lang, "complete.send")
        self.go = IconButton("action/send", send, size=28, icon_size=18, ink="accent", parent=self.field)
        self.line = RouteLine(say(lang, "complete.enter"))
        keys = QHBoxLayout()
        keys.setContentsMargins(12, 0, 12, 8)
        keys.setSpacing(16)
        for word in ("bar.choose-key", "bar.complete-key", "bar.close-key"):
            keys.addWidget(PlainLabel(say(lang, word), "small", "text.3"))
        keys.addStretch(1)
        self._keys = QWidget()
        self._keys.setLayout(keys)
        self._field_box = QWidget()
        row = QHBoxLayout(self._field_box)
        row.setContentsMargins(m.card_margin, 8, m.card_margin, 8)
        row.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        parts = (self._heading, self.completion, self._separator, self._field_box, self._keys, self.line)
        for widget in parts:
            column.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._connect()
        self._show_completion(())
        self.go.setVisible(False)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._enter)
        self.field.key_asked.connect(self._key_asked)
        self.field.installEventFilter(self)
        self.go.clicked.connect(self._enter)
        self.completion.picked.connect(self._take)
        self.line.chosen.connect(self._put)
        self.line.accepted.connect(self._accept)

    # What others call.

    @property
    def has_draft(self) -> bool:
        return bool(self._drafts.get(DRAFT, "").strip())

    def focus_text(self, prefill: str = "") -> None:
        """Bring the keyboard in. What the owner typed is never replaced; it goes behind the prefill."""
        if prefill and self._sending is None:
            kept = self.field.toPlainText().strip()
            begun = kept.startswith(prefill.strip())
            self.field.put(kept if kept and begun else prefill + kept)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_first(self) -> None:
        self.focus_text()

    def text(self) -> str:
        return self.field.toPlainText()

    @property
    def is_begun(self) -> bool:
        return bool(self.text().strip())

    # The line of words.

    def _roster_changed(self) -> None:
        if self.isVisible() and self.text().strip() and self._sending is None and not self._said:
            self.read()

    def _typed(self) -> None:
        text = self.text()
        if text.strip():
            self._drafts[DRAFT] = text
        else:
            self._drafts.pop(DRAFT, None)
        if self.is_begun != self._begun:
            self._begun = self.is_begun
            self.began.emit(self._begun)
        self._said, self._priced = False, None
        if text != self._dismissed:
            self._dismissed = ""
        self.read()

    def read(self) -> None:
        """Say what Enter would do now."""
        if self._sending is not None:
            return
        roster = self._shell.store.roster
        known = {slug: (cost, about) for slug, cost, about in self._shell.targets()}
        text = self.text()
        prices = {slug: cost for slug, (cost, _) in known.items()}
        host = price.host(self._shell.preferences.base_url)
        self._line = line(text, roster, prices, host, places=self._places(), pasted=self.field.is_pasted)
        slugs = complete(text, tuple(known)) if text and text != self._dismissed else ()
        self._show_completion(slugs)
        if not slugs:
            self._show_line()
        self._mark()
        self.go.setEnabled(self._line.intent is not None)
        self.go.setVisible(bool(text.strip()))
        self._show_hint(self.field.hasFocus())

    def _places(self) -> dict[str, str]:
        return places(self._shell.preferences.direct_agents)

    def _show_completion(self, slugs: tuple[str, ...]) -> None:
        known = {slug: (cost, about) for slug, cost, about in self._shell.targets()}
        found = choices(slugs, known, self._shell.store.roster, self._shell.lang, self._places())
        self.completion.offer(found)
        for widget in (self._heading, self._separator, self._keys):
            widget.setVisible(bool(found))
        if is_stacked():  # the keys are a help for those who look; they would take a row of agents
            self._keys.hide()
        self.field.wants_keys = bool(found)
        if found:
            self.line.show_line("")
        self._fit()

    def _show_line(self) -> None:
        found, lang = self._line, self._shell.lang
        if not found.word:
            self.line.show_line("")
        else:
            values = {k: price.word(lang, v) if k == "price" else v for k, v in found.values}
            wrong = found.is_problem and not found.choices
            glyph = "error" if wrong else "waiting" if found.choices else ""
            self.line.show_line(
                say(lang, found.word, **values),
                slug="" if glyph else found.target,
                glyph=glyph,
                ink="state.error" if wrong else "text.2",
                enter=found.intent is not None,
                choices=found.choices,
            )
        self._fit()

    def _mark(self) -> None:
        """The agent's name is drawn as chosen once it is one that can be sent to."""
        text, target = self.text(), self._line.target
        at = text.find(target) if target else -1
        self.field.mark_name(at + len(target) if 0 <= at <= 4 else 0)

    # Sending.

    def _enter(self) -> None:
        if self._sending is not None:
            return
        if slug := self.completion.current:
            self._take(slug)
        elif self._priced is None and self._line.intent is not None:
            self._send(self._line.intent)

    def _accept(self) -> None:
        if self._priced is not None and self._sending is None:
            self._send(self._priced)

    def _send(self, intent: Send | Answer | Continue) -> None:
        self._sending, self._priced = intent, None
        self.field.setReadOnly(True)
        self.go.setEnabled(False)
        target = self._line.target
        self.line.show_line(say(self._shell.lang, "bar.sending", target=target), slug=target)
        self._fit()
        self._shell.perform(intent, self._ended)

    def _ended(self, how: Outcome) -> None:
        intent, self._sending = self._sending, None
        self.field.setReadOnly(False)
        target = self._line.target
        match how.result:
            case Result.REFUSED if how.price and isinstance(intent, Send | Answer):
                self._ask_price(replace(intent, accepted_price=how.price), target, how.price)
            case Result.REFUSED:
                self._tell(outcome(self._shell.lang, how), "error", "state.error")
            case Result.UNKNOWN:
                # With a key the row holds the text; without one nobody does but the field.
                self._over(how) if how.key is not None else None
                self._tell(outcome(self._shell.lang, how), "unknown")
            case Result.DONE:
                self._over(how)
                words = outcome(self._shell.lang, how) if how.word else ""
                if words:
                    self._tell(words, "error")
                else:
                    self._tell(say(self._shell.lang, "bar.sent", target=target), "done")
        self.go.setEnabled(self._line.intent is not None and self._priced is None)

    def _over(self, how: Outcome) -> None:
        self.field.put("")
        if how.key is not None:
            self.sent.emit(how.key)

    def _ask_price(self, intent: Send | Answer, target: str, cost: str) -> None:
        lang = self._shell.lang
        words = price.word(lang, cost)
        self._priced, self._said = intent, True
        self.line.show_line(
            say(lang, "bar.accept-price", target=target, price=words),
            slug=target,
            accept=say(lang, "bar.accept", price=words),
        )
        self._announcer.say(self.line.text())
        self._fit()

    def _tell(self, text: str, glyph: str, ink: str = "text.2") -> None:
        """A sentence that stays until the text changes."""
        self._said = True
        self.line.show_line(text, glyph=glyph, ink=ink)
        self._announcer.say(text)
        self._fit()

    # Completion and choices.

    def _key_asked(self, step: int) -> None:
        if step:
            self.completion.choose(step)
            self._announcer.say(self.completion.current_name, About.FOUND)
        elif slug := self.completion.current:
            self._take(slug)

    def _take(self, slug: str) -> None:
        self._put(f"@{slug} ")

    def _put(self, text: str) -> None:
        self.field.put(text)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QResizeEvent):
            self._place_buttons()
        elif watched is self.field and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_hint(event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.completion.isHidden():
            self._dismissed = self.text()
            self.read()
            return
        super().keyPressEvent(event)

    def _show_hint(self, focused: bool) -> None:
        """The key that leads here, where it does not lie on the words in the field."""
        words = QFontMetrics(self.field.font()).horizontalAdvance(self.field.placeholderText())
        room = self.field.width() - self.hint.sizeHint().width() - HINT_ROOM
        self.hint.setVisible(not self.text() and not focused and words <= room)

    # Size.

    def _place_buttons(self) -> None:
        self._show_hint(self.field.hasFocus())
        t = theme.current()
        one = t.height(t.metrics.field)
        side = self.go.sizeHint().width()
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = 4 if mirrored else self.field.width() - side - 4
        self.go.setGeometry(x, self.field.height() - one + (one - side) // 2, side, side)
        size = self.hint.sizeHint()
        x = 10 if mirrored else self.field.width() - size.width() - 10
        self.hint.setGeometry(x, (one - size.height()) // 2, size.width(), size.height())

    def _fit(self) -> None:
        t = theme.current()
        self._heading.setFixedHeight(t.height(t.metrics.section_line))
        self.updateGeometry()
        height = self.sizeHint().height()
        if height != self._height:
            self._height = height
            self.height_changed.emit()

    def sizeHint(self) -> QSize:
        layout = self.layout()
        wraps = layout is not None and layout.hasHeightForWidth()
        # A layout's own hint takes wrapped words for narrower than they are.
        height = layout.heightForWidth(self.width()) if layout and wraps else super().sizeHint().height()
        return QSize(theme.current().metrics.panel_width, height)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._sending is None and not self._said:
            self.read()
