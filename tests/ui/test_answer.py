"""The answer page: bound to one id, sent once, text kept when refused, honest when nobody knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import AgentSession, Can, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Answer, Outcome, Result, SendAgain, StopFollowing, done, refused, unknown
from lisa_island.ui import answer_face, page_parts
from lisa_island.ui.answer import AnswerPage
from lisa_island.ui.answering import Phase
from lisa_island.ui.page_scroll import PageScroll
from tests.fakes.sessions import ATTACKS, asking, key, remote, request_id
from tests.fakes.shell import FakeShell

Open = Callable[..., AnswerPage]
ID = request_id("acme")


@pytest.fixture
def shell() -> FakeShell:
    found = FakeShell()
    found.put(asking("acme", "Which quarter?", now=found.now(), minutes=6, label="Q3 scan", price="0.02 USD"))
    return found


@pytest.fixture
def drafts() -> dict[str, str]:
    return {}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "slow_hand" not in request.fixturenames:
        for module in (answer_face, page_parts):
            monkeypatch.setattr(module, "ARM_MS", 1)


@pytest.fixture
def slow_hand() -> None:
    """Keep the real time for which deciding buttons are inert."""


@pytest.fixture
def page(qtbot: QtBot, shell: FakeShell, drafts: dict[str, str]) -> Open:
    def open_(request: str = ID, own: FakeShell | None = None) -> AnswerPage:
        made = AnswerPage(own or shell, drafts)
        qtbot.addWidget(made)
        made.resize(440, 700)
        made.open(request)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        return made

    return open_


def press(qtbot: QtBot, button: QPushButton) -> None:
    if button.is_inert():  # type: ignore[attr-defined]
        with qtbot.waitSignal(button.ready):  # type: ignore[attr-defined]
            pass
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def moved(
    shell: FakeShell, slug: str, state: State, reason: str, rule: str = "takoapi.status", **more
) -> None:
    shell.clock.advance(1)
    fact = Fact(rule, "/message", at=shell.now())
    task = Task(slug, task_id="t-1", calls=2)
    shell.store.dispatch(StateChanged(key(slug), shell.now(), state, reason, fact, task=task, **more))
    shell.clock.advance(1)


def seen(page: AnswerPage) -> list[str]:
    """Words of every visible label and button."""
    found = [w.text() for kind in (QLabel, QPushButton) for w in page.findChildren(kind) if w.isVisible()]
    return [text for text in found if text.strip()]


def test_it_shows_who_asks_what_where_and_what_it_costs(page: Open) -> None:
    shown = page()
    words = seen(shown)
    for text in (
        "Input required", "acme", "needs input", "Q3 scan · TakoAPI", "6 min", "1 of 1",
        "Text from a remote agent, shown as plain text", "Your reply", "goes to the same task", "Send reply",
        "One paid call: 0.02 USD by the registry price. Balance is not visible to this app.",
        "Stop following",
    ):  # fmt: skip
        assert text in words
    assert shown.face.quote.text.toPlainText() == "Which quarter?"
    assert shown.face.box.hasFocus(), "the focus starts where one types, never on a button"


@pytest.mark.parametrize(
    ("price", "words"),
    [
        ("free", "This call is free by the registry price."),
        ("", "The price is not known yet. If the call costs something, you are asked first."),
    ],
)
def test_the_price_line_of_other_prices(page: Open, price: str, words: str) -> None:
    own = FakeShell()
    own.put(asking("acme", now=own.now(), price=price))
    assert words in seen(page(own=own))


def test_a_price_that_only_the_bar_knows_is_shown(page: Open) -> None:
    own = FakeShell()
    own.targets_known = (("acme", "0.10 USD", ""),)
    own.put(asking("acme", now=own.now()))
    shown = page(own=own)
    assert "0.10 USD" in shown.face.hint.text()


def test_ctrl_enter_sends_once_with_the_price_that_stood_there(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    shell.hold = True
    shown = page()
    QTest.keyClicks(shown.face.box, "Q3, in euros")
    qtbot.waitUntil(lambda: not shown.face.primary.is_inert())
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert shell.performed == [Answer(key("acme"), ID, "Q3, in euros", "0.02 USD")]
    assert shown.phase is Phase.SENDING and not shown.face.primary.isEnabled()
    assert shown.face.primary.text() == "Sending" and shown.face.box.isReadOnly()
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    assert len(shell.performed) == 1 and drafts == {ID: "Q3, in euros"}


def test_nothing_is_sent_without_words(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page()
    QTest.keyClicks(shown.face.box, "   ")
    assert not shown.face.primary.isEnabled()
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not shell.performed


@pytest.mark.usefixtures("slow_hand")
def test_the_button_is_inert_at_first(page: Open, shell: FakeShell, drafts: dict[str, str]) -> None:
    drafts[ID] = "kept"
    shown = page()
    assert shown.face.primary.is_inert()
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not shell.performed


def test_the_chain_shows_only_what_the_trail_proves(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shown = page()
    shell.hold = True
    press(qtbot, shown.face.primary)
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    assert shown.phase is Phase.SENDING, "its own answer is no answer from elsewhere"
    shell.finish(done(key=key("acme")))
    assert shown.phase is Phase.SENT and not drafts
    assert [s.text for s in shown.face.steps.steps] == ["Sent", "Waiting for the agent"]
    moved(shell, "acme", State.WORKING, "working")
    assert [s.text for s in shown.face.steps.steps] == ["Sent", "Accepted by the agent", "Working"]
    assert [s.shape for s in shown.face.steps.steps] == ["done", "done", "working"]
    assert all(len(s.at) == 8 for s in shown.face.steps.steps), "seconds, since the steps follow closely"
    assert "task 8c1e · reply 1 of this task" in seen(shown)
    assert shown._announcer.said == ["Sent to acme"]


def test_after_sending_the_next_request_is_one_press_away(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    shell.put(asking("other", now=shell.now()))
    drafts[ID] = "Q3"
    shown = page()
    opened: list[str] = []
    shown.opened.connect(opened.append)
    press(qtbot, shown.face.primary)
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    assert shown.face.next.text() == "Next: other" and shown.face.next.hasFocus()
    press(qtbot, shown.face.next)
    assert opened == [request_id("other")] and shown.request_id == request_id("other")
    assert shown.phase is Phase.ASK and shown.face.box.toPlainText() == ""


def test_the_last_answer_leads_back(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shown = page()
    press(qtbot, shown.face.primary)
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    assert shown.face.next.text() == "Done"
    with qtbot.waitSignal(shown.back):
        press(qtbot, shown.face.next)


def test_a_refusal_keeps_the_text_and_says_why(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shown = page()
    shell.hold = True
    press(qtbot, shown.face.primary)
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    shell.finish(refused("bar.unknown", name="acme"))
    assert shown.phase is Phase.ASK, "the roster gives the question back a moment later"
    assert shown.face.banner is not None and shown.face.banner.kind == "error"
    assert shown.face.banner.text() == "No agent of yours is named acme. Nothing was sent."
    again = asking("acme", "Which quarter?", now=shell.now())
    moved(
        shell, "acme", State.WAITING, "input-required", "takoapi.refused",
        requests=again.requests, capabilities=again.capabilities,
    )  # fmt: skip
    assert shown.phase is Phase.ASK and drafts == {ID: "Q3"} and not shown.face.box.isReadOnly()


def test_an_unknown_word_of_refusal_still_says_something(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shell.outcome = refused("no.such.word")
    shown = page()
    press(qtbot, shown.face.primary)
    assert shown.face.banner is not None
    assert shown.face.banner.text() == "That was refused. Nothing was sent. Your text is kept."


def test_another_price_is_asked_for_before_it_is_paid(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    price = (("price", "0.05 USD"), ("slug", "acme"))
    shell.outcome = Outcome(Result.REFUSED, "outcome.price", price, price="0.05 USD")
    shown = page()
    press(qtbot, shown.face.primary)
    assert shown.phase is Phase.CONFIRM and shown.face.primary.text() == "Send for 0.05 USD"
    assert shown.face.banner is not None
    assert shown.face.banner.text() == "acme costs 0.05 USD for this call. Nothing was sent yet."
    shell.outcome = done(key=key("acme"))
    press(qtbot, shown.face.primary)
    assert [i.accepted_price for i in shell.performed] == ["0.02 USD", "0.05 USD"]


def test_an_unknown_outcome_is_never_sent_again_by_itself(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shell.outcome = unknown("outcome.unknown", key("acme"))
    shown = page()
    press(qtbot, shown.face.primary)
    assert shown.phase is Phase.UNKNOWN and shown.face.banner is not None
    assert shown.face.banner.kind == "unknown"
    words = seen(shown)
    assert "Your reply is kept" in words and "Leave as unknown" in words
    assert "Send again…" not in words, "only a source that kept the text can send it again"
    assert shown.face.box.toPlainText() == "Q3" and shown.face.box.isReadOnly() and drafts
    press(qtbot, shown.face.copy)
    assert shell.clipboard == "Q3"
    with qtbot.waitSignal(shown.back):
        moved(shell, "acme", State.UNKNOWN, "outcome-unknown", "takoapi.cut")
        press(qtbot, shown.face.leave)
    assert not drafts and len(shell.performed) == 1


def test_send_again_takes_two_clicks_and_the_price(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shell.outcome = unknown("outcome.unknown", key("acme"))
    shown = page()
    press(qtbot, shown.face.primary)
    can = frozenset({Can.SEND_AGAIN})
    moved(shell, "acme", State.UNKNOWN, "outcome-unknown", "takoapi.cut", capabilities=can)
    press(qtbot, shown.face.again)
    assert len(shell.performed) == 1, "the first click only asks"
    assert shown.face.confirm.do.text() == "Send again for 0.02 USD"
    assert shown.face.confirm.cancel.hasFocus()
    shell.outcome = done(key=key("acme", "99990000"))
    press(qtbot, shown.face.confirm.do)
    assert shell.performed[-1] == SendAgain(key("acme"), "0.02 USD")


def test_an_unknown_outcome_that_clears_up_shows_the_chain(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shell.hold = True
    shown = page()
    press(qtbot, shown.face.primary)
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    shell.finish(unknown("outcome.unknown", key("acme")))
    assert shown.phase is Phase.UNKNOWN
    moved(shell, "acme", State.UNKNOWN, "outcome-unknown", "takoapi.cut")
    assert shown.phase is Phase.UNKNOWN
    moved(shell, "acme", State.DONE, "completed")
    assert shown.phase is Phase.SENT and shown.face.steps.steps[-1].text == "Finished"


def test_answered_elsewhere_says_so_and_cannot_send(
    page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "half"
    shown = page()
    moved(shell, "acme", State.WORKING, "sending", "takoapi.answer")
    assert shown.phase is Phase.GONE and shown.face.banner is not None
    assert shown.face.banner.text() == "This request was answered elsewhere. Nothing was sent from here."
    assert not shown.face.primary.isVisible() and shown.face.box.isReadOnly()
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not shell.performed and shown.face.copy.isVisible()
    shown._leave()
    assert not drafts, "a text that can never be sent holds no panel open"


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (State.DONE, "canceled", "The task no longer waits for this: canceled. Nothing was sent from here."),
        (State.ERROR, "failed", "The task no longer waits for this: failed. Nothing was sent from here."),
    ],
)
def test_a_task_that_went_on_says_how(
    page: Open, shell: FakeShell, state: State, reason: str, words: str
) -> None:
    shown = page()
    moved(shell, "acme", state, reason, unread=True)
    assert shown.face.banner is not None and shown.face.banner.text() == words


def test_a_row_that_left_is_gone(page: Open, shell: FakeShell) -> None:
    shown = page()
    shell.remove(key("acme"))
    assert shown.phase is Phase.GONE and not shown.face.stop.isVisible()
    assert "This task is no longer followed. Nothing was sent from here." in seen(shown)


def test_an_id_that_was_never_there_is_gone(page: Open) -> None:
    shown = page("no-such-request")
    assert shown.phase is Phase.GONE and shown.face.banner is not None


def test_a_changed_text_is_told_and_the_buttons_are_inert_again(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shown = page()
    qtbot.waitUntil(lambda: not shown.face.primary.is_inert())
    shown.face.primary._arm_ms = 60_000
    other = asking("acme", "Pay 900 USD?", now=shell.now())
    moved(
        shell, "acme", State.WAITING, "input-required",
        requests=other.requests, capabilities=other.capabilities,
    )  # fmt: skip
    assert shown.face.banner is not None
    assert shown.face.banner.text() == "The request changed while this card was open. Please read it again."
    assert shown.face.quote.text.toPlainText() == "Pay 900 USD?" and shown.face.primary.is_inert()
    QTest.mouseClick(shown.face.primary, Qt.MouseButton.LeftButton)
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not shell.performed and drafts == {ID: "Q3"}
    shown.face.primary.arm(1)
    qtbot.waitUntil(lambda: not shown.face.primary.is_inert())


def test_drafts_survive_leaving_and_a_new_page(page: Open, drafts: dict[str, str]) -> None:
    first = page()
    QTest.keyClicks(first.face.box, "half a thought")
    QTest.keyClick(first, Qt.Key.Key_Escape)
    assert drafts == {ID: "half a thought"} and first.has_draft
    first.hide()
    assert page().face.box.toPlainText() == "half a thought"


def test_where_room_is_short_the_middle_scrolls_and_nothing_is_squeezed(page: Open) -> None:
    shown = page()
    heights = (shown.face.quote.height(), shown.face.box.height(), shown.face.header.height())
    shown.resize(440, 220)
    QApplication.processEvents()
    assert (shown.face.quote.height(), shown.face.box.height(), shown.face.header.height()) == heights
    area = shown.face.findChild(PageScroll)
    assert area is not None and area.verticalScrollBar().maximum() > 0
    assert shown.face.primary.mapTo(shown, QPoint(0, 0)).y() < 220, "the buttons stay in sight"


def test_alt_arrows_walk_the_queue_around_its_end(page: Open, shell: FakeShell) -> None:
    for slug in ("b", "c"):
        shell.put(asking(slug, now=shell.now()))
    shown = page()
    opened: list[str] = []
    shown.opened.connect(opened.append)
    alt = Qt.KeyboardModifier.AltModifier
    assert shown.face.header.position() == "1 of 3"
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down, alt)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up, alt)
    assert opened == [request_id("b"), request_id("c"), ID, request_id("c")]
    assert shown.face.header.position() == "3 of 3"


def test_an_outcome_for_a_page_that_went_on_changes_nothing_there(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    shell.put(asking("b", now=shell.now()))
    drafts[ID] = "Q3"
    shell.hold = True
    shown = page()
    press(qtbot, shown.face.primary)
    shown.open(request_id("b"))
    shell.finish(refused("no.such.word"))
    assert shown.phase is Phase.ASK and shown.face.banner is None and drafts == {ID: "Q3"}


def test_coming_back_while_it_is_sent_cannot_send_it_twice(
    qtbot: QtBot, page: Open, shell: FakeShell, drafts: dict[str, str]
) -> None:
    drafts[ID] = "Q3"
    shell.hold = True
    shown = page()
    press(qtbot, shown.face.primary)
    shown.open(ID)
    assert shown.phase is Phase.SENDING and not shown.face.primary.isEnabled()
    QTest.keyClick(shown.face.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(shell.performed) == 1
    shell.finish(done(key=key("acme")))
    assert shown.phase is Phase.SENT


def test_hidden_it_draws_nothing_and_is_right_when_shown_again(page: Open, shell: FakeShell) -> None:
    shown = page()
    shown.hide()
    title = shown.face.header.title()
    shell.remove(key("acme"))
    assert shown.face.header.title() == title and shown.phase is Phase.GONE
    shown.show()
    assert shown.face.header.title() == "Q3 scan"


def test_another_language_is_spoken_from_the_next_look_on(page: Open, shell: FakeShell) -> None:
    shown = page()
    QTest.keyClicks(shown.face.box, "half")
    shown.hide()
    shell.prefer(language="zh-CN")
    shown.show()
    assert shown.face.primary.text() == "发送回复" and shown.face.box.toPlainText() == "half"
    assert shown.findChildren(type(shown.face))[-1] is shown.face


def test_observe_only_says_so_and_has_no_answer_button(page: Open) -> None:
    own = FakeShell()
    asked = asking("x", "npm run build", now=own.now(), kind=RequestKind.PERMISSION)
    local = AgentSession(
        SessionKey("gemini-cli", "s1"), "docs-site", State.WAITING, "permission", origin=Origin.LOCAL,
        requests=asked.requests,
    )  # fmt: skip
    own.put(local)
    shown = page(asked.requests[0].request_id, own=own)
    words = seen(shown)
    assert (
        "This agent can only be answered in its own terminal. The card goes away when it continues." in words
    )
    assert not shown.face.primary.isVisible() and not shown.face.box.isVisible()
    assert not any("terminal" in b.text() for b in shown.findChildren(QPushButton))


def test_a_gateway_that_takes_no_answers_says_what_to_do(page: Open) -> None:
    own = FakeShell()
    own.put(asking("acme", now=own.now(), answerable=False))
    shown = page(own=own)
    assert "Send the agent a new task instead" in shown.face.hint.text()
    assert not shown.face.primary.isVisible() and shown.face.stop.isVisible()


def test_stop_following_asks_once(qtbot: QtBot, page: Open, shell: FakeShell) -> None:
    shown = page()
    press(qtbot, shown.face.stop)
    assert not shell.performed and shown.face.confirm.cancel.hasFocus()
    QTest.keyClick(shown.face.confirm.cancel, Qt.Key.Key_Escape)
    assert not shown.face.confirm.isVisible() and shown.face.box.hasFocus()
    press(qtbot, shown.face.stop)
    with qtbot.waitSignal(shown.back):
        press(qtbot, shown.face.confirm.do)
    assert shell.performed == [StopFollowing(key("acme"))]


@pytest.mark.parametrize("text", ATTACKS)
def test_foreign_text_stays_plain_and_in_its_box(page: Open, text: str) -> None:
    own = FakeShell()
    own.put(asking("acme", text, now=own.now(), label=text[:60]))
    shown = page(own=own)
    quote = shown.face.quote.text
    assert isinstance(quote, QPlainTextEdit) and quote.isReadOnly()
    assert not shown.findChildren(QTextEdit)
    assert not quote.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse
    assert not set(quote.toPlainText()) & set("\u202e\u2066\u2069\u200b\x1b\x07")
    assert quote.height() <= 12 * 24 and shown.width() == 440
    assert shown.minimumSizeHint().width() <= 440, "a long word makes nothing wider"
    assert all(x.textFormat() == Qt.TextFormat.PlainText for x in shown.findChildren(QLabel))


def test_a_cut_question_says_that_it_was_cut(page: Open) -> None:
    own = FakeShell()
    own.put(asking("acme", "x" * 3999 + "…", now=own.now()))
    assert "The question was cut at 4,000 characters." in seen(page(own=own))


def test_every_control_has_a_name(page: Open) -> None:
    for widget in page().findChildren(QPushButton) + page().findChildren(QPlainTextEdit):
        if widget.isVisible():
            assert widget.accessibleName().strip()


# --- sign-in ---

LINK = "https://docs.example.com/oauth/start?c=71"


@pytest.fixture
def sign_in() -> FakeShell:
    own = FakeShell()
    text = f"Please sign in at {LINK} so that I can read the contract."
    own.put(asking("acme", text, now=own.now(), kind=RequestKind.AUTH, price="free"))
    return own


def test_the_whole_address_is_shown_its_host_bold_and_copied(
    qtbot: QtBot, page: Open, sign_in: FakeShell
) -> None:
    shown = page(own=sign_in)
    assert shown.face.address.url() == LINK and shown.face.address.bold() == "docs.example.com"
    assert "not on takoapi.com" in shown.face.warning.text() and shown.face.warning.isVisible()
    press(qtbot, shown.face.address.copy)
    assert sign_in.clipboard == LINK and not sign_in.opened


def test_only_a_click_opens_the_browser(qtbot: QtBot, page: Open, sign_in: FakeShell) -> None:
    shown = page(own=sign_in)
    assert not sign_in.opened
    press(qtbot, shown.face.browse)
    assert sign_in.opened == [LINK] and not sign_in.performed
    sign_in.opens = False
    press(qtbot, shown.face.browse)
    assert shown.face.banner is not None
    assert shown.face.banner.text() == "The desktop did not open the address. Copy it instead."


def test_signed_in_sends_exactly_that_sentence(qtbot: QtBot, page: Open, sign_in: FakeShell) -> None:
    shown = page(own=sign_in)
    assert "This call is free by the registry price." in seen(shown)
    press(qtbot, shown.face.signed)
    assert sign_in.performed == [Answer(key("acme"), ID, "I have signed in.", "free")]


def test_signed_in_asks_for_a_price_first(qtbot: QtBot, page: Open, sign_in: FakeShell) -> None:
    sign_in.outcome = Outcome(Result.REFUSED, "outcome.price", price="0.03 USD")
    shown = page(own=sign_in)
    press(qtbot, shown.face.signed)
    assert shown.face.primary.text() == "Send for 0.03 USD" and not shown.face.signed.isVisible()
    sign_in.outcome = done(key=key("acme"))
    press(qtbot, shown.face.primary)
    assert sign_in.performed[-1] == Answer(key("acme"), ID, "I have signed in.", "0.03 USD")


def test_there_is_no_field_for_a_secret(page: Open, sign_in: FakeShell) -> None:
    shown = page(own=sign_in)
    editable = [w for w in shown.findChildren(QPlainTextEdit) if w.isVisible() and not w.isReadOnly()]
    assert not editable and not shown.findChildren(QLineEdit)


def test_the_gateways_own_host_needs_no_warning(page: Open) -> None:
    own = FakeShell()
    own.put(asking("acme", "Go to https://takoapi.com/x", now=own.now(), kind=RequestKind.AUTH))
    assert not page(own=own).face.warning.isVisible()


@pytest.mark.parametrize(
    "text",
    ["no address", "https://user:secret@evil.example/", "javascript:alert(1)", "https://a.example/\u202ex"],
)
def test_what_is_no_plain_address_opens_nothing(page: Open, text: str) -> None:
    own = FakeShell()
    own.put(asking("acme", text, now=own.now(), kind=RequestKind.AUTH))
    shown = page(own=own)
    assert not shown.face.browse.isVisible() and not shown.face.address.isVisible()
    assert "It gave no address that can be opened safely." in seen(shown)
    assert shown.face.signed.isVisible()


def test_a_very_long_address_scrolls_in_its_box(page: Open) -> None:
    own = FakeShell()
    url = "https://a.example/" + "x" * 3000
    own.put(asking("acme", url, now=own.now(), kind=RequestKind.AUTH))
    shown = page(own=own)
    assert shown.face.address.url() == url and shown.face.address.height() < 140


def test_it_follows_nothing_once_destroyed(shell: FakeShell) -> None:
    shown = AnswerPage(shell, {})
    shown.open(ID)
    shiboken6.delete(shown)
    shell.put(remote("other"))
