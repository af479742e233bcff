"""The command bar: says where a text goes before Enter, sends only what has an intent, keeps the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QColor, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from lisa_island.core.intents import Answer, Outcome, Result, Send, done, refused, unknown
from lisa_island.core.preferences import DirectAgent
from lisa_island.ui import route_line
from lisa_island.ui.command_bar import DRAFT, CommandBar
from lisa_island.ui.theme import Theme
from tests.fakes.sessions import ATTACKS, asking, key, request_id
from tests.fakes.shell import FakeShell

Make = Callable[..., CommandBar]


@pytest.fixture
def shell() -> FakeShell:
    found = FakeShell()
    found.targets_known = (
        ("acme-legal", "0.10 USD", "Contracts read and compared"),
        ("acme-research", "0.02 USD", "Market numbers"),
        ("new-one", "unknown", ""),
        ("sheet-wizard", "free", "Spreadsheets from text"),
    )
    return found


@pytest.fixture
def drafts() -> dict[str, str]:
    return {}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_line, "ARM_MS", 1)


@pytest.fixture
def bar(qtbot: QtBot, shell: FakeShell, drafts: dict[str, str]) -> Make:
    def make() -> CommandBar:
        made = CommandBar(shell, drafts)
        qtbot.addWidget(made)
        made.resize(440, made.sizeHint().height())
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        made.focus_text()
        return made

    return make


def type_(bar: CommandBar, text: str) -> None:
    QTest.keyClicks(bar.field, text)


def enter(bar: CommandBar) -> None:
    QTest.keyClick(bar.field, Qt.Key.Key_Return)


def paste(bar: CommandBar, text: str, html: str = "") -> None:
    data = QMimeData()
    data.setText(text)
    if html:
        data.setHtml(html)
    bar.field.insertFromMimeData(data)


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: not button.is_inert())  # type: ignore[attr-defined]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_at_rest_it_is_one_line_with_its_key(bar: Make) -> None:
    shown = bar()
    assert shown.sizeHint().height() == 52 and shown.field.height() == 36
    assert shown.line.text() == "" and not shown.hint.isVisible() and not shown.go.isVisible()
    shown.field.clearFocus()
    assert shown.hint.isVisible() and shown.hint.text() == "Ctrl K"


def test_an_agent_that_can_be_sent_to_is_drawn_as_chosen(bar: Make, look: Theme) -> None:
    shown = bar()
    field = shown.field

    def ground(x: int) -> QColor:
        picture = field.viewport().grab().toImage()
        return picture.pixelColor(x, field.viewport().height() // 2)

    type_(shown, "@sheet-wizard totals")
    area = field._name_area()
    assert ground(2) == look.color("surface.select") and ground(int(area.right()) + 60) != ground(2)
    assert area.left() >= 0 and area.width() < field.viewport().width() / 2
    field.put("@nobody totals")
    assert field._name_area().isEmpty() and ground(2) != look.color("surface.select")


def test_a_new_task_is_told_in_words_and_sent_on_enter(qtbot: QtBot, bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@sheet-wizard totals per customer")
    assert shown.line.text() == "New task at takoapi.com · free · text leaves this computer"
    shell.outcome = done(key=key("sheet-wizard"))
    with qtbot.waitSignal(shown.sent) as told:
        enter(shown)
    assert shell.performed == [Send("takoapi", "sheet-wizard", "totals per customer", accepted_price="free")]
    assert told.args == [key("sheet-wizard")] and shown.text() == ""


def test_the_price_that_stood_there_is_accepted(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@acme-legal read it")
    assert "0.10 USD" in shown.line.text()
    enter(shown)
    assert shell.performed == [Send("takoapi", "acme-legal", "read it", accepted_price="0.10 USD")]


def test_an_unknown_price_is_named_and_not_accepted(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@new-one go")
    assert "price unknown" in shown.line.text()
    enter(shown)
    assert shell.performed == [Send("takoapi", "new-one", "go")]


def test_a_waiting_task_gets_the_text_as_its_reply(bar: Make, shell: FakeShell) -> None:
    shell.put(asking("acme-research", now=shell.now(), price="0.02 USD"))
    shown = bar()
    type_(shown, "@acme-research euros")
    assert shown.line.text().startswith("Replies to #8c1e at takoapi.com · 0.02 USD")
    enter(shown)
    request = request_id("acme-research")
    assert shell.performed == [Answer(key("acme-research"), request, "euros", "0.02 USD")]


def test_two_waiting_tasks_send_nothing_until_one_is_chosen(
    qtbot: QtBot, bar: Make, shell: FakeShell
) -> None:
    shell.put(
        asking("acme-research", now=shell.now()), asking("acme-research", now=shell.now(), tag="12340000")
    )
    shown = bar()
    type_(shown, "@acme-research euros")
    enter(shown)
    assert not shell.performed
    labels = [b.text() for b in shown.line.buttons()]
    assert sorted(labels) == ["!new", "#1234", "#8c1e"]
    press(qtbot, next(b for b in shown.line.buttons() if b.text() == "#1234"))
    assert shown.text() == "@acme-research #1234 euros" and shown.field.hasFocus()
    assert shown.line.text().startswith("Replies to #1234")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("summarise the open issues", "Pick an agent with @. Nothing was sent."),
        ("@nobody go", "No agent of yours is named nobody. Nothing was sent."),
        ("@sheet-wizard @acme-legal go", "Two agents are named, sheet-wizard and acme-legal."),
        ("@sheet-wizard", ""),
    ],
)
def test_what_has_no_route_is_said_and_never_sent(
    bar: Make, shell: FakeShell, drafts: dict[str, str], text: str, words: str
) -> None:
    shown = bar()
    type_(shown, text + " ")
    enter(shown)
    assert not shell.performed and drafts == {DRAFT: text + " "}
    assert shown.line.text().startswith(words)


def test_two_matches_become_buttons(qtbot: QtBot, bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@acme and the same for Q2")
    assert shown.line.text() == "2 match @acme"
    enter(shown)
    assert not shell.performed
    press(qtbot, shown.line.buttons()[0])
    assert shown.text() == "@acme-legal and the same for Q2"


def test_completion_offers_called_and_pinned_with_price_and_a_line(bar: Make, shell: FakeShell) -> None:
    shell.put(asking("acme-research", now=shell.now(), label="Q3 scan"))
    shown = bar()
    before = shown.sizeHint().height()
    type_(shown, "@")
    assert [c.slug for c in shown.completion.offered] == [t[0] for t in shell.targets_known]
    assert [c.name for c in shown.completion.offered] == [
        "@acme-legal, Contracts read and compared, 0.10 USD",
        "@acme-research, Q3 scan needs input: replies to it, 0.02 USD",
        "@new-one, price unknown",
        "@sheet-wizard, Spreadsheets from text, free",
    ]
    index = shown.completion.model().index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == shown.completion.offered[0].name
    assert shown.completion.height() == 4 * 44 and shown.sizeHint().height() > before
    assert shown.completion.y() < shown.field.mapTo(shown, shown.field.rect().topLeft()).y()


def test_at_most_six_are_offered(bar: Make, shell: FakeShell) -> None:
    shell.targets_known = tuple((f"a{i}", "free", "") for i in range(20))
    shown = bar()
    type_(shown, "@a")
    assert len(shown.completion.offered) == 6


@pytest.mark.parametrize("take", [Qt.Key.Key_Tab, Qt.Key.Key_Return])
def test_arrows_choose_and_tab_or_enter_completes(bar: Make, shell: FakeShell, take: Qt.Key) -> None:
    shown = bar()
    type_(shown, "@")
    QTest.keyClick(shown.field, Qt.Key.Key_Down)
    QTest.keyClick(shown.field, Qt.Key.Key_Down)
    QTest.keyClick(shown.field, Qt.Key.Key_Up)
    assert shown.completion.current == "acme-research"
    QTest.keyClick(shown.field, take)
    assert shown.text() == "@acme-research " and not shown.completion.isVisible()
    assert shown.field.hasFocus() and not shell.performed


def test_a_click_completes(bar: Make) -> None:
    shown = bar()
    type_(shown, "@")
    index = shown.completion.model().index(3, 0)
    QTest.mouseClick(
        shown.completion.viewport(), Qt.MouseButton.LeftButton,
        pos=shown.completion.visualRect(index).center(),
    )  # fmt: skip
    assert shown.text() == "@sheet-wizard "


def test_escape_ends_the_completion_first_and_never_the_text(bar: Make) -> None:
    shown = bar()
    type_(shown, "@ac")
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert not shown.completion.isVisible() and shown.text() == "@ac"
    QTest.keyClick(shown.field, Qt.Key.Key_Escape)
    assert shown.text() == "@ac"
    type_(shown, "m")
    assert shown.completion.isVisible(), "typing on opens it again"


def test_a_price_asked_for_later_needs_its_own_press(
    qtbot: QtBot, bar: Make, shell: FakeShell, drafts: dict[str, str]
) -> None:
    price = (("price", "0.12 USD"), ("slug", "acme-legal"))
    shell.outcome = Outcome(Result.REFUSED, "outcome.price", price, price="0.12 USD")
    shown = bar()
    type_(shown, "@acme-legal read it")
    enter(shown)
    assert shown.line.text() == "acme-legal costs 0.12 USD for this call. Nothing was sent yet."
    enter(shown)
    assert len(shell.performed) == 1 and drafts, "Enter does not accept a price"
    shell.outcome = done(key=key("acme-legal"))
    (button,) = shown.line.buttons()
    assert button.text() == "Send for 0.12 USD"
    press(qtbot, button)
    assert shell.performed[-1] == Send("takoapi", "acme-legal", "read it", accepted_price="0.12 USD")
    assert not drafts


def test_a_price_is_forgotten_when_the_text_changes(qtbot: QtBot, bar: Make, shell: FakeShell) -> None:
    shell.outcome = Outcome(Result.REFUSED, "outcome.price", price="0.12 USD")
    shown = bar()
    type_(shown, "@acme-legal read it")
    enter(shown)
    type_(shown, " twice")
    assert not shown.line.buttons() and "New task" in shown.line.text()


def test_a_refusal_keeps_the_text(bar: Make, shell: FakeShell, drafts: dict[str, str]) -> None:
    shell.outcome = refused("bar.unknown", name="x")
    shown = bar()
    type_(shown, "@sheet-wizard go")
    enter(shown)
    assert shown.text() == "@sheet-wizard go" and drafts == {DRAFT: "@sheet-wizard go"}
    assert shown.line.text() == "No agent of yours is named x. Nothing was sent."
    assert not shown.field.isReadOnly()


def test_while_sending_nothing_more_is_sent(bar: Make, shell: FakeShell) -> None:
    shell.hold = True
    shown = bar()
    type_(shown, "@sheet-wizard go")
    enter(shown)
    enter(shown)
    type_(shown, "more")
    assert len(shell.performed) == 1 and shown.text() == "@sheet-wizard go"
    assert shown.line.text() == "Sending to sheet-wizard"
    shell.finish(done(key=key("sheet-wizard")))
    assert shown.line.text() == "Sent to sheet-wizard" and shown.text() == ""
    type_(shown, "x")
    assert shown.line.text() != "Sent to sheet-wizard"


def test_an_unknown_outcome_with_a_row_lets_go_of_the_text(bar: Make, shell: FakeShell) -> None:
    shell.outcome = unknown("bar.pick", key("sheet-wizard"))
    shown = bar()
    type_(shown, "@sheet-wizard go")
    enter(shown)
    assert shown.text() == "", "the row holds it, and can send it again"


def test_an_unknown_outcome_without_a_row_keeps_the_text(bar: Make, shell: FakeShell) -> None:
    shell.outcome = unknown("bar.pick")
    shown = bar()
    type_(shown, "@sheet-wizard go")
    enter(shown)
    assert shown.text() == "@sheet-wizard go"


def test_enter_belongs_to_the_input_method_while_it_composes(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@sheet-wizard go ")
    QApplication.sendEvent(shown.field, QInputMethodEvent("ni", []))
    enter(shown)
    assert not shell.performed
    over = QInputMethodEvent("", [])
    over.setCommitString("x")
    QApplication.sendEvent(shown.field, over)
    enter(shown)
    assert len(shell.performed) == 1


def test_shift_enter_is_a_new_line_and_the_field_grows_to_four(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@sheet-wizard one")
    one = shown.field.height()
    for _ in range(9):
        QTest.keyClick(shown.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        type_(shown, "more")
    assert one == 36 < shown.field.height() < 36 + 4 * 24 and not shell.performed
    enter(shown)
    assert shell.performed[0].text.count("\n") == 9  # type: ignore[union-attr]


def test_a_large_paste_is_never_routed(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    paste(shown, "@sheet-wizard " + "do this " * 1000)
    enter(shown)
    assert not shell.performed and shown.line.text().startswith("Pasted text is never routed.")
    shown.field.moveCursor(shown.field.textCursor().MoveOperation.Start)
    type_(shown, "@sheet-wizard ")
    assert shown.line.text().startswith("New task"), "the owner's own word in front of it is a route"


def test_a_small_paste_and_one_behind_a_name_are_routed(bar: Make) -> None:
    shown = bar()
    paste(shown, "@sheet-wizard small")
    assert shown.line.text().startswith("New task")
    shown.field.put("")
    type_(shown, "@sheet-wizard ")
    paste(shown, "long " * 2000)
    assert shown.line.text().startswith("New task")


def test_a_code_fence_is_never_routed(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    paste(shown, "```\n@sheet-wizard rm\n```")
    enter(shown)
    assert not shell.performed


def test_a_rich_clipboard_comes_in_as_its_words(bar: Make) -> None:
    shown = bar()
    paste(shown, "@sheet-wizard go", html="<b>@sheet-wizard</b> <img src='file:///etc/passwd'>")
    assert shown.text() == "@sheet-wizard go"


def test_the_draft_survives_and_lives_in_memory(bar: Make, drafts: dict[str, str]) -> None:
    first = bar()
    type_(first, "@sheet-wizard half")
    assert drafts == {DRAFT: "@sheet-wizard half"} and first.has_draft
    assert bar().text() == "@sheet-wizard half"


def test_a_prefill_never_replaces_words_of_the_owner(bar: Make) -> None:
    shown = bar()
    shown.focus_text("@sheet-wizard ")
    assert shown.text() == "@sheet-wizard " and shown.field.hasFocus()
    type_(shown, "half")
    shown.focus_text("@sheet-wizard ")
    assert shown.text() == "@sheet-wizard half"
    shown.field.put("own words")
    shown.focus_text("@acme-legal ")
    assert shown.text() == "@acme-legal own words"


def test_the_line_follows_the_roster(bar: Make, shell: FakeShell) -> None:
    shown = bar()
    type_(shown, "@acme-research euros")
    assert shown.line.text().startswith("New task")
    shell.put(asking("acme-research", now=shell.now()))
    assert shown.line.text().startswith("Replies to #8c1e")


@pytest.mark.parametrize("about", ATTACKS)
def test_foreign_lines_about_agents_stay_one_plain_line(bar: Make, shell: FakeShell, about: str) -> None:
    shell.targets_known = (("evil", about[:200], about),)
    shown = bar()
    type_(shown, "@")
    (choice,) = shown.completion.offered
    assert not set(choice.name) & set("\u202e\u2066\u2069\u200b\x1b\x07\n") and len(choice.about) <= 120
    assert shown.completion.height() == 44
    type_(shown, "evil go")
    assert shown.minimumSizeHint().width() <= 440 and shown.line.height() < 120


def test_every_control_has_a_name(bar: Make) -> None:
    shown = bar()
    type_(shown, "@acme and more")
    for button in shown.findChildren(QPushButton):
        assert button.accessibleName()
    assert shown.field.accessibleName() and shown.completion.accessibleName()


def test_it_runs_no_timer_at_rest(bar: Make) -> None:
    from PySide6.QtCore import QTimer

    shown = bar()
    type_(shown, "@sheet-wizard x")
    assert not [t for t in shown.findChildren(QTimer) if t.isActive() and t.interval() > 1]


def test_words_are_chinese_in_chinese(qtbot: QtBot, shell: FakeShell) -> None:
    chinese = FakeShell("zh-CN")
    chinese.targets_known = shell.targets_known
    shown = CommandBar(chinese, {})
    qtbot.addWidget(shown)
    shown.show()
    shown.field.put("@sheet-wizard 汇总")
    assert shown.line.text() == "在 takoapi.com 新建任务 · 免费 · 文字会离开本机"


def test_it_follows_nothing_once_destroyed(shell: FakeShell) -> None:
    shown = CommandBar(shell, {})
    shiboken6.delete(shown)
    shell.put(asking("acme-research", now=shell.now()))


def test_a_direct_agent_is_completed_with_its_host_and_called_without_a_price(
    bar: Make, shell: FakeShell
) -> None:
    box = DirectAgent("box", url="https://box.example", origins=("https://box.example",))
    shell.prefer(direct_agents=(box,))
    shell.targets_known = (*shell.targets_known, ("box", "", ""))
    shown = bar()
    type_(shown, "@bo")
    (choice,) = shown.completion.offered
    assert (choice.slug, choice.about, choice.cost) == ("box", "at box.example", "")
    QTest.keyClick(shown.field, Qt.Key.Key_Tab)
    type_(shown, "build it")
    assert shown.line.text() == "New task at box.example · text leaves this computer"
    enter(shown)
    assert shell.performed == [Send("a2a", "box", "build it")]
