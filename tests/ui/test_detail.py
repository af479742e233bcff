"""The detail: figures, history and evidence that claim no more than is known; every deed asked for once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Can,
    Freshness,
    Origin,
    Reply,
    RequestKind,
    SessionKey,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.events import PinsChanged
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.intents import (
    Outcome,
    ReadReply,
    Rename,
    Result,
    SendAgain,
    StopFollowing,
    done,
    refused,
)
from lisa_island.core.portions import LONGEST_LINE, PORTION_CHARS, PORTION_LINES
from lisa_island.ui import modality, page_parts
from lisa_island.ui.detail import DetailPage
from lisa_island.ui.said import clock
from lisa_island.ui.trail import chain, entries, size, why
from tests.fakes.sessions import ATTACKS, MINUTE, asking, key, remote, request_id
from tests.fakes.shell import FakeShell

Open = Callable[..., DetailPage]


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_parts, "ARM_MS", 1)


@pytest.fixture
def page(qtbot: QtBot, shell: FakeShell) -> Open:
    def open_(*sessions: AgentSession, own: FakeShell | None = None) -> DetailPage:
        used = own or shell
        used.put(*sessions)
        made = DetailPage(used, {})
        qtbot.addWidget(made)
        made.resize(440, 780)
        made.open(sessions[0].key)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        return made

    return open_


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: not button.is_inert())  # type: ignore[attr-defined]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def seen(page: DetailPage) -> list[str]:
    found = [w.text() for kind in (QLabel, QPushButton) for w in page.findChildren(kind) if w.isVisible()]
    return [text for text in found if text.strip()]


def figures(page: DetailPage) -> dict[str, str]:
    return dict(page.face.figures.shown)


def titles(page: DetailPage) -> list[str]:
    return [e.title for e in page.face.trail.entries]


def story(shell: FakeShell) -> AgentSession:
    """A task that was asked, answered, and then went silent."""
    now = shell.now()

    def at(minutes: int, kind: str, detail: str) -> TrailEntry:
        return TrailEntry(now - minutes * MINUTE, kind, detail)

    return remote(
        "sheet-wizard", label="Invoice totals", state_reason="working", price="free",
        last_activity=now - 4 * MINUTE, started_at=now - 9 * MINUTE,
        task=Task("sheet-wizard", task_id="t", calls=2),
        activity=Activity(3, (Artifact("totals.csv", 12_034), Artifact("", None))),
        fact=Fact("takoapi.status", "/stream", at=now - 4 * MINUTE),
        trail=(
            at(8, "state.waiting", "input-required"),
            at(5, "state.working", "sending"),
            at(4, "state.working", "working"),
        ),
    )  # fmt: skip


def test_it_shows_what_is_known_and_what_cannot_be(page: Open, shell: FakeShell) -> None:
    shown = page(story(shell))
    since = clock(shell.now() - 4 * MINUTE)
    assert titles(shown) == [
        f"No update since {since}", "Working", "Artifact without a name", "Artifact: totals.csv",
        "You replied", "Input required", "Task sent",
    ]  # fmt: skip
    notes = [e.note for e in shown.face.trail.entries]
    assert notes == [
        "the gateway cannot be asked for one", "said by the agent", "size unknown, not opened",
        "12 kB, not opened", "sent to the same task", "answered after 3 min", "",
    ]  # fmt: skip
    assert figures(shown) == {
        "Last word": "4 min ago", "Calls": "2", "Artifacts": "2", "Cost": "free"
    }  # fmt: skip
    words = seen(shown)
    for text in ("Remote task", "Invoice totals", "Working", "sheet-wizard · TakoAPI · free"):
        assert text in words
    assert "Stop following only removes the row here. The gateway has no cancel." in words
    assert shown.face.trail.hasFocus()


def test_reading_begins_without_a_ring_for_the_pointer(page: Open, shell: FakeShell) -> None:
    trail = page(story(shell)).face.trail
    assert trail.hasFocus() and trail.has_ring()
    modality.by_pointer_now()
    assert not trail.has_ring()
    modality.by_keyboard_now()


def test_it_asks_for_more_height_when_there_is_more_to_read(
    page: Open, shell: FakeShell, qtbot: QtBot
) -> None:
    class Host(QWidget):
        asked = Signal()

        def event(self, event: QEvent) -> bool:
            if event.type() == QEvent.Type.LayoutRequest:
                self.asked.emit()
            return super().event(event)

    shown = page(remote("acme"))
    host = Host()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    column.addWidget(shown)
    host.show()
    qtbot.waitExposed(host)
    column.activate()
    before = shown.face.area.heightForWidth(400)
    with qtbot.waitSignal(host.asked):
        shell.put(story(shell), replace(story(shell), key=remote("acme").key))
    assert shown.face.area.heightForWidth(400) > before


def test_a_followed_task_is_not_called_silent(page: Open, shell: FakeShell) -> None:
    shown = page(replace(story(shell), followed=True))
    assert titles(shown)[0] == "Working"


def test_a_silent_row_of_a_gateway_that_is_away_says_so(shell: FakeShell) -> None:
    session = replace(story(shell), freshness=Freshness.OFFLINE)
    assert entries(session, "en", shell.now())[0].note == "the gateway does not answer"


def test_past_states_lose_their_colour(page: Open, shell: FakeShell) -> None:
    lines = page(story(shell)).face.trail.entries
    states = [e for e in lines if e.picture.startswith("state/")]
    assert [e.quiet for e in states] == [True, False, True], "only the newest state is coloured"
    assert [e.name for e in lines][-1] == f"{clock(shell.now() - 9 * MINUTE)}, Task sent"


def test_every_line_has_a_name_for_a_screen_reader(page: Open, shell: FakeShell) -> None:
    trail = page(story(shell)).face.trail
    model = trail.model()
    for i in range(model.rowCount()):
        assert model.index(i, 0).data(Qt.ItemDataRole.AccessibleTextRole) == trail.entries[i].name
    assert trail.accessibleName() == "History"


def test_why_this_state_names_rule_signal_time_and_rank(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page(story(shell))
    assert not shown.face.why_text.isVisible()
    press(qtbot, shown.face.why)
    at = clock(shell.now() - 4 * MINUTE, seconds=True)
    assert shown.face.why_text.text().split("\n") == [
        f"The agent named this state itself. Read from the stream at {at}.",
        "Good evidence: a live word.",
        "Rule takoapi.status, rank 3 of 4, 4 min ago.",
        "What would change it: the agent's next word, which may not come: no call is open.",
        "Silence alone never changes a state. It only dims the row.",
    ]


def test_an_unknown_rule_shows_its_id(shell: FakeShell) -> None:
    fact = Fact("other.rule\u202e", "somewhere", Rank.PROCESS, shell.now())
    assert why(remote("a", fact=fact), "en", shell.now()).startswith("Rule other.rule. Read from somewhere")
    assert why(remote("a"), "en", shell.now()).split("\n")[0] == "Nothing has been heard from it yet."


def test_every_rule_of_the_remote_source_has_words() -> None:
    import re
    from pathlib import Path

    from lisa_island import agents
    from lisa_island.core.words import has

    files = Path(agents.__file__).parent.glob("*takoapi*.py")
    rules = {rule for f in files for rule in re.findall(r'"(takoapi\.[a-z-]+)"', f.read_text("utf-8"))}
    assert rules and not [rule for rule in rules if not has(f"why.{rule}")]


def test_every_trail_kind_of_the_remote_source_has_words() -> None:
    import re
    from pathlib import Path

    from lisa_island import agents
    from lisa_island.core.words import has

    files = Path(agents.__file__).parent.glob("*takoapi*.py")
    kinds = {k for f in files for k in re.findall(r'TrailEntry\(\w+, "([a-z.-]+)"', f.read_text("utf-8"))}
    assert kinds and not [k for k in kinds if not has(f"trail.{k}")]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("outcome-unknown", "Outcome unknown. The agent may still work, and the call may be charged."),
        ("not-heard-since-restart", "Not heard from since the island was restarted."),
    ],
)
def test_an_unknown_state_has_its_own_sentence(page: Open, reason: str, words: str) -> None:
    shown = page(remote("acme", state=State.UNKNOWN, state_reason=reason))
    assert shown.face.banner is not None and shown.face.banner.kind == "unknown"
    assert shown.face.banner.text().startswith(words)


def test_a_price_is_counted_by_calls_and_never_called_spent(page: Open) -> None:
    task = Task("acme", calls=3)
    assert figures(page(remote("acme", price="0.02 USD", task=task)))["Cost"] == "3 × 0.02 USD"


def test_a_finished_task_that_was_seen_keeps_its_word(page: Open) -> None:
    assert "Finished" in seen(page(remote("acme", state=State.DONE, state_reason="completed")))


@pytest.mark.parametrize("lost", [True, False])
def test_a_lost_reply_is_told(page: Open, lost: bool) -> None:
    reply = Reply.LOST if lost else Reply.NONE
    shown = page(remote("acme", state=State.DONE, state_reason="completed", reply=reply))
    assert not shown.face.read.isVisible()
    assert any("no longer held" in text for text in seen(shown)) is lost


def test_controls_follow_what_the_source_can_do(page: Open) -> None:
    shown = page(remote("acme", capabilities=frozenset()))
    for control in (shown.face.stop, shown.face.edit_label, shown.face.read, shown.face.again):
        assert not control.isVisible()
    assert shown.face.more.isVisible() and shown.face.copy_id.isVisible()


def test_a_local_row_has_no_remote_parts(page: Open, shell: FakeShell) -> None:
    now = shell.now()
    local = AgentSession(
        SessionKey("claude-code", "s1"), "api-server", State.WORKING, "tool", now - MINUTE, now - 20 * MINUTE,
        Origin.LOCAL, activity=Activity(40),
    )  # fmt: skip
    shown = page(local)
    assert figures(shown) == {"Last word": "1 min ago", "Updates": "40", "Running": "20 min"}
    words = " ".join(seen(shown))
    assert "Session" in words and "gateway" not in words and "Send more" not in words
    assert not any("update since" in title for title in titles(shown))


def test_a_pin_that_was_never_called_says_so(page: Open, shell: FakeShell) -> None:
    shown = page(remote("other"))
    shell.store.dispatch(PinsChanged("takoapi", (("acme", "free"),)))
    shown.open(SessionKey("takoapi", "acme"))
    assert "Pinned agent" in seen(shown) and figures(shown) == {"Last word": "never"}


def test_send_more_leads_to_the_command_bar(qtbot: QtBot, page: Open) -> None:
    shown = page(remote("acme"))
    with qtbot.waitSignal(shown.command_requested) as told:
        press(qtbot, shown.face.more)
    assert told.args == ["@acme "]


def test_a_waiting_row_leads_to_its_request(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page(asking("acme", now=shell.now(), kind=RequestKind.AUTH))
    assert shown.face.answer.text() == "Sign in"
    with qtbot.waitSignal(shown.answer) as told:
        press(qtbot, shown.face.answer)
    assert told.args == [request_id("acme")]


def test_stop_following_asks_once_and_leaves(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page(remote("acme"))
    press(qtbot, shown.face.stop)
    assert not shell.performed and shown.face.confirm.cancel.hasFocus()
    assert not shown.face.stop.isVisible()
    QTest.keyClick(shown.face.confirm.cancel, Qt.Key.Key_Escape)
    assert shown.face.stop.isVisible() and shown.face.trail.hasFocus()
    press(qtbot, shown.face.stop)
    with qtbot.waitSignal(shown.back):
        press(qtbot, shown.face.confirm.do)
    assert shell.performed == [StopFollowing(key("acme"))]


def test_a_refused_stop_says_why(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shell.outcome = refused("bar.pick")
    shown = page(remote("acme"))
    press(qtbot, shown.face.stop)
    press(qtbot, shown.face.confirm.do)
    assert shown.face.banner is not None and shown.face.banner.kind == "error"


def lost_call(price: str = "0.02 USD") -> AgentSession:
    can = frozenset({Can.SEND_AGAIN, Can.STOP_FOLLOWING})
    return remote("acme", state=State.UNKNOWN, state_reason="outcome-unknown", price=price, capabilities=can)


def test_send_again_takes_a_second_click_beside_the_price(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page(lost_call(), remote("acme", "99990000"))
    assert shown.face.leave.isVisible()
    press(qtbot, shown.face.again)
    assert not shell.performed and shown.face.confirm.do.text() == "Send again for 0.02 USD"
    shell.outcome = done(key=key("acme", "99990000"))
    press(qtbot, shown.face.confirm.do)
    assert shell.performed == [SendAgain(key("acme"), "0.02 USD")]
    assert shown.session_key == key("acme", "99990000"), "the new task is shown"


def test_send_again_asks_for_a_price_that_was_not_known(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shell.outcome = Outcome(Result.REFUSED, "outcome.price", price="0.03 USD")
    shown = page(lost_call(price=""))
    press(qtbot, shown.face.again)
    assert shown.face.confirm.do.text() == "Send again"
    press(qtbot, shown.face.confirm.do)
    assert shown.face.confirm.isVisible() and shown.face.confirm.do.text() == "Send again for 0.03 USD"
    press(qtbot, shown.face.confirm.do)
    assert [i.accepted_price for i in shell.performed] == ["", "0.03 USD"]


def test_the_owner_names_a_row(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page(remote("acme", label="Old"))
    press(qtbot, shown.face.edit_label)
    assert shown.face.label.hasFocus() and shown.face.label.text() == "Old" and shown.has_draft
    QTest.keyClicks(shown.face.label, "Q3 scan")
    QTest.keyClick(shown.face.label, Qt.Key.Key_Return)
    assert shell.performed == [Rename(key("acme"), "Q3 scan")] and not shown.has_draft
    press(qtbot, shown.face.edit_label)
    QTest.keyClick(shown.face.label, Qt.Key.Key_Escape)
    assert not shown.has_draft and len(shell.performed) == 1


def test_a_label_is_bounded(page: Open) -> None:
    shown = page(remote("acme"))
    shown.face.begin_editing()
    QTest.keyClicks(shown.face.label, "x" * 99)
    assert len(shown.face.label.text()) == 60


def test_the_session_id_is_copied(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    press(qtbot, page(remote("acme")).face.copy_id)
    assert shell.clipboard == "acme/8c1e0000"


def test_a_row_that_left_says_so_and_offers_nothing(page: Open, shell: FakeShell) -> None:
    shown = page(remote("acme"))
    shown.face.ask("detail.stop.ask", "detail.keep", "detail.stop.do")
    shell.remove(key("acme"))
    assert "This row has left the island." in seen(shown)
    assert not shown.face.confirm.isVisible() and not shown.face.stop.isVisible()


def test_it_follows_the_row_while_seen(page: Open, shell: FakeShell) -> None:
    shown = page(remote("acme"))
    shell.clock.advance(1)
    shell.put(remote("acme", state=State.ERROR, state_reason="failed", unread=True))
    assert "Failed" in seen(shown)


def test_another_language_is_spoken_from_the_next_look_on(page: Open, shell: FakeShell) -> None:
    shown = page(remote("acme"))
    shown.hide()
    shell.prefer(language="zh-CN")
    shown.show()
    assert "远程任务" in seen(shown) and shown.face.trail.accessibleName() == "历史"


def test_hidden_it_runs_no_timer(page: Open) -> None:
    shown = page(remote("acme"))
    assert [t for t in shown.findChildren(QTimer) if t.isActive()]
    shown.hide()
    assert not [t for t in shown.findChildren(QTimer) if t.isActive()]


# --- the reply ---


@pytest.fixture
def answered(shell: FakeShell) -> AgentSession:
    return remote(
        "acme", state=State.DONE, state_reason="completed", unread=True, label="Q3: scan/../x",
        reply=Reply.HELD, capabilities=frozenset({Can.READ_REPLY}),
    )  # fmt: skip


@pytest.mark.parametrize("text", ATTACKS)
def test_a_reply_is_plain_text_only(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession, text: str
) -> None:
    shell.outcome = Outcome(Result.DONE, key=answered.key, text=text)
    shown = page(answered)
    press(qtbot, shown.face.read)
    box = shown.reply.text
    assert shell.performed == [ReadReply(answered.key)] and isinstance(box, QPlainTextEdit)
    assert box.isReadOnly() and box.toPlainText() == text and box.hasFocus()
    assert not shown.findChildren(QTextEdit) and shown.minimumSizeHint().width() <= 440
    assert not box.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse


def test_a_reply_is_copied_and_left_by_escape(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession
) -> None:
    shell.outcome = Outcome(Result.DONE, key=answered.key, text="All done")
    shown = page(answered)
    press(qtbot, shown.face.read)
    press(qtbot, shown.reply.copy)
    assert shell.clipboard == "All done"
    QTest.keyClick(shown.reply.text, Qt.Key.Key_Escape)
    assert shown.face.isVisible() and not shown.reply.isVisible()
    assert shown.reply.text.toPlainText() == "", "the text lives at its source"


def blocks(box: QPlainTextEdit) -> list[str]:
    return box.toPlainText().split("\n")


@pytest.mark.parametrize("text", ["W" * 40_000, "line\n" * 20_000, "中" * 90_000, "a b " * 30_000])
def test_a_huge_reply_is_laid_out_as_far_as_it_is_read(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession, text: str
) -> None:
    """Qt lays out a word in the square of its length: two megabytes of one took twenty minutes."""
    shell.outcome = Outcome(Result.DONE, key=answered.key, text=text)
    shown = page(answered)
    press(qtbot, shown.face.read)
    box = shown.reply.text
    first = box.toPlainText()
    assert max(map(len, blocks(box))) <= LONGEST_LINE and len(blocks(box)) <= PORTION_LINES
    assert len(first) <= PORTION_CHARS + LONGEST_LINE
    bar = box.verticalScrollBar()
    assert bar.value() == 0
    bar.setValue(bar.maximum())
    assert len(box.toPlainText()) > len(first) and box.toPlainText().startswith(first)
    assert len(box.toPlainText()) <= 2 * (PORTION_CHARS + LONGEST_LINE), "one portion at a time"
    press(qtbot, shown.reply.copy)
    assert shell.clipboard == text
    press(qtbot, shown.reply.save)
    (dialog,) = shown.findChildren(QFileDialog)
    dialog.fileSelected.emit("/chosen/by/owner.txt")
    dialog.reject()
    assert shell.saved == [("/chosen/by/owner.txt", text)]


def test_a_long_reply_can_be_read_to_its_end(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession
) -> None:
    text = "\n".join(f"line {n}" for n in range(3_000))
    shell.outcome = Outcome(Result.DONE, key=answered.key, text=text)
    shown = page(answered)
    press(qtbot, shown.face.read)
    box = shown.reply.text
    for _ in range(20):
        QTest.keyClick(box, Qt.Key.Key_End)
    assert box.toPlainText() == text
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.toPlainText() == ""


def test_a_reply_that_is_gone_says_so(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession
) -> None:
    shell.outcome = refused("no.such.word")
    shown = page(answered)
    press(qtbot, shown.face.read)
    assert shown.reply.banner().startswith("The reply is no longer held.")
    assert not shown.reply.save.isEnabled() and not shown.reply.copy.isEnabled()


def test_a_late_reply_of_another_row_is_not_shown(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession
) -> None:
    shell.hold = True
    shown = page(answered, remote("other"))
    press(qtbot, shown.face.read)
    shown.open(key("other"))
    shell.finish(Outcome(Result.DONE, key=answered.key, text="secret of acme"))
    assert shown.reply.text.toPlainText() == ""


@pytest.mark.parametrize(("word", "said"), [("", "Saved."), ("storage.x", "The file could not be written.")])
def test_a_reply_is_saved_where_the_owner_says(
    qtbot: QtBot, page: Open, shell: FakeShell, answered: AgentSession, word: str, said: str
) -> None:
    shell.outcome = Outcome(Result.DONE, key=answered.key, text="All done")
    shell.file_answer = word
    shown = page(answered)
    press(qtbot, shown.face.read)
    press(qtbot, shown.reply.save)
    (dialog,) = shown.findChildren(QFileDialog)
    offered = dialog.selectedFiles()[0].rpartition("/")[2]
    assert dialog.isVisible() and offered == "Q3_ scan_.._x.txt"
    press(qtbot, shown.reply.save)
    assert len(shown.findChildren(QFileDialog)) == 1
    dialog.fileSelected.emit("/chosen/by/owner.txt")
    dialog.reject()
    assert shell.saved == [("/chosen/by/owner.txt", "All done")] and shown.reply.banner() == said
    assert QApplication.modalWindow() is None


# --- words ---


@pytest.mark.parametrize(
    ("n", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1500, "1.5 kB"), (12_034, "12 kB"), (2_000_000, "2 MB")],
)
def test_sizes_go_in_steps_of_a_thousand(n: int, words: str) -> None:
    assert size(n, "en") == words


def test_the_chain_of_an_answer_that_was_lost_claims_no_acceptance(shell: FakeShell) -> None:
    now = shell.now()
    trail = (TrailEntry(now, "state.working", "sending"), TrailEntry(now, "state.unknown", "outcome-unknown"))
    session = remote("a", state=State.UNKNOWN, state_reason="outcome-unknown", trail=trail)
    assert [s.text for s in chain(session, now, "en")] == ["Sent", "Outcome unknown"]
    assert [s.text for s in chain(None, now, "en")] == ["Sent", "Waiting for the agent"]


@pytest.mark.parametrize("text", ATTACKS)
def test_foreign_words_make_no_line_higher_or_wider(page: Open, shell: FakeShell, text: str) -> None:
    activity = Activity(1, (Artifact(text, 1),), text)
    trail = (TrailEntry(shell.now(), "state.unknown", text), TrailEntry(shell.now(), "weird.kind", text))
    shown = page(remote("acme", activity=activity, trail=trail, label=text[:60]))
    assert shown.minimumSizeHint().width() <= 440
    for entry in shown.face.trail.entries:
        assert not set(entry.name) & set("\u202e\u2066\u2069\u200b\x1b\x07\n") and len(entry.name) < 500
    assert shown.face.trail.height() < 44 * len(shown.face.trail.entries)


def test_many_artifacts_are_counted(shell: FakeShell) -> None:
    many = tuple(Artifact(f"a{i}", i) for i in range(50))
    lines = [e.title for e in entries(remote("a", activity=Activity(1, many)), "en", shell.now())]
    assert "30 more" in lines and "Artifact: a49" in lines and "Artifact: a0" not in lines


def test_every_control_has_a_name(page: Open, shell: FakeShell) -> None:
    for button in page(story(shell)).findChildren(QPushButton):
        assert not button.isVisible() or button.accessibleName().strip()


def test_it_follows_nothing_once_destroyed(shell: FakeShell) -> None:
    shown = DetailPage(shell, {})
    shiboken6.delete(shown)
    shell.put(remote("acme"))


def test_a_history_without_a_line_takes_no_room(page: Open) -> None:
    shown = page(asking("acme", now=FakeShell().now()))
    assert not shown.face.trail.entries and shown.face.trail.height() == 1
