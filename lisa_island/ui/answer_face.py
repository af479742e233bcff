"""The widgets of the answer page, and what of them is seen in which phase. Decides and sends nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import RequestKind
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.answer_parts import AddressBox, ChainView, QuoteBox
from lisa_island.ui.answering import SIGNED_IN, Phase
from lisa_island.ui.controls import Banner, Button, PlainLabel, TextBox
from lisa_island.ui.option_list import OptionList
from lisa_island.ui.page_parts import (
    ARM_MS,
    SIDE,
    AgentLine,
    ConfirmBar,
    Footer,
    HintLine,
    PageHeader,
    is_stacked,
    put_after,
)
from lisa_island.ui.page_scroll import PageScroll

_SENDABLE = (Phase.ASK, Phase.CONFIRM)


class Face(QWidget):
    """Built once; `show_phase` shows and hides."""

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lang = lang
        self.asks_again = False
        self.again_price = ""
        self.header = PageHeader(lang)
        self.line = AgentLine()
        self.quote = QuoteBox()
        self.cut = HintLine()
        self.banner: Banner | None = None
        self.address = AddressBox(self._say("auth.address"), self._say("auth.copy"))
        self.warning = HintLine("action/warning", "state.waiting")
        self.no_address = HintLine()
        self.hint = HintLine()
        self.steps = ChainView()
        self.options = OptionList(self._say("options"))
        self.box = TextBox(self._say("yours"), placeholder=self._say("placeholder"), min_lines=3)
        self._build_labels()
        self._build_buttons()
        self._build()

    def _say(self, key: str, **values: object) -> str:
        return say(self._lang, f"answer.{key}", **values)

    def _build_labels(self) -> None:
        self.box_title = PlainLabel("", "small", "text.3")
        self.box_note = PlainLabel(self._say("same-task"), "small", "text.3", elide="end")
        self.address_title = PlainLabel(self._say("auth.address"), "small", "text.3")
        self.sends = PlainLabel("", "small", "text.2", wrap=True)
        self.options_title = PlainLabel(self._say("options"), "small", "text.3")
        self.picked = PlainLabel("", "small", "text.2", wrap=True)
        self.key = PlainLabel(self._say("key"), "small", "text.3")

    def _build_buttons(self) -> None:
        self.stop = Button(self._say("stop"), "outline", tall=True)
        self.copy = Button(self._say("copy"), "outline", tall=True, icon="action/copy")
        self.signed = Button(self._say("auth.done"), "outline", tall=True, arm_ms=ARM_MS)
        self.primary = Button(self._say("send"), "primary", tall=True, arm_ms=ARM_MS)
        self.browse = Button(self._say("auth.open"), "primary", tall=True, icon="action/jump", arm_ms=ARM_MS)
        self.sign_in = Button(
            say(self._lang, "direct.sign-in.enter"), tall=True, icon="action/key", arm_ms=ARM_MS
        )
        self.again = Button(self._say("again"), "outline", tall=True)
        self.leave = Button(self._say("leave"), "outline", tall=True)
        self.next = Button(self._say("done"), "outline", tall=True)
        self.confirm = ConfirmBar()
        self.confirm.cancelled.connect(self.end_confirm)

    def _build(self) -> None:
        inner = QWidget()
        self._body = QVBoxLayout(inner)
        self._body.setContentsMargins(SIDE, 2, SIDE, 12)
        self._body.setSpacing(8)
        titles = QHBoxLayout()
        titles.addWidget(self.box_title)
        titles.addStretch(1)
        titles.addWidget(self.box_note)
        self._body.addWidget(self.quote)
        self._body.addWidget(self.cut)
        self._body.addWidget(self.address_title)
        self._body.addWidget(self.address)
        for hint in (self.no_address, self.warning):
            self._body.addWidget(hint)
        self._body.addWidget(self.options_title)
        self._body.addWidget(self.options)
        self._body.addLayout(titles)
        self._body.addWidget(self.box)
        self._body.addWidget(self.picked)
        self._body.addWidget(self.sends)
        self._body.addWidget(self.hint)
        self._body.addWidget(self.steps)
        self._body.addStretch(1)
        self._footer = Footer()
        for widget in (self.stop, self.copy):
            self._footer.add(widget)
        self._footer.stretch()
        self._footer.add(self.key)
        for button in (
            self.signed,
            self.sign_in,
            self.primary,
            self.browse,
            self.again,
            self.leave,
            self.next,
        ):
            self._footer.add(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.line)
        column.addWidget(PageScroll(inner), 1)
        column.addWidget(self._footer)
        column.addWidget(self.confirm)
        self.no_address.set_text(self._say("auth.none"))

    # What the page asks for.

    def show_banner(self, kind: str, text: str) -> None:
        """One sentence above the text, or none."""
        if self.banner is not None and (self.banner.kind, self.banner.text()) == (kind, text):
            return
        if self.banner is not None:
            self.banner.hide()
            self._body.removeWidget(self.banner)
            self.banner.deleteLater()
            self.banner = None
        if text:
            self.banner = Banner(kind, text)  # type: ignore[arg-type]
            self._body.insertWidget(0, self.banner)
            self.banner.show()

    def show_phase(
        self,
        phase: Phase,
        *,
        kind: RequestKind,
        answerable: bool,
        removable: bool,
        address: str = "",
        again: bool = False,
        sign_in: bool = False,
    ) -> None:
        """Show what belongs to the phase, hide the rest."""
        auth = kind is RequestKind.AUTH
        open_ = phase in (*_SENDABLE, Phase.SENDING)
        ask = open_ and answerable
        kept = phase in (Phase.UNKNOWN, Phase.GONE) and bool(self.box.toPlainText().strip())
        self.line.show()
        self._see(open_ or phase is Phase.GONE, self.quote)
        self._see(open_ and auth and (bool(address) or not sign_in), self.address_title)
        self._see(open_ and auth and bool(address), self.address)
        self._see(open_ and auth and not address and not sign_in, self.no_address)
        self._see(open_ and bool(self.warning.text()), self.warning)
        self._see(open_ and bool(self.cut.text()), self.cut)
        self._see((ask and not auth) or kept, self.box, self.box_title)
        self._see(ask and not auth, self.box_note)
        offers = ask and not auth and bool(self.options.options)
        self._see(offers, self.options, self.options_title)
        self._see(offers and bool(self.options.chosen), self.picked)
        self.options.setEnabled(phase in _SENDABLE)
        self._see(ask and auth, self.sends)
        self._see(open_, self.hint)
        self._see(phase is Phase.SENT, self.steps)
        self.box_title.setText(self._say(("else" if offers else "yours") if ask else "kept"))
        self.box.setReadOnly(phase not in _SENDABLE)
        signed = self._say("auth.done")
        self.sends.setText(self._say("auth.sends", text=signed, sentence=SIGNED_IN))
        self.sign_in.set_kind("outline" if address else "primary")
        self._see(auth and sign_in and phase is Phase.ASK, self.sign_in)
        self._show_buttons(phase, ask, auth, removable, bool(address), again, kept)

    def _show_buttons(
        self, phase: Phase, ask: bool, auth: bool, removable: bool, address: bool, again: bool, kept: bool
    ) -> None:
        shown: dict[QWidget, bool] = {
            self.stop: removable and phase in (*_SENDABLE, Phase.GONE),
            self.copy: kept,
            self.key: ask and not auth and phase is not Phase.SENDING and not is_stacked(),
            self.signed: ask and auth and phase is Phase.ASK,
            self.primary: ask and (not auth or phase is not Phase.ASK),
            self.browse: ask and auth and address and phase is Phase.ASK,
            self.again: again and phase is Phase.UNKNOWN,
            self.leave: phase is Phase.UNKNOWN,
            self.next: phase in (Phase.SENT, Phase.GONE),
            self.sign_in: not self.sign_in.isHidden(),
        }
        for widget, visible in shown.items():
            widget.setVisible(visible)
        self._footer.setVisible(self.confirm.isHidden() and any(shown.values()))

    def _see(self, visible: bool, *widgets: QWidget) -> None:
        for widget in widgets:
            widget.setVisible(visible)

    def arm(self) -> None:
        """What decides takes no press for a moment."""
        for button in (self.primary, self.signed, self.browse, self.sign_in):
            if button.isVisible():
                button.arm()

    def show_options(self, options: tuple[str, ...]) -> None:
        """What the agent lets the owner choose from; Tab comes to it between question and box."""
        if options != self.options.options:
            self.options.show_options(options)
            put_after(self.quote.text, *self.options.buttons())

    def show_choice(self) -> None:
        """What would be sent, where a choice stands beside words of the owner's own."""
        chosen = self.options.chosen
        self.picked.setText(self._say("chosen", option=chosen) if chosen else "")
        self.picked.setVisible(bool(chosen) and not self.options.isHidden())

    # Asking once more.

    def ask_stop(self) -> None:
        self._ask(False, self._say("stop.ask"), self._say("keep"), self._say("stop"))

    def ask_again(self, known: str, question: str = "") -> None:
        """`known` is the price word that stands on the button; `question` replaces that of a gateway."""
        self.again_price = known
        paid = price.is_paid(known)
        do = self._say("again.for", price=price.word(self._lang, known)) if paid else self._say("again.do")
        self._ask(True, question or self._say("again.ask"), self._say("leave"), do)

    def _ask(self, again: bool, text: str, cancel: str, do: str) -> None:
        self.asks_again = again
        self._footer.hide()
        self.confirm.ask(text, cancel, do, danger=not again)

    def end_confirm(self) -> bool:
        """Take the question away; False when none stood there."""
        if self.confirm.isHidden():
            return False
        self.confirm.hide()
        page = self.parentWidget()
        if page is not None and hasattr(page, "render_page"):
            page.render_page()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)
        return True
