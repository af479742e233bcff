"""Add an agent: its address or card, then the card shown whole, then the consent.

    AddWindow(shell, parent, start=Start())     .added(name, needs a credential)
Nothing is added by looking. What is stored is what was shown, by `core.adding.agent_of`.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from lisa_island.core.adding import CARD_LIMIT, MOST_AGENTS, Wish, agent_of, free_name, origins
from lisa_island.core.intents import Outcome, ReadCard, Result
from lisa_island.core.naming import DIRECT
from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean
from lisa_island.core.words import count, has
from lisa_island.ui.controls import Button, Field, PlainLabel, Separator
from lisa_island.ui.page_parts import HintLine
from lisa_island.ui.settings.direct.card_view import LINE_LIMIT, Addresses, CardView
from lisa_island.ui.settings.direct.window import AgentWindow
from lisa_island.ui.settings.lines import Labelled, Split, hands
from lisa_island.ui.settings.rows import ARM_MS, Sentence
from lisa_island.ui.shell import Shell

ADDRESS_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Start:
    """What an import brings: an address and a name to begin with, "2 of 3", and whether pi keeps a key."""

    url: str = ""
    name: str = ""
    position: tuple[int, int] = (0, 0)
    has_key: bool = False


class AddWindow(AgentWindow):
    """`added` tells the name, and whether a credential is needed, after the agent stands in the file."""

    added = Signal(str, bool)

    def __init__(self, shell: Shell, parent: QWidget | None = None, start: Start = Start()) -> None:
        super().__init__(shell, parent)
        self._start = start
        self._found: Outcome | None = None
        self._asked = 0
        self._files: QFileDialog | None = None
        i, n = start.position
        self.set_title(self.say("direct.add.position", i=i, n=n) if n else self.say("direct.add.title"))
        self._make()
        self._lay_out()
        self._show_found()
        if start.url:
            self.field.setText(start.url)
            self._look()

    def _make(self) -> None:
        say = self.say
        self.field = Field(
            say("direct.add.address.name"), placeholder=say("direct.add.placeholder"), mono=True
        )
        self.field.setMaxLength(ADDRESS_LIMIT)
        self.look = Button(say("direct.add.look"), tall=True)
        self.file = Button(say("direct.add.file"))
        self.paste = Button(say("direct.add.paste"))
        self.sentence = Sentence()
        self.card = CardView(self)
        self.name = Field(say("direct.add.name"))
        self.name.setMaxLength(40)
        self.endpoint = Field(
            say("direct.add.endpoint"), placeholder=say("direct.add.endpoint.placeholder"), mono=True
        )
        self.endpoint.setMaxLength(ADDRESS_LIMIT)
        self.goes = PlainLabel("", "body.600", wrap=True)
        self.origins = Addresses("")
        self.consent = HintLine("action/shield")
        self.consent.set_text(say("direct.add.consent"))
        self.needs = HintLine("action/key")
        self.problem = Sentence()
        word = "skip" if self._start.position[1] else "cancel"
        self.cancel = Button(say(f"direct.add.{word}"), "quiet", tall=True)
        self.do = Button(say("direct.add.do"), "primary", tall=True, arm_ms=ARM_MS)
        for part in ("field", "look", "file", "paste", "name", "endpoint", "cancel", "do"):
            getattr(self, part).setObjectName(f"agent-{part}")
        self.field.textEdited.connect(lambda _: self._typed())
        self.field.returnPressed.connect(self._look)
        self.look.clicked.connect(self._look)
        self.file.clicked.connect(self._ask_file)
        self.paste.clicked.connect(self._paste)
        self.name.textEdited.connect(lambda _: self._weigh())
        self.endpoint.textEdited.connect(lambda _: self._weigh())
        self.cancel.clicked.connect(self.reject)
        self.do.clicked.connect(self._add)

    def _lay_out(self) -> None:
        asked = Labelled(self.say("direct.add.address"))
        line = Split()
        line.addWidget(self.field, 1)
        line.addLayout(hands(self.look))
        others = Split()
        others.addWidget(self.file)
        others.addWidget(self.paste)
        others.addStretch(1)
        asked.column.addLayout(line)
        asked.column.addLayout(others)
        asked.column.addWidget(self.sentence)
        self.body.addWidget(asked)
        self.shown = QWidget()
        column = QVBoxLayout(self.shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.card)
        for title, field, hint in (
            ("name", self.name, "direct.add.name.hint"),
            ("endpoint", self.endpoint, ""),
        ):
            box = Labelled(self.say(f"direct.add.{title}"))
            box.column.addWidget(field)
            if hint:
                box.column.addWidget(PlainLabel(self.say(hint), "small", "text.3", wrap=True))
            column.addWidget(box)
        column.addWidget(self.needs)
        for part in (Separator(), self.goes, self.origins, self.consent, self.problem):
            self.below.addWidget(part)
        self.body.addWidget(self.shown)
        self.body.addStretch(1)
        self.footer.add(self.cancel)
        self.footer.stretch()
        self.footer.add(self.do)

    def _labelled(self, key: str, field: Field) -> Labelled:
        box = Labelled(self.say(key))
        box.column.addWidget(field)
        if has(f"{key}.hint"):
            box.column.addWidget(PlainLabel(self.say(f"{key}.hint"), "small", "text.3", wrap=True))
        return box

    # --- looking ---

    def _typed(self) -> None:
        """Another address: the card that is shown is not its card."""
        self._asked += 1
        self._found = None
        self._show_found()

    def _look(self) -> None:
        if text := self.field.text().strip():
            self._ask(ReadCard(DIRECT, text), "direct.add.looking")

    def _ask(self, intent: ReadCard, word: str) -> None:
        self._typed()
        asked = self._asked

        def told(outcome: Outcome) -> None:
            if asked == self._asked:
                self._take(outcome)

        self.sentence.say(self.say(word), "queued")
        self.shell.perform(intent, self.alive(told))

    def _read(self, text: str) -> None:
        """A card as such: from a file, or pasted."""
        self.field.setText("")
        if len(text.encode("utf-8", "replace")) > CARD_LIMIT:
            self._say_no(self.say("agent.file-too-large"))
            return
        self._ask(ReadCard(DIRECT, "", text), "direct.add.reading")

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text().strip()
        if not text:
            self._say_no(self.say("direct.add.nothing-pasted"))
        elif origin_of(text):
            self.field.setText(text[:ADDRESS_LIMIT])
            self._look()
        else:
            self._read(text)

    def _ask_file(self) -> None:
        if self._files is not None:
            return
        self._files = dialog = QFileDialog(self, self.say("direct.add.file.title"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["*.json", "*"])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.read_file)
        dialog.finished.connect(self._file_over)
        dialog.open()

    def _file_over(self) -> None:
        self._files = None

    def read_file(self, path: str) -> None:
        """Read the card in a file that the owner chose."""

        def told(text: str, word: str) -> None:
            if word:
                self._say_no(self.say(word))
            else:
                self._read(text)

        self.shell.read_card(path, self.alive(told))

    def _say_no(self, sentence: str) -> None:
        self._typed()
        self.sentence.say(sentence, "error")
        self.announce(sentence)

    def _take(self, outcome: Outcome) -> None:
        if outcome.result is not Result.DONE or not outcome.agents:
            values = {k: clean(v, LINE_LIMIT) for k, v in outcome.values}
            self._say_no(self.say(outcome.word, **values))
            return
        self._found = outcome
        taken = {a.name for a in self.shell.preferences.direct_agents}
        self.name.setText(free_name(self._start.name or outcome.agents[0].name, taken))
        self._show_found()
        self.announce(self.sentence.text())

    # --- what is shown ---

    def _show_found(self) -> None:
        found = self._found
        word = "direct.add.read" if found else "direct.add.free"
        self.sentence.say(self.say(word), "done" if found else "action/info")
        self.shown.setVisible(found is not None)
        self.standing.setVisible(found is not None)
        self.do.setVisible(found is not None)
        if found is None:
            return
        info = found.agents[0]
        self.card.show_card(info, self.name.text())
        needs = clean(", ".join(info.needs), LINE_LIMIT)
        self.needs.set_text(self._needs(needs))
        self._weigh()
        self.do.arm()
        self.fit()

    def _needs(self, needs: str) -> str:
        if self._start.has_key:
            return self.say("direct.add.pi-key", origin=origin_of(self._start.url))
        return self.say("direct.add.sign-in", needs=needs) if needs else ""

    def _wish(self) -> Wish:
        return Wish(self.name.text().strip(), self.endpoint.text().strip())

    def _weigh(self) -> None:
        """Say where texts will go, and whether it can be added like this."""
        if self._found is None:
            return
        info, wish = self._found.agents[0], self._wish()
        goes = origins(info, wish.endpoint)
        self.goes.setText(
            count(self.shell.lang, "direct.add.goes", len(goes)) if goes else self.say("direct.add.nowhere")
        )
        self.origins.set_name(self.goes.text())
        self.origins.show_lines(goes)
        self.origins.setVisible(bool(goes))
        made = self._made()
        self.do.setEnabled(not isinstance(made, str) and bool(goes))
        wrong = isinstance(made, str) and (bool(wish.name) or bool(wish.endpoint))
        self.problem.say(self._why(made) if wrong and isinstance(made, str) else "", "error" if wrong else "")

    def _made(self) -> object:
        assert self._found is not None
        agents = self.shell.preferences.direct_agents
        return agent_of(agents, self._found.agents[0], self._found.text, self._wish())

    def _why(self, word: str) -> str:
        return self.say(word, name=self._wish().name, limit=str(MOST_AGENTS))

    # --- the consent ---

    def _add(self) -> None:
        made = self._made()
        if isinstance(made, str):
            self._weigh()
            return
        assert self._found is not None
        name, needs = self._wish().name or getattr(made, "name", ""), self._found.agents[0].needs

        def told(failure: str) -> None:
            if failure:
                self.do.setEnabled(True)
                self.problem.say(failure, "error")
                self.announce(failure)
                return
            self.added.emit(name, bool(needs))
            self.accept()

        self.do.setEnabled(False)
        self.prefer(told, direct_agents=(*self.shell.preferences.direct_agents, made))
