"""Adding an agent: shown whole before anything is stored, and stored is exactly what was shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from lisa_island.core import words
from lisa_island.core.intents import AgentInfo, Outcome, ReadCard, Result, refused
from lisa_island.core.preferences import DirectAgent
from lisa_island.ui.settings.direct.add import AddWindow, Start
from tests.fakes.cards import AGENTS, CARD, CARD_URL
from tests.fakes.shell import FakeShell

HOSTILE = '<img src="http://x"> & <b>bold</b>'


def read(info: AgentInfo = CARD, text: str = "") -> Outcome:
    return Outcome(Result.DONE, agents=(info,), text=text)


@pytest.fixture
def opened(qtbot, closing):
    def make(outcome: Outcome | None = None, *, start: Start = Start(), **preferences: object):  # noqa: B008
        shell = FakeShell(**preferences)
        shell.outcome = outcome or read()
        window = AddWindow(shell, start=start)
        closing(window)
        return shell, window

    return make


def look(window: AddWindow, typed: str = "box.example") -> None:
    QTest.keyClicks(window.field, typed)
    QTest.keyClick(window.field, Qt.Key.Key_Return)


def press(qtbot, button) -> None:
    if button.is_inert():
        with qtbot.waitSignal(button.ready):
            pass
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_nothing_is_asked_before_the_owner_looks(opened) -> None:
    shell, window = opened()
    QTest.keyClicks(window.field, "box.example")
    assert shell.performed == [] and not window.shown.isVisible() and not window.do.isVisible()


def test_looking_reads_the_card_and_adds_nothing(opened) -> None:
    shell, window = opened()
    look(window)
    assert shell.performed == [ReadCard("a2a", "box.example")]
    assert shell.preferences.direct_agents == ()
    assert window.card.name.text() == "Build Box"
    facts = dict(window.card.facts.facts)
    assert facts["Provider"] == "Example Works" and facts["Needs"] == "header X-Box-Key"
    assert facts["Skills"] == "Build a branch, Run tests, Deploy"
    assert window.name.text() == "build-box"
    assert window.focusWidget() is window.field, (
        "what is typed must be in sight: the card is read from its top"
    )


def test_what_is_odd_and_where_it_is_stand_there_with_hosts_in_bold(opened) -> None:
    _shell, window = opened()
    look(window)
    assert window.card.warned() == [words.say("en", "warning.other-origin", **dict(CARD.warnings[0][1]))]
    assert window.card.interfaces.bold() == ["box.example", "api.box-cloud.example"]
    assert window.origins.text() == "https://box.example\nhttps://api.box-cloud.example"
    assert window.origins.bold() == ["box.example", "api.box-cloud.example"]
    assert window.origins.isVisible()


def test_adding_stores_exactly_what_was_shown(opened, qtbot) -> None:
    shell, window = opened()
    told: list[tuple[str, bool]] = []
    window.added.connect(lambda *what: told.append(what))
    look(window)
    press(qtbot, window.do)
    assert shell.preferences.direct_agents == (
        DirectAgent("build-box", CARD_URL, origins=("https://box.example", "https://api.box-cloud.example")),
    )
    assert told == [("build-box", True)]
    assert len(shell.performed) == 1, "what was shown is what is stored: the card is not read again"


def test_the_button_is_inert_at_first(opened) -> None:
    shell, window = opened()
    look(window)
    QTest.mouseClick(window.do, Qt.MouseButton.LeftButton)
    assert shell.preferences.direct_agents == ()


def test_another_address_takes_the_card_away(opened) -> None:
    _shell, window = opened()
    look(window)
    QTest.keyClicks(window.field, "x")
    assert not window.shown.isVisible() and not window.do.isVisible()


def test_an_answer_to_an_older_address_is_ignored(opened) -> None:
    shell, window = opened()
    shell.hold = True
    look(window)
    QTest.keyClicks(window.field, "x")
    shell.finish()
    assert not window.shown.isVisible()


def test_an_endpoint_of_ones_own_replaces_the_origins(opened, qtbot) -> None:
    shell, window = opened()
    look(window)
    QTest.keyClicks(window.endpoint, "https://here.example:8443/a2a")
    assert window.origins.text() == "https://here.example:8443"
    press(qtbot, window.do)
    [agent] = shell.preferences.direct_agents
    assert agent.endpoint == "https://here.example:8443/a2a"
    assert agent.origins == ("https://here.example:8443",)


@pytest.mark.parametrize(
    ("name", "endpoint", "word"),
    [
        ("two words", "", "agent.bad-name"),
        ("BUILD-BOX", "", "agent.name-taken"),
        ("box", "ftp://x", "agent.bad-endpoint"),
    ],
)
def test_what_cannot_be_added_says_why(opened, name: str, endpoint: str, word: str) -> None:
    _shell, window = opened(direct_agents=AGENTS[:1])
    look(window)
    window.name.selectAll()
    QTest.keyClicks(window.name, name)
    QTest.keyClicks(window.endpoint, endpoint)
    assert not window.do.isEnabled()
    assert window.problem.text() == words.say("en", word, name=name)


def test_a_free_name_is_proposed(opened) -> None:
    _shell, window = opened(direct_agents=AGENTS)
    look(window)
    assert window.name.text() == "build-box-2"


def test_no_card_says_why_and_the_address_stays(opened) -> None:
    outcome = refused("outcome.card.unreachable", url="https://box.example")
    _shell, window = opened(outcome)
    look(window)
    assert window.sentence.text() == words.say("en", "outcome.card.unreachable", url="https://box.example")
    assert window.sentence.icon == "error" and window.field.text() == "box.example"


def test_a_card_without_an_address_cannot_be_added(opened) -> None:
    _shell, window = opened(read(replace(CARD, interfaces=())))
    look(window)
    assert window.goes.text() == words.say("en", "direct.add.nowhere")
    assert not window.do.isEnabled()


def test_foreign_text_is_plain(opened) -> None:
    odd = replace(CARD, name=HOSTILE, description=HOSTILE, provider=HOSTILE, skills=(HOSTILE,))
    _shell, window = opened(read(odd))
    look(window)
    assert window.card.name.text() == HOSTILE and window.card.about.toPlainText() == HOSTILE
    assert window.card.name.textFormat() is Qt.TextFormat.PlainText
    assert dict(window.card.facts.facts)["Provider"] == HOSTILE


def test_a_pasted_card_is_read_and_stored_as_such(opened, qtbot) -> None:
    shell, window = opened(read(text='{"name": "Build Box"}'))
    QGuiApplication.clipboard().setText('{"name":\n "Build Box"}')
    QTest.mouseClick(window.paste, Qt.MouseButton.LeftButton)
    assert shell.performed == [ReadCard("a2a", "", '{"name":\n "Build Box"}')]
    press(qtbot, window.do)
    [agent] = shell.preferences.direct_agents
    assert agent.url == "" and agent.card == '{"name": "Build Box"}'


def test_a_pasted_address_is_looked_at(opened) -> None:
    shell, window = opened()
    QGuiApplication.clipboard().setText(" https://box.example ")
    QTest.mouseClick(window.paste, Qt.MouseButton.LeftButton)
    assert shell.performed == [ReadCard("a2a", "https://box.example")]


def test_an_empty_clipboard_is_said(opened) -> None:
    shell, window = opened()
    QGuiApplication.clipboard().setText("")
    QTest.mouseClick(window.paste, Qt.MouseButton.LeftButton)
    assert window.sentence.text() == words.say("en", "direct.add.nothing-pasted")
    assert shell.performed == []


def test_a_card_file_is_read_through_the_shell(opened) -> None:
    shell, window = opened()
    shell.card_file = ('{"name": "x"}', "")
    window.read_file("card.json")
    assert shell.performed == [ReadCard("a2a", "", '{"name": "x"}')]
    shell.card_file = ("", "agent.file-too-large")
    window.read_file("card.json")
    assert window.sentence.text() == words.say("en", "agent.file-too-large")


def test_a_file_that_cannot_be_written_is_said_and_can_be_tried_again(opened, qtbot) -> None:
    shell, window = opened()
    look(window)
    shell.refuse_preferences = "storage.full"
    press(qtbot, window.do)
    assert window.problem.text() == words.say("en", "storage.full", place="island.json")
    assert window.isVisible() and window.do.isEnabled()


def test_an_import_starts_by_looking(opened) -> None:
    start = Start("https://box.example", "Cellar", (1, 2), has_key=True)
    shell, window = opened(start=start)
    assert shell.performed == [ReadCard("a2a", "https://box.example")]
    assert window.name.text() == "cellar" and "1 of 2" in window.title()
    assert window.needs.text() == words.say("en", "direct.add.pi-key", origin="https://box.example")
    assert shell.preferences.direct_agents == ()


def test_escape_adds_nothing(opened) -> None:
    shell, window = opened()
    look(window)
    QTest.keyClick(window.name, Qt.Key.Key_Escape)
    assert shell.preferences.direct_agents == ()
