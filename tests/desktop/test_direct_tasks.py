"""Tasks at an agent's own address on a real desktop, with a real A2A server: choose, cancel, view, go on."""

import os
import pwd
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from lisa_island.core.agent import Can, Freshness, Reply, State
from lisa_island.core.intents import Send
from lisa_island.core.naming import DIRECT
from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import DirectAgent
from tests.desktop.whole import Whole, button, click, has_button, run
from tests.fakes.peers import peers
from tests.sandbox.child import running, sandbox

__all__ = ["peers"]  # the fixture

pytestmark = pytest.mark.desktop


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the peers need was brought into the cache of this user, who lives elsewhere than the rig."""
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    monkeypatch.setenv("UV_CACHE_DIR", os.environ.get("UV_CACHE_DIR") or str(home / ".cache" / "uv"))
    monkeypatch.setenv("UV_OFFLINE", "1")


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def with_agent(whole: Whole, url: str) -> None:
    """The painter was added before."""
    agent = DirectAgent("painter", url=url, origins=(origin_of(url),))
    await whole.house.settings.change(direct_agents=(agent,))
    await whole.until(lambda: DIRECT in whole.house.store.roster.sources)


def task(whole: Whole, text: str = ""):
    """The painter's newest task."""
    rows = [s for s in whole.house.store.roster.sessions.values() if s.key.agent == DIRECT and s.started_at]
    return max(rows, key=lambda s: s.started_at or 0, default=None)


async def typed(whole: Whole, text: str, route: str) -> None:
    """Name the agent in the command bar, read where the text goes, and send it."""
    whole.face.island.open_command()
    bar = whole.panel.main.command
    await whole.until(lambda: bar.field.hasFocus())
    QTest.keyClicks(bar.field, f"@painter {text}")
    assert bar.line.text().startswith(route) and "stays on this computer" in bar.line.text()
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    await whole.until(lambda: not bar.text())


async def press(whole: Whole, root, text: str) -> None:
    await whole.until(lambda: has_button(root, text), text)
    await whole.until(lambda: not getattr(button(root, text), "is_inert", bool)())
    click(root, text)


async def chosen_from_row(whole: Whole, entry: str) -> None:
    """Right click on the newest task's row, and the entry of its menu."""
    whole.face.island.show()
    whole.panel.show_page("main")
    roster = whole.panel.main.roster
    index = lambda: roster.model.index_of(task(whole).key)  # noqa: E731
    await whole.until(lambda: index().isValid() and roster.list.isVisible())
    at = roster.list.visualRect(index()).center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(roster.list.viewport(), QContextMenuEvent(reason, at, QPoint(20, 20)))
    await whole.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    (found,) = [a for a in menu.actions() if a.text() == entry]
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(found).center())


def test_a_choice_is_made_in_place_and_completes_the_task(tmp_path, gateway, peers, rig_bus):
    it = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await with_agent(whole, it.card_url)
        await typed(whole, "options please", "New task at 127.0.0.1:")
        await whole.until(lambda: (s := task(whole)) and s.requests)
        whole.face.open_request(task(whole).requests[0].request_id)
        page = whole.face.answer_page
        await press(whole, page, "blue")
        assert task(whole).requests, "choosing sends nothing"
        await press(whole, page, "Send reply")
        await whole.until(lambda: task(whole).state is State.DONE)
        await whole.until(lambda: task(whole).reply is Reply.HELD)
        whole.face.open_session(task(whole).key)
        await press(whole, whole.face.detail_page, "View wall.txt")
        text = whole.face.detail_page.reply.text
        await whole.until(lambda: text.toPlainText() == "A wall in blue")

    run(tmp_path, gateway, scenario)


def test_a_task_is_cancelled_from_its_row(tmp_path, gateway, peers, rig_bus):
    it = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await with_agent(whole, it.card_url)
        await typed(whole, "slow wall", "New task at 127.0.0.1:")
        await whole.until(lambda: (s := task(whole)) and Can.CANCEL in s.capabilities)
        await chosen_from_row(whole, "Cancel task…")
        page = whole.face.detail_page
        await whole.until(lambda: page.isVisible() and page.face.is_asking)
        assert task(whole).state is State.WORKING, "asked, and not yet done"
        await press(whole, page.face.confirm, "Cancel task")
        await whole.until(lambda: task(whole).state_reason == "canceled")
        assert not has_button(page, "Cancel task…")

    run(tmp_path, gateway, scenario)


def test_a_task_is_cancelled_from_the_tray(tmp_path, gateway, peers, rig_bus):
    it = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await with_agent(whole, it.card_url)
        menu = whole.face.tray.menu
        menu.refresh()
        assert not menu.cancel_menu.menuAction().isVisible()
        whole.face.shell.perform(Send(DIRECT, "painter", "slow wall"))
        await whole.until(lambda: (s := task(whole)) and Can.CANCEL in s.capabilities)
        assert not whole.panel.isVisible()
        menu.refresh()
        assert menu.cancel_menu.menuAction().isVisible()
        menu.cancel_menu.entries[0].trigger()
        page = whole.face.detail_page
        await whole.until(lambda: page.isVisible() and page.face.is_asking)
        await press(whole, page.face.confirm, "Cancel task")
        await whole.until(lambda: task(whole).state_reason == "canceled")

    run(tmp_path, gateway, scenario)


def test_artifacts_and_frames_are_seen_as_text(tmp_path, gateway, peers, rig_bus):
    it = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await with_agent(whole, it.card_url)
        await typed(whole, "artifacts", "New task at 127.0.0.1:")
        await whole.until(lambda: (s := task(whole)) and s.state is State.DONE and s.reply is Reply.HELD)
        whole.face.open_session(task(whole).key)
        page = whole.face.detail_page
        text = page.reply.text
        await press(whole, page, "View letter.txt")
        await whole.until(lambda: text.toPlainText() == "Hello")
        click(page, "Back")
        await press(whole, page, "View sample.png")
        await whole.until(lambda: text.toPlainText().startswith("This artifact holds no text"))
        assert not page.reply.save.isEnabled()
        click(page, "Back")
        await press(whole, page, "Show JSON")
        await whole.until(lambda: "letter.txt" in text.toPlainText())

    run(tmp_path, gateway, scenario)


def test_after_a_restart_the_task_is_there_and_followed_to_its_end(tmp_path, gateway, peers, rig_bus):
    it = peers("a2a_sdk_1x")
    keys = []

    async def before(whole: Whole) -> None:
        await with_agent(whole, it.card_url)
        await typed(whole, "slow wall", "New task at 127.0.0.1:")
        await whole.until(lambda: (s := task(whole)) and Can.CANCEL in s.capabilities and s.task.task_id)
        keys.append(task(whole).key)

    async def after(whole: Whole) -> None:
        await whole.until(lambda: task(whole))
        assert [task(whole).key] == keys
        await whole.until(lambda: task(whole).followed and task(whole).freshness is Freshness.LIVE)
        whole.face.open_session(keys[0])
        page = whole.face.detail_page
        await whole.until(lambda: has_button(page, "Cancel task…"))
        it.control("go")
        await whole.until(lambda: task(whole).state is State.DONE)
        whole.face.shell.perform(Send(DIRECT, "painter", "message"))
        await whole.until(lambda: task(whole).key != keys[0] and task(whole).state is State.DONE)

    run(tmp_path, gateway, before)
    run(tmp_path, gateway, after)
