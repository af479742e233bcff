"""The sessions in the panel: keyboard, search, fold, what counts as seen, and its timers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QFont, QFontMetrics, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QToolTip
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Origin,
    RequestKind,
    SessionKey,
    State,
    Task,
)
from lisa_island.core.events import ActivityChanged
from lisa_island.core.rows import Kind
from lisa_island.ui import theme
from lisa_island.ui.roster_delegate import is_cut, row_height
from lisa_island.ui.roster_view import RosterView
from lisa_island.ui.theme import Theme
from tests.fakes.shell import FakeShell

MIN = 60_000


def session(shell: FakeShell, name: str, state: State, age: int = 0, **values: Any) -> AgentSession:
    values.setdefault("key", SessionKey("takoapi", f"{name}/1"))
    return AgentSession(project=name, state=state, last_activity=shell.now() - age * MIN, **values)


@pytest.fixture
def shell() -> FakeShell:
    shell = FakeShell()
    shell.put(
        session(shell, "asks", State.WAITING, 6, requests=(Blocked(RequestKind.INPUT, "r1", 1),)),
        session(shell, "busy", State.WORKING, 4),
        session(shell, "local", State.WORKING, key=SessionKey("codex", "c"), origin=Origin.LOCAL),
        session(shell, "git", State.IDLE, 40),
    )
    shell.clock.advance(1)
    return shell


@pytest.fixture
def view(qtbot: QtBot, shell: FakeShell) -> Iterator[RosterView]:
    made = RosterView(shell)
    made.resize(440, 400)
    made.show()
    made.list.setFocus()
    yield made
    made.hide()
    made.deleteLater()


def titles(view: RosterView) -> list[str]:
    return [r.title for r in view.model.rows]


def click(qtbot: QtBot, view: RosterView, row: int) -> None:
    at = view.list.visualRect(view.model.index(row, 0)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_click_opens_the_session(view: RosterView, qtbot: QtBot) -> None:
    assert titles(view) == ["asks", "local", "busy", "1 idle: git"]
    with qtbot.waitSignal(view.opened) as told:
        click(qtbot, view, 1)
    assert told.args == [SessionKey("codex", "c")]


def test_arrows_home_end_and_enter(view: RosterView, qtbot: QtBot) -> None:
    view.focus_first()
    told: list[object] = []
    view.opened.connect(told.append)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Enter):
        qtbot.keyClick(view.list, key)
    assert told == [SessionKey("codex", "c"), SessionKey("takoapi", "asks/1")]
    qtbot.keyClick(view.list, Qt.Key.Key_End)
    qtbot.keyClick(view.list, Qt.Key.Key_Return)
    assert titles(view)[-1] == "git", "Enter on the fold line unfolds"


def test_the_fold_opens_and_closes(view: RosterView, qtbot: QtBot) -> None:
    asked: list[object] = []
    view.resized.connect(lambda: asked.append(1))
    click(qtbot, view, 3)
    assert titles(view) == ["asks", "local", "busy", "1 idle: git", "git"] and asked
    click(qtbot, view, 3)
    assert titles(view) == ["asks", "local", "busy", "1 idle: git"]


def test_typing_and_the_slash_search(view: RosterView, qtbot: QtBot) -> None:
    qtbot.keyClicks(view.list, "g")
    assert view.is_searching and view.field.text() == "g" and titles(view) == ["git"]
    view.field.setText("nobody")
    assert titles(view) == [] and view._nothing.isVisible() and view._count.text() == "0 found"
    qtbot.keyClick(view.field, Qt.Key.Key_Escape)
    assert not view.is_searching and len(titles(view)) == 4
    qtbot.keyClick(view.list, "/")
    assert view.is_searching and view.field.text() == "nobody", "Esc clears no text"


def test_enter_in_the_search_opens_the_first(view: RosterView, qtbot: QtBot) -> None:
    view.start_search("codex")
    with qtbot.waitSignal(view.opened) as told:
        qtbot.keyClick(view.field, Qt.Key.Key_Return)
    assert told.args == [SessionKey("codex", "c")]
    qtbot.keyClick(view.field, Qt.Key.Key_Down)
    assert view.list.currentIndex().row() == 0


def test_rows_shown_for_a_second_are_seen(shell: FakeShell, view: RosterView) -> None:
    done = session(shell, "done", State.DONE, unread=True)
    shell.put(done)
    shell.clock.advance(1)
    assert view._seen.isActive() and view._seen.isSingleShot() and view._seen.interval() == 1000
    view._seen.stop()
    view._seen.timeout.emit()
    shell.clock.advance(1)
    found = shell.store.roster.get(done.key)
    assert found is not None and not found.unread
    assert not view._seen.isActive()


def test_a_row_that_came_a_moment_ago_is_not_seen_with_the_others(shell: FakeShell, view: RosterView) -> None:
    first, second = (session(shell, n, State.ERROR, unread=True) for n in ("one", "two"))
    shell.put(first)
    shell.clock.advance(1)
    shell.put(second)
    shell.clock.advance(1)
    view._seen.stop()
    view._seen.timeout.emit()
    unread = {k.session_id for k, s in shell.store.roster.sessions.items() if s.unread}
    assert unread == {"two/1"} and view._seen.isActive()


def test_below_the_edge_is_not_seen(shell: FakeShell, view: RosterView) -> None:
    view.resize(440, 80)
    for i in range(12):
        shell.put(session(shell, f"w{i:02}", State.WORKING))
    shell.put(session(shell, "zz", State.DONE, unread=True))
    shell.clock.advance(1)
    assert not view._seen.isActive()
    view.list.scrollToBottom()
    assert view._seen.isActive()


def active(view: RosterView) -> list[QTimer]:
    return [t for t in view.findChildren(QTimer) if t.isActive()]


def test_a_thousand_rows_cost_what_is_in_sight(
    shell: FakeShell, view: RosterView, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.put(*(session(shell, f"n{n}", State.ERROR, unread=True) for n in range(1000)))
    shell.clock.advance(1)
    QApplication.processEvents()
    asked: list[int] = []
    looked = view.list.visualRect

    def look(index: QModelIndex) -> QRect:
        asked.append(index.row())
        return looked(index)

    monkeypatch.setattr(view.list, "visualRect", look)
    whole = [r.id for r in view.list.rows.rows]
    view.list.verticalScrollBar().setValue(0)
    assert [r.id for r in view.list.visible_rows()] == whole[: len(view.list.visible_rows())]
    asked.clear()
    assert 3 < len(view.list.visible_rows()) < 20
    assert len(asked) < 30
    view.list.verticalScrollBar().setValue(view.list.verticalScrollBar().maximum())
    assert view.list.visible_rows()[-1].id == whole[-1]


def test_no_timer_at_rest_and_none_hidden(shell: FakeShell, view: RosterView) -> None:
    assert active(view) == []
    view.hide()
    assert active(view) == []
    shell.put(session(shell, "new", State.WORKING))
    shell.clock.advance(1)
    assert "new" not in titles(view), "hidden: nothing is worked out"
    view.show()
    assert "new" in titles(view)


def test_a_minute_later_only_changed_rows_are_painted_again(shell: FakeShell, view: RosterView) -> None:
    changed: list[int] = []
    view.model.dataChanged.connect(lambda first, *_: changed.append(first.row()))
    view.refresh()
    assert changed == []
    shell.clock.advance(60)
    view.refresh()
    assert changed == [0, 1, 2]
    assert view.model.rows[2].at == "5 min"


def test_rows_keep_their_places_for_a_moment(shell: FakeShell, view: RosterView) -> None:
    shell.clock.advance(1)
    shell.store.dispatch(ActivityChanged(SessionKey("takoapi", "busy/1"), shell.now(), Activity(1)))
    shell.clock.advance(1)
    assert titles(view) == ["asks", "local", "busy", "1 idle: git"] and view.model.is_holding
    view.model._later.stop()
    view.model._later.timeout.emit()
    assert titles(view) == ["asks", "busy", "local", "1 idle: git"]


def test_only_the_changed_row_turns_its_ring(shell: FakeShell, view: RosterView) -> None:
    for n in range(3):
        shell.clock.advance(1)
        shell.store.dispatch(ActivityChanged(SessionKey("codex", "c"), shell.now(), Activity(n + 1)))
        shell.clock.advance(1)
    steps = {r.title: r.step for r in view.model.rows}
    assert steps["local"] >= 2 and steps["busy"] == 0


def test_sync_only_is_said_with_its_reason(shell: FakeShell, view: RosterView) -> None:
    shell.remove(SessionKey("codex", "c"))
    shell.report(mode="recent-calls")
    shell.clock.advance(1)
    assert view._title.text() == "Recent calls" and view._note.text() == "sync only"
    assert view._note.toolTip()
    assert view.list.accessibleName() == "Recent calls"


def test_screen_readers_hear_each_row_whole(view: RosterView) -> None:
    found = QAccessible.queryAccessibleInterface(view.list)
    names = [found.child(i).text(QAccessible.Text.Name) for i in range(found.childCount())]
    assert names[:3] == [
        "asks, TakoAPI, Waiting for you: input, 6 min",
        "local, Codex, working, Working, now",
        "busy, TakoAPI, working, Working, last word 4 min ago, 4 min",
    ]
    assert found.role() == QAccessible.Role.List


def picture(view: RosterView) -> QImage:
    image = QImage(view.size(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.current().color("surface.panel"))
    view.render(image, QPoint())
    return image


def test_rows_are_as_high_as_the_design_says(view: RosterView, look: Theme) -> None:
    session_row, fold = view.model.rows[0], view.model.rows[3]
    assert row_height(session_row, False) == 44 and row_height(session_row, True) == 36
    assert row_height(fold, False) == 36 and fold.kind is Kind.FOLD
    assert view.list.visualRect(view.model.index(1, 0)).height() == 44
    assert picture(view).pixelColor(60, 60).isValid()


@pytest.mark.parametrize("scale", [1.5, 1.75, 2.0])
def test_large_fonts_are_not_cut_off(view: RosterView, scale: float) -> None:
    theme.watcher().set_scale(scale)
    t = theme.current()
    lines = t.line_height("row.title") + t.line_height("small")
    assert row_height(view.model.rows[0], False) >= lines


def test_hostile_text_is_painted_plain_and_cut(shell: FakeShell, view: RosterView) -> None:
    evil = "<b>bold</b>\u202e\x1b[31m" + "界" * 300
    known = {"followed": True, "activity": Activity(1, (), evil), "task": Task("x")}
    shell.put(session(shell, "x", State.WORKING, label=evil, **known))
    shell.clock.advance(1)
    row = next(r for r in view.model.rows if r.title.startswith("<b>"))
    assert "\u202e" not in row.title + row.line and "\x1b" not in row.title + row.line
    assert is_cut(row, 440, compact=False)
    assert not is_cut(view.model.rows[0], 440, compact=False)
    picture(view)


def test_what_is_cut_stands_in_the_tooltip_as_plain_text(
    shell: FakeShell, view: RosterView, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.put(session(shell, "x", State.WORKING, label="<i>" + "long " * 40))
    shell.clock.advance(1)
    at = next(i for i, r in enumerate(view.model.rows) if r.title.startswith("<i>"))
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _pos, text, *_: shown.append(text))
    option = QStyleOptionViewItem()
    for row in (at, 0):
        index = view.model.index(row, 0)
        option.rect = view.list.visualRect(index)
        event = QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5))
        assert view.list.itemDelegate().helpEvent(event, view.list, option, index)
    assert "&lt;i&gt;" in shown[0] and shown[1] == ""


def test_compact_rows(shell: FakeShell, view: RosterView) -> None:
    shell.prefer(compact_rows=True)
    QApplication.sendPostedEvents()
    assert view.list.visualRect(view.model.index(0, 0)).height() == 36
    picture(view)


def test_right_to_left_mirrors_the_row(view: RosterView, dark: Theme) -> None:
    left = picture(view)
    view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert picture(view) != left


def test_times_stand_in_tabular_figures(light: Theme) -> None:
    metrics = QFontMetrics(QFont(light.font("caption")))
    assert metrics.horizontalAdvance("11 min") == metrics.horizontalAdvance("48 min")
