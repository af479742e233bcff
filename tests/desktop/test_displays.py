"""Displays that come, go, sleep and change, and windows that fill one: on a real X server with openbox."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from dbus_fast import Message, RequestNameReply
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from lisa_island.system.resume import INTERFACE
from lisa_island.system.resume import NAME as LOGIND
from lisa_island.ui.window_mode import WindowMode
from tests.desktop.displays import (
    RIGHT,
    plug,
    point,
    stranger,
    tool,
    two_displays,
    unplug,
    until_there_are,
)
from tests.desktop.private_bus import connected
from tests.desktop.whole import Whole, field, run
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop

DRAFT = "the third quarter, in euros"


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


def place(whole: Whole) -> tuple[str, int, int]:
    """Display, middle and top of the pill."""
    rect = whole.face.island.placement.pill_rect()
    screen = whole.face.island.placement.screen
    return screen.name, rect.middle, rect.y


async def draft(whole: Whole) -> None:
    """An answer that is half written, in the open panel."""
    whole.send("acme-research", "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session("acme-research")) and s.requests)
    whole.face.open_request(whole.session("acme-research").requests[0].request_id)
    await whole.until(lambda: whole.panel.isVisible() and whole.panel.page_name == "answer")
    box = field(whole.face.answer_page)
    box.setFocus()
    QTest.keyClicks(box, DRAFT)


def kept(whole: Whole) -> bool:
    """The page and what was typed into it."""
    panel = whole.panel
    return panel.isVisible() and panel.page_name == "answer" and field(panel).toPlainText() == DRAFT


def is_inside(whole: Whole) -> bool:
    """The panel whole, of the pill at least 40 px."""
    screen, pill = whole.face.island.placement.screen, whole.face.island.placement.pill_rect()
    panel = whole.panel.geometry()
    area = screen.area
    across = min(pill.right, area.right) - max(pill.x, area.x)
    return (
        across >= 40 and area.y <= pill.y < area.bottom
        and area.x <= panel.x() and panel.x() + panel.width() <= area.right
        and area.y <= panel.y() and panel.y() + panel.height() <= area.bottom
    )  # fmt: skip


def test_its_display_goes_away_and_it_comes_back_with_it_page_and_draft_kept(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with two_displays():
            await whole.house.settings.change(positions=(("left", 300, 60), ("right", 500, 100)))
            await point(2400, 900)
            await draft(whole)
            await whole.until(lambda: place(whole) == ("right", 2100, 100))
            await unplug("right")
            await until_there_are("left")
            await whole.until(lambda: place(whole) == ("left", 300, 60))
            assert kept(whole) and is_inside(whole)
            await plug("right", RIGHT)
            await until_there_are("left", "right")
            await whole.until(lambda: place(whole) == ("right", 2100, 100))
            assert kept(whole) and is_inside(whole)

    run(tmp_path, gateway, scenario)


def test_what_was_opened_elsewhere_meanwhile_stays_there(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        async with two_displays():
            await point(2400, 900)
            island.toggle()
            await whole.until(lambda: place(whole)[0] == "right")
            island.toggle()
            await unplug("right")
            await whole.until(lambda: place(whole)[0] == "left")
            await point(400, 900)
            island.toggle()
            await plug("right", RIGHT)
            await until_there_are("left", "right")
            await whole.until(lambda: not island.placement._again.isActive())
            assert place(whole)[0] == "left"

    run(tmp_path, gateway, scenario)


def test_a_display_by_its_name_is_kept_and_taken_again(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with two_displays():
            await point(400, 900)
            whole.face.open_settings("general")
            choice = whole.face._dialog.pages["general"].screen_choice
            names = [choice.itemText(i) for i in range(choice.count())]
            assert "right, 1600 × 1000" in names
            choice.chosen.emit("right")
            await whole.until(lambda: place(whole) == ("right", 2400, 8))
            await unplug("right")
            await whole.until(lambda: place(whole)[0] == "left")
            whole.face._dialog.refresh()
            assert choice.currentText() == "right, not connected"
            await plug("right", RIGHT)
            await whole.until(lambda: place(whole) == ("right", 2400, 8))

    run(tmp_path, gateway, scenario)


def test_a_display_that_shrinks_or_moves_leaves_nothing_outside(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with two_displays():
            await whole.house.settings.change(positions=(("right", 1590, 960),))
            await point(2400, 900)
            await draft(whole)
            assert place(whole)[0] == "right" and is_inside(whole)
            await unplug("right")
            await until_there_are("left")
            await plug("right", "800/200x600/150+1600+200")
            await until_there_are("left", "right")
            await whole.until(lambda: place(whole)[0] == "right" and is_inside(whole))
            assert kept(whole)
        await whole.until(lambda: is_inside(whole))

    run(tmp_path, gateway, scenario)


def test_a_panel_of_the_desktop_that_appears_is_made_room_for(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        _, _, top = place(whole)
        dock = stranger(0, 0, 3840, 48)
        number = str(int(dock.winId()))
        for hint, value in (
            ("_NET_WM_STRUT", "0, 0, 48, 0"),
            ("_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DOCK"),
        ):
            kind = "32a" if value.startswith("_") else "32c"
            await tool("xprop", "-id", number, "-f", hint, kind, "-set", hint, value)
        await whole.until(lambda: place(whole)[2] == top + 48)
        dock.close()
        await whole.until(lambda: place(whole)[2] == top)

    run(tmp_path, gateway, scenario)


def test_after_sleep_it_is_put_right_and_looked_at_once_more(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        logind = await connected(rig_bus)
        assert await logind.request_name(LOGIND) is RequestNameReply.PRIMARY_OWNER
        island, right = whole.face.island, place(whole)
        again = island.placement._again

        def wake() -> bool:
            """Until the rule is in place nothing is heard."""
            path = "/org/freedesktop/login1"
            logind.send(Message.new_signal(path, INTERFACE, "PrepareForSleep", "b", [False]))
            return place(whole) == right and again.isActive()

        await draft(whole)
        island.pill.move(3000, 1500)  # a desktop that wakes up with other ideas
        await whole.until(wake)
        island.pill.move(3000, 1500)  # and changes its mind once more
        await whole.until(lambda: not again.isActive())
        assert place(whole) == right and kept(whole)
        logind.disconnect()

    run(tmp_path, gateway, scenario, DBUS_SYSTEM_BUS_ADDRESS=rig_bus)


def test_a_compositor_that_leaves_or_comes_keeps_page_draft_and_scroll(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        await draft(whole)
        box = field(whole.face.answer_page)
        box.setPlainText("\n".join(f"line {n}" for n in range(60)))
        box.verticalScrollBar().setValue(17)
        before = (whole.panel.page_name, box.toPlainText(), 17, whole.panel.pos())
        where = place(whole)
        assert island.mode is WindowMode.X11_PLAIN
        for expected in (WindowMode.X11, WindowMode.X11_PLAIN):
            if expected is WindowMode.X11:
                compositor = await asyncio.create_subprocess_exec("xcompmgr")
            else:
                compositor.terminate()
                await compositor.wait()
            await whole.until(lambda mode=expected: island.mode is mode)
            await whole.until(whole.panel.isActiveWindow)
            for window in (island.pill, whole.panel):
                hints = await tool("xprop", "-id", str(int(window.winId())), "_NET_WM_STATE")
                assert "SKIP_TASKBAR" in hints and "ABOVE" in hints
            box = field(whole.face.answer_page)
            scrolled = box.verticalScrollBar().value()
            assert (whole.panel.page_name, box.toPlainText(), scrolled, whole.panel.pos()) == before
            await whole.until(lambda: place(whole) == where)

    run(tmp_path, gateway, scenario)


def test_doctor_names_the_kind_of_windows_as_the_settings_do(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        facts = dict(await whole.house.facts())
        assert facts["fact.window"] == "X11 without a compositor. Edges are slightly stepped."
        whole.face.open_settings("general")
        page = whole.face._dialog.pages["general"]
        assert f"{page.mode.text()}. {page.mode_row.hint.text()}" == facts["fact.window"]

    run(tmp_path, gateway, scenario)


# --- windows that fill a display ---


@asynccontextmanager
async def film_on(x: int):
    """A window that fills the display at this x."""
    film = stranger(x + 100, 100)
    film.showFullScreen()
    try:
        yield film
    finally:
        film.close()


def test_a_film_on_the_other_display_hides_nothing_and_one_on_ours_does(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        pill = whole.face.island.pill
        async with two_displays():
            await point(400, 900)
            whole.face.island.placement.choose()
            assert place(whole)[0] == "left"
            async with film_on(1600) as film:
                await whole.until(lambda: film.isActiveWindow() and film.isFullScreen())
                await whole.until(lambda: whole.face.island._watcher._windows)
                assert pill.isVisible()
            async with film_on(0) as film:
                await whole.until(lambda: not pill.isVisible())
                # The owner works on the other display meanwhile: the film goes on.
                other = stranger(1800, 200)
                other.activateWindow()
                await whole.until(other.isActiveWindow)
                assert not pill.isVisible()
                other.close()
            await whole.until(pill.isVisible)

    run(tmp_path, gateway, scenario)


def test_one_that_stops_being_full_or_lies_on_another_desktop_hides_nothing(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        pill = whole.face.island.pill
        async with film_on(0) as film:
            await whole.until(lambda: not pill.isVisible())
            film.showNormal()
            await whole.until(pill.isVisible)
            film.showFullScreen()
            await whole.until(lambda: not pill.isVisible())
            await tool("wmctrl", "-s", "1")
            await whole.until(pill.isVisible)
            await tool("wmctrl", "-s", "0")
            await whole.until(lambda: not pill.isVisible())
            # Something of the owner's is put over it.
            over = stranger(400, 400)
            over.activateWindow()
            await whole.until(pill.isVisible)
            over.close()
            await whole.until(lambda: not pill.isVisible())
        await whole.until(pill.isVisible)

    run(tmp_path, gateway, scenario)


def test_it_goes_to_a_full_display_and_leaves_it_by_the_owners_act(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        async with two_displays():
            await point(400, 900)
            island.placement.choose()
            async with film_on(1600) as film:
                await whole.until(film.isActiveWindow)
                await point(2400, 900)
                island.toggle()
                await whole.until(lambda: whole.panel.isVisible() and place(whole)[0] == "right")
                island.toggle()
                await whole.until(lambda: not whole.panel.isVisible() and not island.pill.isVisible())
                await point(400, 900)
                island.toggle()
                await whole.until(lambda: island.pill.isVisible() and place(whole)[0] == "left")
                island.toggle()
                await whole.until(lambda: not whole.panel.isVisible())
                assert island.pill.isVisible()

    run(tmp_path, gateway, scenario)


def test_notices_come_while_a_film_hides_the_pill(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with film_on(0) as film:
            await whole.until(lambda: not whole.face.island.pill.isVisible())
            whole.send("acme-research", "Scan the market", "0.02 USD")
            await whole.until(lambda: whole.face.toasts.shown())
            toast = whole.face.toasts.toast(whole.face.toasts.shown()[0])
            assert toast.isVisible() and toast.y() < 200 and film.isActiveWindow()
            assert not whole.face.island.pill.isVisible() and not whole.panel.isVisible()

    run(tmp_path, gateway, scenario)


# --- by hand ---


async def drag(whole: Whole, x: int, y: int) -> None:
    """Take the pill by its middle to this place, with a real pointer."""
    rect = whole.face.island.placement.pill_rect()
    await point(rect.middle, rect.y + 18)
    await tool("xdotool", "mousedown", "1")
    await tool("xdotool", "mousemove", "--sync", str(rect.middle + 30), str(rect.y + 40))
    await point(x, y)
    await whole.until(lambda: whole.face.island.placement.dragging)
    await tool("xdotool", "mouseup", "1")
    await whole.until(lambda: not whole.face.island.placement.dragging)


def test_dragged_it_snaps_stays_in_reach_and_is_remembered_for_each_display(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        whole.face.island.toggle()
        whole.face.island.toggle()
        async with two_displays():
            await point(400, 900)
            whole.face.island.placement.choose()
            await drag(whole, 811, 300)
            await whole.until(lambda: place(whole)[:2] == ("left", 800))
            await drag(whole, 813, 300)
            await whole.until(lambda: place(whole)[:2] == ("left", 813))
            await drag(whole, 2, 500)
            await whole.until(lambda: whole.face.island.placement.pill_rect().right >= 40)
            left = place(whole)
            await drag(whole, 2000, 300)
            await whole.until(lambda: place(whole)[0] == "right")
            await whole.until(lambda: len(whole.house.preferences.positions) == 2)
            await point(400, 900)
            whole.face.island.toggle()
            await whole.until(lambda: place(whole)[0] == "left")
            assert abs(place(whole)[1] - left[1]) <= 1 and place(whole)[2] == left[2]
            whole.face.island.toggle()
            whole.face.open_settings("general")
            QTest.mouseClick(
                whole.face._dialog.pages["general"].back, Qt.MouseButton.LeftButton, pos=QPoint(5, 5)
            )
            await whole.until(lambda: place(whole) == ("left", 800, 8))

    run(tmp_path, gateway, scenario)
