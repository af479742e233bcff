"""The focus ring is for the keyboard: it follows how the owner acted last, wherever the focus came from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lisa_island.ui import modality
from lisa_island.ui.controls import Button, Field
from lisa_island.ui.pill import Pill

LEFT = Qt.MouseButton.LeftButton
OTHER = Qt.FocusReason.OtherFocusReason


class Desk(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.field = Button("First"), Button("Second"), Field("name")
        column = QVBoxLayout(self)
        for widget in (self.field, self.first, self.second):
            column.addWidget(widget)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk()
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    modality.watch(made)
    yield made
    modality.by_keyboard_now()


def click(desk: Desk, at: QPoint) -> None:
    """As the system sends it: to the window, not to a widget."""
    QTest.mouseClick(desk.windowHandle(), LEFT, Qt.KeyboardModifier.NoModifier, at)


def test_after_a_click_the_focus_that_we_move_has_no_ring(desk: Desk) -> None:
    desk.first.setFocus(OTHER)
    assert desk.first.has_ring()
    click(desk, desk.field.geometry().center())
    desk.second.setFocus(OTHER)
    assert not desk.second.has_ring() and not modality.by_keyboard()


def test_the_first_key_shows_where_the_keyboard_is(desk: Desk) -> None:
    click(desk, desk.field.geometry().center())
    desk.first.setFocus(OTHER)
    QTest.keyClick(desk.windowHandle(), Qt.Key.Key_Shift)
    assert not desk.first.has_ring(), "a modifier alone is held for the pointer, too"
    QTest.keyClick(desk.windowHandle(), Qt.Key.Key_F5)
    assert desk.first.has_ring() and modality.by_keyboard()


def test_a_click_takes_the_ring_and_tab_brings_it(desk: Desk) -> None:
    desk.first.setFocus(OTHER)
    QTest.mouseClick(desk.first, LEFT)
    desk.field.setFocus(Qt.FocusReason.MouseFocusReason)
    desk.first.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not desk.first.has_ring()
    QTest.keyClick(desk.windowHandle(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is desk.second and desk.second.has_ring()


def test_what_is_hidden_hands_its_focus_on_without_a_ring(desk: Desk) -> None:
    click(desk, desk.field.geometry().center())
    desk.first.setFocus(OTHER)
    desk.first.hide()
    assert QApplication.focusWidget() is desk.second and not desk.second.has_ring()


def test_coming_back_to_the_window_shows_a_ring_only_to_the_keyboard(desk: Desk, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    for acted, ring in ((modality.by_pointer_now, False), (modality.by_keyboard_now, True)):
        other.show()
        other.activateWindow()
        qtbot.waitUntil(other.isActiveWindow)
        acted()
        desk.first.setFocus(OTHER)
        desk.activateWindow()
        qtbot.waitUntil(desk.first.hasFocus)
        assert desk.first.has_ring() is ring


def test_a_click_on_the_pill_is_the_pointer(qtbot: QtBot) -> None:
    pill = Pill()
    qtbot.addWidget(pill)
    pill.show()
    QTest.mouseClick(pill, LEFT)
    assert not modality.by_keyboard()
