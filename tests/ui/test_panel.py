"""The panel's window, pages and main page: sizes, what stands where, and what the keyboard reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import AgentSession, Blocked, Health, KeyState, RequestKind, SessionKey, State
from lisa_island.core.pill import pill_view
from lisa_island.core.summary import summarize
from lisa_island.core.times import MINUTE
from lisa_island.ui import theme
from lisa_island.ui.panel import Panel
from lisa_island.ui.roster_delegate import RosterDelegate
from lisa_island.ui.theme import Theme
from lisa_island.ui.window_mode import WindowMode
from tests.fakes.shell import FakeShell


class Requests(QPushButton):
    """Stands for the cards."""

    opened = Signal(str)

    def __init__(self, height: int = 130) -> None:
        super().__init__("cards")
        self.room = 400
        self.refreshed = 0
        self._height = height

    def sizeHint(self) -> QSize:
        return QSize(440, min(self._height, self.room))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focus_first(self) -> None:
        self.setFocus()

    def refresh(self) -> None:
        self.refreshed += 1


class Page(QWidget):
    """A page of somebody else."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._height = height
        self.field = QLineEdit(self)

    def sizeHint(self) -> QSize:
        return QSize(440, self._height)


Make = Callable[..., Panel]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    made: list[Panel] = []

    def build(shell: FakeShell | None = None, *, rows: int = 1, **values: Any) -> Panel:
        theme.watcher().set_reduced_motion(True)
        shell = shell or FakeShell()
        shell.report(health=Health.OK)
        for i in range(rows):
            key = SessionKey("takoapi", f"w{i:02}/1")
            shell.put(AgentSession(key, f"w{i:02}", State.WORKING, last_activity=shell.now()))
        shell.clock.advance(1)
        values.setdefault("command", QLineEdit())
        panel = Panel(shell, **values)
        made.append(panel)
        return panel

    yield build
    for panel in made:
        panel.hide()
        panel.deleteLater()


def show(panel: Panel) -> None:
    panel.prepare()
    panel.resize(440, panel.content_height())
    panel.appear(activate=True)
    QApplication.sendPostedEvents()


def test_height_follows_the_content(make: Make) -> None:
    one, three = make(rows=1), make(rows=3)
    for panel in (one, three):
        panel.prepare()
    assert three.content_height() - one.content_height() == 2 * 44
    show(three)
    wanted = three.content_height()
    assert three.height() == wanted and three.main.roster.list.verticalScrollBar().maximum() == 0


def test_a_height_that_changes_is_told(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    panel = make(shell)
    show(panel)
    key = SessionKey("takoapi", "new/1")
    with qtbot.waitSignal(panel.resized):
        shell.put(AgentSession(key, "new", State.WORKING, last_activity=shell.now()))


def test_header_repeats_the_pill(make: Make, look: Theme) -> None:
    shell = FakeShell()
    panel = make(shell)
    show(panel)
    view = pill_view(summarize(shell.store.roster), shell.preferences, "en")
    panel.set_view(view)
    assert panel.header.twin.view.text == "1 working"
    assert panel.header.height() == 48
    assert panel.header.twin.accessibleName() == view.name
    names = [b.accessibleName() for b in (panel.header.pin, panel.header.bell, panel.header.settings)]
    assert names == ["Keep open", "Mute notifications", "Settings"]


def test_a_shrunk_pill_has_its_words_in_the_header(make: Make) -> None:
    shell = FakeShell(shrink_when_quiet=True)
    panel = make(shell, rows=0)
    panel.set_view(pill_view(summarize(shell.store.roster), shell.preferences, "en"))
    assert panel.header.twin.view.text == "All quiet" and not panel.header.twin.view.shrunk


def test_pages_turn_and_come_back(make: Make) -> None:
    panel = make()
    panel.add_page("detail", Page(300))
    panel.add_page("answer", Page(500))
    show(panel)
    panel.show_page("detail")
    assert panel.page_name == "detail" and panel.content_height() == 302
    panel.show_page("answer")
    assert panel.content_height() == 502
    assert panel.back() and panel.page_name == "detail"
    assert panel.back() and panel.page_name == "main"
    assert not panel.back()
    with pytest.raises(KeyError):
        panel.show_page("nowhere")


def test_a_page_that_is_open_below_is_gone_back_to(make: Make) -> None:
    panel = make()
    panel.add_page("detail", Page(300))
    panel.show_page("detail")
    panel.show_page("main")
    assert not panel.back()


def test_a_page_slides_in_inside_the_final_window_and_its_motion_ends(make: Make, qtbot: QtBot) -> None:
    panel = make()
    panel.add_page("detail", Page(300))
    show(panel)
    theme.watcher().set_reduced_motion(False)
    sizes: list[int] = []
    panel.resized.connect(lambda: sizes.append(panel.content_height()))
    panel.show_page("detail")
    veil = panel.pages._veil
    assert veil is not None and veil.animation.duration() == 140
    assert sizes and sizes[0] == 302, "the size is asked for before anything moves"
    qtbot.waitUntil(lambda: panel.pages._veil is None)
    panel.vanish()
    leaving = panel.pages._veil
    assert leaving is not None and leaving.animation.duration() == 100 and panel.isVisible()
    qtbot.waitUntil(lambda: not panel.isVisible())


def test_a_motion_shows_what_is_true_by_now(make: Make) -> None:
    shell = FakeShell()
    panel = make(shell)
    show(panel)
    theme.watcher().set_reduced_motion(False)
    panel.prepare()
    panel.appear(activate=False)
    veil = panel.pages._veil
    assert veil is not None
    before = veil._picture.toImage()
    veil._moved(0.3)
    assert veil._picture.toImage() == before, "nothing new: nothing is drawn twice"
    shell.put(AgentSession(SessionKey("takoapi", "x/1"), "x", State.ERROR, unread=True))
    shell.clock.advance(1)
    panel.set_view(pill_view(summarize(shell.store.roster), shell.preferences, "en"))
    veil._moved(0.6)
    after = veil._picture.toImage()
    assert after != before
    panel.pages.end_veil()
    assert after == panel.pages.page("main").grab().toImage()


def test_below_a_motion_the_page_is_painted_once(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[object] = []
    paint = RosterDelegate.paint
    monkeypatch.setattr(RosterDelegate, "paint", lambda *a: (painted.append(a[0]), paint(*a)))
    panel = make()
    theme.watcher().set_reduced_motion(False)
    panel.prepare()
    panel.resize(440, panel.content_height())
    panel.appear(activate=False)
    assert panel.pages._veil is not None and len(painted) == 1, "for the picture"
    qtbot.waitUntil(lambda: panel.pages._veil is None)
    QApplication.processEvents()
    assert len(painted) == 2, "and when it is uncovered"
    panel.vanish()
    panel.prepare()
    assert panel.pages.page("main").updatesEnabled()


def test_another_language_leaves_the_keyboard_where_work_waits(make: Make) -> None:
    panel = make()
    show(panel)
    assert panel.focusWidget() is panel.main.command
    fresh = QLineEdit()
    panel.renew(None, fresh, None)
    assert panel.focusWidget() is fresh
    panel.header.settings.setFocus()
    panel.renew(None, QLineEdit(), None)
    assert panel.focusWidget() is panel.header.settings


def test_opening_again_takes_the_leaving_back(make: Make, qtbot: QtBot) -> None:
    panel = make()
    show(panel)
    theme.watcher().set_reduced_motion(False)
    panel.vanish()
    panel.prepare()
    panel.appear(activate=False)
    qtbot.waitUntil(lambda: panel.pages._veil is None)
    assert panel.isVisible()


def test_a_resize_while_leaving_still_hides(make: Make) -> None:
    panel = make()
    show(panel)
    theme.watcher().set_reduced_motion(False)
    panel.vanish()
    panel.resize(440, panel.height() + 10)
    assert not panel.isVisible() and panel.pages._veil is None


def test_reduced_motion_has_none(make: Make) -> None:
    panel = make()
    panel.add_page("detail", Page(300))
    show(panel)
    panel.show_page("detail")
    assert panel.pages._veil is None
    panel.vanish()
    assert not panel.isVisible()


@pytest.mark.parametrize(
    ("reported", "title", "asked"),
    [
        ({"enabled": True, "key_state": KeyState.READY}, "Nothing is running", []),
        ({"enabled": False, "key_state": KeyState.NONE}, "No agents yet", ["remote"]),
        ({"enabled": True, "key_state": KeyState.NONE}, "Remote agents need a key", ["remote"]),
    ],
)
def test_nothing_to_show_says_what_to_do(
    make: Make, reported: dict[str, Any], title: str, asked: list[str]
) -> None:
    shell = FakeShell()
    panel = make(shell, rows=0)
    shell.report(**reported)
    show(panel)
    nothing = panel.main.nothing
    assert nothing.isVisible() and not panel.main.roster.isVisible()
    assert nothing.title() == title
    told: list[str] = []
    panel.settings_asked.connect(told.append)
    nothing.button.click()
    assert told == asked
    assert asked or panel.focusWidget() is panel.main.command


def test_rows_take_the_place_of_the_empty_state(make: Make) -> None:
    shell = FakeShell()
    panel = make(shell, rows=0)
    show(panel)
    shell.put(AgentSession(SessionKey("takoapi", "a/1"), "a", State.WORKING, last_activity=shell.now()))
    panel.main.refresh(shell.store.roster)
    assert panel.main.roster.isVisible() and not panel.main.nothing.isVisible()


def test_one_coarse_timer_for_every_time_on_the_page(make: Make) -> None:
    shell, requests = FakeShell(), Requests()
    panel = make(shell, requests=requests)
    assert ticking(panel) == []
    show(panel)
    minute = panel.main.minute
    assert ticking(panel) == [minute] and minute.timerType() is Qt.TimerType.CoarseTimer
    assert minute.interval() == MINUTE - shell.now() % MINUTE
    shell.clock.advance(180)
    minute.timeout.emit()
    assert panel.main.roster.model.rows[0].at == "3 min" and requests.refreshed == 1
    assert minute.isActive()
    panel.hide()
    assert ticking(panel) == []


def ticking(panel: Panel) -> list[QTimer]:
    return [t for t in panel.findChildren(QTimer) if t.isActive()]


def test_the_header_keeps_its_height_where_room_is_short(make: Make) -> None:
    panel = make(rows=12)
    show(panel)
    panel.resize(440, 200)
    assert panel.header.height() == 48


def test_cards_take_at_most_half(make: Make) -> None:
    requests = Requests(height=900)
    panel = make(rows=10, requests=requests)
    panel.main.set_room(600)
    assert requests.room == 300 and requests.sizeHint().height() == 300


def test_focus_goes_to_the_first_card_or_the_command_bar(make: Make) -> None:
    shell = FakeShell()
    requests = Requests()
    panel = make(shell, requests=requests)
    show(panel)
    assert panel.focusWidget() is panel.main.command
    asks = (Blocked(RequestKind.INPUT, "r1", 1),)
    key = SessionKey("takoapi", "asks/1")
    shell.put(AgentSession(key, "asks", State.WAITING, requests=asks, last_activity=shell.now()))
    panel.main.focus_first()
    assert panel.focusWidget() is requests


def test_tab_goes_cards_search_list_command_icons(make: Make, qtbot: QtBot) -> None:
    requests = Requests()
    panel = make(requests=requests)
    show(panel)
    requests.setFocus()
    seen: list[object] = [requests]
    for _ in range(7):
        qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        seen.append(panel.focusWidget())
    roster, header = panel.main.roster, panel.header
    assert seen == [
        requests,
        roster._search_button,
        roster.list,
        panel.main.command,
        header.twin,
        header.pin,
        header.bell,
        header.settings,
    ]


def test_keys(make: Make, qtbot: QtBot) -> None:
    panel = make()
    show(panel)
    panel.main.roster.list.setFocus()
    qtbot.keyClick(panel, Qt.Key.Key_Slash)
    assert panel.main.roster.is_searching
    qtbot.waitUntil(panel.isActiveWindow)
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert panel.focusWidget() is panel.main.command
    told: list[object] = []
    panel.escaped.connect(lambda: told.append(1))
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Escape)
    assert told == [1]


def test_signals_of_the_parts_come_out(make: Make) -> None:
    requests = Requests()
    panel = make(requests=requests)
    told: list[object] = []
    panel.request_opened.connect(told.append)
    panel.session_opened.connect(told.append)
    requests.opened.emit("r1")
    key = SessionKey("takoapi", "w00/1")
    panel.main.roster.opened.emit(key)
    assert told == ["r1", key]


def test_closing_the_window_only_hides_it(make: Make) -> None:
    panel = make()
    show(panel)
    told: list[object] = []
    panel.closed.connect(lambda: told.append(1))
    panel.close()
    assert told == [1]


def test_windows_are_exactly_as_large_as_what_they_paint(make: Make, look: Theme) -> None:
    panel = make()
    show(panel)
    image = QImage(panel.size(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    panel.render(image, QPoint())
    assert image.pixelColor(0, 0).alpha() == 0
    edge = image.pixelColor(220, 0)
    assert edge == look.color("line.control")
    assert image.pixelColor(220, panel.height() - 1) == edge


@pytest.mark.qt_log_ignore("does not support (setting window masks|raise|propagateSizeHints)", extend=True)
def test_without_a_compositor_the_window_is_cut(make: Make, light: Theme) -> None:
    panel = make(mode=WindowMode.X11_PLAIN)
    show(panel)
    assert panel.mask().boundingRect() == panel.rect() and not panel.mask().contains(QPoint(1, 1))
    panel.resize(440, panel.height() + 30)
    assert panel.mask().boundingRect() == panel.rect()


def test_a_row_of_another_layout_does_not_widen_it(make: Make) -> None:
    holder = QWidget()
    QVBoxLayout(holder).addWidget(QPushButton("x" * 300))
    panel = make(banners=holder)
    panel.prepare()
    assert panel.sizeHint().width() == 440
