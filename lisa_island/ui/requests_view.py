"""What needs the owner, on the main page: a section line, cards bound to request ids, receipts.

    RequestsView(shell, drafts)
        .opened(str)          the owner wants to read or answer this request
        .height_changed()     it would like another height (sizeHint)
        .focus_first() -> bool   the first card takes the focus; False when there is none
        .has_draft            a reply was begun and not sent
        .room                 px it may take before its cards scroll; the panel sets it

`drafts` maps request ids to unsent replies. A request that is gone leaves a receipt in its slot for
RECEIPT_MS, so that no card moves under a finger; at each full minute the main page calls `refresh`. Hidden it
runs no timer.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lisa_island.core.agent import SessionKey
from lisa_island.core.announcing import About
from lisa_island.core.roster import Roster
from lisa_island.core.summary import needs
from lisa_island.core.times import MINUTE, span
from lisa_island.core.words import count, say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.card import NeedCard, ReceiptCard
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.needs import CardView, card, receipt
from lisa_island.ui.page_parts import Picture, is_stacked
from lisa_island.ui.paint import RING_GAP, RING_WIDTH
from lisa_island.ui.shell import Shell

RECEIPT_MS = 1500
HALF_PANEL = 400
RING = RING_GAP + RING_WIDTH


class _Scroll(QScrollArea):
    """Scrolls the cards when they are more than their half of the panel."""

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inner)
        self.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)


class _Cards(QWidget):
    """The list "Needs you", as it is told."""

    told_as = QAccessible.Role.List


class RequestsView(QWidget):
    """The queue over the shell's store."""

    opened = Signal(str)
    height_changed = Signal()

    def __init__(self, shell: Shell, drafts: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._drafts = shell, drafts
        self._room = HALF_PANEL
        self._all = False
        self._views: dict[str, CardView] = {}
        self._slots: dict[str, NeedCard | ReceiptCard] = {}
        self._order: tuple[str, ...] = ()
        self._height, self._least = -1, 0
        self._announcer = Announcer(self)
        self._build()
        self.receipts = QTimer(self)
        self.receipts.setSingleShot(True)
        self.receipts.timeout.connect(self._receipts_over)
        end_store = shell.store.subscribe(self._roster_changed)
        self.destroyed.connect(lambda: end_store())
        theme.watcher().changed.connect(self._restyle)
        self._stacked = is_stacked()
        self.refresh()

    def _build(self) -> None:
        lang, m = self._shell.lang, theme.current().metrics
        self.heading = PlainLabel(say(lang, "panel.needs-you"), "body.600", "text.2")
        self.heading.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the last resort when every card is gone
        self._oldest = PlainLabel("", "body", "text.3", elide="end")
        line = QHBoxLayout()
        line.setContentsMargins(m.row_pad, 0, m.row_pad, 0)
        line.addWidget(self.heading)
        line.addStretch(1)
        line.addWidget(self._oldest)
        self._line = QWidget()
        self._line.setLayout(line)
        self._none = QWidget()
        none = QHBoxLayout(self._none)
        none.setContentsMargins(m.row_pad, 2, m.row_pad, 8)
        none.setSpacing(10)
        none.addWidget(Picture("state/done", 14))
        none.addWidget(PlainLabel(say(lang, "card.none"), "body", "text.2"), 1)
        self._cards = _Cards()
        self._column = QVBoxLayout(self._cards)
        # Above and below there is room for the focus ring: what scrolls is cut at its edge.
        self._column.setContentsMargins(m.card_margin, RING, m.card_margin, RING)
        self._column.setSpacing(m.card_gap)
        self.more = Button("", "quiet")
        self.more.clicked.connect(self._toggle_all)
        self._scroll = _Scroll(self._cards)
        self._cards.setAccessibleName(say(lang, "panel.needs-you"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._line, self._none, self._scroll):
            column.addWidget(widget)

    # What others call.

    @property
    def has_draft(self) -> bool:
        return any(self._drafts.get(id_, "").strip() for id_ in self._views)

    @property
    def room(self) -> int:
        return self._room

    @room.setter
    def room(self, px: int) -> None:
        if px != self._room:
            self._room = px
            self._fit()

    @property
    def has_cards(self) -> bool:
        return any(isinstance(slot, NeedCard) for slot in self._slots.values())

    def cards(self) -> list[NeedCard]:
        """Cards in the order of the page."""
        shown = (self._slots.get(id_) for id_ in self._order)
        return [slot for slot in shown if isinstance(slot, NeedCard)]

    def texts(self) -> list[str]:
        """Receipts that stand now."""
        return [slot.text() for slot in self._slots.values() if isinstance(slot, ReceiptCard)]

    def focus_first(self) -> bool:
        found = self.cards()
        if found:
            found[0].setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(found)

    def sizeHint(self) -> QSize:
        return QSize(theme.current().metrics.panel_width, max(0, self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._least)

    # The store.

    def _roster_changed(self, _old: Roster, _new: Roster) -> None:
        if not self.isVisible():
            return
        self.refresh()

    def refresh(self) -> None:
        """Show the queue as it is now; what is gone keeps its slot while its receipt stands."""
        roster, lang, now = self._shell.store.roster, self._shell.lang, self._shell.now()
        queue = needs(roster)
        n = len(queue)
        views = {
            need.request.request_id: card(roster, need, lang, now, (i + 1, n), self._drafts)
            for i, need in enumerate(queue)
        }
        self._leave_receipts(roster, views)
        self._views = views
        self._arrange(self._placed(tuple(views)))
        oldest = min((need.request.since for need in queue), default=now)
        self._tell_age(n, now - oldest)
        self._none.setVisible(not self._slots and bool(roster.sessions))
        self._fit()

    def _tell_age(self, n: int, age: int) -> None:
        lang = self._shell.lang
        text = say(lang, "card.oldest", span=span(lang, age)) if age >= MINUTE else ""
        self._oldest.setText(text if n else "")

    def _placed(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Order of the slots: the queue's own, but nothing moves while a receipt stands."""
        limit = len(wanted) if self._all else theme.current().metrics.cards_shown
        if not any(isinstance(slot, ReceiptCard) for slot in self._slots.values()):
            return wanted[:limit]
        kept = tuple(id_ for id_ in self._order if id_ in self._slots)
        room = max(0, limit - len(kept))
        return kept + tuple(id_ for id_ in wanted if id_ not in kept)[:room]

    def _leave_receipts(self, roster: Roster, views: dict[str, CardView]) -> None:
        for id_, slot in list(self._slots.items()):
            if id_ in views or not isinstance(slot, NeedCard):
                continue
            if self.isVisible():
                session = roster.get(slot.view.key)
                text = receipt(session, self._shell.lang)
                self._replace(id_, ReceiptCard(slot.view.name, text, slot.height()))
                self.receipts.start(RECEIPT_MS)
                if session is None or session.state_reason != "sending":  # not by the owner, here and now
                    self._tell_gone(slot.view.name, text)
            else:
                self._drop(id_)

    def _tell_gone(self, name: str, text: str) -> None:
        self._announcer.say(say(self._shell.lang, "announce.gone", name=name, what=text), About.GONE)

    def _receipts_over(self) -> None:
        for id_, slot in list(self._slots.items()):
            if isinstance(slot, ReceiptCard):
                self._drop(id_)
        self.refresh()

    # Slots.

    def _arrange(self, order: tuple[str, ...]) -> None:
        for id_ in [i for i in self._slots if i not in order]:
            self._drop(id_)
        for place, id_ in enumerate(order):
            slot = self._slots.get(id_)
            first = place == 0
            if slot is None or (isinstance(slot, NeedCard) and slot.first is not first):
                self._replace(id_, self._make(self._views[id_], first))
            elif isinstance(slot, NeedCard):
                slot.show_view(self._views[id_])
        if order != self._order or self._column.count() != len(order) + 1:
            self._lay_out(order)
        self._order = order
        rest = len(self._views) - sum(id_ in self._views for id_ in order)
        self._tell_more(rest)

    def _lay_out(self, order: tuple[str, ...]) -> None:
        while self._column.takeAt(0) is not None:
            pass
        before: QWidget | None = None
        for id_ in order:
            slot = self._slots[id_]
            self._column.addWidget(slot)
            slot.show()
            if before is not None:
                QWidget.setTabOrder(before, slot)
            before = slot
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignHCenter)
        if before is not None:
            QWidget.setTabOrder(before, self.more)

    def _make(self, view: CardView, first: bool) -> NeedCard:
        made = NeedCard(view, first, self._cards)
        made.opened.connect(self.opened)
        made.walked.connect(lambda step, made=made: self._walk(made, step))
        return made

    def _replace(self, id_: str, slot: NeedCard | ReceiptCard) -> None:
        old = self._slots.get(id_)
        held = old is not None and (old.hasFocus() or old.isAncestorOf(self.focusWidget() or self))
        self._slots[id_] = slot
        if old is not None:
            at = self._column.indexOf(old)
            self._column.insertWidget(at, slot) if at >= 0 else None
            slot.show()
            if held and isinstance(slot, NeedCard):
                slot.setFocus(Qt.FocusReason.OtherFocusReason)
            elif held:
                self._focus_after(id_)
            self._let_go(old)

    def _drop(self, id_: str) -> None:
        slot = self._slots.pop(id_)
        if slot.hasFocus() or slot.isAncestorOf(self.focusWidget() or self):
            self._focus_after(id_)
        self._let_go(slot)

    def _let_go(self, slot: QWidget) -> None:
        self._column.removeWidget(slot)
        slot.hide()
        slot.deleteLater()

    def _focus_after(self, id_: str) -> None:
        """The next card takes the focus, else the one before, else the section's title."""
        ids = list(self._order)
        at = ids.index(id_) if id_ in ids else 0
        for near in (*ids[at + 1 :], *reversed(ids[:at])):
            slot = self._slots.get(near)
            if near != id_ and isinstance(slot, NeedCard):
                slot.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        self.heading.setFocus(Qt.FocusReason.OtherFocusReason)

    def _walk(self, card_: NeedCard, step: int) -> None:
        shown = self.cards()
        at = shown.index(card_) + step
        if 0 <= at < len(shown):
            shown[at].setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(shown[at], 0, theme.current().metrics.card_margin)

    # More, height, time.

    def _toggle_all(self) -> None:
        self._all = not self._all
        self.refresh()

    def _tell_more(self, rest: int) -> None:
        lang = self._shell.lang
        open_ = self._all and len(self._views) > theme.current().metrics.cards_shown
        self._all = self._all and open_
        self.more.setText(say(lang, "card.fewer") if open_ else count(lang, "card.more", max(rest, 2)))
        if rest == 1 and not open_:
            self.more.setText(count(lang, "card.more", 1))
        self.more.setVisible(rest > 0 or open_)

    def _restyle(self) -> None:
        if self._stacked != is_stacked():  # cards are built the one way or the other
            self._stacked = is_stacked()
            for id_ in list(self._slots):
                self._drop(id_)
            self.refresh()
        self._fit()

    def _fit(self) -> None:
        t = theme.current()
        self._line.setFixedHeight(t.height(t.metrics.section_line) - RING)
        shown = bool(self._slots) or not self._none.isHidden()
        self._line.setVisible(shown)
        self._scroll.setVisible(bool(self._slots))
        self._column.activate()
        cards = self._cards.sizeHint().height() if self._slots else 0
        line = self._line.height() if shown else 0
        none = self._none.sizeHint().height() if not self._none.isHidden() else 0
        cards = min(cards, max(t.metrics.card, self._room - line))
        self._scroll.setMaximumHeight(cards)
        self._scroll.setMinimumHeight(min(cards, t.metrics.first_card))
        self._least = line + none + self._scroll.minimumHeight()
        height = line + none + cards
        if height != self._height:
            self._height = height
            self.updateGeometry()
            self.height_changed.emit()

    def session_of(self, request_id: str) -> SessionKey | None:
        """The session that a shown request belongs to."""
        view = self._views.get(request_id)
        return view.key if view else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.receipts.isActive():
            self.receipts.stop()
            self._receipts_over()
