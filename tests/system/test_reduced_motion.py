"""The desktop's wish for stillness, from a settings portal on a real bus."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import pytest
from dbus_fast import DBusError, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusSignature, DBusStr, DBusVariant
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

from lisa_island.system.reduced_motion import PORTAL, PORTAL_PATH, SETTINGS, WORDS, reduced_motion
from lisa_island.system.worker import Worker
from tests.desktop.private_bus import connected, private_bus

MODERN, GNOME, KDE = ((space, key) for space, key, _ in WORDS)
Changed = Annotated[list[Any], DBusSignature("ssv")]


class Portal(ServiceInterface):
    """A settings portal that knows these words."""

    def __init__(self) -> None:
        super().__init__(SETTINGS)
        self.known: dict[tuple[str, str], Variant] = {}

    @dbus_method()
    def Read(self, space: DBusStr, key: DBusStr) -> DBusVariant:
        if (space, key) not in self.known:
            raise DBusError("org.freedesktop.portal.Error.NotFound", "no such setting")
        return Variant("v", self.known[space, key])

    @dbus_signal()
    def SettingChanged(self, space: str, key: str, value: Variant) -> Changed:
        return [space, key, value]

    def turn(self, word: tuple[str, str], value: Variant) -> None:
        self.known[word] = value
        self.SettingChanged(*word, value)


async def serve(address: str, portal: Portal) -> MessageBus:
    bus = await connected(address)
    bus.export(PORTAL_PATH, portal)
    await bus.request_name(PORTAL)
    return bus


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as where:
        yield where


@asynccontextmanager
async def listening(address: str) -> AsyncIterator[Callable[[], Any]]:
    source = reduced_motion(Worker(), {"DBUS_SESSION_BUS_ADDRESS": address})
    async with aclosing(source):
        yield lambda: asyncio.wait_for(anext(source), 20)


async def test_without_a_bus_nothing_is_told() -> None:
    async with listening("") as told:
        with pytest.raises(StopAsyncIteration):
            await told()


@pytest.mark.parametrize(
    ("word", "still", "moving"),
    [
        (MODERN, Variant("u", 1), Variant("u", 0)),
        (GNOME, Variant("b", False), Variant("b", True)),
        (KDE, Variant("s", "0"), Variant("s", "1")),
    ],
)
async def test_a_portal_comes_changes_its_mind_and_goes(
    address: str, word: tuple[str, str], still: Variant, moving: Variant
) -> None:
    async with listening(address) as told:
        assert await told() is False
        portal = Portal()
        portal.known[word] = still
        bus = await serve(address, portal)
        assert await told() is True
        for value, wanted in ((moving, False), (still, True)):
            portal.turn(word, value)
            assert await told() is wanted
        bus.disconnect()
        assert await told() is False


async def test_the_modern_word_counts_before_the_others(address: str) -> None:
    portal = Portal()
    portal.known = {MODERN: Variant("u", 0), GNOME: Variant("b", False)}
    bus = await serve(address, portal)
    async with listening(address) as told:
        assert await told() is False
    bus.disconnect()


@pytest.mark.parametrize(
    "value", [Variant("s", "no"), Variant("b", True), Variant("as", []), Variant("u", 7)]
)
async def test_a_value_of_another_kind_asks_for_nothing(address: str, value: Variant) -> None:
    portal = Portal()
    portal.known = {MODERN: value}
    bus = await serve(address, portal)
    async with listening(address) as told:
        assert await told() is False
    bus.disconnect()
