"""The island's own toast: under the pill, without the focus, gone by itself; a need stays in the queue."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lisa_island.core.notices import Note
from lisa_island.ui import toast as module
from lisa_island.ui.toast import Toasts
from lisa_island.ui.window_mode import WindowMode
from tests.fakes.sessions import ATTACKS, asking, key
from tests.fakes.shell import FakeShell

PILL = QRect(300, 8, 200, 36)


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture
def toasts(qapp: QApplication, shell: FakeShell) -> Iterator[Toasts]:
    made = Toasts(shell)
    yield made
    made.close()
    made.deleteLater()


def note(note_id: str = "n1", title: str = "acme needs input", body: str = "Q3 scan", **more: object) -> Note:
    more.setdefault("buttons", (("reply", "Reply"), ("later", "Later")))
    return Note(note_id, title, body, **more)  # type: ignore[arg-type]


def words(window: QWidget) -> list[str]:
    kinds = (QLabel, QPushButton)
    return [w.text() for kind in kinds for w in window.findChildren(kind) if w.text()]


def test_it_stands_below_the_pill_and_is_380_wide(toasts: Toasts) -> None:
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.isVisible() and found.width() == 380
    assert found.y() == PILL.bottom() + 1 + 8
    assert abs(found.geometry().center().x() - PILL.center().x()) <= 1
    assert words(found) == ["LISA Island", "now", "acme needs input", "Q3 scan", "Reply", "Later"]
    assert found.accessibleName() == "acme needs input, Q3 scan"


def test_it_stays_on_the_screen(toasts: Toasts) -> None:
    toasts.show(note(), QRect(0, 8, 60, 36))
    found = toasts.toast("n1")
    assert found is not None
    assert QGuiApplication.primaryScreen().availableGeometry().contains(found.geometry())


def test_it_does_not_cover_the_open_panel(toasts: Toasts) -> None:
    area = QGuiApplication.primaryScreen().availableGeometry()
    for panel in (QRect(area.left(), 52, 300, 500), QRect(area.right() - 300, 52, 300, 500)):
        toasts.show(note(), PILL, panel)
        found = toasts.toast("n1")
        assert found is not None and found.y() == 52
        assert not found.geometry().intersects(panel) and area.contains(found.geometry())
    toasts.show(note(), PILL, QRect(area.left() + 60, 52, area.width() - 120, 500))
    found = toasts.toast("n1")
    assert found is not None and found.y() == PILL.bottom() + 9, "no room beside it"


def test_it_never_takes_the_focus(qtbot: QtBot, toasts: Toasts) -> None:
    desk = QWidget()
    qtbot.addWidget(desk)
    desk.show()
    desk.activateWindow()
    qtbot.waitUntil(desk.isActiveWindow)
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None and desk.isActiveWindow()
    assert found.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus
    assert found.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    for child in (found, *found.findChildren(QPushButton)):
        assert child.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_it_goes_by_itself(qtbot: QtBot, toasts: Toasts, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.SHOWN_MS == 8000
    monkeypatch.setattr(module, "SHOWN_MS", 1)
    toasts.show(note(), PILL)
    qtbot.waitUntil(lambda: not toasts.shown())


def test_it_waits_while_the_pointer_is_on_it(toasts: Toasts) -> None:
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.timer.isActive()
    found.enterEvent(_enter())
    assert not found.timer.isActive()
    found.leaveEvent(QEvent(QEvent.Type.Leave))
    assert found.timer.isActive()


def _enter():  # type: ignore[no-untyped-def]
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QEnterEvent

    return QEnterEvent(QPointF(), QPointF(), QPointF())


def test_a_press_tells_which_and_closes_it(
    qtbot: QtBot, toasts: Toasts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ARM_MS", 1)
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None
    qtbot.waitUntil(lambda: not found.buttons[0].is_inert())
    with qtbot.waitSignal(toasts.pressed) as told:
        QTest.mouseClick(found.buttons[0], Qt.MouseButton.LeftButton)
    assert told.args == ["n1", "reply"] and toasts.shown() == ()


def test_a_button_that_has_just_appeared_takes_no_press(toasts: Toasts) -> None:
    pressed: list[tuple[str, str]] = []
    toasts.pressed.connect(lambda *args: pressed.append(args))
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.buttons[0].is_inert()
    QTest.mouseClick(found.buttons[0], Qt.MouseButton.LeftButton)
    assert not pressed


def test_a_click_on_the_notice_is_the_default_action(qtbot: QtBot, toasts: Toasts) -> None:
    toasts.show(note(buttons=()), PILL)
    found = toasts.toast("n1")
    assert found is not None
    with qtbot.waitSignal(toasts.pressed) as told:
        QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=QPoint(5, 40))
    assert told.args == ["n1", "default"]


def test_the_same_id_is_replaced_and_a_withdrawn_one_goes(toasts: Toasts) -> None:
    toasts.show(note(), PILL)
    toasts.show(note(title="acme asks again"), PILL)
    found = toasts.toast("n1")
    assert toasts.shown() == ("n1",) and found is not None and "acme asks again" in words(found)
    toasts.withdraw("n1")
    toasts.withdraw("never shown")
    assert toasts.shown() == ()


def test_at_most_three_stand_below_one_another(toasts: Toasts) -> None:
    for i in range(5):
        toasts.show(note(f"n{i}"), PILL)
    assert toasts.shown() == ("n4", "n3", "n2")
    places = [t.geometry() for t in map(toasts.toast, toasts.shown()) if t]
    assert all(upper.bottom() < lower.top() for upper, lower in pairwise(places))


def test_the_badge_is_that_of_the_one_session(toasts: Toasts, shell: FakeShell) -> None:
    shell.put(asking("acme", now=shell.now()))
    assert toasts._shown_as(note(keys=(key("acme"),))) == ("remote", "acme")
    assert toasts._shown_as(note(keys=(key("acme"), key("b")))) is None
    assert toasts._shown_as(note(keys=(key("gone"),))) is None


@pytest.mark.parametrize("text", ATTACKS)
def test_foreign_words_are_plain_and_bounded(toasts: Toasts, text: str) -> None:
    toasts.show(note(title=text, body=text, buttons=(("show", text),)), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.width() == 380 and found.height() < 260
    for label in found.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert not set(label.text()) & set("\u202e\u2066\u2069\u200b\x1b\x07\n")


def test_only_an_urgent_one_is_announced(toasts: Toasts) -> None:
    toasts.show(note(), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.findChild(module.Announcer) is None
    toasts.show(note(urgent=True), PILL)
    found = toasts.toast("n1")
    assert found is not None and found.findChild(module.Announcer).said == ["acme needs input, Q3 scan"]


def test_without_a_compositor_it_is_cut_to_shape(toasts: Toasts, monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[WindowMode] = []
    monkeypatch.setattr(module, "shape", lambda _window, mode, _radius: cut.append(mode))
    toasts.set_mode(WindowMode.X11_PLAIN)
    toasts.show(note(), PILL)
    assert cut and set(cut) == {WindowMode.X11_PLAIN}
