"""An added agent, its credential, signing in, and the import: what is shown, asked and never shown again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lisa_island.core import words
from lisa_island.core.agent import Can, KeyState
from lisa_island.core.intents import (
    Describe,
    Outcome,
    ReadCard,
    Result,
    SendAgain,
    TryAgent,
    TryNow,
    refused,
)
from lisa_island.core.preferences import Pin
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.direct.add import AddWindow
from lisa_island.ui.settings.direct.added import AddedWindow
from lisa_island.ui.settings.direct.import_pi import ImportWindow
from lisa_island.ui.settings.direct.sign_in import SignInWindow, can_be_met
from tests.fakes.cards import AGENTS, CARD, LISTED, denied
from tests.fakes.shell import FakeShell

SECRET = "s3cret-Value-of-mine"
READ = Outcome(Result.DONE, agents=(CARD,))


@pytest.fixture
def shell() -> FakeShell:
    made = FakeShell(direct_agents=AGENTS)
    made.outcome = READ
    return made


@pytest.fixture
def added(shell, closing):
    def make(state: KeyState = KeyState.NONE, name: str = "build-box") -> AddedWindow:
        shell.credential = (state, "")
        window = AddedWindow(shell, name)
        return closing(window)

    return make


def press(qtbot, button) -> None:
    if button.is_inert():
        with qtbot.waitSignal(button.ready):
            pass
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def words_in(window: QWidget) -> str:
    """All that is written in it."""
    return "\n".join(w.text() for kind in (QLabel, QLineEdit) for w in window.findChildren(kind))


# --- an added agent ---


def test_its_card_is_read_again_when_it_is_opened(shell, added) -> None:
    window = added()
    assert shell.performed == [Describe("a2a", "build-box")]
    assert window.card.name.text() == "Build Box"
    assert window.origins.bold() == ["box.example", "api.box-cloud.example"]


def test_an_agent_that_is_away_says_so_and_keeps_the_rest(shell, added) -> None:
    shell.outcome = refused("outcome.card.unreachable", url="https://box.example")
    window = added()
    assert "does not answer" in window.sentence.text() and not window.card.isVisible()
    assert window.credential.isVisible() and window.remove.isVisible()


def test_a_test_says_how_it_went(shell, added, qtbot) -> None:
    window = added()
    shell.outcome = Outcome(Result.DONE, "outcome.test-ok", (("name", "build-box"), ("version", "1.0")))
    press(qtbot, window.test)
    assert shell.performed[-1] == TryAgent("a2a", "build-box")
    assert window.outcome.text() == words.say("en", "outcome.test-ok", name="build-box", version="1.0")
    shell.outcome = refused("outcome.test-sign-in", name="build-box", status="401")
    press(qtbot, window.test)
    assert window.outcome.icon == "error"


def test_removing_asks_once(shell, added, qtbot) -> None:
    window = added()
    press(qtbot, window.remove)
    assert [a.name for a in shell.preferences.direct_agents] == ["build-box", "desk"]
    press(qtbot, window.confirm.yes)
    assert [a.name for a in shell.preferences.direct_agents] == ["desk"]


def test_an_agent_that_was_removed_elsewhere_closes_its_window(shell, added) -> None:
    window = added()
    shell.prefer(direct_agents=AGENTS[1:])
    assert not window.isVisible()


# --- its credential ---


def test_what_the_card_asks_for_is_chosen(added) -> None:
    box = added().credential
    assert box.kind.currentData() == "header" and box.header.text() == "X-Box-Key"


def test_a_credential_is_saved_as_it_is_sent_and_never_shown(shell, added, qtbot) -> None:
    window = added()
    box = window.credential
    assert box.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(box.field, SECRET)
    shell.credential = (KeyState.READY, "")
    press(qtbot, box.save)
    assert shell.credentials == [("save", "build-box", "header", "X-Box-Key", "keyring", SECRET)]
    assert box.field.text() == "" and SECRET not in words_in(window)
    assert box.sentence.text() == words.say("en", "direct.credential.ready")
    assert box.replace.isVisible() and box.forget.isVisible() and not box.field.isVisible()


def test_a_password_may_have_spaces(shell, added) -> None:
    box = added().credential
    box.kind.show_value("basic")
    box.kind.chosen.emit("basic")
    QTest.keyClicks(box.field, "ada:two words")
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert shell.credentials == [("save", "build-box", "basic", "", "keyring", "ada:two words")]


def test_a_bad_header_and_an_empty_credential_save_nothing(shell, added, qtbot) -> None:
    box = added().credential
    press(qtbot, box.save)
    assert box.sentence.text() == words.say("en", "secrets.empty")
    box.header.setText("X Box: no")
    QTest.keyClicks(box.field, SECRET)
    press(qtbot, box.save)
    assert box.sentence.text() == words.say("en", "direct.credential.bad-header")
    assert shell.credentials == []


def test_without_a_keyring_it_is_for_this_run(shell, added, qtbot) -> None:
    box = added(KeyState.ABSENT).credential
    assert box.save.text() == words.say("en", "direct.credential.run")
    QTest.keyClicks(box.field, SECRET)
    shell.credential = (KeyState.MEMORY, "")
    press(qtbot, box.save)
    assert shell.credentials[-1][4] == "run"
    assert box.sentence.text() == words.say("en", "direct.credential.memory")


def test_a_locked_keyring_is_unlocked_by_a_click_alone(shell, added, qtbot) -> None:
    box = added(KeyState.LOCKED).credential
    assert not box.field.isVisible() and shell.credentials == []
    shell.credential = (KeyState.NONE, "")
    press(qtbot, box.unlock)
    assert shell.credentials == [("unlock", "build-box")] and box.field.isVisible()


def test_forgetting_says_so(shell, added, qtbot) -> None:
    box = added(KeyState.READY).credential
    shell.credential = (KeyState.NONE, "")
    press(qtbot, box.forget)
    assert shell.credentials == [("drop", "build-box")]
    assert box.sentence.text() == words.say("en", "direct.credential.forgotten")


def test_plain_http_takes_no_credential(shell, added) -> None:
    shell.prefer(direct_agents=(replace(AGENTS[0], origins=("http://box.example",)),))
    box = added().credential
    assert not box.field.isVisible() and "http://box.example" in box.sentence.text()


def test_agents_at_one_address_share_it_and_that_is_said(shell, added) -> None:
    shell.prefer(direct_agents=(*AGENTS, replace(AGENTS[0], name="twin")))
    assert "@twin" in added().credential.shared.text()


def test_what_was_typed_is_gone_with_the_window(added) -> None:
    window = added()
    QTest.keyClicks(window.credential.field, SECRET)
    window.hide()
    assert window.credential.field.text() == ""


# --- signing in ---


@pytest.fixture
def sign_in(shell, closing):
    def make(summary: str = "") -> SignInWindow:
        session = denied(shell.now(), summary)
        shell.put(session)
        window = SignInWindow(shell, session.requests[0].request_id)
        return closing(window)

    return make


def test_the_agents_words_are_plain_and_its_address_is_shown_whole(shell, sign_in, qtbot) -> None:
    window = sign_in("<b>Hi</b> go to https://login.example/device?code=AB12 now")
    assert window.quote.text.toPlainText() == "<b>Hi</b> go to https://login.example/device?code=AB12 now"
    assert window.address.url() == "https://login.example/device?code=AB12"
    assert window.address.bold() == "login.example" and shell.opened == []
    press(qtbot, window.browse)
    assert shell.opened == ["https://login.example/device?code=AB12"]


def test_a_plain_http_address_is_shown_and_not_opened(sign_in) -> None:
    window = sign_in("http://login.example/x")
    assert window.address.isVisible() and not window.browse.isVisible()


def test_a_saved_credential_pokes_and_the_window_goes_when_it_is_taken(shell, sign_in, qtbot) -> None:
    window = sign_in()
    assert not window.quote.isVisible() and window.about.isVisible()
    QTest.keyClicks(window.credential.field, SECRET)
    shell.credential = (KeyState.READY, "")
    press(qtbot, window.credential.save)
    assert shell.performed[-1] == TryNow("a2a") and window.isVisible()
    shell.remove(denied(0).key)
    shell.clock.advance(1)
    assert not window.isVisible()


def test_a_call_that_never_became_a_task_is_the_owners_to_repeat(shell, sign_in, qtbot) -> None:
    window = sign_in()
    session = denied(shell.now())
    assert session.task is not None
    can = session.capabilities | {Can.SEND_AGAIN}
    shell.put(replace(session, task=replace(session.task, task_id=""), capabilities=can))
    QTest.keyClicks(window.credential.field, SECRET)
    shell.credential = (KeyState.READY, "")
    press(qtbot, window.credential.save)
    assert window.sentence.text() == words.say("en", "direct.sign-in.anew", name="build-box")
    assert not any(isinstance(i, SendAgain) for i in shell.performed), "never by itself"
    shell.outcome = refused("outcome.unreachable", origin="https://box.example")
    press(qtbot, window.again)
    assert window.isVisible() and window.sentence.icon == "error"
    shell.outcome = Outcome(Result.DONE)
    press(qtbot, window.again)
    assert shell.performed[-1] == SendAgain(session.key) and not window.isVisible()


def test_a_request_that_went_by_itself_is_said(shell, sign_in) -> None:
    window = sign_in()
    shell.remove(denied(0).key)
    shell.clock.advance(1)
    assert window.isVisible()
    assert window.sentence.text() == words.say("en", "direct.sign-in.over", name="build-box")


def test_only_what_a_credential_can_meet_opens_it(shell) -> None:
    session = denied(shell.now())
    shell.put(session)
    assert can_be_met(shell.store.roster, session.requests[0].request_id)
    assert not can_be_met(shell.store.roster, "nobody#1")
    shell.put(replace(session, capabilities=frozenset()))
    assert not can_be_met(shell.store.roster, session.requests[0].request_id)


# --- the page, following, the import ---


@pytest.fixture
def page(shell, qtbot):
    dialog = SettingsDialog(shell)
    qtbot.addWidget(dialog)
    dialog.open_page("agents")
    qtbot.waitExposed(dialog)
    return dialog.pages["agents"]


def test_the_page_lists_what_was_added_and_asks_nobody(shell, page) -> None:
    assert [r.target for r in page.agents.rows] == ["build-box", "desk"] and shell.performed == []
    shell.prefer(direct_agents=())
    assert not page.agents.isVisible() and page.none.isVisible()


def test_a_row_opens_its_agent(page, qtbot) -> None:
    page.agents.setFocus()
    QTest.keyClick(page.agents, Qt.Key.Key_Down)
    QTest.keyClick(page.agents, Qt.Key.Key_Return)
    [window] = page.window().findChildren(AddedWindow)
    assert window.name == "desk" and window.isModal()


def test_adding_one_that_needs_a_credential_leads_to_the_field(shell, page, qtbot) -> None:
    page.add_agent()
    [window] = page.window().findChildren(AddWindow)
    QTest.keyClicks(window.field, "box.example")
    QTest.keyClick(window.field, Qt.Key.Key_Return)
    press(qtbot, window.do)
    [added] = page.window().findChildren(AddedWindow)
    assert added.name == "build-box-2" and added.focusWidget() is added.credential.field
    assert page.result.text() == words.say("en", "agent.added", name="build-box-2")


def test_following_at_the_agent_is_off_until_chosen(qtbot) -> None:
    shell = FakeShell(pins=(Pin("acme"), Pin("sheet")))
    dialog = SettingsDialog(shell)
    qtbot.addWidget(dialog)
    dialog.open_page("remote")
    qtbot.waitUntil(dialog.isActiveWindow)
    box = dialog.pages["remote"].beside
    assert [r.on for r in box.list.rows] == [False, False]
    box.list.setFocus()
    QTest.keyClick(box.list, Qt.Key.Key_Down)
    QTest.keyClick(box.list, Qt.Key.Key_Space)
    assert shell.preferences.follow_at_agent == ("sheet",)
    QTest.keyClick(box.list, Qt.Key.Key_Return)
    assert shell.preferences.follow_at_agent == ()
    told = box.list.accessibleDescription()
    assert "sees the address of this computer" in told and "outside the gateway's meter" in told


@pytest.fixture
def importing(shell, closing):
    def make(*listed, word: str = "") -> ImportWindow:
        shell.pi = (listed, word)
        window = ImportWindow(shell)
        return closing(window)

    return make


def test_nothing_is_chosen_and_what_was_added_cannot_be(importing) -> None:
    window = importing(*LISTED)
    assert [(r.title, r.on, r.live) for r in window.list.rows] == [
        ("Build Box", False, True),
        ("desk", False, False),
    ]
    assert not window.go.isEnabled()


def test_each_chosen_one_is_added_like_any_other_and_its_key_is_copied(shell, importing, qtbot) -> None:
    window = importing(*LISTED)
    QTest.keyClick(window.list, Qt.Key.Key_Space)
    press(qtbot, window.go)
    assert shell.performed == [ReadCard("a2a", "https://box.example")]
    assert len(shell.preferences.direct_agents) == 2, "shown is not added"
    [one] = window.findChildren(AddWindow)
    press(qtbot, one.do)
    assert [a.name for a in shell.preferences.direct_agents] == ["build-box", "desk", "build-box-2"]
    assert shell.credentials == [("pi", "Build Box", "build-box-2")]
    assert not window.isVisible()


def test_a_skipped_one_copies_nothing(shell, importing, qtbot) -> None:
    window = importing(*LISTED)
    QTest.keyClick(window.list, Qt.Key.Key_Space)
    press(qtbot, window.go)
    [one] = window.findChildren(AddWindow)
    press(qtbot, one.cancel)
    assert shell.credentials == [] and len(shell.preferences.direct_agents) == 2
    assert window.isVisible()


@pytest.mark.parametrize("word", ["pi.no-file", "pi.none", "pi.broken", "pi.too-large", "pi.unreadable"])
def test_a_list_that_cannot_be_read_says_why(importing, word: str) -> None:
    window = importing(word=word)
    assert window.sentence.text() == words.say("en", word, file="pi's settings.json")
    assert not window.go.isVisible()
