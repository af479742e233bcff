"""Answering a direct agent: its own choices, its own host, no price; choosing alone sends nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import Can, RequestKind, State
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Answer, refused, unknown
from lisa_island.ui import answer_face
from lisa_island.ui.answer import AnswerPage
from lisa_island.ui.answering import Phase
from tests.fakes.direct import direct_key, offering
from tests.fakes.sessions import ATTACKS
from tests.fakes.shell import FakeShell

ID = "box/a1b20000#1"
Open = Callable[..., AnswerPage]


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_face, "ARM_MS", 1)


@pytest.fixture
def page(qtbot: QtBot, shell: FakeShell) -> Open:
    def make(*options: str, drafts: dict[str, str] | None = None) -> AnswerPage:
        shell.put(offering(*options, now=shell.now()))
        made = AnswerPage(shell, {} if drafts is None else drafts)
        qtbot.addWidget(made)
        made.resize(440, 700)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        made.open(ID)
        qtbot.waitUntil(lambda: not made.face.primary.is_inert())
        return made

    return make


def choose(page: AnswerPage, n: int) -> None:
    QTest.mouseClick(page.face.options.buttons()[n], Qt.MouseButton.LeftButton)


def test_choosing_sends_nothing_and_sending_sends_the_choice(page: Open, shell: FakeShell) -> None:
    shown = page("green", "blue")
    assert [b.text() for b in shown.face.options.buttons()] == ["green", "blue"]
    assert not shown.face.options.chosen and not shown.face.primary.isEnabled()
    choose(shown, 1)
    assert shell.performed == [] and shown.face.primary.isEnabled()
    assert shown.face.picked.text() == "Sends: blue"
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    assert shell.performed == [Answer(direct_key(), ID, "blue")]


def test_own_words_take_the_choice_back_and_are_never_overwritten(page: Open, shell: FakeShell) -> None:
    drafts: dict[str, str] = {}
    shown = page("green", "blue", drafts=drafts)
    choose(shown, 0)
    QTest.keyClicks(shown.face.box, "a dark red")
    assert not shown.face.options.chosen and drafts == {ID: "a dark red"}
    choose(shown, 0)
    assert shown.face.box.toPlainText() == "a dark red" and shown.face.picked.text() == "Sends: green"
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert shell.performed == [Answer(direct_key(), ID, "green")]


def test_the_keyboard_walks_chooses_and_sends(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page("green", "blue")
    first = shown.face.options.buttons()[0]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert shown.face.options.chosen == "green" and shell.performed == []
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert shown.face.options.chosen == "blue"
    QTest.keyClick(shown.face.options.buttons()[1], Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert shell.performed == [Answer(direct_key(), ID, "blue")]


def test_options_are_radio_buttons_with_their_text_as_name(page: Open) -> None:
    for button in page("R&D", "blue").face.options.buttons():
        told = QAccessible.queryAccessibleInterface(button)
        assert told.role() is QAccessible.Role.RadioButton
        assert told.text(QAccessible.Text.Name) == button.text()


def test_another_question_takes_the_choice_back(page: Open, shell: FakeShell) -> None:
    shown = page("green", "blue")
    choose(shown, 0)
    shell.clock.advance(1)
    other = offering("green", "blue", now=shell.now(), text="Which colour for the door?")
    request = replace(other.requests[0], since=shell.now())
    fact = Fact("a2a.status", "stream", at=shell.now())
    shell.store.dispatch(
        StateChanged(
            direct_key(), shell.now(), State.WAITING, "input-required", fact, (request,),
            capabilities=other.capabilities,
        )
    )  # fmt: skip
    shell.clock.advance(1)
    assert not shown.face.options.chosen and not shown.face.primary.isEnabled()
    assert shown.face.banner is not None and "changed" in shown.face.banner.text()


def test_a_refused_choice_may_be_sent_again(page: Open, shell: FakeShell) -> None:
    shell.outcome = refused("outcome.answer-refused", name="box")
    shown = page("green", "blue")
    choose(shown, 0)
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    assert shown.phase is Phase.ASK and shown.face.options.chosen == "green"
    assert shown.face.banner is not None and shown.face.banner.text().startswith(
        "box did not take the answer"
    )


def test_it_says_where_the_reply_goes_and_names_no_price(page: Open, shell: FakeShell) -> None:
    shown = page()
    assert shown.face.hint.text().startswith("Your reply goes to box.example, without a gateway.")
    shell.outcome = unknown("outcome.unknown", direct_key())
    QTest.keyClicks(shown.face.box, "green")
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    assert shown.face.banner is not None and "charged" not in shown.face.banner.text()


def test_an_address_of_the_agents_own_host_is_not_called_foreign(page: Open, shell: FakeShell) -> None:
    shown = page()
    for host, warned in (("box.example", False), ("evil.example", True)):
        session = offering(now=shell.now(), tag="c3d40000", text=f"Sign in at https://{host}/device?c=1")
        request = replace(session.requests[0], kind=RequestKind.AUTH)
        can = frozenset({Can.ANSWER, Can.STOP_FOLLOWING})
        shell.put(replace(session, requests=(request,), capabilities=can))
        shown.open("box/c3d40000#1")
        assert shown.face.address.url() == f"https://{host}/device?c=1"
        assert bool(shown.face.warning.text()) is warned


def test_hostile_options_are_plain_and_whole(page: Open) -> None:
    from lisa_island.core.text import clean

    shown = page(*(clean(a, 200) for a in ATTACKS))
    for option in shown.face.options.buttons():
        lines = option._lines(option.width())
        assert "".join(lines).replace(" ", "") == option.text().replace(" ", "")
        assert option.height() >= len(lines) * 15
