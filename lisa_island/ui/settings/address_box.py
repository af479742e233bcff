"""The gateway's address, and a check of address and key that spends nothing."""

from __future__ import annotations

from lisa_island.core.intents import CheckKey, Outcome, Result
from lisa_island.core.preferences import Preferences
from lisa_island.ui.controls import Button, Field
from lisa_island.ui.settings.lines import Labelled, Split, hands
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.rows import Sentence

AGENT = "takoapi"
MOST_TYPED = 300


class AddressBox(Labelled):
    """One button: Save while the text differs from what is saved, else Check."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.say("settings.address"))
        self._page, self._shell = page, page.shell
        self._saved = ""
        self._asked = 0
        say = page.say
        self.field = Field(say("settings.address"), mono=True)
        self.field.setObjectName("base_url")
        self.field.setMaxLength(MOST_TYPED)
        self.button = Button(say("settings.address.check"), tall=True)
        self.button.setObjectName("address-check")
        self.sentence = Sentence()
        self._lay_out()
        self.field.textEdited.connect(lambda _: self._typed())
        self.field.returnPressed.connect(self._press)
        self.button.clicked.connect(self._press)
        page.bind(self._show)

    def _lay_out(self) -> None:
        line = Split()
        line.addWidget(self.field, 1)
        line.addLayout(hands(self.button))
        self.column.addLayout(line)
        self.column.addWidget(self.sentence)

    def _show(self, p: Preferences) -> None:
        if p.base_url == self._saved and self._saved:
            return
        self._saved = p.base_url
        self._asked += 1  # a check of the old address says nothing of this one
        self.field.setText(p.base_url)
        self.field.setCursorPosition(0)  # where it does not fit, its beginning is what tells
        if p.base_url:
            self.sentence.say(self._page.say("settings.address.free"))
        else:
            self.sentence.say(self._page.say("settings.address.refused"), "error")
        self._typed()

    def is_edited(self) -> bool:
        return self.field.text().strip().rstrip("/") != self._saved

    def _typed(self) -> None:
        edited = self.is_edited()
        self.button.setText(self._page.say(f"settings.address.{'save' if edited else 'check'}"))

    def _press(self) -> None:
        self._save() if self.is_edited() else self._check()

    def _save(self) -> None:
        wanted = self.field.text().strip().rstrip("/")

        def told(failure: str) -> None:
            if failure:  # what was typed stays, so that it can be mended
                self.sentence.say(failure, "error")
                self._page.announce(failure)
                return
            kept = self._shell.preferences.base_url == wanted
            self._saved = ""
            self._show(self._shell.preferences)
            word = "settings.address.saved" if kept else "settings.address.overruled"
            self.sentence.say(self._page.say(word), "done" if kept else "action/warning")

        self._page.prefer(told, base_url=wanted)

    def _check(self) -> None:
        self._asked += 1
        asked = self._asked

        def told(outcome: Outcome) -> None:
            if asked == self._asked:
                self.button.setEnabled(True)
                self._say_outcome(outcome)

        self.sentence.say(self._page.say("settings.address.checking"), "queued")
        self._shell.perform(CheckKey(AGENT), self._page.alive(told))

    def _say_outcome(self, outcome: Outcome) -> None:
        good = outcome.result is Result.DONE
        word = outcome.word or ("settings.address.good" if good else "settings.registry.failed")
        values = {"origin": self._saved} | dict(outcome.values)
        self.sentence.say(self._page.say(word, **values), "done" if good else "error")
        self._page.announce(self.sentence.text())
