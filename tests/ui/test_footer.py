"""The footer of a page: no button is cut while there is another line."""

from PySide6.QtWidgets import QWidget

from lisa_island.ui.controls import Button, IconButton
from lisa_island.ui.page_parts import Footer


def built(qtbot, *trailing: str):
    footer = Footer()
    qtbot.addWidget(footer)
    footer.add(Button("Send more", icon="action/reply", tall=True))
    footer.add(IconButton("action/copy", "Copy"))
    footer.stretch()
    for text in trailing:
        footer.add(Button(text, tall=True))
    return footer


def settle(footer: QWidget, width: int, qtbot) -> list[Button]:
    footer.resize(width, footer.sizeHint().height())
    footer.show()
    qtbot.waitUntil(lambda: footer.layout().totalSizeHint().height() <= footer.sizeHint().height())
    footer.resize(width, footer.sizeHint().height())
    footer.layout().activate()
    return footer.findChildren(Button)


def test_buttons_stand_in_one_line_where_they_fit(qtbot, light):
    footer = built(qtbot, "Read reply")
    buttons = settle(footer, 600, qtbot)
    assert len({b.y() for b in buttons}) == 1


def test_a_line_is_used_to_its_last_pixel(qtbot, light):
    footer = built(qtbot, "Stop following", "Read reply")
    widths = [w.sizeHint().width() for w in footer.findChildren(QWidget)]
    needed = sum(widths) + 3 * 8 + 2 * 12
    assert len({b.y() + b.height() // 2 for b in settle(footer, needed, qtbot)}) == 1
    assert len({b.y() for b in settle(footer, needed - 1, qtbot)}) == 2


def test_where_they_do_not_fit_the_deciding_ones_take_a_line_of_their_own(qtbot, light):
    footer = built(qtbot, "Stop following this one…", "Read the whole reply")
    buttons = settle(footer, 420, qtbot)
    assert all(b.width() >= b.sizeHint().width() for b in buttons), "no text is cut"
    assert buttons[0].y() < buttons[1].y() == buttons[2].y()
    assert buttons[2].geometry().right() <= footer.width() - 12 + 1


def test_a_hidden_button_takes_no_room(qtbot, light):
    footer = built(qtbot, "Stop following this one…", "Read the whole reply")
    for button in footer.findChildren(Button)[1:2]:
        button.hide()
    buttons = [b for b in settle(footer, 420, qtbot) if b.isVisible()]
    assert len({b.y() for b in buttons}) == 1
