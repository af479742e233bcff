"""The first run: four steps, nothing switched on but by the owner, over however it ends."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from lisa_island.core import words
from lisa_island.core.agent import KeyState
from lisa_island.core.intents import CheckKey, done, refused
from lisa_island.core.preferences import Preferences
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.settings.rows import Sentence
from lisa_island.ui.welcome import Welcome
from lisa_island.ui.welcome_steps import STEPS as KINDS
from tests.fakes.shell import FakeShell

STEPS = len(KINDS)
WHAT, WATCH, REMOTE, REACH = range(STEPS)
KEY = "tako_live_Ab3xQ9" + "A" * 26


@pytest.fixture
def opened(qtbot):
    def make(lang: str = "en", **preferences: object):
        shell = FakeShell(lang, **preferences)
        welcome = Welcome(shell)
        qtbot.addWidget(welcome)
        welcome.show()
        qtbot.waitExposed(welcome)
        return shell, welcome

    return make


def test_going_through_changes_nothing_but_that_it_was_seen(opened, qtbot) -> None:
    shell, welcome = opened()
    with qtbot.waitSignal(welcome.finished):
        for _ in range(STEPS):
            welcome.main.click()
    assert shell.preferences == Preferences(language="en", welcomed=True)
    assert shell.keys == [] and shell.performed == [] and shell.notices == 0


@pytest.mark.parametrize("end", ["skip", "escape", "close"])
def test_it_is_over_however_it_ends(opened, qtbot, end: str) -> None:
    shell, welcome = opened()
    with qtbot.waitSignal(welcome.finished):
        match end:
            case "skip":
                welcome.back.click()
            case "escape":
                QTest.keyClick(welcome, Qt.Key.Key_Escape)
            case "close":
                welcome.close()
    assert shell.preferences.welcomed and not welcome.isVisible()


def test_the_buttons_say_what_they_do(opened) -> None:
    shell, welcome = opened()
    said = []
    for step in range(STEPS):
        welcome.turn_to(step)
        said.append((welcome.back.text(), welcome.main.text(), welcome.main.kind))
    assert said == [
        ("Skip", "Continue", "primary"),
        ("Back", "Continue", "primary"),
        ("Back", "Not now", "outline"),
        ("Back", "Finish", "primary"),
    ]
    welcome.turn_to(REMOTE)
    welcome.key_step.follow.click()
    assert shell.preferences.takoapi_enabled
    assert (welcome.main.text(), welcome.main.kind) == ("Continue", "primary")


def test_back_goes_back(opened) -> None:
    _shell, welcome = opened()
    welcome.main.click()
    welcome.back.click()
    assert welcome.step == 0 and welcome.isVisible()


def test_a_key_is_saved_only_by_its_own_button(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    QTest.keyClicks(welcome.key.field, KEY)
    welcome.main.click()
    assert shell.keys == [] and welcome.key.field.text() == ""
    welcome.back.click()
    QTest.keyClicks(welcome.key.field, KEY)
    shell.preview = KEY[:16]
    QTest.keyClick(welcome.key.field, Qt.Key.Key_Return)
    assert shell.keys == [("keyring", KEY)]
    assert welcome.main.text() == "Continue"
    assert not shell.preferences.takoapi_enabled  # a key alone switches nothing on


def test_the_state_of_the_key_is_shown_here_too(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    shell.report(key_state=KeyState.LOCKED)
    assert welcome.key.unlock.isVisible() and shell.keys == []


def test_notices_are_one_switch_over_three(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REACH)
    assert welcome.reach_step.notify.isChecked()
    welcome.reach_step.notify.click()
    p = shell.preferences
    assert (p.notify_input, p.notify_auth, p.notify_failed, p.notify_finished) == (False,) * 4
    shell.prefer(notify_input=True, notify_auth=True, notify_failed=True)
    assert welcome.reach_step.notify.isChecked()


def test_a_test_notice_is_sent_only_when_asked(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REACH)
    assert shell.notices == 0
    welcome.reach_step.test.click()
    assert shell.notices == 1 and welcome.reach_step.test_row.hint.text() == words.say(
        "en", "settings.test.sent"
    )


def test_what_could_not_be_saved_is_told(opened) -> None:
    shell, welcome = opened()
    shell.refuse_preferences = "storage.full"
    welcome.turn_to(REACH)
    welcome.reach_step.notify.click()
    assert welcome.reach_step.notify.isChecked()
    assert "island.json" in welcome.problem.text() and welcome.problem.isVisible()
    welcome.turn_to(WATCH)
    welcome.watch_step.follow.click()
    assert "agents.json" in welcome.problem.text() and welcome.problem.isVisible()


def test_without_a_tray_it_says_what_to_do_and_how_to_bind_a_key(opened) -> None:
    _shell, welcome = opened()
    welcome.turn_to(REACH)
    points = {p.objectName(): p for p in welcome.reach_step.findChildren(Sentence)}
    assert points["no-tray"].isVisible() and "right click" in points["no-tray"].text()
    assert "lisa-island toggle" in points["key"].text()


def test_a_notice_that_was_pressed_is_told_apart_from_one_that_was_only_sent(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REACH)
    told = []
    shell.test_notice = told.append
    welcome.reach_step.test.click()
    for word in ("notices.no-server", "notices.no-answer", "notices.test.handed", "notices.test.seen"):
        told[0](word)
        assert welcome.reach_step.test_row.hint.text() == words.say("en", word)


def test_what_is_watched_is_off_until_chosen_and_the_choice_is_kept(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(WATCH)
    assert not welcome.watch_step.follow.isChecked()
    welcome.watch_step.follow.click()
    welcome.close()
    assert shell.preferences.takoapi_enabled and shell.preferences.welcomed
    welcome.show()
    welcome.turn_to(WATCH)
    assert welcome.watch_step.follow.isChecked()
    welcome.turn_to(REMOTE)
    assert welcome.key_step.follow_row.isHidden(), "asked once"


@pytest.mark.parametrize(
    ("outcome", "icon"), [(done("outcome.key-good"), "done"), (refused("outcome.key-refused"), "error")]
)
def test_a_saved_key_is_tried_at_once_and_no_other(opened, outcome, icon: str) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    shell.outcome, shell.preview = outcome, KEY[:16]
    assert shell.performed == []
    QTest.keyClicks(welcome.key.field, KEY)
    QTest.keyClick(welcome.key.field, Qt.Key.Key_Return)
    assert shell.performed == [CheckKey("takoapi")]
    tried = welcome.key_step.tried
    assert tried.isVisible() and tried.icon == icon and tried.text()


def test_a_key_that_could_not_be_saved_is_not_tried(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    shell.key_answer = (KeyState.LOCKED, "secrets.state.locked")
    QTest.keyClicks(welcome.key.field, KEY)
    QTest.keyClick(welcome.key.field, Qt.Key.Key_Return)
    assert shell.keys and shell.performed == []


def test_the_demo_begins_and_ends_by_the_same_button(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    step = welcome.key_step
    assert step.demo.text() == "Try the demo"
    step.demo.click()
    assert shell.demo and step.demo.text() == "End the demo"
    assert step.demo_row.hint.text() == words.say("en", "welcome.demo.runs")
    step.demo.click()
    assert not shell.demo and step.demo.text() == "Try the demo"
    assert step.demo_row.hint.text() == words.say("en", "welcome.demo.over")


def test_a_demo_offers_no_demo(qtbot) -> None:
    shell = FakeShell()
    shell.has_demo = False
    welcome = Welcome(shell)
    qtbot.addWidget(welcome)
    welcome.show()
    welcome.turn_to(REMOTE)
    assert welcome.key_step.demo_row.isHidden()


def test_the_language_switches_where_it_stands(opened, qtbot) -> None:
    shell, welcome = opened()
    welcome.language.setFocus()
    welcome.language.chosen.emit("zh-CN")
    assert shell.preferences.language == "zh-CN" and welcome.step == WHAT
    assert welcome.main.text() == "继续" and welcome.language.currentData() == "zh-CN"
    assert welcome.focusWidget() is welcome.language
    welcome.turn_to(REMOTE)
    QTest.keyClicks(welcome.key.field, KEY)
    shell.prefer(language="en")
    assert welcome.step == REMOTE and welcome.main.text() == "Not now"
    assert welcome.key.field.text() == KEY, "what is typed is not lost"
    assert welcome.language.isHidden(), "asked at the beginning"


def test_a_demo_that_runs_is_still_there_in_another_language(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    welcome.key_step.demo.click()
    shell.prefer(language="zh-CN")
    assert welcome.key_step.demo.text() == "结束演示"
    welcome.key_step.demo.click()
    assert welcome.key_step.demo.text() == "试试演示"


def test_start_at_login_is_offered_where_it_can_be_chosen(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REACH)
    welcome.reach_step.login.click()
    assert shell.login is True and welcome.reach_step.login.isChecked()
    shell.login_answer = "autostart.not-changed"
    welcome.reach_step.login.click()
    assert welcome.reach_step.login.isChecked()
    assert welcome.reach_step.login_row.hint.text() == words.say("en", "autostart.not-changed")
    shell.login = None
    welcome.refresh()
    assert welcome.reach_step.login_row.isHidden()


def test_quitting_half_way_is_not_the_end_of_it(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(REMOTE)
    welcome.leave()
    assert not shell.preferences.welcomed and not welcome.isVisible()


def test_the_keyboard_alone_goes_through(opened, qtbot) -> None:
    shell, welcome = opened()
    with qtbot.waitSignal(welcome.finished):
        for _ in range(STEPS):
            while welcome.focusWidget() is not welcome.main:
                QTest.keyClick(welcome.focusWidget(), Qt.Key.Key_Tab)
            QTest.keyClick(welcome.main, Qt.Key.Key_Space)
    assert shell.preferences.welcomed and not welcome.isVisible()


def test_large_text_scrolls_by_the_keyboard(opened) -> None:
    theme.watcher().set_scale(2.0)
    _shell, welcome = opened()
    bar = welcome.steps[WHAT].verticalScrollBar()
    assert bar.maximum() > 0
    QTest.keyClick(welcome, Qt.Key.Key_Down)
    assert bar.value() > 0


def test_the_keyboard_starts_on_no_button(opened) -> None:
    _shell, welcome = opened()
    for step in range(STEPS):
        welcome.turn_to(step)
        assert not isinstance(welcome.focusWidget(), Button)
    welcome.turn_to(REMOTE)
    assert welcome.focusWidget() is welcome.key.field


def test_tab_goes_through_the_step_and_then_to_its_buttons(opened) -> None:
    _shell, welcome = opened()
    welcome.turn_to(REMOTE)
    order = []
    for _ in range(7):
        QTest.keyClick(welcome.focusWidget(), Qt.Key.Key_Tab)
        order.append(welcome.focusWidget())
    key = welcome.key
    step = welcome.key_step
    assert order[:6] == [key.save, key.take_over, step.follow, step.demo, welcome.back, welcome.main]


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_step_has_names_and_fits(opened, lang: str, scale: float) -> None:
    theme.watcher().set_language(lang)
    theme.watcher().set_scale(scale)
    _shell, welcome = opened(lang)
    for step in range(STEPS):
        welcome.turn_to(step)
        for _ in range(4):
            QApplication.processEvents()
        assert welcome.dots.accessibleName()
        for widget in welcome.findChildren(QWidget):
            if not widget.isVisible():
                continue
            if isinstance(widget, QAbstractButton | QLineEdit):
                face = QAccessible.queryAccessibleInterface(widget)
                assert face.text(QAccessible.Text.Name).strip(), widget
            if isinstance(widget, PlainLabel) and widget.wordWrap():
                assert widget.height() >= widget.heightForWidth(widget.width()), widget.text()


def test_shown_again_it_begins_again(opened) -> None:
    _shell, welcome = opened(welcomed=True)
    welcome.main.click()
    welcome.back.click()
    welcome.main.click()
    welcome.close()
    welcome.show()
    assert welcome.step == 0
