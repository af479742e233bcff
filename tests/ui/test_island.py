"""The island on a still clock: what opens and closes it, what does not, and that it costs nothing at rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from lisa_island.core import panel as machine
from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Health,
    Origin,
    RequestKind,
    SessionKey,
    State,
)
from lisa_island.core.events import ActivityChanged
from lisa_island.core.panel import Mode, Timer
from lisa_island.ui import theme
from lisa_island.ui.island import Island
from lisa_island.ui.window_mode import WindowMode
from tests.fakes.shell import FakeShell

KEY = SessionKey("takoapi", "acme/1")


class Command(QLineEdit):
    """Stands for the command bar."""

    def __init__(self, _: object) -> None:
        super().__init__()

    @property
    def has_draft(self) -> bool:
        return bool(self.text())

    def focus_text(self, prefill: str = "") -> None:
        self.setText(prefill + self.text())
        self.setFocus()


def session(state: State = State.WORKING, **values: Any) -> AgentSession:
    values.setdefault("key", KEY)
    return AgentSession(project="acme", state=state, **values)


def asking(request: str = "r1") -> AgentSession:
    return session(State.WAITING, requests=(Blocked(RequestKind.INPUT, request, 1),), last_activity=2)


Make = Callable[..., Island]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    made: list[Island] = []

    def build(shell: FakeShell | None = None, **values: Any) -> Island:
        theme.watcher().set_reduced_motion(True)
        values.setdefault("command_factory", Command)
        island = Island(shell or FakeShell(), **values)
        made.append(island)
        island.start()
        return island

    yield build
    for island in made:
        island.close()


def pointer(window: QWidget, inside: bool) -> None:
    at = QPointF(3, 3)
    QApplication.sendEvent(window, QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave))


def due(island: Island, timer: Timer) -> None:
    """The time has come."""
    running = island._timers[timer]
    assert running.isActive()
    running.stop()
    running.timeout.emit()


def open_by_hover(island: Island) -> None:
    pointer(island.pill, True)
    due(island, Timer.HOVER)


def test_starts_with_the_pill_alone(make: Make) -> None:
    island = make()
    assert island.pill.isVisible() and not island.panel.isVisible()
    area = QGuiApplication.primaryScreen().availableGeometry()
    assert island.pill.y() == area.y() + 8
    assert abs(island.pill.geometry().center().x() - area.center().x()) <= 1


def test_hover_opens_without_the_focus_and_leaving_closes(make: Make) -> None:
    island = make()
    pointer(island.pill, True)
    assert island._timers[Timer.HOVER].interval() == 300 and not island.panel.isVisible()
    due(island, Timer.HOVER)
    assert island.panel.isVisible()
    assert island.panel.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert island.panel.y() == island.pill.geometry().bottom() + 1 + 8
    pointer(island.pill, False)
    pointer(island.panel, True)
    assert not island._timers[Timer.LEAVE].isActive()
    pointer(island.panel, False)
    assert island._timers[Timer.LEAVE].interval() == 400
    due(island, Timer.LEAVE)
    assert not island.panel.isVisible() and island.pill.isVisible()


def test_hover_can_be_switched_off(make: Make) -> None:
    island = make(FakeShell(open_on_hover=False))
    pointer(island.pill, True)
    assert not island._timers[Timer.HOVER].isActive()


def test_click_toggles_and_takes_the_focus(make: Make, qtbot: QtBot) -> None:
    island = make()
    qtbot.mouseClick(island.pill, Qt.MouseButton.LeftButton)
    assert island.state.mode is Mode.OPENED and island.panel.isVisible()
    assert not island.panel.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    qtbot.mouseClick(island.pill, Qt.MouseButton.LeftButton)
    assert not island.panel.isVisible()


def test_escape_turns_back_and_then_closes(make: Make, qtbot: QtBot) -> None:
    island = make()
    island.add_page("detail", QLabel("detail"))
    island.toggle()
    island.panel.show_page("detail")
    qtbot.keyClick(island.panel, Qt.Key.Key_Escape)
    assert island.panel.page_name == "main" and island.panel.isVisible()
    qtbot.keyClick(island.panel, Qt.Key.Key_Escape)
    assert not island.panel.isVisible()


def test_losing_the_activation_closes(make: Make, qtbot: QtBot) -> None:
    island = make()
    island.toggle()
    qtbot.waitUntil(island.panel.isActiveWindow)
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not island.panel.isVisible())


def test_a_dialog_of_the_panel_is_no_loss(make: Make, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QDialog

    island = make()
    island.toggle()
    dialog = QDialog(island.panel)
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert island.panel.isVisible()
    dialog.close()


def test_a_draft_keeps_a_hovered_panel_and_survives_closing(make: Make) -> None:
    island = make()
    open_by_hover(island)
    command = island.panel.main.command
    assert isinstance(command, Command)
    command.setText("@acme half a thought")
    pointer(island.pill, False)
    assert not island._timers[Timer.LEAVE].isActive() and island.panel.isVisible()
    island.toggle()
    island.toggle()
    assert not island.panel.isVisible()
    island.toggle()
    assert command.text() == "@acme half a thought"
    command.clear()


def test_an_open_menu_keeps_it(make: Make, qtbot: QtBot) -> None:
    island = make()
    open_by_hover(island)
    island.panel.header.bell.click()
    menu = island.panel.header.findChild(QMenu)
    assert menu is not None
    pointer(island.pill, False)
    assert not island._timers[Timer.LEAVE].isActive()
    menu.close()
    assert island._timers[Timer.LEAVE].isActive()


def test_pinned_stays(make: Make) -> None:
    island = make()
    open_by_hover(island)
    island.panel.header.pin.setChecked(True)
    assert island.state.mode is Mode.PINNED
    pointer(island.pill, False)
    assert not island._timers[Timer.LEAVE].isActive()
    island.panel.header.pin.setChecked(False)
    assert island.state.mode is Mode.OPENED
    island.toggle()
    assert not island.panel.header.pin.isChecked()


def test_no_event_of_the_roster_opens_or_raises_anything(make: Make) -> None:
    shell = FakeShell()
    island = make(shell)
    seen: list[QEvent.Type] = []

    class Watch(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            if event.type() in (QEvent.Type.Show, QEvent.Type.WindowActivate, QEvent.Type.ZOrderChange):
                seen.append(event.type())
            return False

    watch = Watch()
    for window in (island.pill, island.panel):
        window.installEventFilter(watch)
    for one in (session(), asking(), session(State.ERROR, unread=True), session(State.DONE, unread=True)):
        shell.put(one)
        shell.clock.advance(1)
    shell.report(health=Health.OFFLINE)
    assert seen == [] and island.state.mode is Mode.PEEK
    assert island.pill.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert island.pill.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus
    island._flash_over.stop()


def test_the_machine_knows_no_roster_event() -> None:
    """Whatever can open the panel is in this list; none of it comes from an agent."""
    assert {m.value for m in machine.Act} == {
        "pointer-on-pill", "pointer-on-panel", "pointer-out", "pill-clicked", "panel-clicked",
        "toggled", "open-asked", "close-asked", "escaped", "focus-lost", "drag-began", "drag-ended",
        "pinned", "unpinned",
    }  # fmt: skip


def active_timers() -> list[QTimer]:
    app = QApplication.instance()
    assert app is not None
    roots: list[QObject] = [app, *QApplication.topLevelWidgets()]
    return [t for root in roots for t in root.findChildren(QTimer) if t.isActive()]


def test_idle_costs_nothing(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    shell.put(session(last_activity=1), session(State.IDLE, key=SessionKey("git", "g"), origin=Origin.LOCAL))
    shell.clock.advance(1)
    island = make(shell)
    qtbot.waitExposed(island.pill)
    island.toggle()
    island.toggle()
    settle(qtbot)
    painted: list[object] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() in (QEvent.Type.Paint, QEvent.Type.UpdateRequest):
                painted.append(watched)
            return False

    app = QApplication.instance()
    assert app is not None
    watch = Watch()
    app.installEventFilter(watch)
    shell.clock.advance(600)
    settle(qtbot)
    app.removeEventFilter(watch)
    assert painted == []
    assert active_timers() == [] and [t for t in island.findChildren(QTimer) if t.isActive()] == []


def settle(qtbot: QtBot) -> None:
    """The loop turns for a moment: whatever is posted or due runs now."""
    over = QTimer()
    over.setSingleShot(True)
    with qtbot.waitSignal(over.timeout, timeout=5000):
        over.start(150)


def test_a_change_paints_only_the_pill(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    shell.put(session(last_activity=1))
    island = make(shell)
    with qtbot.waitExposed(island.pill):
        pass
    shell.clock.advance(1)
    before = island.pill.view
    shell.put(asking())
    assert island.pill.view != before and island.pill.view.text == "1 needs you"
    roster = island.panel.main.roster
    assert not roster.isVisible() and not any(row.needs for row in roster.model.rows)


def test_a_new_need_glows_until_it_was_visited(make: Make) -> None:
    shell = FakeShell()
    island = make(shell)
    shell.put(asking())
    assert island.pill.is_glowing and island.pill._pulse is None, "reduced motion: a still outline"
    pointer(island.pill, True)
    assert not island.pill.is_glowing
    pointer(island.pill, False)
    shell.clock.advance(1)
    shell.remove(KEY)
    assert not island.pill.is_glowing


def test_a_pulse_ends_by_itself_and_leaves_no_timer(make: Make) -> None:
    shell = FakeShell()
    island = make(shell)
    theme.watcher().set_reduced_motion(False)
    shell.put(asking())
    timer = island.pill._pulse
    assert timer is not None and timer.interval() >= 83, "at most 12 frames a second"
    for _ in range(40):
        if island.pill._pulse is not None:
            island.pill._pulse.timeout.emit()
    assert island.pill._pulse is None and not island.pill.is_glowing


def test_a_finish_flashes_for_four_seconds(make: Make) -> None:
    shell = FakeShell()
    shell.put(session(last_activity=1))
    island = make(shell)
    shell.clock.advance(1)
    from lisa_island.core.events import StateChanged
    from lisa_island.core.evidence import Fact

    shell.store.dispatch(StateChanged(KEY, 5, State.DONE, "completed", Fact("r", "s", at=5), unread=True))
    assert island.pill.view.text == "acme finished"
    assert island._flash_over.isSingleShot() and island._flash_over.interval() == 4000
    island._flash_over.stop()
    island._flash_over.timeout.emit()
    assert island.pill.view.text == "All quiet"


def test_the_ring_turns_with_words_of_an_agent(make: Make) -> None:
    shell = FakeShell()
    shell.put(session(last_activity=shell.now()))
    island = make(shell)
    shell.clock.advance(1)
    steps = []
    for n in range(4):
        shell.store.dispatch(ActivityChanged(KEY, shell.now(), Activity(n + 1)))
        shell.clock.advance(0.5)
        steps.append(island.pill._step)
    assert steps[-1] > steps[0]
    assert steps == sorted(steps)


def test_pill_and_bell_say_why_it_is_quiet(make: Make) -> None:
    shell = FakeShell()
    shell.prefer(muted_until=shell.now() + 60_000)
    island = make(shell)
    bell = island.panel.header.bell
    assert island.pill.view.muted and bell.accessibleName().startswith("Notifications muted until")
    shell.prefer(quiet_hours=True)
    shell.clock.advance(61)
    shell.set_quiet(minute=23 * 60)
    assert island.pill.view.muted and bell.accessibleName() == "Quiet hours until 08:00"
    shell.set_quiet(minute=8 * 60)
    assert not island.pill.view.muted and bell.accessibleName() == "Mute notifications"


@pytest.mark.parametrize("quiet", [{"minute": 23 * 60}, {"desktop": True}], ids=["hours", "desktop"])
def test_quiet_keeps_the_pill_still_and_its_words_true(make: Make, quiet: dict, monkeypatch) -> None:
    shell = FakeShell(quiet_hours=True)
    island = make(shell)
    pulses: list[bool] = []
    monkeypatch.setattr(island.pill, "pulse", lambda: pulses.append(True))
    shell.set_quiet(**quiet)
    shell.put(asking("r1"))
    assert island.pill.view.text == "1 needs you" and pulses == []
    shell.set_quiet(minute=12 * 60, desktop=False)
    assert pulses == [], "what came in quiet does not pulse later"
    shell.put(asking("r2"))
    assert pulses == [True]


def test_presenting_hides_and_shows_again(make: Make) -> None:
    shell = FakeShell()
    island = make(shell)
    shell.prefer(presenting=True)
    assert not island.pill.isVisible()
    shell.put(asking())
    assert not island.pill.isVisible() and not island.panel.isVisible()
    shell.prefer(presenting=False)
    assert island.pill.isVisible() and island.pill.view.text == "1 needs you"


def test_hide_and_show_as_commands(make: Make) -> None:
    island = make()
    island.hide()
    assert not island.pill.isVisible()
    island.show()
    assert island.pill.isVisible() and island.panel.isVisible()


def drag(qtbot: QtBot, island: Island, by: QPoint) -> None:
    start = QPoint(20, 18)
    qtbot.mousePress(island.pill, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(island.pill, start + by)
    qtbot.mouseRelease(island.pill, Qt.MouseButton.LeftButton, pos=start + by)


def test_a_drag_moves_and_is_saved_for_this_display(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    island = make(shell)
    before = island.pill.pos()
    drag(qtbot, island, QPoint(100, 60))
    assert island.pill.pos() == before + QPoint(100, 60)
    ((name, _, y),) = shell.preferences.positions
    assert name == QGuiApplication.primaryScreen().name() and y == 68
    assert not island.panel.isVisible(), "a drag is no click"
    again = make(FakeShell(positions=shell.preferences.positions))
    assert again.pill.pos() == island.pill.pos()


def test_three_pixels_are_a_click(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    island = make(shell)
    drag(qtbot, island, QPoint(3, 3))
    assert island.panel.isVisible() and shell.preferences.positions == ()


def test_the_keyboard_moves_it_too(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    island = make(shell)
    island.toggle()
    twin, before = island.panel.header.twin, island.pill.pos()
    qtbot.keyClick(twin, Qt.Key.Key_Right)
    qtbot.keyClick(twin, Qt.Key.Key_Down)
    assert island.pill.pos() == before + QPoint(8, 8)
    qtbot.keyClick(twin, Qt.Key.Key_Home)
    assert island.pill.pos() == before and shell.preferences.positions == ()
    qtbot.keyClick(island.pill, Qt.Key.Key_Left)
    assert island.pill.pos() == before + QPoint(-8, 0)


def test_a_place_that_is_saved_late_does_not_jump_back(make: Make, qtbot: QtBot) -> None:
    class Slow(FakeShell):
        def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
            self.later = changes

    shell = Slow()
    island = make(shell)
    before = island.pill.pos()
    drag(qtbot, island, QPoint(100, 60))
    assert island.pill.pos() == before + QPoint(100, 60)
    FakeShell.prefer(shell, **shell.later)
    assert island.pill.pos() == before + QPoint(100, 60)


def test_opening_a_session_request_page_and_command(make: Make) -> None:
    island = make()
    told: list[object] = []
    island.session_opened.connect(told.append)
    island.request_opened.connect(told.append)
    island.open_session(KEY)
    island.open_request("r1")
    assert told == [KEY, "r1"] and island.state.mode is Mode.OPENED
    island.add_page("detail", QLabel("detail"))
    island.open_page("detail")
    assert island.panel.page_name == "detail"
    island.open_command("@acme ")
    assert island.panel.page_name == "main"
    command = island.panel.main.command
    assert isinstance(command, Command) and command.text() == "@acme "


def test_right_click_opens_the_given_menu(make: Make) -> None:
    menu = QMenu()
    menu.addAction("Quit")
    island = make(menu_factory=lambda: menu)
    island.pill.menu_asked.emit(QPoint(5, 5))
    assert menu.isVisible()
    menu.close()
    menu.deleteLater()


def test_language_and_theme_change_in_place(make: Make) -> None:
    shell = FakeShell()
    shell.put(session(last_activity=1))
    island = make(shell)
    island.toggle()
    shell.prefer(language="zh-CN")
    assert island.panel.header.settings.accessibleName() == "设置"
    assert island.pill.view.name.startswith("LISA Island，")
    assert island.panel.main.roster.list.accessibleName() == "会话"


def test_every_control_has_a_name(make: Make) -> None:
    island = make()
    island.toggle()
    header = island.panel.header
    for control in (header.twin, header.pin, header.bell, header.settings, island.pill):
        assert control.accessibleName()


def test_plain_wayland_has_no_pill_and_an_ordinary_window(make: Make) -> None:
    island = make(mode=WindowMode.WAYLAND)
    assert not island.pill.isVisible()
    island.toggle()
    assert island.panel.isVisible()
    assert not island.panel.windowFlags() & Qt.WindowType.FramelessWindowHint
    island.panel.close()
    assert not island.panel.isVisible() and island.state.mode is Mode.PEEK


def test_an_ordinary_window_stays_when_another_gets_the_focus(make: Make) -> None:
    island = make(mode=WindowMode.WAYLAND)
    island.toggle()
    island.panel.deactivated.emit()
    assert island.panel.isVisible() and island.panel.header.pin.isHidden()


def test_a_menu_that_is_open_at_the_end_goes_before_the_windows_that_it_tells(make: Make) -> None:
    menu = QMenu()
    menu.addAction("Quit")
    island = make(menu_factory=lambda: menu)
    island.pill.menu_asked.emit(QPoint(5, 5))
    told = []
    menu.aboutToHide.connect(lambda: told.append(shiboken6.isValid(island.panel.header)))
    island.close()
    assert told == [True]
    assert not menu.isVisible()


def test_the_right_click_on_the_header_has_the_pills_menu(make: Make) -> None:
    menu = QMenu()
    menu.addAction("Quit")
    island = make(menu_factory=lambda: menu)
    island.toggle()
    click = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(4, 4), QPoint(9, 9))
    QApplication.sendEvent(island.panel.header.twin, click)
    assert menu.isVisible()
    menu.close()
    menu.deleteLater()


@pytest.mark.qt_log_ignore("does not support (setting window masks|raise|propagateSizeHints)", extend=True)
def test_losing_the_compositor_keeps_page_and_place(make: Make) -> None:
    island = make(mode=WindowMode.X11)
    island.add_page("detail", QLabel("detail"))
    island.toggle()
    island.panel.show_page("detail")
    QApplication.sendPostedEvents()
    place = island.panel.geometry()
    island._fixed_mode = WindowMode.X11_PLAIN
    island._mode_changed()
    assert island.panel.page_name == "detail" and island.panel.isVisible()
    assert island.panel.geometry() == place
    assert not island.pill.mask().isEmpty() and not island.panel.mask().isEmpty()
    assert not island.panel.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    island._fixed_mode = WindowMode.X11
    island._mode_changed()
    assert island.pill.mask().isEmpty() and island.panel.mask().isEmpty()


def test_a_display_that_changes_after_the_end_moves_nothing(qtbot: QtBot) -> None:
    island = Island(FakeShell(), command_factory=Command)
    island.start()
    island.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app = QGuiApplication.instance()
    assert isinstance(app, QGuiApplication)
    # A slot that touched a window that is gone would fail this test.
    app.primaryScreenChanged.emit(app.primaryScreen())
