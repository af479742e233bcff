"""The first run on a real desktop: its notice, its key, its demo, its language are the real ones."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from dbus_fast import RequestNameReply
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from lisa_island.core import words
from lisa_island.core.origin import origin_of
from lisa_island.ui.welcome import Welcome
from lisa_island.ui.welcome_steps import STEPS
from tests.desktop.notification_server import NAME, notification_server
from tests.desktop.private_bus import connected
from tests.desktop.tray_watcher import tray_watcher
from tests.desktop.whole import Whole, click, run
from tests.sandbox.child import KEY, running, sandbox

pytestmark = pytest.mark.desktop

WHAT, WATCH, REMOTE, REACH = range(len(STEPS))


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


def welcome(whole: Whole, step: int) -> Welcome:
    whole.face.open_welcome()
    found = whole.face._welcome
    found.turn_to(step)
    return found


async def told(whole: Whole, steps: Welcome, word: str) -> None:
    """The test's line says this."""
    hint = steps.reach_step.test_row.hint
    await whole.until(lambda: hint.text() == words.say("en", word), word)


def test_a_first_start_opens_the_steps_and_the_next_one_does_not(tmp_path, gateway):
    async def first(whole: Whole) -> None:
        steps = whole.face._welcome
        assert steps is not None and steps.isVisible() and steps.step == WHAT
        steps.close()
        await whole.until(lambda: whole.house.preferences.welcomed)

    async def second(whole: Whole) -> None:
        assert whole.face._welcome is None
        whole.face.open_settings("about")
        click(whole.face._dialog, "Show the first steps again")
        assert whole.face._welcome.isVisible()

    run(tmp_path, gateway, first, welcomed=False)
    run(tmp_path, gateway, second, welcomed=True)


def test_whoever_quits_half_way_finds_them_again(tmp_path, gateway):
    async def first(whole: Whole) -> None:
        whole.face._welcome.turn_to(REMOTE)

    async def second(whole: Whole) -> None:
        assert whole.face._welcome is not None and whole.face._welcome.isVisible()
        assert whole.house.preferences.takoapi_enabled

    run(tmp_path, gateway, first, welcomed=False)
    assert not json.loads((tmp_path / "lisa" / "island.json").read_text()).get("welcomed")
    run(tmp_path, gateway, second, welcomed=False)


def test_the_notice_is_a_real_one_and_only_its_button_says_that_it_was_seen(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        steps = welcome(whole, REACH)
        steps.reach_step.test.click()
        shown = await server.until(1)
        assert shown.app_name == "LISA Island" and "seen" in shown.buttons
        await told(whole, steps, "notices.test.handed")
        server.press(shown.number, "seen")
        await told(whole, steps, "notices.test.seen")
        await server.leave()

    run(tmp_path, gateway, scenario)


def test_without_a_server_the_test_says_so_and_shows_our_own(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        steps = welcome(whole, REACH)
        steps.reach_step.test.click()
        await told(whole, steps, "notices.no-server")
        toast = whole.face.toasts.toast("test")
        await whole.until(lambda: toast.isVisible())
        await whole.until(lambda: all(not b.is_inert() for b in toast.findChildren(type(steps.main))))
        click(toast, "I see it")
        await told(whole, steps, "notices.test.seen")

    run(tmp_path, gateway, scenario)


def test_a_server_without_buttons_gets_no_notice_that_it_cannot_show(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus, capabilities=("body",))
        steps = welcome(whole, REACH)
        steps.reach_step.test.click()
        await told(whole, steps, "notices.by-island")
        assert server.history == [] and whole.face.toasts.shown() == ("test",)
        await server.leave()

    run(tmp_path, gateway, scenario)


def test_a_server_that_does_not_answer_confirms_nothing(tmp_path, gateway, rig_bus, monkeypatch):
    monkeypatch.setattr("lisa_island.system.session_bus.CALL_SECONDS", 0.3)

    async def scenario(whole: Whole) -> None:
        silent = await connected(rig_bus)
        silent.add_message_handler(lambda message: message.interface == NAME)
        assert await silent.request_name(NAME) is RequestNameReply.PRIMARY_OWNER
        steps = welcome(whole, REACH)
        steps.reach_step.test.click()
        await told(whole, steps, "notices.no-answer")
        assert whole.face.toasts.shown() == ("test",)
        silent.disconnect()

    run(tmp_path, gateway, scenario)


@pytest.mark.parametrize("good", [True, False])
def test_a_key_goes_to_the_keyring_and_is_tried(tmp_path, gateway, rig_bus, good):
    value = KEY if good else "tako_live_" + "Z" * 32

    async def scenario(whole: Whole) -> None:
        steps = welcome(whole, REMOTE)
        field, step = steps.key.field, steps.key_step
        await whole.until(field.isVisible)
        QTest.keyClicks(field, value)
        QTest.keyClick(field, Qt.Key.Key_Return)
        await whole.until(lambda: step.tried.icon in ("done", "error"))
        assert step.tried.icon == ("done" if good else "error"), step.tried.text()
        assert gateway.get("calls") == [], "no agent was called"
        whole.house.key_changed()

    run(tmp_path, gateway, scenario, key="", source="keyring")
    user = f"TAKO_KEY@{origin_of(gateway.url)}"
    attributes = ["service", "lisa-island", "username", user]
    found = subprocess.run(
        ["secret-tool", "lookup", *attributes], capture_output=True, text=True, timeout=20, check=False
    )
    assert found.stdout == value
    subprocess.run(["secret-tool", "clear", *attributes], timeout=20, check=True)


def demos() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob("lisa-island-demo-*"))


def files(home: Path) -> dict[str, bytes]:
    return {
        p.name: p.read_bytes() for p in home.rglob("*") if p.is_file() and not p.name.startswith("island.db")
    }


def test_the_demo_comes_touches_nothing_of_the_owner_and_goes(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        steps, pill = welcome(whole, REMOTE), whole.face.island.pill
        rows, kept = dict(whole.house.store.roster.sessions), files(tmp_path)
        button = steps.key_step.demo
        assert pill.isVisible() and not demos()
        button.click()
        await whole.until(lambda: not pill.isVisible() and demos() and (demos()[0] / "endpoint").exists())
        assert button.text() == "End the demo"
        button.click()
        await whole.until(lambda: button.text() == "Try the demo")
        await whole.until(pill.isVisible)
        assert steps.key_step.demo_row.hint.text() == words.say("en", "welcome.demo.over")
        assert not demos() and files(tmp_path) == kept
        assert dict(whole.house.store.roster.sessions) == rows

    run(tmp_path, gateway, scenario)


def test_a_demo_that_the_owner_quits_gives_the_island_back(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        steps, pill = welcome(whole, REMOTE), whole.face.island.pill
        steps.key_step.demo.click()
        await whole.until(lambda: demos() and (demos()[0] / "endpoint").exists())
        leave = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lisa_island", "quit",
            env=os.environ | {"LISA_HOME": str(demos()[0])}, stdin=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert await leave.wait() == 0
        await whole.until(lambda: pill.isVisible() and not demos())
        assert not whole.face.shell.demo_runs()

    run(tmp_path, gateway, scenario)


def test_a_demo_goes_with_the_island(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        whole.face.shell.try_demo()
        await whole.until(demos)

    run(tmp_path, gateway, scenario)
    assert not demos()


def test_a_language_is_spoken_everywhere_at_once_and_kept(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        face = whole.face
        tray = await tray_watcher(rig_bus)
        item = await tray.until_item()
        face.open_settings("general")
        face.island.show()
        steps = welcome(whole, WHAT)
        steps.language.chosen.emit("zh-CN")
        await whole.until(lambda: whole.house.lang == "zh-CN")
        assert steps.main.text() == "继续"
        assert face.island.pill.view.text == words.say("zh-CN", "pill.quiet")
        assert face.island.panel.header.twin.view.text == face.island.pill.view.text
        assert face._dialog.windowTitle() == words.say("zh-CN", "settings.window")
        face._dialog.close()
        await item.choose("设置…")
        await whole.until(face._dialog.isVisible)
        await tray.leave()

    run(tmp_path, gateway, scenario, LISA_ISLAND_LANG="")
    assert json.loads((tmp_path / "lisa" / "island.json").read_text())["language"] == "zh-CN"
