"""The sessions in the panel: section line, search, list. Lives on the store, but only while it is seen.

    RosterView(shell)
        .opened(SessionKey)   a row was clicked, or Enter pressed on it
        .deed_asked(SessionKey, deed)   an entry of its menu was chosen (`row_menu.DEEDS`)
        .resized()            it would like another height (sizeHint)
        .start_search(text="")
        .focus_first()        the keyboard comes in
        .total                rows that exist, folded ones too

While visible it has single-shot timers for three seconds of kept order and one second until an unread row
counts as seen; at each full minute the main page calls `refresh`. Hidden, it has none and paints nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import SessionKey
from lisa_island.core.announcing import About
from lisa_island.core.events import Seen
from lisa_island.core.pill import Turn, turned
from lisa_island.core.roster import Roster
from lisa_island.core.rows import Kind, Known, Listing, Row, listing
from lisa_island.core.words import count, say
from lisa_island.ui import theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import Field, IconButton, PlainLabel
from lisa_island.ui.roster_list import ENTER, RosterList
from lisa_island.ui.roster_model import RosterModel
from lisa_island.ui.row_menu import DETAILS, row_menu
from lisa_island.ui.shell import Shell

SEEN_MS = 1000


class RosterView(QWidget):
    """Section line, search field and list over the shell's store."""

    opened = Signal(object)
    deed_asked = Signal(object, str)
    resized = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._unfolded = False
        self._groups: set[str] = set()
        self._turns: dict[SessionKey, Turn] = {}
        self._listing = Listing()
        self._known: Known = {}
        self._unseen: set[str] = set()
        self._announcer = Announcer(self)
        self.model = RosterModel(self)
        self.list = RosterList(self.model)
        self._build()
        self.translate()
        self._seen = QTimer(self)
        self._seen.setSingleShot(True)
        self._seen.setInterval(SEEN_MS)
        self._seen.timeout.connect(self._tell_seen)
        self.list.chosen.connect(self._chosen)
        self.list.menu_asked.connect(self._menu)
        self.list.search_asked.connect(self.start_search)
        self.list.verticalScrollBar().valueChanged.connect(self._watch_unread)
        theme.watcher().changed.connect(self.list.relayout)
        end_store = shell.store.subscribe(self._roster_changed)
        end_choices = shell.on_preferences(lambda _: self._refresh_if_seen())
        self.destroyed.connect(lambda: (end_store(), end_choices()))

    def _build(self) -> None:
        m = theme.current().metrics
        self._title = PlainLabel("", "body.600", "text.2")
        self._count = PlainLabel("", "body", "text.3")
        self._note = PlainLabel("", "small", "text.3", elide="end")
        self._search_button = IconButton("action/search", "search", size=28, icon_size=16)
        self._search_button.clicked.connect(lambda: self.start_search())
        self.field = Field("search", icon="action/search")
        self._field_row = QWidget()
        inner = QHBoxLayout(self._field_row)
        inner.setContentsMargins(m.card_margin, 2, m.card_margin, 6)
        inner.addWidget(self.field)
        self._field_row.hide()
        self.field.textChanged.connect(lambda _: self._searched())
        self.field.installEventFilter(self)
        self._nothing = PlainLabel("", "small", "text.3")
        self._nothing.setContentsMargins(m.row_pad, 4, m.row_pad, 12)
        self._nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._section_line())
        column.addWidget(self._field_row)
        column.addWidget(self._nothing)
        column.addWidget(self.list, 1)

    def _section_line(self) -> QWidget:
        m = theme.current().metrics
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(m.row_pad, 3, m.row_pad - 6, 1)
        row.setSpacing(m.row_gap - 2)
        for widget in (self._title, self._count, self._note):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._search_button)
        return line

    def translate(self) -> None:
        """Say everything in the language of now."""
        word = say(self._shell.lang, "panel.search")
        self._search_button.set_icon("action/search", word)
        self.field.setAccessibleName(word)
        self.field.setPlaceholderText(word)
        self._nothing.setText(say(self._shell.lang, "panel.search.none"))
        self.refresh()

    # What others call.

    @property
    def total(self) -> int:
        return self._listing.total

    @property
    def is_searching(self) -> bool:
        return not self._field_row.isHidden()

    def start_search(self, text: str = "") -> None:
        """Show the field, with what was typed last still in it unless `text` begins something new."""
        self._field_row.show()
        if text:
            self.field.setText(text)
        else:
            self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.refresh()

    def end_search(self) -> bool:
        """Hide the field; its text stays for the next time. False when it was hidden already."""
        if not self.is_searching:
            return False
        self._field_row.hide()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.refresh()
        return True

    def focus_first(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show the roster as it is at this moment."""
        shell = self._shell
        self.list.set_compact(shell.preferences.compact_rows)
        query = self.field.text() if self.is_searching else ""
        before, tall = self.sizeHint().height(), self.list.sizeHint()
        self._listing = listing(
            shell.store.roster, shell.lang, shell.now(),
            query=query, unfolded=self._unfolded, opened=self._groups, turns=self._turns, known=self._known,
        )  # fmt: skip
        self.model.show(self._listing.rows)
        self._label(query)
        if self.list.sizeHint() != tall:
            self.list.updateGeometry()
        self._watch_unread()
        if self.sizeHint().height() != before:
            self.resized.emit()

    def _searched(self) -> None:
        self.refresh()
        if self.isVisible() and self.field.text().strip():
            lang, n = self._shell.lang, self._listing.total
            found = count(lang, "panel.search.found", n) if n else say(lang, "panel.search.none")
            self._announcer.say(found, About.FOUND)

    def _label(self, query: str) -> None:
        lang, shown = self._shell.lang, self._listing
        self._title.setText(shown.title)
        found = count(lang, "panel.search.found", shown.total) if query.strip() else str(shown.total)
        self._count.setText(found)
        self._note.setText(shown.note)
        self._note.setToolTip(say(lang, "panel.sync-only.why") if shown.note else "")
        self._nothing.setVisible(bool(query.strip()) and not shown.rows)
        self.list.setAccessibleName(shown.title)

    # The owner's hands.

    def _chosen(self, row: Row) -> None:
        if row.kind is Kind.FOLD:
            self._unfolded = not self._unfolded
            self.refresh()
        elif row.kind is Kind.GROUP:
            self._groups ^= {row.id}
            self.refresh()
        elif row.key is not None:
            self.opened.emit(row.key)

    def _menu(self, row: Row, at: QPoint) -> None:
        session = self._shell.store.roster.get(row.key) if row.key else None
        if session is None:
            return
        key = session.key

        def chosen(deed: str) -> None:
            if deed == DETAILS:
                self.opened.emit(key)
            else:
                self.deed_asked.emit(key, deed)

        menu = row_menu(session, self._shell.lang, self, chosen)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field or not isinstance(event, QKeyEvent):
            return False
        if event.type() is QEvent.Type.ShortcutOverride and _is_command_key(event):
            # A line edit would take Ctrl+K for "delete to the end of the line".
            event.ignore()
            return True
        return event.type() is QEvent.Type.KeyPress and self._search_key(event)

    def _search_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            return self.end_search()
        if event.key() == Qt.Key.Key_Down:
            self.list.setCurrentIndex(self.model.index(0, 0))
            self.focus_first()
            return True
        if event.key() in ENTER and self.model.rows:
            self._chosen(self.model.rows[0])
            return True
        return False

    # The store, only while somebody looks.

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        if self.isVisible():
            self._turn(new)
            self.refresh()

    def _refresh_if_seen(self) -> None:
        if self.isVisible():
            self.refresh()

    def _turn(self, roster: Roster) -> None:
        now = self._shell.now()
        self._turns = {
            key: turned(self._turns.get(key, Turn()), s.last_activity, now)
            for key, s in roster.sessions.items()
        }

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._turn(self._shell.store.roster)
        self.refresh()
        self.model.hold_order(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.hold_order(False)
        self._seen.stop()
        self._unseen = set()

    def _watch_unread(self) -> None:
        """A row in sight that was not seen yet: look again in a second."""
        if not self.isVisible() or self._seen.isActive() or not any(r.unread for r in self.model.rows):
            return
        self._unseen = {r.id for r in self.list.visible_rows() if r.unread}
        if self._unseen:
            self._seen.start()

    def _tell_seen(self) -> None:
        keys = [r.key for r in self.list.visible_rows() if r.unread and r.id in self._unseen and r.key]
        self._unseen = set()
        for key in keys:
            self._shell.store.dispatch(Seen(key))
        self._watch_unread()


def _is_command_key(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_K and event.modifiers() == Qt.KeyboardModifier.ControlModifier
