"""The key of the remote gateway: typed blind, shown as its first 16 characters, never revealed.

There is no way from here to the rest of a key: the field has no eye, is emptied the moment it is read, and
what comes back from the shell is a state and a sentence.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from lisa_island.core.agent import KeyState, SourceStatus
from lisa_island.core.origin import check_key, origin_of
from lisa_island.core.preferences import Preferences
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, Card, Field, PlainLabel
from lisa_island.ui.settings.key_face import DOTS, KeyFace, key_face
from lisa_island.ui.settings.lines import Labelled, Split, hands
from lisa_island.ui.settings.page import Host
from lisa_island.ui.settings.rows import Choice, Confirm, Sentence

MOST_TYPED = 512
# Their sentences name an address or a file that only the other side knows.
_OTHER_ORIGIN = "secrets.other-origin"


class KeyField(Field):
    """A password field that drops the white space a paste brings along."""

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__(name, placeholder=placeholder, mono=True)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setMaxLength(MOST_TYPED)
        self.textChanged.connect(self._tidy)

    def _tidy(self, text: str) -> None:
        if (tidy := "".join(text.split())) != text:
            self.setText(tidy)

    def take(self) -> str:
        """What was typed; the field is empty afterwards, and cannot be brought back by undo."""
        value = self.text()
        self.setText("")
        return value


class KeyBox(Labelled):
    """The key's line on the page, with its sentence, its places and its confirmation."""

    saved = Signal()  # a key is in its place now: typed, or imported

    def __init__(self, page: Host) -> None:
        super().__init__(page.say("settings.key"))
        self._page, self._shell = page, page.shell
        self._state: KeyState | None = None
        self._state_of = self._first = origin_of(page.shell.preferences.base_url)
        self._status: SourceStatus | None = None
        self._editing = self._waiting = False
        self._told: tuple[str, str] | None = None  # what the last act came to: sentence, icon
        self.face = KeyFace("")
        self._make()
        self._lay_out()
        page.bind(lambda _: self.refresh())

    def _make(self) -> None:
        say = self._page.say
        self.field = KeyField(say("settings.key.field"), say("settings.key.placeholder"))
        self.field.setObjectName("key")
        self.box = Card("inset")
        self.shown = PlainLabel("", "code", "text.1", elide="end")
        inside = QHBoxLayout(self.box)
        inside.setContentsMargins(10, 0, 10, 0)
        inside.addWidget(self.shown)
        self.save = Button(say("settings.key.save"), "primary", tall=True)
        self.cancel = Button(say("settings.key.cancel"), "quiet", tall=True)
        self.replace = Button(say("settings.key.replace"), tall=True)
        self.remove = Button(say("settings.key.remove"), "quiet", tall=True)
        self.unlock = Button("", tall=True)
        self.take_over = Button(say("settings.key.import"))
        self.import_note = PlainLabel(say("settings.key.import.hint"), "small", "text.3", wrap=True)
        self.take_over.setAccessibleDescription(self.import_note.text())
        self.sentence = Sentence()
        self.source = Choice(say("settings.source"), [])
        self.source.setObjectName("key_source")
        self.confirm = Confirm(
            say("settings.key.remove.ask"), say("settings.key.remove"), say("settings.key.keep")
        )
        for name in ("save", "cancel", "replace", "remove", "unlock"):
            getattr(self, name).setObjectName(f"key-{name}")
        self.take_over.setObjectName("key-import")
        theme.watcher().changed.connect(self._restyle_box)
        self._restyle_box()
        self._connect()

    def _restyle_box(self) -> None:
        t = theme.current()
        self.box.setFixedHeight(t.height(t.metrics.field))

    def _connect(self) -> None:
        self.field.returnPressed.connect(self._save)
        self.field.textEdited.connect(lambda _: self._typed())
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self._stop_editing)
        self.replace.clicked.connect(self._edit)
        self.remove.clicked.connect(self.confirm.ask)
        self.confirm.confirmed.connect(self._drop)
        self.confirm.refused.connect(lambda: self.remove.setFocus())
        self.unlock.clicked.connect(self._unlock)
        self.take_over.clicked.connect(self._import)
        self.source.chosen.connect(lambda value: self._page.prefer(key_source=value))

    def _lay_out(self) -> None:
        first = Split()
        first.addWidget(self.field, 1)
        first.addWidget(self.box, 1)
        first.addLayout(hands(self.save, self.cancel, self.replace, self.remove, self.unlock))
        self.source_label = PlainLabel(self._page.say("settings.source"), "small", "text.2")
        take_over = Split()
        take_over.setSpacing(10)
        take_over.addWidget(self.take_over)
        take_over.addWidget(self.import_note, 1)
        self.column.addLayout(first)
        self.column.addWidget(self.sentence)
        self.column.addWidget(self.source_label)
        self.column.addWidget(self.source)
        self.column.addLayout(take_over)
        self.column.addWidget(self.confirm)

    # --- what is true ---

    @property
    def state(self) -> KeyState | None:
        """Where the key of this address is, None while nobody has looked."""
        return self._state if self._state_of == self._origin() else None

    def show_status(self, status: SourceStatus | None) -> None:
        """The source's own word on the key; it was asked after whatever we were told before."""
        if status == self._status:
            return
        self._status = status
        if status is not None and status.enabled:
            if status.key_state is not self._state and not self._waiting:
                self._told = None  # it speaks of a state that is over
            self._learn(status.key_state, origin_of(status.origin) or self._origin())
        self.refresh()

    def _learn(self, state: KeyState, origin: str) -> None:
        self._state, self._state_of = state, origin

    def _preview(self) -> str:
        """What may be shown; after the address has changed, nothing before somebody has looked."""
        if self.state is None and self._origin() != self._first:
            return ""
        return self._shell.key_preview()

    def _origin(self) -> str:
        return origin_of(self._shell.preferences.base_url)

    def refresh(self) -> None:
        """Show the face of the key's state."""
        p: Preferences = self._shell.preferences
        detail = self._status.detail if self._status else ""
        self.face = face = key_face(self.state, detail, self._preview(), p.key_source, self._origin())
        typing = face.can_type or (self._editing and face.can_replace)
        with_focus = self.window().focusWidget() if self.isVisible() else None
        self._show_line(face, typing)
        self._show_sources(face, p)
        for part in (self.take_over, self.import_note):
            part.setVisible(face.can_import and not self._waiting)
        self._show_sentence(face)
        self._keep_focus(with_focus)

    def _show_line(self, face: KeyFace, typing: bool) -> None:
        say = self._page.say
        self.field.setVisible(typing)
        self.box.setVisible(not typing)
        self.shown.setText(face.box or (say(face.box_word) if face.box_word else "–"))
        if face.box:
            self.shown.setAccessibleName(say("settings.key.shown", preview=face.box.rstrip(DOTS)))
        self.save.setVisible(typing)
        self.cancel.setVisible(typing and not face.can_type)
        self.replace.setVisible(face.can_replace and not typing)
        self.remove.setVisible(face.can_remove and not typing)
        self.unlock.setVisible(bool(face.unlock_word))
        self.unlock.setText(say(face.unlock_word) if face.unlock_word else "")
        if not (face.can_remove and not typing):
            self.confirm.put_away()
        for button in (self.save, self.unlock, self.replace, self.remove, self.take_over):
            button.setEnabled(not self._waiting)
        self.field.setEnabled(not self._waiting)

    def _show_sources(self, face: KeyFace, p: Preferences) -> None:
        shown = bool(face.sources) and not self._waiting
        self.source.setVisible(shown)
        self.source_label.setVisible(shown)
        self.source.set_options([(self._page.say(f"settings.source.{s}"), s) for s in face.sources])
        # No keyring and nothing chosen yet: a key that is typed now is kept for this run.
        self.source.show_value(p.key_source if p.key_source in face.sources else "run")

    def _show_sentence(self, face: KeyFace) -> None:
        if self._told is not None:
            self.sentence.say(*self._told)
            return
        if self._editing:
            self.sentence.say(self._page.say("settings.key.replacing"), "action/info")
            return
        self.sentence.say(self._page.say(face.word, **dict(face.values)), face.icon)

    def _keep_focus(self, before: QWidget | None) -> None:
        """A control that went away hands the keyboard to what stands in its place, never to Remove."""
        if before is None or not self.isAncestorOf(before) or (before.isVisible() and before.isEnabled()):
            return
        for next_one in (self.field, self.replace, self.unlock, self.source):
            if next_one.isVisible() and next_one.isEnabled():
                next_one.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _tell(self, sentence: str, icon: str = "") -> None:
        self._told = (sentence, icon) if sentence else None
        self.refresh()

    # --- the owner's acts ---

    def _typed(self) -> None:
        if self._told is not None:
            self._tell("")

    def _edit(self) -> None:
        self._editing = True
        self._tell("")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _stop_editing(self) -> None:
        self.field.take()
        self._editing = False
        self._tell("")

    def _save(self) -> None:
        if self._waiting:
            return
        if word := check_key(self.field.text()):
            self._tell(self._page.say(word), "error")
            return
        value = self.field.take()
        self._await("settings.key.saving")
        self._shell.save_key(value, self._target(), self._page.alive(self._kept))

    def _target(self) -> str:
        """Where a typed key goes: to the keyring, unless there is none or the owner chose otherwise."""
        source = self._shell.preferences.key_source
        return "run" if source != "keyring" or self.state is KeyState.ABSENT else "keyring"

    def _unlock(self) -> None:
        self._await("settings.key.waiting")
        self._shell.unlock_keyring(self._page.alive(self._answered))

    def _import(self) -> None:
        self._await("settings.key.saving")
        self._shell.import_key(self._page.alive(self._kept))

    def _drop(self) -> None:
        def told(state: KeyState, word: str) -> None:
            self._answered(state, word)
            if not word:
                self._tell(self._page.say("settings.key.removed"), "action/info")

        self._await("settings.key.saving")
        self._shell.drop_key(self._page.alive(told))

    def _await(self, word: str) -> None:
        self._waiting = True
        self._tell(self._page.say(word), "queued")

    def _kept(self, state: KeyState, word: str) -> None:
        self._answered(state, word)
        if state in (KeyState.READY, KeyState.MEMORY) and word in ("", "secrets.imported"):
            self.saved.emit()

    def _answered(self, state: KeyState, word: str) -> None:
        self._waiting = False
        self._learn(state, self._origin())
        self._editing = self._editing and bool(word) and word != "secrets.imported"
        self._told = None
        if word and word != f"secrets.state.{state}":
            self._told = (self._sentence(word), "done" if word == "secrets.imported" else "error")
        self.refresh()
        self._page.announce(self.sentence.text())

    def hideEvent(self, event: QHideEvent) -> None:
        """A key that was typed and not saved does not wait in a window that is away."""
        super().hideEvent(event)
        self.field.take()
        self._editing = False

    def _sentence(self, word: str) -> str:
        if word == _OTHER_ORIGIN:
            return self._page.say("settings.key.other-origin")
        return self._page.say(word, file="config.env", origin=self._origin(), name="")
