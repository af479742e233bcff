"""Banners and empty states: each state of the whole has a sentence, its button, and goes when it is over."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import Health, KeyState
from lisa_island.core.events import SessionRemoved
from lisa_island.core.intents import TryNow
from lisa_island.ui import screens
from lisa_island.ui.empty_state import EmptyState
from lisa_island.ui.said import clock
from lisa_island.ui.screens import Banners
from tests.fakes.sessions import MINUTE, remote
from tests.fakes.shell import FakeShell


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "ARM_MS", 1)


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


def show(qtbot: QtBot, shell: FakeShell) -> Banners:
    made = Banners(shell)
    qtbot.addWidget(made)
    made.resize(440, max(1, made.sizeHint().height()))
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: not button.is_inert())  # type: ignore[attr-defined]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def labels(banners: Banners) -> list[str]:
    return [b.text() for b in banners.buttons()]


def test_when_all_is_well_it_takes_no_room(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.OK, key_state=KeyState.READY)
    shown = show(qtbot, shell)
    assert shown.texts() == [] and shown.sizeHint().height() == 0


def test_a_source_that_is_off_says_nothing(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(enabled=False, key_state=KeyState.NONE, health=Health.OFF)
    assert show(qtbot, shell).texts() == []


@pytest.mark.parametrize(
    ("state", "words", "button"),
    [
        (
            KeyState.NONE,
            "Add a TakoAPI key to send and answer remote tasks. Local agents work without it.",
            "Add key",
        ),
        (
            KeyState.MEMORY,
            "No system keyring was found. The key is kept in memory and forgotten when you quit.",
            "How to fix",
        ),
        (
            KeyState.ABSENT,
            "No system keyring was found. Remote tasks can only be watched until a key is kept another way.",
            "How to fix",
        ),
        (
            KeyState.TIMED_OUT,
            "The keyring does not answer, so no key can be read. Local agents are not affected.",
            "How to fix",
        ),
    ],
)
def test_each_state_of_the_key_has_a_sentence_that_leads_to_settings(
    qtbot: QtBot, shell: FakeShell, state: KeyState, words: str, button: str
) -> None:
    shell.put(remote("acme"))
    shell.report(health=Health.OK, key_state=state)
    shown = show(qtbot, shell)
    assert shown.texts() == [words] and labels(shown) == [button]
    with qtbot.waitSignal(shown.settings_requested) as told:
        press(qtbot, shown.buttons()[0])
    assert told.args == ["remote"]


def test_a_locked_keyring_is_opened_by_the_owners_click_alone(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.OK, key_state=KeyState.LOCKED)
    shown = show(qtbot, shell)
    assert not shell.keys and labels(shown) == ["Unlock"]
    press(qtbot, shown.buttons()[0])
    assert shell.keys == [("unlock", "")] and labels(shown) == ["Unlock"]
    assert shown.buttons()[0].isEnabled(), "a refused prompt can be asked for again"
    shell.clock.advance(1)
    shell.report(key_state=KeyState.READY)
    assert shown.texts() == [] and shown.sizeHint().height() == 0


def test_offline_names_the_host_and_the_next_try(qtbot: QtBot, shell: FakeShell) -> None:
    at = shell.now() + 5 * MINUTE
    shell.report(health=Health.OFFLINE, key_state=KeyState.READY, origin="https://takoapi.com", retry_at=at)
    shown = show(qtbot, shell)
    assert shown.texts() == [
        f"takoapi.com does not answer. Local agents are not affected. Next try at {clock(at)}."
    ]
    shell.hold = True
    press(qtbot, shown.buttons()[0])
    assert shell.performed == [TryNow("takoapi")] and not shown.buttons()[0].isEnabled()
    shell.finish()
    assert shown.buttons()[0].isEnabled()


def test_offline_without_a_plan_names_no_time(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.OFFLINE, key_state=KeyState.READY, origin="http://127.0.0.1:4820")
    assert show(qtbot, shell).texts() == ["127.0.0.1:4820 does not answer. Local agents are not affected."]


def test_a_source_that_failed_is_not_called_offline(qtbot: QtBot, shell: FakeShell) -> None:
    at = shell.now() + MINUTE
    shell.report(health=Health.OFFLINE, key_state=KeyState.READY, detail="source-failed", retry_at=at)
    text = f"The connection to TakoAPI stopped with an error. Next try at {clock(at)}."
    assert show(qtbot, shell).texts() == [text]


def test_a_refused_key_is_replaced_in_settings(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.REFUSED, key_state=KeyState.READY)
    shown = show(qtbot, shell)
    assert shown.texts() == ["TakoAPI refused the key. It may have been revoked."]
    with qtbot.waitSignal(shown.settings_requested):
        press(qtbot, shown.buttons()[0])


def test_a_busy_gateway_tells_until_when(qtbot: QtBot, shell: FakeShell) -> None:
    at = shell.now() + MINUTE
    shell.report(health=Health.WAITING, key_state=KeyState.READY, retry_at=at)
    text = f"Too many requests. The gateway asked to wait until {clock(at)}."
    assert show(qtbot, shell).texts() == [text]


@pytest.mark.parametrize(("which", "calls"), [(0, "deny"), (1, "allow")])
def test_loosening_in_the_file_waits_for_the_owner(qtbot: QtBot, which: int, calls: str) -> None:
    shell = FakeShell(agent_calls_wanted="allow")
    shown = show(qtbot, shell)
    assert labels(shown) == ["Keep refusing", "Allow"] and shell.preferences.agent_calls == "deny"
    press(qtbot, shown.buttons()[which])
    assert shell.preferences.agent_calls == calls


def test_a_choice_that_could_not_be_saved_is_told(qtbot: QtBot) -> None:
    shell = FakeShell(agent_calls_wanted="allow")
    shell.refuse_preferences = "storage.full"
    shown = show(qtbot, shell)
    press(qtbot, shown.buttons()[1])
    assert "That choice could not be saved." in shown.texts()


def test_a_problem_stays_until_told_otherwise(qtbot: QtBot, shell: FakeShell) -> None:
    shown = show(qtbot, shell)
    with qtbot.waitSignal(shown.height_changed):
        shown.tell_problem("The disk is full.")
    assert shown.texts() == ["The disk is full."] and shown.sizeHint().height() > 0
    shown.tell_problem("")
    assert shown.texts() == []


def test_the_focus_is_not_lost_when_a_banner_goes(qtbot: QtBot, shell: FakeShell) -> None:
    shell.put(remote("acme"))
    shell.report("a", health=Health.OFFLINE, key_state=KeyState.NONE)
    shown = show(qtbot, shell)
    shown.buttons()[0].setFocus()
    shell.clock.advance(1)
    shell.report("a", health=Health.OK)
    assert QApplication.focusWidget() is shown.buttons()[0]


def test_unchanged_banners_are_left_alone(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.REFUSED, key_state=KeyState.READY)
    shown = show(qtbot, shell)
    button = shown.buttons()[0]
    shell.put(remote("acme"))
    shell.clock.advance(1)
    shell.report(generation="G1")
    assert shown.buttons()[0] is button


def test_plain_words_and_no_timer(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(health=Health.OFFLINE, key_state=KeyState.LOCKED, origin="https://<b>x</b>.example")
    shown = show(qtbot, shell)
    assert not shown.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert all(x.textFormat() == Qt.TextFormat.PlainText for x in shown.findChildren(QLabel))
    assert shown.minimumSizeHint().width() <= 440


# --- nothing to show ---


@pytest.fixture
def empty(qtbot: QtBot, shell: FakeShell) -> EmptyState:
    made = EmptyState(shell)
    qtbot.addWidget(made)
    return made


def test_no_agent_switched_on(qtbot: QtBot, empty: EmptyState) -> None:
    empty.show()
    assert empty.kind == "none" and empty.title() == "No agents yet"
    with qtbot.waitSignal(empty.settings_requested) as told:
        press(qtbot, empty.button)
    assert told.args == ["remote"]


def test_nothing_running_leads_to_the_command_bar(qtbot: QtBot, empty: EmptyState, shell: FakeShell) -> None:
    shell.report(key_state=KeyState.READY, health=Health.OK)
    assert empty.refresh(shell.store.roster)
    empty.show()
    assert empty.kind == "quiet" and empty.button.text() == "Command bar"
    with qtbot.waitSignal(empty.command_requested):
        press(qtbot, empty.button)


def test_no_key_can_wait(qtbot: QtBot, empty: EmptyState, shell: FakeShell) -> None:
    shell.report(key_state=KeyState.NONE, health=Health.OK)
    empty.refresh(shell.store.roster)
    empty.show()
    assert empty.kind == "no-key" and empty.title() == "Remote agents need a key"
    press(qtbot, empty.later)
    assert empty.kind == "quiet" and not empty.later.isVisible()
    empty.refresh(shell.store.roster)
    assert empty.kind == "quiet", "it was asked once"


def test_it_gives_way_to_the_first_row(empty: EmptyState, shell: FakeShell) -> None:
    shell.put(remote("acme"))
    assert not empty.refresh(shell.store.roster) and empty.kind == ""


def test_the_key_is_asked_for_in_one_place(qtbot: QtBot, shell: FakeShell) -> None:
    shell.report(key_state=KeyState.NONE, health=Health.OK)
    shown = show(qtbot, shell)
    assert shown.texts() == [], "the empty page asks"
    shell.put(remote("acme"))
    assert labels(shown) == ["Add key"]
    shell.store.dispatch(SessionRemoved(remote("acme").key, shell.now()))
    assert shown.texts() == []


def test_banners_follow_nothing_once_destroyed(shell: FakeShell) -> None:
    shiboken6.delete(Banners(shell))
    shell.report(health=Health.OFFLINE)
    shell.prefer(theme="dark")


def test_an_offer_stays_until_it_is_answered(qtbot):
    shell, answers = FakeShell(), []
    banners = Banners(shell)
    qtbot.addWidget(banners)
    banners.offer(
        screens.Notice("error", "It ended.", (("show", "Show"), ("dismiss", "Dismiss"))), answers.append
    )
    banners.tell_problem("Something else.")
    assert banners.texts() == ["Something else.", "It ended."]
    shell.report()
    banners.tell_problem("")
    assert "It ended." in banners.texts()
    next(b for b in banners.buttons() if b.text() == "Dismiss").click()
    assert answers == ["dismiss"] and "It ended." not in banners.texts()
