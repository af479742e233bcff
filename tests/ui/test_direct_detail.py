"""A direct task's page: cancel, more for the same task, what it put out, its frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import AgentSession, Artifact, Can, Freshness, Reply, State
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import (
    Cancel,
    Continue,
    Outcome,
    ReadArtifact,
    ReadRaw,
    Result,
    SendAgain,
    done,
    refused,
    unknown,
)
from lisa_island.core.summary import summarize
from lisa_island.ui import more_box, page_parts
from lisa_island.ui.detail import DetailPage
from lisa_island.ui.reply_view import artifact
from lisa_island.ui.trail import entries
from tests.fakes.direct import ALWAYS, RUNNING, direct, direct_key, finished, ready
from tests.fakes.sessions import MINUTE
from tests.fakes.shell import FakeShell

Open = Callable[..., DetailPage]


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (page_parts, more_box):
        monkeypatch.setattr(module, "ARM_MS", 1)


@pytest.fixture
def drafts() -> dict[str, str]:
    return {}


@pytest.fixture
def page(qtbot: QtBot, shell: FakeShell, drafts: dict[str, str]) -> Open:
    def make(session: AgentSession) -> DetailPage:
        shell.put(session)
        made = DetailPage(shell, drafts)
        qtbot.addWidget(made)
        made.resize(440, 780)
        made.open(session.key)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        return made

    return make


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: not button.is_inert())  # type: ignore[attr-defined]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def told(page: DetailPage) -> str:
    return page.face.banner.text() if page.face.banner else ""


def moves(shell: FakeShell, state: State, reason: str, **more: object) -> None:
    shell.clock.advance(1)
    fact = Fact("a2a.status", "stream", at=shell.now())
    shell.store.dispatch(StateChanged(direct_key(), shell.now(), state, reason, fact, **more))  # type: ignore[arg-type]
    shell.clock.advance(1)


# --- cancel ---


def test_cancel_is_asked_once_and_stop_following_is_another_thing(
    page: Open, shell: FakeShell, qtbot: QtBot
) -> None:
    shown = page(direct())
    assert shown.face.cancel.isVisible() and shown.face.stop.isVisible()
    assert "Cancel asks the agent to stop" in shown.face.note.text()
    press(qtbot, shown.face.cancel)
    assert shell.performed == [] and "Ask box to cancel this task?" in shown.face.confirm.text()
    assert shown.face.confirm.do.text() == "Cancel task" and shown.face.confirm.cancel.hasFocus()
    press(qtbot, shown.face.confirm.cancel)
    assert shell.performed == []
    press(qtbot, shown.face.cancel)
    press(qtbot, shown.face.confirm.do)
    assert shell.performed == [Cancel(direct_key())]


def test_a_refusal_says_why_in_place_until_the_task_is_in_another_state(
    page: Open, shell: FakeShell, qtbot: QtBot
) -> None:
    shell.outcome = refused("outcome.not-canceled", name="box", why="too late")
    shown = page(direct())
    shown.begin("cancel")
    press(qtbot, shown.face.confirm.do)
    assert told(shown) == "box did not cancel the task: too late"
    assert shown.face.cancel.isVisible()
    moves(shell, State.DONE, "completed", capabilities=ALWAYS)
    assert told(shown) == "" and not shown.face.cancel.isVisible()


def test_while_it_is_asked_it_cannot_be_asked_again(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shell.hold = True
    shown = page(direct())
    shown.begin("cancel")
    press(qtbot, shown.face.confirm.do)
    assert shown.face.cancel.text() == "Asking box to cancel" and not shown.face.cancel.isEnabled()
    shown.begin("cancel")
    assert not shown.face.is_asking
    shell.finish(unknown("outcome.cancel-unknown", direct_key()))
    assert told(shown).startswith("The connection ended before the agent confirmed")
    assert shown.face.cancel.isEnabled() and len(shell.performed) == 1


def test_a_wish_that_was_taken_is_no_end_yet(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page(direct())
    shown.begin("cancel")
    press(qtbot, shown.face.confirm.do)
    assert told(shown).startswith("box took the wish. The task is not over yet")


def test_a_question_about_what_is_over_goes_away(page: Open, shell: FakeShell) -> None:
    shown = page(direct())
    shown.begin("cancel")
    moves(shell, State.DONE, "completed", capabilities=ALWAYS)
    assert not shown.face.is_asking and shell.performed == []


def test_a_gateways_task_offers_no_cancel(page: Open) -> None:
    shown = page(direct(capabilities=frozenset({Can.STOP_FOLLOWING})))
    shown.begin("cancel")
    assert not shown.face.cancel.isVisible() and not shown.face.is_asking


# --- send again ---


def test_send_again_of_what_is_over_is_a_new_task(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page(finished(shell.now()))
    assert shown.face.again.isVisible() and shown.face.stop.isVisible() and not shown.face.leave.isVisible()
    press(qtbot, shown.face.again)
    assert shown.face.confirm.text() == "Send the same text to box once more, as a new task?"
    assert "charged" not in shown.face.confirm.text()
    press(qtbot, shown.face.confirm.do)
    assert shell.performed == [SendAgain(direct_key())]


def test_of_unknown_outcome_it_may_run_twice(page: Open, qtbot: QtBot) -> None:
    shown = page(
        direct(State.UNKNOWN, state_reason="outcome-unknown", capabilities=ALWAYS | {Can.SEND_AGAIN})
    )
    assert "charged" not in told(shown)
    press(qtbot, shown.face.again)
    assert shown.face.confirm.text().startswith("It may run twice.")


# --- your turn ---


def test_your_turn_is_no_need_and_takes_more(
    page: Open, shell: FakeShell, qtbot: QtBot, drafts: dict[str, str]
) -> None:
    shown = page(ready(shell.now()))
    summary = summarize(shell.store.roster)
    assert (summary.needs_you, summary.your_turn) == (0, 1)
    assert not shown.face.more.isVisible(), "more for this task, not a new one"
    press(qtbot, shown.face.say_more)
    box = shown.face.more_box
    assert box.isVisible() and box.box.hasFocus() and not box.send.isEnabled()
    assert box.note() == "Goes to task #a1b2 at box.example."
    QTest.keyClicks(box.box, "and a door")
    assert shown.has_draft and drafts
    press(qtbot, box.send)
    assert shell.performed == [Continue(direct_key(), "and a door")]
    assert not box.isVisible() and not drafts


def test_a_refused_word_stays_and_one_that_comes_too_late_cannot_be_sent(
    page: Open, shell: FakeShell, qtbot: QtBot, drafts: dict[str, str]
) -> None:
    shell.outcome = refused("outcome.answer-refused", name="box")
    shown = page(ready(shell.now()))
    shown.begin("more")
    QTest.keyClicks(shown.face.more_box.box, "a door")
    press(qtbot, shown.face.more_box.send)
    assert shown.face.more_box.isVisible() and drafts and "did not take" in told(shown)
    moves(shell, State.WORKING, "working", capabilities=RUNNING)
    assert not shown.face.more_box.send.isEnabled()
    assert "not ready for more" in shown.face.more_box.note()
    assert shown.face.more_box.box.toPlainText() == "a door"


def test_esc_closes_the_box_and_keeps_the_text(page: Open, shell: FakeShell, drafts: dict[str, str]) -> None:
    shown = page(ready(shell.now()))
    shown.begin("more")
    QTest.keyClicks(shown.face.more_box.box, "a door")
    QTest.keyClick(shown.face.more_box.box, Qt.Key.Key_Escape)
    assert not shown.face.more_box.isVisible() and drafts
    shown.open(direct_key())
    assert shown.face.more_box.isVisible() and shown.face.more_box.box.toPlainText() == "a door"


# --- what it put out ---


def test_artifacts_are_listed_and_seen_as_plain_text(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page(finished(shell.now()))
    views = shown.face.artifacts.buttons()
    assert [b.accessibleName() for b in views] == [
        "View letter.txt", "View numbers.json", "View sample.png",
    ]  # fmt: skip
    shell.outcome = Outcome(Result.DONE, text="<b>Hello</b>")
    press(qtbot, views[1])
    assert shell.performed[-1] == ReadArtifact(direct_key(), 1)
    assert shown.reply.text.toPlainText() == "<b>Hello</b>" and shown.reply.header.title() == "numbers.json"
    QTest.keyClick(shown.reply.text, Qt.Key.Key_Escape)
    assert shown.face.isVisible()
    shell.outcome = done()
    press(qtbot, views[2])
    assert shown.reply.text.toPlainText().startswith("This artifact holds no text")
    assert not shown.reply.save.isEnabled()


def test_it_is_saved_only_where_the_owner_chooses(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page(finished(shell.now()))
    shell.outcome = Outcome(Result.DONE, text="{}")
    press(qtbot, shown.face.artifacts.buttons()[1])
    press(qtbot, shown.reply.save)
    (dialog,) = shown.reply.findChildren(QFileDialog)
    assert dialog.selectedFiles()[0].endswith("/numbers.json") and shell.saved == []
    dialog.close()


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("run.sh", "run.sh.txt"),
        ("../../x.desktop", ".._x.desktop.txt"),
        ("notes.md", "notes.md"),
        ("", "w.txt"),
    ],
)
def test_no_name_of_an_agents_becomes_a_program(name: str, offered: str) -> None:
    found = artifact(0, name).file_name("w")
    assert found == offered or (found.endswith(".txt") and "/" not in found)


def test_without_texts_there_is_nothing_to_view(page: Open, shell: FakeShell) -> None:
    shown = page(replace(finished(shell.now()), reply=Reply.LOST))
    assert shown.face.artifacts.isVisible() and shown.face.artifacts.buttons() == []


def test_many_artifacts_are_bounded_and_counted(page: Open, shell: FakeShell) -> None:
    session = finished(shell.now())
    made = tuple(Artifact(f"a{i}", i) for i in range(50))
    shown = page(replace(session, activity=replace(session.activity, artifacts=made)))
    assert len(shown.face.artifacts.buttons()) == 20


def test_json_is_shown_as_it_came(page: Open, shell: FakeShell, qtbot: QtBot) -> None:
    shown = page(direct())
    shell.outcome = Outcome(Result.DONE, text='{"kind": "task"}')
    press(qtbot, shown.face.raw)
    assert shell.performed == [ReadRaw(direct_key())]
    assert shown.reply.text.toPlainText() == '{"kind": "task"}' and shown.reply.header.title() == "JSON"
    press(qtbot, shown.reply.copy)
    assert shell.clipboard == '{"kind": "task"}'
    QTest.keyClick(shown.reply.text, Qt.Key.Key_Escape)
    shell.outcome = refused("outcome.no-raw")
    press(qtbot, shown.face.raw)
    assert shown.reply.banner().startswith("No frames are held for this row")


# --- what is known ---


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (direct(state_reason="stalled"), "its server closed the stream twice with nothing new"),
        (direct(State.UNKNOWN, state_reason="lost-by-server"), "it knows no such task"),
        (direct(freshness=Freshness.OFFLINE), "box.example does not answer"),
    ],
)
def test_what_the_server_did_is_said(page: Open, session: AgentSession, words: str) -> None:
    assert words in told(page(session))


def test_the_history_names_the_new_task_and_no_gateway(shell: FakeShell) -> None:
    now = shell.now()
    lines = entries(finished(now), "en", now)
    assert "Continued as 0199c3f2…" in [e.title for e in lines]
    assert not any("gateway" in f"{e.title} {e.note}" for e in lines)
    silent = direct(freshness=Freshness.OFFLINE, last_activity=now - MINUTE)
    assert any("its server does not answer" in e.note for e in entries(silent, "en", now))
