"""GNOME's compositor with XWayland: the pill has its place and stays on top of X11 and Wayland windows."""

import os
import subprocess
import sys
from itertools import cycle

import pytest

from lisa_island.core.agent import State
from lisa_island.core.panel import Timer
from lisa_island.ui.window_mode import WindowMode
from tests.desktop.whole import Whole, run
from tests.wayland.mutter_hands import ASIDE, ESCAPE, RETURN, Hands, hands
from tests.wayland.stranger import stranger

pytestmark = pytest.mark.desktop

PLATFORM = """
from lisa_island.app.desktop import application
print(application().platformName())
"""


@pytest.fixture(scope="session")
def all_hands():
    with hands() as held:
        yield held


@pytest.fixture
def hand(all_hands):
    yield all_hands
    # The pointer stays where it is left: not where the next test's pill and panel come.
    all_hands.point(*ASIDE)


async def point_at_pill(whole: Whole, hand: Hands) -> None:
    """XWayland tells of a pointer that came only once it moves on, as every real one does."""
    pill = whole.face.island.pill
    at = pill.geometry().center()
    hand.point(at.x() - 20, at.y())
    ways = cycle((5, -5))

    def visited() -> bool:
        hand.move(next(ways), 0)
        return pill.underMouse() and pill._resting is None

    await whole.until(visited)


async def click_pill(whole: Whole, hand: Hands) -> None:
    await point_at_pill(whole, hand)
    hand.click()


async def type_into_bar(whole: Whole, hand: Hands, text: str) -> None:
    """The bar has the focus of X11; the compositor's keyboard follows a moment later. Spaces tell when."""
    bar = whole.face._bar
    await whole.until(lambda: whole.panel.isActiveWindow() and bar.field.hasFocus())

    def arrives() -> bool:
        hand.type(" ")
        return bool(bar.text())

    await whole.until(arrives)
    hand.type(text)
    await whole.until(lambda: bar.text().strip() == text)


def test_of_its_own_it_takes_the_platform_on_which_the_pill_floats():
    environ = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(
        [sys.executable, "-c", PLATFORM], env=environ, capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout == "xcb\n"


@pytest.mark.parametrize("platform", ["wayland", "xcb"])
def test_the_pill_is_placed_and_on_top_and_a_real_click_and_keys_reach_an_agent(
    platform, tmp_path, gateway, hand
):
    async def scenario(whole: Whole) -> None:
        whole.send("sheet-wizard", "one")
        await whole.until(lambda: (s := whole.session("sheet-wizard")) and s.state is State.DONE)
        pill = whole.face.island.pill
        async with stranger(platform) as other:
            assert whole.face.island.mode is WindowMode.XWAYLAND
            assert abs(pill.geometry().center().x() - 800) <= 1 and pill.y() + pill.ring_margin == 8
            await click_pill(whole, hand)
            await whole.until(whole.panel.isActiveWindow)
            whole.face._bar.field.setFocus()
            await type_into_bar(whole, hand, "@sheet-wizard two")
            hand.key(RETURN)
            await whole.until(lambda: gateway.get("calls")[-1]["text"] == "two")
            hand.key(ESCAPE)
            await whole.until(lambda: not whole.panel.isVisible())
            await other.until(active=True)
            hand.type("mine")
            await other.until(text="mine", clicks=0)
            assert pill.isVisible()

    run(tmp_path, gateway, scenario)


@pytest.mark.parametrize("platform", ["wayland", "xcb"])
def test_toggle_brings_the_keyboard_while_the_owner_types_elsewhere(platform, tmp_path, gateway, hand):
    async def scenario(whole: Whole) -> None:
        async with stranger(platform) as other:
            hand.type("mine")
            await other.until(text="mine")
            whole.face.window("toggle")
            await type_into_bar(whole, hand, "ours")
            await other.until(text="mine")

    run(tmp_path, gateway, scenario)


@pytest.mark.parametrize("platform", ["wayland", "xcb"])
def test_the_pointer_opens_it_without_the_keyboard_and_leaving_closes_it(platform, tmp_path, gateway, hand):
    async def scenario(whole: Whole) -> None:
        async with stranger(platform) as other:
            await point_at_pill(whole, hand)
            await whole.until(whole.panel.isVisible)
            hand.type("mine")
            await other.until(active=True, text="mine")
            hand.point(*ASIDE)
            await whole.until(lambda: not whole.panel.isVisible())

    run(tmp_path, gateway, scenario)


def test_a_pill_that_comes_where_the_pointer_was_last_seen_stays_closed(tmp_path, gateway, hand):
    """XWayland is not told where the pointer goes when it leaves for what is not X11's."""

    async def hovered(whole: Whole) -> None:
        await point_at_pill(whole, hand)

    async def comes(whole: Whole) -> None:
        island = whole.face.island
        await whole.until(island.pill.underMouse)
        assert not island.state.is_showing and not island._timers[Timer.HOVER].isActive()

    run(tmp_path, gateway, hovered)
    hand.point(*ASIDE)
    run(tmp_path, gateway, comes, as_started=True)


def test_it_leaves_a_display_that_a_window_of_x11_fills(tmp_path, gateway, hand):
    async def scenario(whole: Whole) -> None:
        async with stranger("xcb", full=True):
            await whole.until(lambda: not whole.face.island.pill.isVisible())
        await whole.until(whole.face.island.pill.isVisible)

    run(tmp_path, gateway, scenario)


def test_a_full_window_of_waylands_own_is_not_seen_so_the_pill_stays_over_it(tmp_path, gateway, hand):
    """A limit of XWayland, said in README. When this fails, that line is out of date."""

    async def scenario(whole: Whole) -> None:
        async with stranger("wayland", full=True) as other:
            await click_pill(whole, hand)
            await whole.until(whole.panel.isActiveWindow)
            await other.until(active=False, clicks=0)

    run(tmp_path, gateway, scenario)
