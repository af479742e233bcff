"""An agent at its own address on a real desktop: added in the window, called, answered, signed in to."""

import os
import pwd
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from lisa_island.core.agent import State
from lisa_island.core.origin import origin_of
from lisa_island.system.secrets import agent_user
from lisa_island.ui.settings.agents import AgentsPage
from lisa_island.ui.settings.direct.add import AddWindow
from lisa_island.ui.settings.direct.added import AddedWindow
from lisa_island.ui.settings.direct.sign_in import SignInWindow
from tests.desktop.whole import Whole, button, click, field, has_button, run, windows
from tests.fakes.peers import peers
from tests.sandbox.child import running, sandbox

__all__ = ["peers"]  # the fixture

pytestmark = pytest.mark.desktop

TOKEN = "t0ken-Of-The-Painter"


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


def window(kind: type):
    """The visible window of this kind, or None."""
    return next((w for w in windows() if isinstance(w, kind)), None)


async def press(whole: Whole, root, text: str) -> None:
    """Press a button once it takes a press."""
    await whole.until(lambda: has_button(root, text), text)
    await whole.until(lambda: not getattr(button(root, text), "is_inert", bool)())
    click(root, text)


async def added(whole: Whole, url: str) -> None:
    """Add the agent as a person does: Settings, Agents, Add agent…, its address, Add."""
    whole.face.open_settings("agents")
    page = whole.face._dialog.pages["agents"]
    assert isinstance(page, AgentsPage)
    await press(whole, page, "Add agent…")
    await whole.until(lambda: window(AddWindow))
    adding = window(AddWindow)
    await whole.until(adding.isActiveWindow)
    QTest.keyClicks(adding.field, url)
    QTest.keyClick(adding.field, Qt.Key.Key_Return)
    await whole.until(lambda: adding.shown.isVisible() or adding.sentence.icon == "error")
    assert adding.origins.text() == origin_of(url) and not whole.house.preferences.direct_agents
    adding.name.selectAll()
    QTest.keyClicks(adding.name, "painter")
    await press(whole, adding, "Add")
    await whole.until(lambda: whole.house.preferences.direct_agents)
    await whole.until(lambda: whole.house.store.roster.sources.get("a2a"))


def row(whole: Whole):
    """The painter's newest task."""
    rows = [s for s in whole.house.store.roster.sessions.values() if s.key.agent == "a2a" and s.started_at]
    return max(rows, key=lambda s: s.started_at or 0, default=None)


async def called(whole: Whole, text: str) -> None:
    """Type into the command bar and press Enter."""
    whole.face.island.open_command()
    bar = whole.face._bar
    await whole.until(lambda: whole.panel.isVisible() and bar.field.isVisible())
    bar.field.setFocus()
    QTest.keyClicks(bar.field, text)
    QTest.keyClick(bar.field, Qt.Key.Key_Return)


def test_added_by_its_address_called_and_answered_in_place(tmp_path: Path, gateway, rig_bus, peers) -> None:
    agent = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await added(whole, agent.url)
        await called(whole, "@painter ask me")
        await whole.until(lambda: (s := row(whole)) and s.requests)
        whole.face.open_request(row(whole).requests[0].request_id)
        page = whole.face.answer_page
        await whole.until(lambda: whole.panel.page_name == "answer" and page.isVisible())
        assert "Which colour?" in page.face.quote.text.toPlainText()
        box = field(page)
        box.setFocus()
        QTest.keyClicks(box, "green")
        await press(whole, page, "Send reply")
        await whole.until(lambda: row(whole).state is State.DONE and not row(whole).followed)

    run(tmp_path, gateway, scenario)


def test_after_a_sign_in_a_refused_call_is_sent_again(tmp_path: Path, gateway, rig_bus, peers) -> None:
    agent = peers("a2a_sdk_1x", token=TOKEN)

    async def scenario(whole: Whole) -> None:
        await added(whole, agent.url)
        if (shown := window(AddedWindow)) is not None:  # its card may say that it wants a credential
            shown.close()
        await called(whole, "@painter slow")
        await whole.until(lambda: (s := row(whole)) and s.requests)
        refused, request_id = row(whole).key, row(whole).requests[0].request_id
        whole.face.open_request(request_id)
        page = whole.face.answer_page
        await whole.until(lambda: page.isVisible())
        await press(whole, page, "Enter credential…")
        await whole.until(lambda: window(SignInWindow))
        asking = window(SignInWindow)
        await whole.until(lambda: asking.credential.field.isVisible())
        asking.credential.field.setFocus()
        QTest.keyClicks(asking.credential.field, TOKEN)
        await press(whole, asking, "Save")
        await press(whole, asking, "Send again")
        await whole.until(lambda: row(whole).key != refused and row(whole).state is State.WORKING)
        await whole.until(lambda: whole.house.store.roster.get(refused) is None)
        agent.control("go")
        await whole.until(lambda: row(whole).state is State.DONE and not row(whole).followed)

    run(tmp_path, gateway, scenario)
    found = subprocess.run(
        ["secret-tool", "lookup", "service", "lisa-island", "username", agent_user(origin_of(agent.url))],
        capture_output=True, text=True, timeout=20, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert found.stdout == TOKEN
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert TOKEN.encode() not in kept


def test_a_task_goes_on_by_itself_once_the_server_takes_the_credential(
    tmp_path: Path, gateway, rig_bus, peers
) -> None:
    agent = peers("a2a_sdk_1x")

    async def scenario(whole: Whole) -> None:
        await added(whole, agent.url)
        await called(whole, "@painter slow")
        await whole.until(lambda: (s := row(whole)) and s.state is State.WORKING and s.task.task_id)
        agent.stop()
        agent.command += ["--token", TOKEN]
        agent.start()
        await whole.until(lambda: row(whole).requests, "it is asked who calls")
        request_id = row(whole).requests[0].request_id
        whole.face.open_sign_in(request_id)
        await whole.until(lambda: window(SignInWindow))
        asking = window(SignInWindow)
        await whole.until(lambda: asking.credential.field.isVisible())
        asking.credential.field.setFocus()
        QTest.keyClicks(asking.credential.field, TOKEN)
        await press(whole, asking, "Save")
        await whole.until(lambda: window(SignInWindow) is None, "the window goes with the request")
        assert not row(whole).requests and row(whole).state is State.WORKING

    run(tmp_path, gateway, scenario)
