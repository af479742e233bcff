"""The reply of a task, one of its artifacts or its frames: plain text that is read, copied or saved.

ReplyView(shell)
    .open(session, what=REPLY)     asks the source for the text; what: REPLY, RAW or `artifact(n, name)`
    back()                         the owner is done

All of it is held in memory only, by its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QVBoxLayout, QWidget

from lisa_island.core.agent import AgentSession, SessionKey
from lisa_island.core.intents import Intent, Outcome, ReadArtifact, ReadRaw, ReadReply, Result
from lisa_island.core.pill import badge
from lisa_island.core.portions import portions
from lisa_island.core.text import clean, safe_filename
from lisa_island.core.words import say
from lisa_island.ui.controls import Banner, Button, TextBox
from lisa_island.ui.page_parts import SIDE, AgentLine, Footer, HintLine, PageHeader
from lisa_island.ui.said import outcome, where, who
from lisa_island.ui.shell import Shell
from lisa_island.ui.trail import size

LINES = 22
TITLE_LIMIT = 80
# A name that the agent gave keeps only an ending that no desktop runs.
_ENDINGS = (".txt", ".md", ".csv", ".json", ".log", ".xml", ".yaml", ".yml", ".patch", ".diff")


@dataclass(frozen=True, slots=True)
class What:
    """What is read: `area` of the words, `number` and `name` of an artifact."""

    area: str
    number: int = 0
    name: str = ""

    def intent(self, key: SessionKey) -> Intent:
        """What the source is asked."""
        match self.area:
            case "artifact":
                return ReadArtifact(key, self.number)
            case "raw":
                return ReadRaw(key)
            case _:
                return ReadReply(key)

    def file_name(self, session_name: str) -> str:
        """A name to offer where the owner saves it."""
        if self.area == "reply":
            return safe_filename(f"{session_name}.txt", "reply.txt")
        if self.area == "raw":
            return safe_filename(f"{session_name}.json.txt", "frames.txt")
        name = self.name or session_name
        return safe_filename(name if name.lower().endswith(_ENDINGS) else f"{name}.txt", "artifact.txt")


REPLY, RAW = What("reply"), What("raw")


def artifact(number: int, name: str) -> What:
    """The text of one artifact; `number` counts from 0 as in its row."""
    return What("artifact", number, name)


class ReplyView(QWidget):
    """A page of its own inside the detail."""

    back = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._key: SessionKey | None = None
        self._name = ""
        self._what = REPLY
        self._whole = ""
        self._more: Iterator[str] = iter(())
        self._banner: Banner | None = None
        self._dialog: QFileDialog | None = None
        self._build()

    def _build(self) -> None:
        lang = self._shell.lang
        self.header = PageHeader(lang)
        self.header.set_title(say(lang, "reply.title"))
        self.line = AgentLine()
        self.note = HintLine()
        self.text = TextBox(say(lang, "reply.title"), min_lines=6, max_lines=LINES, read_only=True)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setUndoRedoEnabled(False)
        self.text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.save = Button(say(lang, "reply.save"), "outline", tall=True)
        self.copy = Button(say(lang, "reply.copy"), "outline", tall=True, icon="action/copy")
        self._body = QVBoxLayout()
        self._body.setContentsMargins(SIDE, 2, SIDE, 12)
        self._body.setSpacing(8)
        self._body.addWidget(self.text)
        self._body.addWidget(self.note)
        footer = Footer()
        footer.add(self.copy)
        footer.stretch()
        footer.add(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.line)
        column.addLayout(self._body)
        column.addStretch(1)
        column.addWidget(footer)
        self.header.back.connect(self.back)
        self.copy.clicked.connect(lambda: self._shell.copy(self._whole))
        self.save.clicked.connect(self._ask_where)
        self.text.verticalScrollBar().valueChanged.connect(self._scrolled)

    def open(self, session: AgentSession, what: What = REPLY) -> None:
        """Ask for a text of this session and show it when it comes."""
        lang, roster = self._shell.lang, self._shell.store.roster
        self._key, self._name, self._what = session.key, session.label or who(session, lang), what
        title = clean(what.name, TITLE_LIMIT) or say(lang, f"{what.area}.title")
        self.header.set_title(title)
        self.text.setAccessibleName(title)
        self.text.set_mono(what is RAW)
        self.line.show_agent(badge(session), who(session, lang), below=where(roster, session, lang))
        self._put("")
        self._tell("neutral", say(lang, f"{what.area}.reading"))
        self._enable(False)
        key = session.key
        self._shell.perform(what.intent(key), lambda how: self._read(key, what, how))

    def close_text(self) -> None:
        """Let go of the text: it lives at its source."""
        self._key = None
        self._put("")

    def _put(self, text: str) -> None:
        self._whole, self._more = text, portions(text)
        self.text.setPlainText(next(self._more))

    def _scrolled(self, value: int) -> None:
        """The next portion of a long text, once the owner has come to the end of this one."""
        if value < self.text.verticalScrollBar().maximum():
            return
        more = next(self._more, None)
        if more is not None:
            # Not `appendPlainText`, which would follow the end and so fetch everything.
            end = QTextCursor(self.text.document())
            end.movePosition(QTextCursor.MoveOperation.End)
            end.insertText(f"\n{more}")

    def _read(self, key: SessionKey, what: What, how: Outcome) -> None:
        if key != self._key or what is not self._what:
            return
        lang = self._shell.lang
        if how.result is not Result.DONE:
            self._tell("error", outcome(lang, how, "detail.lost"))
            return
        self._tell("neutral", "")
        self._put(how.text or say(lang, f"{what.area}.empty"))
        weight = size(len(how.text.encode("utf-8", "replace")), lang)
        source, held = say(lang, "answer.quoted"), say(lang, f"{what.area}.memory")
        self.note.set_text(say(lang, "reply.note", source=source, size=weight, held=held))
        self._enable(bool(how.text))
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enable(self, on: bool) -> None:
        self.save.setEnabled(on)
        self.copy.setEnabled(on)
        if not on:
            self.note.set_text("")

    def _tell(self, kind: str, text: str) -> None:
        if self._banner is not None:
            self._banner.hide()
            self._body.removeWidget(self._banner)
            self._banner.deleteLater()
            self._banner = None
        if text:
            self._banner = Banner(kind, text)  # type: ignore[arg-type]
            self._body.insertWidget(0, self._banner)
            self._banner.show()

    def banner(self) -> str:
        return self._banner.text() if self._banner else ""

    def _ask_where(self) -> None:
        """The owner chooses the place; the name is only offered, and safe."""
        if self._dialog is not None:
            return
        dialog = QFileDialog(self, say(self._shell.lang, f"{self._what.area}.save.title"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(self._what.file_name(self._name))
        dialog.fileSelected.connect(self._save)
        dialog.finished.connect(self._dialog_over)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog = dialog
        dialog.open()

    def _dialog_over(self) -> None:
        self._dialog = None

    def _save(self, path: str) -> None:
        self._shell.save_text(path, self._whole, self._saved)

    def _saved(self, word: str) -> None:
        lang = self._shell.lang
        if word:
            self._tell("error", say(lang, "reply.not-saved"))
        else:
            self._tell("done", say(lang, "reply.saved"))
