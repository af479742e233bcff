"""The stand-in looks as large as the pill that follows, stands in the same place, and leaves it there."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lisa_island.core import geometry
from lisa_island.core.pill import pill_view
from lisa_island.core.preferences import Preferences
from lisa_island.core.summary import Summary
from lisa_island.core.words import say
from lisa_island.ui import theme
from lisa_island.ui.first_pill import FirstPill, look
from lisa_island.ui.pill import Pill
from lisa_island.ui.placement import values


def made(qtbot, lang="en", name="light", positions=(), primary=True):
    first = FirstPill(say(lang, "pill.starting"), name, positions, "primary" if primary else "pointer")
    qtbot.addWidget(first)
    return first


def real(qtbot, lang="en"):
    pill = Pill()
    qtbot.addWidget(pill)
    pill.set_view(pill_view(Summary(), Preferences(), lang, starting=True))
    return pill


def test_as_large_as_the_pill_in_every_look(qtbot, look):
    theme.watcher().set_scale(None)
    assert made(qtbot, name=look.name).size() == real(qtbot).size()


def test_as_large_in_chinese(qtbot):
    theme.watcher().set_scale(None)
    assert made(qtbot, "zh-CN").size() == real(qtbot, "zh-CN").size()


def test_at_top_centre_and_where_it_was_put(qtbot):
    own = QGuiApplication.primaryScreen()
    screen = geometry.Screen(own.name(), values(own.geometry()), values(own.availableGeometry()), True)
    for positions in ((), ((own.name(), 300, 60),), (("another display", 10, 10),)):
        first = made(qtbot, positions=positions)
        rect = geometry.pill(screen, first.width(), first.height(), geometry.place_of(positions, screen))
        assert (first.x(), first.y()) == (rect.x, rect.y)


def test_it_paints_and_goes_after_the_first_painting_of_the_pill(qtbot):
    first, pill = made(qtbot), QWidget()
    qtbot.addWidget(pill)
    first.show()
    qtbot.waitUntil(lambda: first.is_drawn)
    assert first.grab().toImage().pixelColor(first.width() // 2, 4) == theme.build("light").color(
        "surface.pill"
    )
    first.hand_over(pill)
    assert first.isVisible()
    with qtbot.waitSignal(first.destroyed):
        pill.show()


def test_the_owners_choice_of_a_theme_counts_before_the_desktops(qtbot):
    assert [look(name) for name in ("dark", "light", "contrast")] == ["dark", "light", "contrast"]
    assert look("system") in ("dark", "light")
