"""The first run: three steps, nothing switched on but by the owner, over however it ends."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from lisa_island.core import words
from lisa_island.core.agent import KeyState
from lisa_island.core.preferences import Preferences
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.welcome import STEPS, Welcome
from tests.fakes.shell import FakeShell

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
        ("Back", "Not now", "outline"),
        ("Back", "Finish", "primary"),
    ]
    welcome.turn_to(1)
    welcome.follow.click()
    assert shell.preferences.takoapi_enabled
    assert (welcome.main.text(), welcome.main.kind) == ("Continue", "primary")


def test_back_goes_back(opened) -> None:
    _shell, welcome = opened()
    welcome.main.click()
    welcome.back.click()
    assert welcome.step == 0 and welcome.isVisible()


def test_a_key_is_saved_only_by_its_own_button(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(1)
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
    welcome.turn_to(1)
    shell.report(key_state=KeyState.LOCKED)
    assert welcome.key.unlock.isVisible() and shell.keys == []


def test_notices_are_one_switch_over_three(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(2)
    assert welcome.notify.isChecked()
    welcome.notify.click()
    p = shell.preferences
    assert (p.notify_input, p.notify_auth, p.notify_failed, p.notify_finished) == (False,) * 4
    shell.prefer(notify_input=True, notify_auth=True, notify_failed=True)
    assert welcome.notify.isChecked()


def test_a_test_notice_is_sent_only_when_asked(opened) -> None:
    shell, welcome = opened()
    welcome.turn_to(2)
    assert shell.notices == 0
    welcome.test.click()
    assert shell.notices == 1 and welcome.test_row.hint.text() == words.say("en", "settings.test.sent")


def test_what_could_not_be_saved_is_told(opened) -> None:
    shell, welcome = opened()
    shell.refuse_preferences = "storage.full"
    welcome.turn_to(2)
    welcome.notify.click()
    assert welcome.notify.isChecked()
    assert "island.json" in welcome.problem.text() and welcome.problem.isVisible()
    welcome.turn_to(1)
    welcome.follow.click()
    assert "agents.json" in welcome.problem.text() and welcome.problem.isVisible()


def test_without_a_tray_it_says_what_to_do(opened) -> None:
    _shell, welcome = opened()
    welcome.turn_to(2)
    assert "lisa-island toggle" in welcome.no_tray.text() and welcome.no_tray.isVisible()


def test_the_demo_is_named_for_who_has_no_key(opened) -> None:
    _shell, welcome = opened()
    said = [label.text() for label in welcome.findChildren(PlainLabel)]
    assert any("lisa-island demo" in text for text in said)


def test_the_keyboard_starts_on_no_button(opened) -> None:
    _shell, welcome = opened()
    for step in range(STEPS):
        welcome.turn_to(step)
        assert not isinstance(welcome.focusWidget(), Button)
    welcome.turn_to(1)
    assert welcome.focusWidget() is welcome.key.field


def test_tab_goes_through_the_step_and_then_to_its_buttons(opened) -> None:
    _shell, welcome = opened()
    welcome.turn_to(1)
    order = []
    for _ in range(6):
        QTest.keyClick(welcome.focusWidget(), Qt.Key.Key_Tab)
        order.append(welcome.focusWidget())
    key = welcome.key
    assert order[:5] == [key.save, key.take_over, welcome.follow, welcome.back, welcome.main]


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
