"""The thin line on a real desktop: from a frame of the gateway to a dot on the screen, and back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from lisa_island.core.agent import Health, KeyState, State
from lisa_island.core.intents import Send
from lisa_island.core.origin import origin_of
from tests.desktop.keyring_daemon import keyring_daemon
from tests.desktop.notification_server import notification_server
from tests.desktop.tray_watcher import tray_watcher
from tests.desktop.whole import Whole, button, click, field, has_button, run
from tests.sandbox.child import KEY, running, sandbox

pytestmark = pytest.mark.desktop


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def asked(whole: Whole) -> str:
    """An agent that has been called asks for the owner; the id of its request."""
    whole.send("acme-research", "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session("acme-research")) and s.requests)
    return whole.session("acme-research").requests[0].request_id


async def answer_in_place(whole: Whole, text: str) -> None:
    """Type into the page that is open, and send."""
    await whole.until(lambda: whole.panel.isVisible() and whole.panel.page_name == "answer")
    page = whole.face.answer_page
    box = field(page)
    box.setFocus()
    QTest.keyClicks(box, text)
    await whole.until(lambda: has_button(page, "Send reply"))
    await whole.until(lambda: not button(page, "Send reply").is_inert())
    click(page, "Send reply")


def test_working_asks_is_answered_in_the_island_and_completes(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        request_id = await asked(whole)
        shown = await server.until(1)
        assert "acme-research" in shown.title and set(shown.buttons) >= {"reply", "later"}
        assert not whole.panel.isVisible(), "no event opens the panel"
        whole.face.open_request(request_id)
        await answer_in_place(whole, "Q3, in euros")
        await whole.until(lambda: whole.session("acme-research").state is State.DONE)
        await server.until_closed(shown.number)
        assert [c["text"] for c in gateway.get("calls")][-1] == "Q3, in euros"
        await server.leave()

    run(tmp_path, gateway, scenario)


def test_the_same_through_the_notice(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        await asked(whole)
        shown = await server.until(1)
        server.press(shown.number, "reply")
        await answer_in_place(whole, "Q4")
        await whole.until(lambda: whole.session("acme-research").state is State.DONE)
        await server.until_closed(shown.number)
        await server.leave()

    run(tmp_path, gateway, scenario)


def test_later_leaves_the_request_in_the_queue(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        request_id = await asked(whole)
        shown = await server.until(1)
        server.press(shown.number, "later")
        await whole.until(lambda: not whole.panel.isVisible())
        assert whole.session("acme-research").requests[0].request_id == request_id
        await server.leave()

    run(tmp_path, gateway, scenario)


def test_after_a_restart_a_request_waits_and_is_not_announced_again(tmp_path, gateway, rig_bus):
    async def first(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        await asked(whole)
        await server.until(1)
        await whole.until(lambda: whole.session("acme-research").notified)
        await whole.house.stored.recorder.settled()
        await server.leave()

    async def second(whole: Whole) -> None:
        server = await notification_server(rig_bus)
        await whole.until(lambda: whole.session("acme-research"))
        assert whole.session("acme-research").requests
        whole.send("flaky-build")
        shown = await server.until(1)
        assert "flaky-build" in shown.title, "the old request made no notice before the new failure did"
        await server.leave()

    run(tmp_path, gateway, first)
    run(tmp_path, gateway, second)


def test_without_a_notification_server_the_island_shows_its_own_toast(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        await asked(whole)
        await whole.until(lambda: whole.face.toasts.shown())
        [note_id] = whole.face.toasts.shown()
        toast = whole.face.toasts.toast(note_id)
        assert toast.isVisible() and not toast.isActiveWindow()
        await whole.until(lambda: not button(toast, "Reply").is_inert())
        click(toast, "Reply")
        await answer_in_place(whole, "Q1")
        await whole.until(lambda: whole.session("acme-research").state is State.DONE)
        await whole.until(lambda: not whole.face.toasts.shown())

    run(tmp_path, gateway, scenario)


def test_a_key_saved_in_the_dialog_is_found_by_the_secret_service(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        whole.face.open_settings("remote")
        dialog = whole.face._dialog
        secret = dialog.findChild(QLineEdit, "key")
        await whole.until(lambda: dialog.isVisible() and secret.isVisible())
        assert secret.echoMode() is QLineEdit.EchoMode.Password
        QTest.keyClicks(secret, KEY)
        QTest.keyClick(secret, Qt.Key.Key_Return)
        await whole.until(lambda: whole.house.store.roster.sources["takoapi"].key_state is KeyState.READY)
        assert secret.text() == ""

    run(tmp_path, gateway, scenario, key="", source="keyring")
    user = f"TAKO_KEY@{origin_of(gateway.url)}"
    found = subprocess.run(
        ["secret-tool", "lookup", "service", "lisa-island", "username", user],
        capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    assert found.stdout == KEY
    kept = b"".join(p.read_bytes() for p in Path(tmp_path).rglob("*") if p.is_file())
    assert KEY.encode() not in kept


def test_the_tray_menu_opens_settings_and_quits(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        watcher = await tray_watcher(rig_bus)
        item = await watcher.until_item()
        await item.choose("Settings…")
        await whole.until(lambda: whole.face._dialog is not None and whole.face._dialog.isVisible())
        await item.choose("Quit")
        await whole.until(whole.over.is_set)
        await watcher.leave()

    run(tmp_path, gateway, scenario)


def test_without_a_tray_the_pill_has_everything(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        assert whole.face.island.pill.isVisible()
        menu = whole.face._menu()
        texts = [a.text().replace("&", "") for a in menu.actions()]
        assert {"Show island", "Command bar", "Settings…", "Quit"} <= set(texts)
        menu.deleteLater()

    run(tmp_path, gateway, scenario)


def test_without_a_keyring_it_says_so_and_remembers_for_this_run(tmp_path, gateway, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")

    async def scenario(whole: Whole) -> None:
        sources = whole.house.store.roster.sources
        await whole.until(
            lambda: sources and whole.house.store.roster.sources["takoapi"].key_state is KeyState.ABSENT
        )
        told = []
        whole.face.shell.save_key(KEY, "run", lambda state, word: told.append((state, word)))
        await whole.until(lambda: told)
        assert told == [(KeyState.MEMORY, "")]
        whole.send("sheet-wizard")
        await whole.until(lambda: (s := whole.session("sheet-wizard")) and s.state is State.DONE)

    run(tmp_path, gateway, scenario, key="", source="keyring")


def test_a_refused_key_has_a_face_and_stops_all_calls(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        gateway.turn("key", valid=False)
        whole.send("sheet-wizard")
        await whole.until(lambda: whole.house.store.roster.sources["takoapi"].health is Health.REFUSED)
        before = len(gateway.get("requests"))
        whole.send("sheet-wizard")
        outcomes = []
        whole.face.shell.perform(Send("takoapi", "tone-check", "x"), outcomes.append)
        await whole.until(lambda: outcomes)
        assert outcomes[0].word == "outcome.key-refused"
        assert len(gateway.get("requests")) == before

    run(tmp_path, gateway, scenario)


def test_quitting_with_an_open_call_asks_once_and_says_what_is_lost(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        gateway.turn("hold", gate="step-by-step")
        whole.send("step-by-step")
        await whole.until(lambda: (s := whole.session("step-by-step")) and s.followed)
        whole.face.ask_to_leave()
        asking = whole.face._leaving
        await whole.until(lambda: asking is not None and asking.isVisible())
        click(asking, "Stay")
        assert not whole.over.is_set() and not asking.isVisible()
        whole.face.ask_to_leave()
        click(asking, "Quit")
        assert whole.over.is_set()

    run(tmp_path, gateway, scenario)


def test_a_locked_keyring_has_a_face_and_nothing_is_sent(tmp_path, gateway, short_path, bus_address):
    """On a bus of its own, whose keyring nobody else needs unlocked again."""

    async def scenario(whole: Whole) -> None:
        folder = short_path / "keyring"
        folder.mkdir(mode=0o700)
        async with keyring_daemon(bus_address, folder) as ring:
            await ring.lock()
            whole.house.key_changed()
            store = whole.house.store
            await whole.until(lambda: store.roster.sources["takoapi"].key_state is KeyState.LOCKED)
            whole.face.island.show()
            banners = whole.face._banners
            await whole.until(lambda: has_button(banners, "Unlock"))
            outcomes = []
            whole.face.shell.perform(Send("takoapi", "sheet-wizard", "x"), outcomes.append)
            await whole.until(lambda: outcomes)
            assert outcomes[0].word == "outcome.key-locked"
            assert not any(r["path"].startswith("/v1/") for r in gateway.get("requests"))

    run(tmp_path, gateway, scenario, key="", source="keyring")


def test_at_scale_two_everything_has_twice_the_pixels(tmp_path, rig_bus):
    """In a process of its own: Qt reads the factor once."""
    sizes = []
    for factor in ("1", "2"):
        picture = tmp_path / f"{factor}.png"
        command = [sys.executable, "-m", "lisa_island", "demo", "--seconds", "4", "--picture", str(picture)]
        environ = dict(os.environ) | {"QT_SCALE_FACTOR": factor, "HOME": str(tmp_path)}
        subprocess.run(command, env=environ, check=True, timeout=60, capture_output=True)
        image = QImage(str(picture))
        sizes.append((image.width(), image.devicePixelRatio()))
    assert sizes[1][0] == 2 * sizes[0][0]
