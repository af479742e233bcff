"""The queue: cards bound to ids, receipts before anything moves, one focus stop each, foreign text plain."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import AgentSession, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.ui import card as card_module
from lisa_island.ui import requests_view
from lisa_island.ui.card import NeedCard, ReceiptCard
from lisa_island.ui.requests_view import RequestsView
from tests.fakes.sessions import ATTACKS, MINUTE, asking, key, remote, request_id
from tests.fakes.shell import FakeShell


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_module, "ARM_MS", 1)
    monkeypatch.setattr(requests_view, "RECEIPT_MS", 1)


def show(qtbot: QtBot, shell: FakeShell, drafts: dict[str, str] | None = None) -> RequestsView:
    view = RequestsView(shell, {} if drafts is None else drafts)
    qtbot.addWidget(view)
    view.resize(440, 600)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    return view


def fill(shell: FakeShell, *slugs: str) -> None:
    """Oldest first in the order given."""
    for i, slug in enumerate(slugs):
        shell.put(asking(slug, f"Question of {slug}?", now=shell.now(), minutes=20 - i))


def answered(shell: FakeShell, slug: str) -> None:
    shell.clock.advance(1)
    fact = Fact("takoapi.answer", "answer", at=shell.now())
    shell.store.dispatch(StateChanged(key(slug), shell.now(), State.WORKING, "sending", fact))


def asks_else(shell: FakeShell, slug: str, text: str, n: int = 1) -> None:
    """The same request with another text, or with another n another request."""
    shell.clock.advance(1)
    session = asking(slug, text, now=shell.now(), n=n)
    fact = Fact("takoapi.status", "/stream", at=shell.now())
    can = session.capabilities
    event = StateChanged(
        key(slug), shell.now(), State.WAITING, "input-required", fact, session.requests, capabilities=can
    )
    shell.store.dispatch(event)
    shell.clock.advance(1)


def ids(view: RequestsView) -> list[str]:
    return [c.view.request_id.partition("/")[0] for c in view.cards()]


def ready(qtbot: QtBot, card: NeedCard) -> None:
    if card.button.is_inert():
        with qtbot.waitSignal(card.button.ready):
            pass


def test_without_sessions_nothing_is_said(qtbot: QtBot, shell: FakeShell) -> None:
    view = show(qtbot, shell)
    assert view.sizeHint().height() == 0 and not view.has_cards


def test_with_sessions_and_no_request_it_says_up_to_date(qtbot: QtBot, shell: FakeShell) -> None:
    shell.put(remote("acme"))
    view = show(qtbot, shell)
    said = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    assert "Nothing. You are up to date." in said and view.sizeHint().height() > 0


def test_the_first_card_is_large_and_amber_and_three_are_shown(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b", "c", "d", "e")
    view = show(qtbot, shell)
    assert ids(view) == ["a", "b", "c"]
    assert [c.kind for c in view.cards()] == ["waiting", "plain", "plain"]
    assert [c.height() for c in view.cards()] == [130, 52, 52]
    assert view.more.text() == "2 more" and view.more.isVisible()
    QTest.mouseClick(view.more, Qt.MouseButton.LeftButton)
    assert ids(view) == ["a", "b", "c", "d", "e"] and view.more.text() == "Show fewer"


def test_the_section_line_names_the_oldest(qtbot: QtBot, shell: FakeShell) -> None:
    shell.put(asking("acme", now=shell.now(), minutes=14))
    view = show(qtbot, shell)
    assert "oldest 14 min" in [label.text() for label in view.findChildren(QLabel)]


def test_sign_in_comes_before_older_questions(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "old")
    shell.put(asking("late", "Go to https://x.example/", now=shell.now(), kind=RequestKind.AUTH))
    view = show(qtbot, shell)
    assert ids(view) == ["late", "old"]
    assert [c.button.text() for c in view.cards()] == ["Sign in", "Reply"]


def test_a_card_says_who_what_where_when_and_which_of_how_many(qtbot: QtBot, shell: FakeShell) -> None:
    shell.put(asking("acme", "Which quarter?", now=shell.now(), minutes=6, label="Q3 scan"))
    fill(shell, "b")
    view = show(qtbot, shell)
    name = view.cards()[1].accessibleName()
    assert name == "Input required, acme needs input, Which quarter?, Q3 scan · TakoAPI, 6 min, 2 of 2"
    interface = QAccessible.queryAccessibleInterface(view.cards()[1])
    assert interface.text(QAccessible.Text.Name) == name


@pytest.mark.usefixtures("quick")
def test_enter_click_and_button_open_the_request(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b")
    view = show(qtbot, shell)
    opened: list[str] = []
    view.opened.connect(opened.append)
    assert view.focus_first() and view.cards()[0].hasFocus()
    QTest.keyClick(view.cards()[0], Qt.Key.Key_Return)
    QTest.mouseClick(view.cards()[1], Qt.MouseButton.LeftButton)
    ready(qtbot, view.cards()[1])
    QTest.mouseClick(view.cards()[1].button, Qt.MouseButton.LeftButton)
    assert opened == [request_id("a"), request_id("b"), request_id("b")]


@pytest.mark.usefixtures("quick")
def test_one_stop_each_and_arrows_inside(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b", "c")
    view = show(qtbot, shell)
    first, second, third = view.cards()
    view.focus_first()
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus(), "the button of a card is no stop of its own"
    QTest.keyClick(second, Qt.Key.Key_Right)
    assert second.button.hasFocus()
    QTest.keyClick(second.button, Qt.Key.Key_Left)
    assert second.hasFocus()
    QTest.keyClick(second, Qt.Key.Key_Down)
    assert third.hasFocus()
    QTest.keyClick(third, Qt.Key.Key_Up)
    assert second.hasFocus()


def test_a_button_takes_no_press_for_a_moment_after_it_appears(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    view = show(qtbot, shell)
    opened: list[str] = []
    view.opened.connect(opened.append)
    button = view.cards()[0].button
    assert button.is_inert()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not opened
    with qtbot.waitSignal(button.ready):
        pass
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [request_id("a")]


@pytest.mark.usefixtures("quick")
def test_changed_and_moved_cards_are_inert_again(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b")
    view = show(qtbot, shell)
    for card in view.cards():
        ready(qtbot, card)
    second = view.cards()[1]
    second.button._arm_ms = 60_000
    asks_else(shell, "b", "Another question?")
    assert second is view.cards()[1] and second.button.is_inert()
    second.button._arm_ms = 1
    second.button.arm()
    ready(qtbot, second)
    second.button._arm_ms = 60_000
    second.move(second.x(), second.y() + 3)
    assert second.button.is_inert()
    second.button._arm_ms = 1  # the layout may move it back
    second.button.arm()
    ready(qtbot, second)


def test_a_receipt_keeps_the_slot_before_anything_moves_up(
    qtbot: QtBot, shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(shell, "a", "b", "c", "d")
    view = show(qtbot, shell)
    places = {c.view.request_id: c.pos() for c in view.cards()}
    answered(shell, "a")
    assert view.texts() == ["a · Answered"]
    assert ids(view) == ["b", "c"], "d waits outside until the receipt is gone"
    assert all(places[c.view.request_id] == c.pos() for c in view.cards())
    assert view.receipts.isActive()
    shell.put(asking("z", now=shell.now(), minutes=60))
    assert "z" not in ids(view), "a new request pushes nothing aside while a receipt stands"
    view.receipts.stop()
    view.receipts.timeout.emit()
    assert ids(view) == ["z", "b", "c"] and view.cards()[0].first and not view.texts()


def test_what_the_receipt_says_is_what_the_roster_proves(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "gone", "done", "again")
    view = show(qtbot, shell)
    shell.remove(key("gone"))
    shell.clock.advance(1)
    fact = Fact("takoapi.status", "/message", at=shell.now())
    shell.store.dispatch(StateChanged(key("done"), shell.now(), State.DONE, "canceled", fact))
    asks_else(shell, "again", "Something else?", n=2)
    assert sorted(view.texts()) == [
        "again · It asks something else now",
        "done · No longer waits: canceled",
        "gone · No longer followed",
    ]
    view.hide()
    assert not view.receipts.isActive() and not view.texts()


@pytest.mark.usefixtures("quick")
def test_the_focus_goes_to_the_next_card_then_to_the_title(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b")
    view = show(qtbot, shell)
    view.focus_first()
    shell.remove(key("a"))
    assert QApplication.focusWidget() is view.cards()[0] and ids(view) == ["b"]
    qtbot.waitUntil(lambda: not view.texts())
    assert QApplication.focusWidget() is view.cards()[0], "the card grew to the first one and kept the focus"
    shell.clock.advance(1)
    shell.remove(key("b"))
    assert QApplication.focusWidget() is view.heading
    qtbot.waitUntil(lambda: not view.texts())


def test_a_card_that_no_longer_fits_hands_the_focus_on(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a", "b", "c")
    view = show(qtbot, shell)
    view.cards()[2].setFocus()
    shell.put(asking("urgent", now=shell.now(), kind=RequestKind.AUTH))
    assert ids(view) == ["urgent", "a", "b"]
    assert QApplication.focusWidget() in view.cards()


def test_an_event_never_moves_the_focus(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "b", "c")
    view = show(qtbot, shell)
    card = view.cards()[1]
    card.setFocus()
    shell.put(asking("a", now=shell.now(), kind=RequestKind.AUTH))
    assert QApplication.focusWidget() is card or QApplication.focusWidget().view.request_id == request_id("c")


def test_without_the_ability_there_is_no_button_and_the_reason_is_told(
    qtbot: QtBot, shell: FakeShell
) -> None:
    fill(shell, "a")
    local = AgentSession(
        SessionKey("claude-code", "s1"), "api-server", State.WAITING, "permission", origin=Origin.LOCAL,
        requests=asking("x", now=shell.now(), kind=RequestKind.PERMISSION).requests,
    )  # fmt: skip
    shell.put(local, asking("remote", now=shell.now(), answerable=False))
    view = show(qtbot, shell)
    first, _, last = view.cards()
    assert first.view.name == "Claude Code" and not first.button.isVisible()
    assert first.accessibleDescription() == "Answered in its own terminal"
    assert not last.button.isVisible() and last.accessibleDescription() == "Cannot be answered from here"


def test_a_draft_is_told(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    drafts = {request_id("a"): "half a reply"}
    view = show(qtbot, shell, drafts)
    assert view.has_draft and "draft" in view.cards()[0].accessibleName()
    drafts.clear()
    assert not view.has_draft


@pytest.mark.parametrize("text", ATTACKS)
def test_foreign_text_is_one_plain_line(qtbot: QtBot, shell: FakeShell, text: str) -> None:
    fill(shell, "a")
    shell.put(asking("b", text, now=shell.now()))
    view = show(qtbot, shell)
    assert [c.height() for c in view.cards()] == [130, 52] and view.width() == 440
    for label in view.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText and not label.openExternalLinks()
        assert not set(label.text()) & set("\u202e\u2066\u2069\u200b\x1b\x07\n")
    assert len(view.cards()[1].view.question) <= 400


def test_hidden_it_runs_no_timer_and_follows_nothing(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    view = show(qtbot, shell)
    view.hide()
    assert not [t for t in view.findChildren(QTimer) if t.isActive() and t.parent() is view]
    shell.put(asking("b", now=shell.now()))
    assert ids(view) == ["a"]
    view.show()
    assert ids(view) == ["a", "b"]


def test_what_was_answered_elsewhere_is_announced(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    view = show(qtbot, shell)
    shell.put(asking("b", now=shell.now()))
    assert view._announcer.said == [], "the island tells of new needs"
    shell.clock.advance(1)
    fact = Fact("takoapi.status", "/message", at=shell.now())
    shell.store.dispatch(StateChanged(key("a"), shell.now(), State.WORKING, "", fact))
    assert view._announcer.said == ["a: No longer waits: working"]


def test_an_answer_of_ours_is_not_told_before_it_was_sent(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    view = show(qtbot, shell)
    shell.clock.advance(1)
    fact = Fact("takoapi.answer", "/message", at=shell.now())
    shell.store.dispatch(StateChanged(key("a"), shell.now(), State.WORKING, "sending", fact))
    assert view.texts() and view._announcer.said == []


def test_it_tells_when_it_wants_another_height(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, "a")
    view = show(qtbot, shell)
    before = view.sizeHint().height()
    with qtbot.waitSignal(view.height_changed):
        shell.put(asking("b", now=shell.now()))
    assert view.sizeHint().height() == before + 52 + 6


def test_the_card_under_the_keyboard_scrolls_into_sight(qtbot: QtBot, shell: FakeShell) -> None:
    fill(shell, *"abcdef")
    view = show(qtbot, shell)
    view.room = 200
    assert view.sizeHint().height() == 200, "more cards than room scroll inside"
    view.resize(440, 200)
    QTest.mouseClick(view.more, Qt.MouseButton.LeftButton)
    view.focus_first()
    for card in view.cards()[:-1]:
        QTest.keyClick(card, Qt.Key.Key_Down)
    last = view.cards()[-1]
    (area,) = view.findChildren(QScrollArea)
    top = last.mapTo(area.viewport(), last.rect().topLeft()).y()
    assert 0 <= top <= area.viewport().height() - last.height()


def test_words_are_chinese_in_chinese(qtbot: QtBot) -> None:
    shell = FakeShell("zh-CN")
    shell.put(asking("acme", now=shell.now(), minutes=14))
    view = show(qtbot, shell)
    assert view.heading.text() == "待你处理" and view.cards()[0].button.text() == "回复"


def test_large_type_cuts_nothing(qtbot: QtBot, shell: FakeShell) -> None:
    from lisa_island.ui import theme

    theme.watcher().set_scale(2.0)
    fill(shell, "a", "b")
    view = show(qtbot, shell)
    for card in view.cards():
        assert card.height() >= card.minimumSizeHint().height() and card.button.height() >= 28
    assert ReceiptCard("a", "b", 52).height() == 52


def test_a_twin_has_its_number(qtbot: QtBot, shell: FakeShell) -> None:
    now = shell.now()
    shell.put(asking("acme", now=now, started_at=now - 9 * MINUTE, task=Task("acme", task_id="1")))
    shell.put(
        asking("acme", now=now, tag="11110000", started_at=now - MINUTE, task=Task("acme", task_id="2"))
    )
    view = show(qtbot, shell)
    assert sorted(c.view.below for c in view.cards()) == ["#1 · TakoAPI", "#2 · TakoAPI"]
    first, small = view.cards()
    seen = [label.text() for label in small.findChildren(QLabel) if label.isVisible()]
    assert f"acme {small.view.twin}" in seen and small.view.twin in ("#1", "#2")
    assert "acme" in [label.text() for label in first.findChildren(QLabel)]
