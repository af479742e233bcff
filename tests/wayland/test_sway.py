"""Plain Wayland: no pill but an ordinary window, and nothing of ours takes the keyboard by itself."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lisa_island.core.agent import State
from lisa_island.core.notices import Note
from lisa_island.core.words import say
from lisa_island.ui.window_mode import WindowMode
from tests.desktop.notification_server import notification_server
from tests.desktop.whole import Whole, button, run
from tests.wayland.stranger import stranger
from tests.wayland.sway_hands import do, keys, windows

pytestmark = pytest.mark.desktop

TRAY = """
import asyncio, os
from tests.desktop.tray_watcher import tray_watcher

async def main():
    await tray_watcher(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@contextmanager
def tray() -> Iterator[None]:
    """A tray that was there before us."""
    with subprocess.Popen([sys.executable, "-c", TRAY], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"up\n"
        try:
            yield
        finally:
            process.kill()


async def asked(whole: Whole) -> str:
    whole.send("acme-research", "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session("acme-research")) and s.requests)
    return whole.session("acme-research").requests[0].request_id


def test_without_a_tray_the_window_is_there_from_the_start_and_has_the_menu(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        await whole.until(island.panel.isActiveWindow)
        assert island.mode is WindowMode.WAYLAND and not island.pill.isVisible()
        assert [w["name"] for w in await windows()] == ["LISA Island"]
        menus = []
        island.panel.header.menu_asked.connect(menus.append)
        island.panel.header.twin.setFocus()
        await keys("-k", "Menu")
        await whole.until(lambda: menus)

    run(tmp_path, gateway, scenario, as_started=True)


def test_with_a_tray_it_waits_there(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        assert whole.face.tray.is_available() and await windows() == []
        whole.face.window("toggle")
        await whole.until(whole.panel.isActiveWindow)

    with tray():
        run(tmp_path, gateway, scenario, as_started=True)


def test_where_windows_float_it_is_440_wide_and_settings_name_the_mode_and_its_limit(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        await do('for_window [app_id="lisa-island"] floating enable')
        whole.face.island.show()
        await whole.until(whole.panel.isActiveWindow)
        [window] = await windows()
        assert whole.panel.width() == window["window_rect"]["width"] == 440
        whole.face.open_settings("general")
        page = whole.face._dialog.pages["general"]
        await whole.until(lambda: page.mode.text() == "Wayland")
        assert page.mode_row.hint.text() == say("en", "window-mode.wayland.limit")

    run(tmp_path, gateway, scenario)


def test_an_answer_is_typed_beside_another_window_and_toggle_brings_ours_back(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        whole.face.open_request(await asked(whole))
        page = whole.face.answer_page
        async with stranger("wayland") as other:
            await whole.until(lambda: not whole.panel.isActiveWindow())
            assert whole.panel.isVisible(), "it stays beside the others"
            await keys("mine")
            await other.until(text="mine")
            whole.face.window("toggle")
            await whole.until(lambda: whole.panel.isActiveWindow() and page.face.box.hasFocus())
            await whole.until(lambda: not button(page, "Send reply").is_inert())
            await keys("Q3，欧元")
            await whole.until(lambda: page.face.box.toPlainText() == "Q3，欧元")
            await keys("-M", "ctrl", "-k", "Return", "-m", "ctrl")
            await whole.until(lambda: whole.session("acme-research").state is State.DONE)
            await other.until(text="mine")
        assert gateway.get("calls")[-1]["text"] == "Q3，欧元"

    run(tmp_path, gateway, scenario)


def test_without_a_notification_server_no_notice_takes_the_keyboard(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with stranger("wayland") as other:
            await asked(whole)
            await whole.until(lambda: whole.session("acme-research").notified)
            told = await whole.face._notify(Note("test", "title", "body"))
            assert told == "notices.nowhere" and not whole.face.toasts.shown()
            await keys("still mine")
            await other.until(text="still mine")
            assert await windows() == []

    run(tmp_path, gateway, scenario)


def test_a_notice_by_the_desktop_leaves_the_keyboard_and_its_button_opens_the_window(
    tmp_path, gateway, rig_bus
):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        async with stranger("wayland") as other:
            await asked(whole)
            shown = await server.until(1)
            await other.until(active=True)
            server.press(shown.number, "reply")
            await whole.until(lambda: whole.panel.isActiveWindow() and whole.panel.page_name == "answer")
        await server.leave()

    run(tmp_path, gateway, scenario)
