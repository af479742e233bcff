"""The small controls: what they do with keys, clicks, time and foreign text."""

from __future__ import annotations

from math import ceil

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QFocusEvent, QFontMetrics, QFontMetricsF, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import (
    Banner,
    Button,
    Card,
    CheckBox,
    Field,
    FocusRing,
    IconButton,
    PlainLabel,
    Select,
    Separator,
    Switch,
    Tag,
    TextBox,
    plain_tooltip,
)
from lisa_island.ui.theme import Theme

HOSTILE = '<a href="http://x">click</a> & <b>bold</b>'
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def shown(qtbot):
    """Puts a widget on the screen, in an active window of its own."""
    windows: list[QWidget] = []

    def show(widget: QWidget, width: int = 0) -> QWidget:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        layout.addWidget(widget)
        layout.addStretch(1)
        if width:
            window.setFixedWidth(width)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        if at := window.focusWidget():  # a window gives the focus to its first child
            at.clearFocus()
        return window

    return show


def test_a_label_keeps_its_padding_in_another_parent(shown, qapp: QApplication) -> None:
    sheet = qapp.styleSheet()
    qapp.setStyleSheet("QToolTip { padding: 2px; }")
    try:
        plain, tag = PlainLabel("text"), Tag("tag")
        plain.setContentsMargins(16, 4, 16, 12)
        wide = plain.sizeHint(), tag.sizeHint()
        holder = QWidget()
        column = QVBoxLayout(holder)
        for label in (plain, tag):
            column.addWidget(label)
        shown(holder)
        assert (plain.sizeHint(), tag.sizeHint()) == wide
        assert plain.contentsMargins().left() == 16 and plain.contentsRect().left() == 16
        assert tag.contentsRect().left() == 6
    finally:
        qapp.setStyleSheet(sheet)


def test_a_text_that_is_put_in_is_ready_to_be_continued(qtbot) -> None:
    box, read = TextBox("reply"), TextBox("text", read_only=True)
    for widget in (box, read):
        qtbot.addWidget(widget)
        widget.setPlainText("half a reply")
    QTest.keyClicks(box, ", and the rest")
    assert box.toPlainText() == "half a reply, and the rest"
    assert read.textCursor().position() == 0 and read.cursorWidth() == 0


def test_a_placeholder_grows_with_the_letters(qtbot, qapp: QApplication) -> None:
    sheet = qapp.styleSheet()
    qapp.setStyleSheet("QToolTip { padding: 2px; }")
    try:
        box = TextBox("reply", placeholder="Type your reply")
        qtbot.addWidget(box)
        box.show()
        theme.watcher().set_scale(2.0)
        assert box.viewport().font().pixelSize() == box.font().pixelSize() == 26
    finally:
        qapp.setStyleSheet(sheet)


def clicks(button) -> list[bool]:
    heard: list[bool] = []
    button.clicked.connect(lambda checked: heard.append(checked))
    return heard


def every_control() -> list[QWidget]:
    select = Select("Theme")
    select.addItems(["Dark", "Light"])
    check = CheckBox(accessible_name="Sound, urgent")
    return [
        Button("Deny"),
        Button("Allow once", "primary"),
        Button("Always…", "quiet"),
        Button("Delete all…", "danger", icon="action/trash", tall=True),
        IconButton("action/settings", "Settings"),
        Switch("Start at login"),
        CheckBox("Desktop"),
        check,
        select,
        Field("Base URL", icon="action/search"),
        TextBox("Your reply"),
        PlainLabel("text"),
        Tag("3 folders"),
    ]


def test_every_control_has_a_name_and_a_role(qtbot) -> None:
    roles = {
        Button: QAccessible.Role.Button,
        IconButton: QAccessible.Role.Button,
        Switch: QAccessible.Role.CheckBox,
        CheckBox: QAccessible.Role.CheckBox,
        Select: QAccessible.Role.ComboBox,
        Field: QAccessible.Role.EditableText,
        TextBox: QAccessible.Role.EditableText,
        PlainLabel: QAccessible.Role.StaticText,
        Tag: QAccessible.Role.StaticText,
    }
    for control in every_control():
        qtbot.addWidget(control)
        face = QAccessible.queryAccessibleInterface(control)
        assert face.text(QAccessible.Text.Name), control
        assert face.role() == roles[type(control)], control


def test_targets_are_never_under_28(qtbot, look: Theme) -> None:
    for control in every_control():
        qtbot.addWidget(control)
        if control.focusPolicy() != Qt.FocusPolicy.NoFocus:
            hint = control.sizeHint()
            assert min(hint.width(), hint.height()) >= 28, control


def test_heights_of_the_design(qtbot, light: Theme) -> None:
    heights = [
        (Button("Deny"), 28),
        (Button("Deny", tall=True), 32),
        (IconButton("action/pin", "Pin"), 32),
        (Field("Key"), 36),
    ]
    for control, height in heights:
        qtbot.addWidget(control)
        assert control.sizeHint().height() == height


def test_controls_grow_with_the_os_font(qtbot, light: Theme) -> None:
    for control in every_control():
        qtbot.addWidget(control)
        before = control.sizeHint()
        theme.watcher().set_scale(2.0)
        if not isinstance(control, IconButton | Switch) and not (
            isinstance(control, CheckBox) and not control.text()
        ):
            assert control.sizeHint().height() > before.height(), control
        theme.watcher().set_scale(1.0)


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def test_controls_repaint_in_another_look(qtbot, light: Theme) -> None:
    for control in [*every_control(), Card(), Card("waiting"), Banner("error", "No"), Separator()]:
        qtbot.addWidget(control)
        control.resize(control.sizeHint().expandedTo(QSize(40, 1)))
        theme.watcher().choose("light")
        before = picture(control)
        theme.watcher().choose("dark")
        assert picture(control) != before, control


@pytest.mark.parametrize("kind", ["primary", "outline", "quiet", "danger"])
def test_a_disabled_button_looks_disabled(kind, qtbot, look: Theme) -> None:
    button = Button("Send", kind)
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    before = picture(button)
    button.setEnabled(False)
    assert picture(button) != before


def test_an_inert_button_looks_as_ever_and_keeps_the_focus(shown, qtbot) -> None:
    button = Button("Allow once", "primary")
    shown(button)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    before = picture(button)
    button.arm(60_000)
    assert picture(button) == before
    assert button.hasFocus() and button.isEnabled()
    with qtbot.waitSignal(button.ready):
        button.arm(1)


@pytest.fixture
def armed(shown):
    """A button that stays inert until the test says otherwise."""
    button = Button("Allow once", "primary")
    shown(button)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    button.arm(60_000)
    yield button
    button._timer.stop()


def test_an_inert_button_takes_no_click_no_key_and_no_press_of_a_screen_reader(armed: Button) -> None:
    heard = clicks(armed)
    QTest.mouseClick(armed, LEFT)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(armed, key)
    armed.click()
    assert armed.is_inert() and heard == []


def test_the_button_wakes_after_its_time(qtbot, armed: Button) -> None:
    heard = clicks(armed)
    with qtbot.waitSignal(armed.ready):
        armed.arm(1)
    QTest.mouseClick(armed, LEFT)
    assert heard == [False]


def test_a_press_that_began_before_does_not_count(shown, qtbot) -> None:
    button = Button("Allow once")
    shown(button)
    heard = clicks(button)
    QTest.mousePress(button, LEFT)
    with qtbot.waitSignal(button.ready):
        button.arm(1)
    QTest.mouseMove(button, QPoint(5, 5))
    QTest.mouseRelease(button, LEFT)
    assert heard == []
    QTest.mouseClick(button, LEFT)
    assert heard == [False]


def test_a_key_held_since_before_does_not_count(shown, qtbot) -> None:
    button = Button("Allow once")
    shown(button)
    button.setFocus()
    heard = clicks(button)
    QTest.keyPress(button, Qt.Key.Key_Space)
    with qtbot.waitSignal(button.ready):
        button.arm(1)
    QTest.keyRelease(button, Qt.Key.Key_Space)
    assert heard == []


def test_show_and_changed_text_arm_the_button(shown, qtbot) -> None:
    button = Button("Allow once", arm_ms=60_000)
    assert not button.is_inert()
    window = shown(button)
    assert button.is_inert()
    with qtbot.waitSignal(button.ready):
        button.arm(1)
    button.setText("Allow twice")
    assert button.is_inert()
    with qtbot.waitSignal(button.ready):
        button.arm(1)
    window.hide()
    window.show()
    assert button.is_inert()
    button._timer.stop()


def test_enter_presses_the_focused_button_once(shown) -> None:
    button = Button("Send")
    shown(button)
    button.setFocus()
    heard = clicks(button)
    QTest.keyClick(button, Qt.Key.Key_Return)
    QTest.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert heard == [False]


def test_button_text_is_literal(qtbot) -> None:
    button = Button("&Yes && <b>no</b>")
    qtbot.addWidget(button)
    assert button.text() == button.accessibleName() == "&Yes && <b>no</b>"
    assert button.shortcut().isEmpty()


def test_a_button_without_room_tells_its_text(shown) -> None:
    button = Button("A very long option in the server's own words, in its own order")
    shown(button, width=160)
    assert "server's own words" in button.toolTip()
    short = Button("Deny")
    short.setToolTip("ours")
    shown(short)
    assert short.toolTip() == "ours"


def rings(window: QWidget) -> list[FocusRing]:
    return [r for r in window.findChildren(FocusRing) if r.isVisibleTo(window)]


def test_the_ring_is_for_the_keyboard_alone(shown) -> None:
    button = Button("Deny")
    window = shown(button)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    assert rings(window) == []
    button.clearFocus()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F5)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    (ring,) = rings(window)
    corner = button.mapTo(window, QPoint(0, 0))
    assert ring.geometry() == button.rect().translated(corner).adjusted(-4, -4, 4, 4)
    button.clearFocus()
    assert rings(window) == []


def test_the_ring_follows_and_is_not_cut_by_a_tight_parent(shown) -> None:
    tight, button = QWidget(), Button("Deny")
    row = QHBoxLayout(tight)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(button)
    window = shown(tight)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    (ring,) = rings(window)
    assert ring.parentWidget() is window
    tight.move(tight.x() + 7, tight.y() + 5)
    corner = button.mapTo(window, QPoint(0, 0))
    assert ring.geometry().topLeft() == corner - QPoint(4, 4)


def test_the_ring_scrolls_with_its_control(shown) -> None:
    area, content, button = QScrollArea(), QWidget(), Button("Deny", parent=None)
    button.setParent(content)
    content.resize(100, 2000)
    button.move(20, 300)
    area.setWidget(content)
    window = shown(area)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    area.verticalScrollBar().setValue(250)
    (ring,) = rings(window)
    assert ring.mapTo(window, QPoint(0, 0)) == button.mapTo(window, QPoint(0, 0)) - QPoint(4, 4)
    assert area.viewport().isAncestorOf(ring)


def test_the_ring_stays_when_the_window_is_left_for_a_moment(shown) -> None:
    button = Button("Deny")
    window = shown(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    for kind in (QEvent.Type.FocusOut, QEvent.Type.FocusIn):
        QApplication.sendEvent(button, QFocusEvent(kind, Qt.FocusReason.ActiveWindowFocusReason))
    assert button.has_ring() and rings(window)


def test_the_ring_is_unknown_to_assistive_technology(shown) -> None:
    button = Button("Deny")
    window = shown(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    face = QAccessible.queryAccessibleInterface(window)
    assert [face.child(i).object() for i in range(face.childCount())] == [button]


def test_a_switch_toggles_by_click_and_space(shown) -> None:
    switch = Switch("Start at login")
    shown(switch)
    heard: list[bool] = []
    switch.toggled.connect(lambda on: heard.append(on))
    QTest.mouseClick(switch, LEFT, pos=QPoint(1, 1))
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert heard == [True, False]


def test_a_check_box_takes_a_click_on_its_words(shown) -> None:
    box = CheckBox("Desktop & sound")
    shown(box)
    QTest.mouseClick(box, LEFT, pos=QPoint(box.width() - 2, box.height() // 2))
    assert box.isChecked() and box.text() == "Desktop & sound"


def test_a_field_wears_its_ring_on_the_outline(shown, qapp, look: Theme) -> None:
    theme.apply_palette(qapp)
    field, other = Field("Key", text="tako"), QWidget()
    window = shown(field)
    other.setParent(window)
    middle = field.height() // 2
    assert picture(field).pixelColor(0, middle) == look.color("line.control")
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    image = picture(field)
    assert image.pixelColor(0, middle) == image.pixelColor(1, middle) == look.color("focus")
    assert image.pixelColor(6, middle) == look.color("surface.inset")


def test_a_text_box_grows_from_two_to_eight_lines_then_scrolls(shown) -> None:
    box = TextBox("Your reply")
    shown(box, width=320)
    one_more = ceil(QFontMetricsF(box.font()).lineSpacing())
    two = box.height()
    box.setPlainText("a\nb")
    assert box.height() == two
    box.setPlainText("\n".join("abcde"))
    assert box.height() == two + 3 * one_more
    box.setPlainText("\n".join("abcdefgh"))
    eight = box.height()
    assert eight == two + 6 * one_more
    assert box.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    box.setPlainText("\n".join("abcdefghijkl"))
    assert box.height() == eight
    assert box.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
    box.setPlainText("word " * 40)
    assert box.lines() > 2 and box.height() > two


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_eight_lines_fit_without_scrolling(scale, shown) -> None:
    theme.watcher().set_scale(scale)
    box = TextBox("Your reply")
    shown(box, width=320)
    box.setPlainText("\n".join("abcdefgh"))
    assert box.verticalScrollBar().maximum() == 0


def test_a_text_box_shows_focus_and_sends_by_control_enter(shown, qtbot, look: Theme) -> None:
    box = TextBox("Your reply")
    shown(box)
    box.setFocus(Qt.FocusReason.MouseFocusReason)
    assert picture(box).pixelColor(0, box.height() // 2) == look.color("focus")
    with qtbot.waitSignal(box.submitted):
        QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box, "a")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert box.toPlainText() == "a\n"


def test_tab_leaves_a_text_box(shown) -> None:
    box, button = TextBox("Your reply"), Button("Send")
    window = shown(box)
    window.layout().addWidget(button)
    button.show()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Tab)
    assert button.hasFocus() and button.has_ring()


def test_a_label_never_shows_markup(qtbot) -> None:
    label = PlainLabel(HOSTILE)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == label.accessibleName() == HOSTILE
    label.setText("a & b")
    assert label.text() == label.accessibleName() == "a & b"


@pytest.mark.parametrize("elide", ["end", "middle"])
def test_a_cut_label_tells_the_whole_text(elide, shown) -> None:
    text = f"feature/{HOSTILE}/" + "branch-" * 20 + "2026"
    label = PlainLabel(text, elide=elide)
    shown(label, width=200)
    assert label.is_cut()
    assert "<a href" not in label.toolTip() and "&lt;a href" in label.toolTip()
    assert label.accessibleName() == text
    (line,) = label._lines(label.width())
    assert line.endswith("2026") == (elide == "middle")
    label.setText("short")
    assert not label.is_cut() and label.toolTip() == ""


def test_a_tooltip_is_plain_and_at_most_600_characters(qtbot) -> None:
    tip = QLabel(plain_tooltip("<" * 5000))
    qtbot.addWidget(tip)
    assert tip.text().count("&lt;") == 599 and "…" in tip.text()
    assert plain_tooltip("") == ""


def test_long_words_wrap_anywhere_and_height_follows(shown) -> None:
    label = PlainLabel("x" * 300, wrap=True)
    shown(label, width=220)
    lines = label._lines(label.width())
    assert "".join(lines) == "x" * 300
    metrics = QFontMetrics(theme.current().font("body"))
    assert max(metrics.horizontalAdvance(line) for line in lines) <= label.width()
    assert label.height() >= len(lines) * theme.current().line_height("body")


def test_a_label_keeps_paragraphs_and_stops_at_its_last_line(shown) -> None:
    label = PlainLabel("one\ntwo\n\nfour\nfive", wrap=True, max_lines=4)
    shown(label, width=300)
    assert label._lines(280) == ["one", "two", "", "four five"]
    label.setText("one\ntwo")
    assert label._lines(280) == ["one", "two"]


@pytest.mark.parametrize("kind", ["neutral", "waiting", "error", "working", "done", "unknown", "offline"])
def test_a_banner_shows_its_whole_sentence(kind, shown, look: Theme) -> None:
    banner = Banner(kind, "The gateway stopped waiting after 30 s. " * 4, "Try now")
    shown(banner, width=420)
    label = banner.findChild(PlainLabel)
    assert not label.is_cut()
    assert label.height() >= label.heightForWidth(label.width())
    banner.set_text("Short.")
    assert banner.text() == label.accessibleName() == "Short."
    assert banner.button and banner.button.text() == "Try now"


def test_a_select_is_as_wide_as_its_longest_item(qtbot) -> None:
    select = Select("Screen")
    select.addItems(["Primary", "Screen with the pointer & more"])
    qtbot.addWidget(select)
    words = QFontMetrics(theme.current().font("body")).horizontalAdvance("Screen with the pointer & more")
    assert select.sizeHint().width() >= words + 12 + 26


def test_mirrored_controls_paint(qtbot, look: Theme) -> None:
    for control in [*every_control(), Banner("error", "No")]:
        qtbot.addWidget(control)
        control.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        control.resize(control.sizeHint().expandedTo(control.minimumSize()))
        assert not picture(control).isNull()
