"""Import from pi-a2a: its list is read at the owner's click, and each chosen agent is added like any other.

ImportWindow(shell, parent)     .added(str) for each agent that was added
The file is never written. A key that pi keeps goes into the keyring, for the address it stands beside alone.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from lisa_island.core.adding import Importable
from lisa_island.core.agent import KeyState
from lisa_island.core.origin import origin_of
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.check_list import CheckList, CheckRow
from lisa_island.ui.settings.direct.add import AddWindow, Start
from lisa_island.ui.settings.direct.window import AgentWindow
from lisa_island.ui.settings.rows import Sentence
from lisa_island.ui.shell import Shell


class ImportWindow(AgentWindow):
    """The list with boxes; then one card after the other."""

    added = Signal(str)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._found: dict[str, Importable] = {}
        self._chosen: set[str] = set()
        self._queue: list[str] = []
        self._total = 0
        self.set_title(self.say("direct.pi.title"))
        self._make()
        self.sentence.say(self.say("direct.pi.reading"), "queued")
        shell.pi_agents(self.alive(self._take))

    def _make(self) -> None:
        say = self.say
        self.about = PlainLabel(say("direct.pi.about"), "small", "text.2", wrap=True)
        words = (say("direct.pi.on"), say("direct.pi.off"))
        self.list = CheckList(say("direct.pi.list"), words, say("row.name-comma"))
        self.list.setObjectName("pi-agents")
        self.sentence = Sentence()
        self.cancel = Button(say("direct.agent.close"), "quiet", tall=True)
        self.go = Button(say("direct.pi.next"), "primary", tall=True)
        self.cancel.setObjectName("pi-cancel")
        self.go.setObjectName("pi-go")
        for part in (self.about, self.list, self.sentence):
            self.body.addWidget(part)
        self.body.addStretch(1)
        self.footer.add(self.cancel)
        self.footer.stretch()
        self.footer.add(self.go)
        self.list.toggled.connect(self._toggle)
        self.cancel.clicked.connect(self.reject)
        self.go.clicked.connect(self._start)
        self._show()

    # --- the list ---

    def _take(self, found: tuple[Importable, ...], word: str) -> None:
        self._found = {one.name.casefold(): one for one in found}
        sentence = self.say(word, file=self.say("pi.file")) if word else ""
        self.sentence.say(sentence, "action/info" if word in ("pi.no-file", "pi.none") else "error")
        self._show()
        self.fit()
        if sentence:
            self.announce(sentence)
        else:
            self.list.setFocus()

    def _is_added(self, one: Importable) -> bool:
        return any(
            origin_of(one.url) in agent.origins and agent.name.casefold() == one.name.casefold()
            for agent in self.shell.preferences.direct_agents
        )

    def _show(self) -> None:
        say, rows = self.say, []
        for key, one in self._found.items():
            added = self._is_added(one)
            tail = say("direct.pi.added" if added else "direct.pi.key") if added or one.has_key else ""
            note = say("row.name-comma").join(p for p in (one.url, tail) if p)
            rows.append(CheckRow(key, one.name, note, key in self._chosen and not added, not added))
        self.list.show_rows(rows)
        self.about.setVisible(bool(rows))
        self.go.setVisible(bool(rows))
        self.go.setEnabled(any(row.on for row in rows))

    def _toggle(self, row: CheckRow) -> None:
        self._chosen ^= {row.key}
        self._show()

    # --- one card after the other ---

    def _start(self) -> None:
        self._queue = [row.key for row in self.list.rows if row.on]
        self._total = len(self._queue)
        self._next()

    def _next(self) -> None:
        self._show()
        if not self._queue:
            if not self._chosen:
                self.accept()
            return
        key = self._queue.pop(0)
        one = self._found[key]
        at = (self._total - len(self._queue), self._total)
        window = AddWindow(self.shell, self, Start(one.url, one.name, at, one.has_key))
        window.added.connect(lambda name, _needs: self._added(key, name))
        window.finished.connect(self.alive(lambda _=0: self._next()))
        window.come()

    def _added(self, key: str, name: str) -> None:
        self._chosen.discard(key)
        self.added.emit(name)
        if self._found[key].has_key:
            self.shell.take_pi_key(self._found[key].name, name, self.alive(self._kept))

    def _kept(self, _state: KeyState, word: str) -> None:
        if word:
            self.sentence.say(self.say(word, origin="", name=""), "error")
            self.announce(self.sentence.text())
