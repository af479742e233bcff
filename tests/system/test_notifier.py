"""Notices through a real bus and a server that records and clicks."""

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from dbus_fast import Message, MessageType

from lisa_island.core.notices import Note
from lisa_island.system.notifier import BODY_LIMIT, NAME, DesktopNotifier
from tests.desktop.notification_server import PATH, NotificationServer, notification_server
from tests.desktop.private_bus import connected, private_bus, until_owned

NOTE = Note(
    "n1", "acme-research needs input", "Q3 market scan", buttons=(("reply", "Reply"), ("later", "Later"))
)


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as where:
        yield where


@pytest.fixture
async def server(address: str) -> AsyncIterator[NotificationServer]:
    running = await notification_server(address)
    yield running
    running.bus.disconnect()


@pytest.fixture
async def notifier(address: str) -> AsyncIterator[DesktopNotifier]:
    made = DesktopNotifier({"DBUS_SESSION_BUS_ADDRESS": address})
    yield made
    await made.close()


async def test_a_note_as_the_server_gets_it(server: NotificationServer, notifier: DesktopNotifier) -> None:
    assert await notifier.show(NOTE)
    [shown] = server.history
    assert (shown.app_name, shown.replaces, shown.timeout) == ("LISA Island", 0, -1)
    assert (shown.title, shown.body) == ("acme-research needs input", "Q3 market scan")
    assert shown.buttons == {"default": "LISA Island", "reply": "Reply", "later": "Later"}
    assert shown.hints == {"desktop-entry": "lisa-island", "urgency": 1}


async def test_only_what_is_urgent_is_critical(server: NotificationServer, notifier: DesktopNotifier) -> None:
    await notifier.show(Note("u", "Urgent: Codex asks", urgent=True))
    assert server.history[0].hints["urgency"] == 2


async def test_the_same_note_takes_its_own_place(
    server: NotificationServer, notifier: DesktopNotifier
) -> None:
    await notifier.show(NOTE)
    await notifier.show(Note("n2", "other"))
    await notifier.show(NOTE)
    first, _, again = server.history
    assert again.replaces == first.number and len(server.open) == 2


async def test_a_note_that_was_closed_is_new(server: NotificationServer, notifier: DesktopNotifier) -> None:
    await notifier.show(NOTE)
    server.dismiss(server.history[0].number)
    await notifier.show(Note("n2", "other"))  # the answer to this comes after the signal
    await notifier.show(NOTE)
    assert server.history[2].replaces == 0


async def test_what_is_over_is_closed(server: NotificationServer, notifier: DesktopNotifier) -> None:
    await notifier.show(NOTE)
    await notifier.withdraw("n1")
    assert server.open == {} and server.closed == [server.history[0].number]
    await notifier.withdraw("n1")
    await notifier.withdraw("never shown")
    assert len(server.closed) == 1


@pytest.mark.parametrize("action", ["default", "reply", "later"])
async def test_a_press_comes_back(server: NotificationServer, notifier: DesktopNotifier, action: str) -> None:
    await notifier.show(NOTE)
    server.press(server.history[0].number, action)
    assert await first_press(notifier) == ("n1", action)


async def test_a_press_may_overtake_the_answer(server: NotificationServer, notifier: DesktopNotifier) -> None:
    server.interface.eager = "reply"
    await notifier.show(NOTE)
    assert await first_press(notifier) == ("n1", "reply")


async def test_presses_of_others_are_not_ours(
    address: str, server: NotificationServer, notifier: DesktopNotifier
) -> None:
    await notifier.show(NOTE)
    number = server.history[0].number
    server.interface.ActionInvoked(number + 1, "reply")
    assert notifier._bus is not None and notifier._bus.unique_name is not None
    await forged_press(address, notifier._bus.unique_name, number)
    server.press(number, "later")
    assert await first_press(notifier) == ("n1", "later")


async def test_markup_is_text(server: NotificationServer, notifier: DesktopNotifier) -> None:
    await notifier.show(Note("m", "<b>a & b</b>", '<a href="http://x">&amp; "q"</a>\x1b[31m\u202e'))
    [shown] = server.history
    assert shown.title == "<b>a & b</b>"
    assert shown.body == '&lt;a href="http://x"&gt;&amp;amp; "q"&lt;/a&gt;'


async def test_without_markup_nothing_is_escaped(address: str, notifier: DesktopNotifier) -> None:
    server = await notification_server(address, ("actions", "body"))
    await notifier.show(Note("m", "t", "a & <b>"))
    assert server.history[0].body == "a & <b>"
    server.bus.disconnect()


async def test_what_is_long_is_cut(server: NotificationServer, notifier: DesktopNotifier) -> None:
    await notifier.show(Note("m", "t" * 1000, "b" * 1000))
    [shown] = server.history
    assert len(shown.title) < 200 and len(shown.body) == BODY_LIMIT


async def test_without_buttons_ours_is_better(address: str, notifier: DesktopNotifier) -> None:
    server = await notification_server(address, ("body",))
    assert not await notifier.show(NOTE)
    assert await notifier.show(Note("plain", "no buttons"))
    assert [s.actions for s in server.history] == [()]
    server.bus.disconnect()


# --- no server, no bus ---


@pytest.mark.parametrize("where", ["", "unix:path=/nonexistent", "nonsense", "tcp:host=127.0.0.1,port=1"])
async def test_without_a_bus_nobody_shows_it(where: str) -> None:
    notifier = DesktopNotifier({"DBUS_SESSION_BUS_ADDRESS": where})
    assert not await notifier.show(NOTE)
    await notifier.withdraw("n1")
    await notifier.close()


async def test_without_a_server_nobody_shows_it(notifier: DesktopNotifier) -> None:
    assert not await notifier.show(NOTE)


async def test_a_server_that_comes_late_is_found(address: str, notifier: DesktopNotifier) -> None:
    assert not await notifier.show(NOTE)
    server = await notification_server(address)
    assert await notifier.show(NOTE)
    server.bus.disconnect()


async def test_a_server_that_starts_again_knows_no_old_numbers(
    address: str, notifier: DesktopNotifier
) -> None:
    first = await notification_server(address)
    watcher = await connected(address)
    assert await notifier.show(NOTE)
    await first.leave()
    await until_owned(watcher, NAME, owned=False)
    assert not await notifier.show(NOTE)
    second = await notification_server(address, ("body",))
    assert not await notifier.show(NOTE), "its abilities were asked again"
    await second.leave()
    await until_owned(watcher, NAME, owned=False)
    third = await notification_server(address)
    assert await notifier.show(NOTE)
    assert third.history[0].replaces == 0
    third.bus.disconnect()
    watcher.disconnect()


async def test_a_bus_that_dies_is_not_the_end(caplog: pytest.LogCaptureFixture) -> None:
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        with private_bus(Path(folder)) as where:
            notifier = DesktopNotifier({"DBUS_SESSION_BUS_ADDRESS": where})
            server = await notification_server(where)
            assert await notifier.show(NOTE)
            server.bus.disconnect()
        assert not await notifier.show(NOTE)
        await notifier.withdraw("n1")
        with private_bus(Path(folder)) as where:
            server = await notification_server(where)
            assert await notifier.show(NOTE)
            server.bus.disconnect()
            await notifier.close()
    gc.collect()
    assert not [r for r in caplog.records if r.name == "asyncio"]


async def test_a_server_that_hangs_is_left(
    server: NotificationServer, notifier: DesktopNotifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await notifier.show(NOTE)
    monkeypatch.setattr("lisa_island.system.session_bus.CALL_SECONDS", 0.0)
    assert not await notifier.show(NOTE)


async def test_the_end_of_listening_leaves_the_bus(
    server: NotificationServer, notifier: DesktopNotifier
) -> None:
    await notifier.show(NOTE)
    listening = asyncio.gather(first_press(notifier), return_exceptions=True)
    await asyncio.sleep(0)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert notifier._bus is None
    assert server.open == {}, "nobody would hear the buttons of what is left"


async def first_press(notifier: DesktopNotifier) -> tuple[str, str]:
    async with aclosing(notifier.pressed()) as presses:  # type: ignore[type-var]
        return await anext(presses)


async def forged_press(address: str, to: str, number: int) -> None:
    """Another program sends the server's signal straight to us; it has arrived when this is over."""
    bus = await connected(address)
    signal = MessageType.SIGNAL
    await bus.send(
        Message(to, PATH, NAME, "ActionInvoked", message_type=signal, signature="us", body=[number, "reply"])
    )
    ping = await bus.call(Message(to, "/", "org.freedesktop.DBus.Peer", "Ping"))
    assert ping is not None
    bus.disconnect()
