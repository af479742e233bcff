"""Pointer and keyboard of a mutter session, moved through the compositor itself as a remote desktop does.

async with hands(bus address) as hand:
    await hand.point(x, y)   await hand.click()   await hand.type("abc")   await hand.key(KEY_ESC)
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from tests.desktop.private_bus import connected

NAME = "org.gnome.Mutter.RemoteDesktop"
LEFT, FAR = 0x110, 10_000.0
AWAY = (800, 700)
ESCAPE, RETURN, SHIFT = 0xFF1B, 0xFF0D, 0xFFE1  # X keysyms


@dataclass
class Hands:
    """One session."""

    bus: MessageBus
    session: str

    async def point(self, x: int, y: int) -> None:
        """Into the corner, and from there."""
        await self._do("NotifyPointerMotionRelative", "dd", -FAR, -FAR)
        await self._do("NotifyPointerMotionRelative", "dd", float(x), float(y))

    async def click(self) -> None:
        for pressed in (True, False):
            await self._do("NotifyPointerButton", "ib", LEFT, pressed)

    async def key(self, keysym: int) -> None:
        for pressed in (True, False):
            await self._do("NotifyKeyboardKeysym", "ub", keysym, pressed)

    async def type(self, text: str) -> None:
        for letter in text:
            await self.key(ord(letter))

    async def _do(self, member: str, signature: str = "", *body: Any) -> list[Any]:
        return await _call(self.bus, self.session, f"{NAME}.Session", member, signature, *body)


async def _call(
    bus: MessageBus, path: str, interface: str, member: str, signature: str = "", *body: Any
) -> list[Any]:
    reply = await bus.call(Message(NAME, path, interface, member, signature=signature, body=list(body)))
    assert reply is not None and reply.message_type is MessageType.METHOD_RETURN, reply
    return reply.body


@asynccontextmanager
async def hands(address: str) -> AsyncIterator[Hands]:
    bus = await connected(address)
    [session] = await _call(bus, "/org/gnome/Mutter/RemoteDesktop", NAME, "CreateSession")
    found = Hands(bus, session)
    await found._do("Start")
    await found.key(SHIFT)  # the first key of a new keyboard only brings its layout
    try:
        yield found
    finally:
        # Away from the next test's pill: the pointer stays where it is left.
        await found.point(*AWAY)
        await found._do("Stop")
        bus.disconnect()
