"""Groups that open in the list, and the menu of a row: what it offers, and that it only leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import Blocked, Can, RequestKind, State
from lisa_island.core.rows import Kind
from lisa_island.ui.cancel_menu import SHOWN_TASKS, cancelable
from lisa_island.ui.menu import IslandMenu, MenuActions, build_menu
from lisa_island.ui.roster_view import RosterView
from lisa_island.ui.row_menu import deeds, row_menu
from tests.fakes.direct import ALWAYS, direct, direct_key, finished, offering, ready
from tests.fakes.sessions import MINUTE, remote
from tests.fakes.shell import FakeShell


@pytest.fixture
def shell() -> FakeShell:
    found = FakeShell()
    now = found.now()
    found.put(
        *(direct(tag=f"{n}0000000", last_activity=now - n * MINUTE) for n in range(1, 5)),
        offering(now=now, tag="aaaa0000"),
        direct(name="other", tag="cccc0000", last_activity=now - 9 * MINUTE),
    )
    found.clock.advance(1)
    return found


@pytest.fixture
def view(qtbot: QtBot, shell: FakeShell) -> Iterator[RosterView]:
    made = RosterView(shell)
    made.resize(440, 500)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    made.list.setFocus()
    yield made
    made.hide()
    made.deleteLater()


def kinds(view: RosterView) -> list[Kind]:
    return [r.kind for r in view.model.rows]


def test_a_group_opens_and_closes_by_click_and_by_enter(view: RosterView, qtbot: QtBot) -> None:
    assert kinds(view) == [Kind.SESSION, Kind.GROUP, Kind.SESSION]
    at = view.list.visualRect(view.model.index(1, 0)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert kinds(view) == [Kind.SESSION, Kind.GROUP, *[Kind.SESSION] * 5]
    assert view.model.rows[1].open and view.model.rows[2].inset
    view.list.setCurrentIndex(view.model.index(1, 0))
    qtbot.keyClick(view.list, Qt.Key.Key_Return)
    assert kinds(view) == [Kind.SESSION, Kind.GROUP, Kind.SESSION]


def test_arrows_open_and_fold_it_as_in_a_tree(view: RosterView, qtbot: QtBot) -> None:
    view.list.setCurrentIndex(view.model.index(1, 0))
    qtbot.keyClick(view.list, Qt.Key.Key_Left)
    assert len(kinds(view)) == 3, "it is folded already"
    qtbot.keyClick(view.list, Qt.Key.Key_Right)
    assert len(kinds(view)) == 7
    qtbot.keyClick(view.list, Qt.Key.Key_Right)
    assert len(kinds(view)) == 7
    qtbot.keyClick(view.list, Qt.Key.Key_Left)
    assert len(kinds(view)) == 3


def test_what_begins_to_wait_comes_out_of_its_group(view: RosterView, shell: FakeShell) -> None:
    shell.put(offering(now=shell.now(), tag="10000000"))
    shell.clock.advance(1)
    assert [r.needs for r in view.model.rows] == [True, True, False, False]


def test_what_is_folded_away_counts_as_seen_only_once_it_was_before_the_eyes(
    view: RosterView, shell: FakeShell
) -> None:
    done = replace(finished(shell.now(), "10000000"), unread=True)
    shell.put(done)
    shell.clock.advance(1)
    assert not view._seen.isActive(), "no timer for what cannot be seen"
    session = shell.store.roster.get(done.key)
    assert session is not None and session.unread


# --- the menu ---


def test_a_row_offers_what_its_agent_supports(shell: FakeShell) -> None:
    now = shell.now()
    assert deeds(direct()) == ("details", "cancel", "stop")
    assert deeds(ready(now)) == ("details", "more", "cancel", "stop")
    assert deeds(offering(now=now)) == ("details", "answer", "cancel", "stop")
    assert deeds(finished(now)) == ("details", "again", "stop")
    assert deeds(remote("acme")) == ("details", "stop"), "a gateway cannot cancel"
    assert deeds(remote("acme", capabilities=frozenset())) == ("details",)


def words(menu: QMenu) -> list[str]:
    return [a.text() or "-" for a in menu.actions() if a.isVisible()]


def test_its_words_are_those_of_the_page(qtbot: QtBot, shell: FakeShell) -> None:
    menu = row_menu(ready(shell.now()), "en", None, lambda _: None)
    qtbot.addWidget(menu)
    assert words(menu) == ["Details", "Say more…", "-", "Cancel task…", "Stop following…"]
    assert menu.accessibleName() == "Actions for box"
    denied = Blocked(RequestKind.AUTH, "r", 1)
    asks = direct(State.WAITING, requests=(denied,), capabilities=ALWAYS | {Can.SIGN_IN})
    menu = row_menu(asks, "zh-CN", None, lambda _: None)
    qtbot.addWidget(menu)
    assert words(menu)[:2] == ["详情", "登录"]


def popup(view: RosterView, row: int, *, by_key: bool = False) -> QMenu:
    view.list.setCurrentIndex(view.model.index(row, 0))
    at = view.list.visualRect(view.model.index(row, 0)).center()
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    where = QPoint(-1, -1) if by_key else at
    QApplication.sendEvent(view.list.viewport(), QContextMenuEvent(reason, where, QPoint(9, 9)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize("by_key", [False, True])
def test_it_asks_for_the_deed_of_this_very_row(view: RosterView, qtbot: QtBot, by_key: bool) -> None:
    menu = popup(view, 2, by_key=by_key)
    (cancel,) = [a for a in menu.actions() if a.text() == "Cancel task…"]
    with qtbot.waitSignal(view.deed_asked) as asked:
        cancel.trigger()
    assert asked.args == [direct_key("cccc0000", "other"), "cancel"]
    menu.close()


def test_details_opens_the_row(view: RosterView, qtbot: QtBot) -> None:
    menu = popup(view, 0)
    with qtbot.waitSignal(view.opened) as asked:
        menu.actions()[0].trigger()
    assert asked.args == [direct_key("aaaa0000")]
    menu.close()


def test_a_group_has_no_menu(view: RosterView) -> None:
    at = view.list.visualRect(view.model.index(1, 0)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, QPoint(9, 9))
    QApplication.sendEvent(view.list.viewport(), event)
    assert QApplication.activePopupWidget() is None


# --- the tray ---


def island_menu(qtbot: QtBot, shell: FakeShell, canceled: list[object]) -> IslandMenu:
    def nothing(*_: object) -> None: ...

    menu = build_menu(shell, MenuActions(nothing, nothing, nothing, nothing, nothing, cancel=canceled.append))
    qtbot.addWidget(menu)
    return menu


def test_the_tray_lists_what_can_be_cancelled_and_only_then(qtbot: QtBot) -> None:
    shell, canceled = FakeShell(), []
    menu = island_menu(qtbot, shell, canceled)
    assert not menu.cancel_menu.menuAction().isVisible()
    shell.put(direct(label="Blue & green"), ready(shell.now(), "c3d40000"))
    shell.clock.advance(1)
    menu.refresh()
    assert menu.cancel_menu.menuAction().isVisible() and menu.cancel_menu.title() == "Cancel task"
    assert words(menu.cancel_menu) == ["Blue && green #a1b2, working…", "box #c3d4, your turn…"]
    menu.cancel_menu.entries[1].trigger()
    assert canceled == [direct_key("c3d40000")]
    for key, _ in cancelable(shell.store.roster, "en").shown:
        shell.remove(key)
    shell.clock.advance(1)
    menu.refresh()
    assert not menu.cancel_menu.menuAction().isVisible()


def test_many_are_bounded_and_counted(qtbot: QtBot) -> None:
    shell = FakeShell()
    menu = island_menu(qtbot, shell, [])
    shell.put(*(direct(tag=f"{n:04d}0000") for n in range(SHOWN_TASKS + 3)))
    shell.clock.advance(1)
    menu.refresh()
    assert len(words(menu.cancel_menu)) == SHOWN_TASKS + 1
    assert words(menu.cancel_menu)[-1] == "3 more"
