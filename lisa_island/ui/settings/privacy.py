"""Privacy: calls by agents, what is kept, what leaves this computer, and how to delete it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from lisa_island.core.preferences import Preferences
from lisa_island.core.words import count
from lisa_island.ui.controls import Button
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import ARM_MS, Choice, Confirm, Row, Sentence, has_keyboard, heading

JOURNAL_DAYS = (0, 1, 7, 30)


class PrivacyPage(Page):
    NAME = "privacy"
    ICON = "action/shield"

    def build(self) -> None:
        self._wanted()
        self.calls = self.choice("agent_calls", "settings.calls", ("deny", "allow"))
        self.row("settings.kept")
        self._journal()
        self.row("settings.never")
        self.leaves = self.row("settings.leaves", hint=self._leaves())
        self.bind(lambda _: self.leaves.set_hint(self._leaves()))
        self.row("settings.usage")
        self._diagnostics()
        self.add(heading(self.say("settings.data")))
        self._stored()

    def _leaves(self) -> str:
        return self.say("settings.leaves.hint", origin=self.shell.preferences.base_url)

    def _journal(self) -> None:
        """For how long the structure of what happened is kept; a number from the file is a choice too."""
        self.journal = Choice(self.say("settings.journal"), [])
        self.journal.setObjectName("journal_days")
        self.journal.chosen.connect(lambda value: self.prefer(journal_days=int(value)))
        self.row("settings.journal", self.journal)

        def show(p: Preferences) -> None:
            offered = sorted({*JOURNAL_DAYS, p.journal_days})
            self.journal.set_options([(self._days(days), str(days)) for days in offered])
            self.journal.show_value(str(p.journal_days))

        self.bind(show)

    def _days(self, days: int) -> str:
        return (
            count(self.shell.lang, "settings.journal.days", days)
            if days
            else self.say("settings.journal.none")
        )

    def _wanted(self) -> None:
        """The file asks for a looser gate: only a click here makes it so."""
        self.allow = Button(self.say("settings.calls.confirm"), arm_ms=ARM_MS)
        self.allow.setObjectName("allow-calls")
        self.keep = Button(self.say("settings.calls.keep"))
        self.keep.setObjectName("keep-refusing")
        self.allow.clicked.connect(lambda: self.prefer(agent_calls="allow"))
        self.keep.clicked.connect(lambda: self.prefer(agent_calls="deny"))
        self.wanted = Row(self.say("settings.calls.wanted"), "", self.keep, self.allow)
        self.add(self.wanted)
        self.bind(self._show_wanted)

    def _show_wanted(self, p: Preferences) -> None:
        asked = p.agent_calls_wanted == "allow" and p.agent_calls != "allow"
        if not asked and (has_keyboard(self.allow) or has_keyboard(self.keep)):
            self.calls.setFocus(Qt.FocusReason.OtherFocusReason)
        self.wanted.setVisible(asked)

    def _diagnostics(self) -> None:
        self.export = Button(self.say("settings.diagnostics.export"))
        self.export.setObjectName("export")
        self.export.clicked.connect(self._ask_where)
        self.row("settings.diagnostics", self.export)
        self.exported = Sentence()
        self.add(self.exported)
        self._where: QFileDialog | None = None

    def _ask_where(self) -> None:
        if self._where is not None:
            return
        self._where = dialog = QFileDialog(self, self.say("settings.diagnostics.title"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.selectFile("lisa-island-diagnostics.txt")
        dialog.fileSelected.connect(self._export)
        dialog.finished.connect(self._asked)
        dialog.open()

    def _asked(self) -> None:
        self._where = None

    def _export(self, path: str) -> None:
        def told(word: str) -> None:
            sentence = self.say(f"settings.diagnostics.{'failed' if word else 'done'}")
            self.exported.say(sentence, "error" if word else "done")
            self.announce(sentence)

        self.shell.export_diagnostics(path, self.alive(told))

    def _stored(self) -> None:
        self.delete = Button(self.say("settings.delete"), "danger")
        self.delete.setObjectName("delete")
        self.stored = self.row("settings.stored", self.delete)
        self.confirm = Confirm(
            self.say("settings.delete.ask"),
            self.say("settings.delete.confirm"),
            self.say("settings.key.keep"),
        )
        self.confirm.setObjectName("confirm-delete")
        self.delete.clicked.connect(self._ask)
        self.confirm.confirmed.connect(self._erase)
        self.confirm.refused.connect(lambda: self.delete.setFocus())
        self.result = Sentence()
        self.add(self.confirm, self.result)
        self.shown()

    def _ask(self) -> None:
        self.confirm.ask()
        self.ensureWidgetVisible(self.confirm)

    def _erase(self) -> None:
        self.delete.setEnabled(False)

        def told(word: str) -> None:
            self.delete.setEnabled(bool(word))
            sentence = self.failure(word, {}) if word else self.say("settings.delete.done")
            self.result.say(sentence, "error" if word else "done")

        self.shell.forget_everything(self.alive(told))

    def shown(self) -> None:
        facts = dict(self.shell.data_facts())
        parts = []
        if "fact.rows" in facts and "fact.size" in facts:
            counted = {"rows": facts["fact.rows"], "size": facts["fact.size"]}
            parts.append(self.say("settings.stored.facts", **counted))
        if home := facts.get("fact.home"):
            parts.append(home)
        parts.append(self.say("settings.stored.private"))
        self.stored.set_hint(" · ".join(parts))
