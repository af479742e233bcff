"""The pill's window: sizes, what is dropped when room is short, hands, and its look in every state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QAccessible, QCursor, QEnterEvent, QFocusEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lisa_island.core.pill import PillView
from lisa_island.ui import pill_line, theme
from lisa_island.ui.pill import Pill
from lisa_island.ui.theme import Theme
from lisa_island.ui.window_mode import WindowMode

NEEDS = PillView(
    "waiting", "3 need you", "3", (("error", "1"), ("working", "4")), name="LISA Island, 3 need you"
)
QUIET = PillView("", "All quiet", tone="quiet", name="LISA Island, All quiet")
STATES = {
    "quiet": QUIET,
    "shrunk": replace(QUIET, shrunk=True),
    "starting": PillView("", "Starting…", tone="faint"),
    "needs": NEEDS,
    "urgent": PillView("waiting", "Urgent: Codex asks", "Urgent: Codex asks", tone="urgent"),
    "failed": PillView("error", "1 failed", "1", (("working", "3"),)),
    "finished": PillView("done", "aider finished", "aider finished"),
    "one": PillView("working", "tray-icons", "tray-icons", badge=("codex", "")),
    "remote": PillView("working", "acme", "acme", badge=("remote", "acme")),
    "sent": PillView("queued", "Sent to acme-research", "Sent to acme-research"),
    "not reporting": PillView("unknown", "2 not reporting", "2"),
    "offline": PillView("offline", "Remote offline", "Remote offline", (("working", "3"),)),
    "your turn": PillView("your-turn", "1 your turn", "1"),
    "muted": replace(NEEDS, muted=True),
    "chinese": PillView("waiting", "3 项待处理", "3", (("working", "4"),)),
}


@pytest.fixture
def pill(qtbot: QtBot) -> Iterator[Pill]:
    made = Pill()
    yield made
    made.deleteLater()


def image(pill: Pill) -> QImage:
    picture = QImage(pill.size(), QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    pill.render(picture, QPoint())
    return picture


def hover(pill: Pill, inside: bool) -> None:
    pill.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, inside)
    at = QPointF(3, 3)
    QApplication.sendEvent(pill, QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave))


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_size_and_is_painted(pill: Pill, look: Theme, state: str) -> None:
    pill.set_view(STATES[state])
    assert pill.height() == 36
    assert pill.width() == 40 if state == "shrunk" else 108 <= pill.width() <= 320
    drawn = image(pill)
    middle = {drawn.pixelColor(x, 18).rgba() for x in range(4, pill.width() - 4)}
    assert len(middle) > 2, "a surface, a glyph and words"
    # Exactly as large as what it paints: the corners are free, the edge reaches the border.
    assert drawn.pixelColor(0, 0).alpha() == 0
    assert drawn.pixelColor(pill.width() // 2, 0).alpha() == 255


def test_pictures_of_all_states_differ(pill: Pill, dark: Theme) -> None:
    seen = set()
    for view in STATES.values():
        pill.set_view(view)
        drawn = image(pill)  # Held: its bits do not keep it alive.
        seen.add(bytes(drawn.constBits()))
    assert len(seen) == len(STATES)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_it_grows_with_the_font(pill: Pill, scale: float) -> None:
    theme.watcher().set_scale(scale)
    pill.set_view(NEEDS)
    t = theme.current()
    assert pill.height() >= t.line_height("body.600")
    assert pill.width() <= 320 * scale


def test_short_of_room_the_last_count_goes_first_then_the_text(light: Theme) -> None:
    full = pill_line.layout(NEEDS, light, 1000)
    assert (full.text, len(full.counts)) == ("3 need you", 2)
    one_less = pill_line.layout(NEEDS, light, full.width - 1)
    assert (one_less.text, one_less.counts) == ("3 need you", (("error", "1"),))
    bare = pill_line.layout(NEEDS, light, one_less.width - 1)
    assert (bare.text, bare.counts) == ("3 need you", ())
    number = pill_line.layout(replace(NEEDS, counts=()), light, bare.width - 1)
    assert number.text == "3"


def test_a_long_name_is_cut_and_fits(pill: Pill) -> None:
    pill.set_view(PillView("done", "W" * 80 + " finished", "W" * 80 + " finished"))
    assert pill.width() <= 320


@pytest.mark.parametrize("words", ["", "+40 %: words that are longer"])
def test_layout_never_asks_for_more_than_the_room(words: str, look: Theme) -> None:
    view = replace(NEEDS, text=NEEDS.text + words, muted=True, badge=("codex", ""))
    for room in (120, 160, 200, 294):
        assert pill_line.layout(view, look, room, chevron=True).width <= room


def test_equal_views_are_not_painted_again(pill: Pill, qtbot: QtBot) -> None:
    pill.set_view(NEEDS)
    pill.show()
    qtbot.waitExposed(pill)
    told: list[object] = []
    pill.resized.connect(lambda: told.append(1))
    pill.set_view(replace(NEEDS))
    assert told == []
    pill.set_view(QUIET)
    assert told == [1]
    pill.hide()


def test_hover_shows_a_chevron_unless_the_panel_is_open(pill: Pill) -> None:
    pill.set_view(NEEDS)
    plain = pill.width()
    hover(pill, True)
    assert pill.width() > plain
    pill.set_open(True)
    assert pill.width() == plain
    pill.set_open(False)
    hover(pill, False)
    assert pill.width() == plain


def test_focus_by_keyboard_has_a_ring_around(pill: Pill) -> None:
    pill.set_view(NEEDS)
    before = pill.size()
    QApplication.sendEvent(pill, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert pill.ring_margin == 4 and pill.size() == before + QSize(8, 8)
    focus = theme.current().color("focus")
    assert image(pill).pixelColor(pill.width() // 2, 1) == focus
    QApplication.sendEvent(pill, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))
    assert pill.size() == before


def test_a_screen_reader_finds_a_button_with_the_whole_line(pill: Pill) -> None:
    pill.set_view(NEEDS)
    found = QAccessible.queryAccessibleInterface(pill)
    assert found.role() == QAccessible.Role.Button
    assert found.text(QAccessible.Text.Name) == "LISA Island, 3 need you"


def test_hands(pill: Pill, qtbot: QtBot) -> None:
    pill.set_view(NEEDS)
    pill.show()
    told: list[object] = []
    pill.clicked.connect(lambda: told.append("click"))
    pill.drag_began.connect(lambda: told.append("drag"))
    pill.drag_ended.connect(lambda: told.append("drop"))
    pill.menu_asked.connect(lambda _: told.append("menu"))
    qtbot.mouseClick(pill, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(pill, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(pill, Qt.MouseButton.RightButton)
    qtbot.keyClick(pill, Qt.Key.Key_Return)
    start = QPoint(20, 18)
    qtbot.mousePress(pill, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(pill, start + QPoint(0, 4))
    qtbot.mouseRelease(pill, Qt.MouseButton.LeftButton, pos=start)
    assert told == ["click", "click", "drag", "drop"]
    pill.hide()


def test_only_the_working_ring_turns(pill: Pill, dark: Theme) -> None:
    for view, turns in ((STATES["one"], True), (STATES["failed"], True), (STATES["finished"], False)):
        pill.set_view(view, 0)
        still = image(pill)
        pill.set_view(view, 1)
        assert (image(pill) != still) is turns


def test_without_a_compositor_it_is_opaque_and_cut(qtbot: QtBot, dark: Theme) -> None:
    pill = Pill(WindowMode.X11_PLAIN)
    pill.set_view(NEEDS)
    assert not pill.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    region = pill.mask()
    assert region.boundingRect() == pill.rect()
    assert not region.contains(QPoint(0, 0)) and region.contains(QPoint(18, 18))
    before = region.boundingRect().width()
    pill.set_view(QUIET)
    assert pill.mask().boundingRect() == pill.rect() and pill.width() != before
    drawn = image(pill)
    edge = dark.color("line.control")
    assert drawn.pixelColor(pill.width() // 2, 0) == edge
    assert drawn.pixelColor(pill.width() // 2, 1) == dark.color("surface.pill")
    pill.pulse()
    assert pill._pulse is None and pill.is_glowing, "no fades: a still outline"
    pill.deleteLater()


def test_flags_never_take_the_focus(pill: Pill) -> None:
    wanted = (
        Qt.WindowType.Tool,
        Qt.WindowType.FramelessWindowHint,
        Qt.WindowType.WindowStaysOnTopHint,
        Qt.WindowType.WindowDoesNotAcceptFocus,
    )
    assert all(pill.windowFlags() & flag == flag for flag in wanted)
    assert pill.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


def test_right_to_left_mirrors(pill: Pill) -> None:
    pill.set_view(STATES["failed"])
    left = image(pill)
    pill.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert image(pill) != left


def test_it_is_not_visited_by_a_pointer_that_lay_where_it_appears(pill: Pill) -> None:
    came: list[bool] = []
    pill.entered.connect(lambda: came.append(True))
    pill.show()
    at = QPointF(QCursor.pos())
    QApplication.sendEvent(pill, QEnterEvent(at, at, at))
    assert not came
    move = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(), at + QPointF(9, 3), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(pill, move)
    assert came == [True]
    QApplication.sendEvent(pill, move)
    QApplication.sendEvent(pill, QEvent(QEvent.Type.Leave))
    QApplication.sendEvent(pill, QEnterEvent(at, at, at))
    assert came == [True, True], "once it was visited, every visit counts"
