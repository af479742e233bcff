"""The window that adds an agent: by keys alone, in another language, and when one quits in the middle."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lisa_island.core.words import say
from lisa_island.ui.settings.direct.add import AddWindow
from tests.desktop.whole import Whole, click, run, windows
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop


class Card(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = f"http://127.0.0.1:{self.server.server_address[1]}/rpc"
        interface = {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        data = json.dumps({"name": "Box", "supportedInterfaces": [interface], "skills": []}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def agent() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Card)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def mute() -> Iterator[str]:
    """A server that takes a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


def adding() -> AddWindow | None:
    return next((w for w in windows() if isinstance(w, AddWindow)), None)


async def opened(whole: Whole) -> AddWindow:
    whole.face.open_settings("agents")
    click(whole.face._dialog.pages["agents"], "Add agent…")
    await whole.until(adding)
    window = adding()
    assert window is not None
    await whole.until(window.isActiveWindow)
    return window


async def tabbed_to(whole: Whole, window: AddWindow, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(30):
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus.objectName() == name:
            return
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    pytest.fail(f"Tab never comes to {name}")


def test_by_keys_alone(tmp_path: Path, gateway, rig_bus, agent: str) -> None:
    async def scenario(whole: Whole) -> None:
        window = await opened(whole)
        assert QApplication.focusWidget() is window.field
        QTest.keyClicks(window.field, agent.removeprefix("http://"))
        await tabbed_to(whole, window, "agent-look")
        QTest.keyClick(window.look, Qt.Key.Key_Space)
        await whole.until(window.shown.isVisible)
        await tabbed_to(whole, window, "agent-name")
        QTest.keyClicks(window.name, "box")
        await whole.until(lambda: not window.do.is_inert())
        await tabbed_to(whole, window, "agent-do")
        QTest.keyClick(window.do, Qt.Key.Key_Space)
        await whole.until(lambda: whole.house.preferences.direct_agents)
        assert whole.house.preferences.direct_agents[0].name == "box"

    run(tmp_path, gateway, scenario)


def test_the_language_is_switched_while_it_is_open(tmp_path: Path, gateway, rig_bus, agent: str) -> None:
    async def scenario(whole: Whole) -> None:
        window = await opened(whole)
        QTest.keyClicks(window.field, agent)
        QTest.keyClick(window.field, Qt.Key.Key_Return)
        await whole.until(window.shown.isVisible)
        await whole.house.settings.change(language="zh-CN")
        await whole.house.settings.change(theme="contrast")
        await whole.until(lambda: whole.house.preferences.theme == "contrast")
        again = adding()
        if again is not None:
            again.reject()
        await whole.until(lambda: adding() is None)

    run(tmp_path, gateway, scenario, LISA_ISLAND_LANG="")


def test_quitting_while_a_card_is_fetched(tmp_path: Path, gateway, rig_bus, mute: str) -> None:
    async def scenario(whole: Whole) -> None:
        window = await opened(whole)
        QTest.keyClicks(window.field, mute)
        QTest.keyClick(window.field, Qt.Key.Key_Return)
        assert window.sentence.text() == say("en", "direct.add.looking")

    run(tmp_path, gateway, scenario)


def test_the_window_is_closed_while_a_card_is_fetched(tmp_path: Path, gateway, rig_bus, mute: str) -> None:
    async def scenario(whole: Whole) -> None:
        window = await opened(whole)
        QTest.keyClicks(window.field, mute)
        QTest.keyClick(window.field, Qt.Key.Key_Return)
        window.reject()
        await whole.until(lambda: adding() is None)

    run(tmp_path, gateway, scenario)
