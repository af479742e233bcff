"""Pointer and keyboard of a mutter session, moved through the compositor itself as a remote desktop does.

    with hands() as hand:
        hand.point(x, y)   hand.move(dx, dy)   hand.click()   hand.press()   hand.type("abc")   hand.key(ESCAPE)

A program of its own holds them, one for all tests: a window that is told of a new keyboard or pointer may
miss what comes from it in that moment.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from tests.desktop.private_bus import connected

NAME = "org.gnome.Mutter.RemoteDesktop"
PATH = "/org/gnome/Mutter/RemoteDesktop"
LEFT, FAR = 0x110, 10_000
ASIDE = (20, 700)
ESCAPE, RETURN, SHIFT = 0xFF1B, 0xFF0D, 0xFFE1  # X keysyms


@dataclass
class Hands:
    """Each word is done when it returns."""

    process: subprocess.Popen[str]

    def point(self, x: int, y: int) -> None:
        self._do("point", x, y)

    def click(self) -> None:
        self.press()
        self.release()

    def move(self, x: int, y: int) -> None:
        """From where they are, by so much."""
        self._do("move", x, y)

    def press(self) -> None:
        self._do("press")

    def release(self) -> None:
        self._do("release")

    def key(self, keysym: int) -> None:
        self._do("key", keysym)

    def type(self, text: str) -> None:
        for letter in text:
            self.key(ord(letter))

    def _do(self, *words: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"


@contextmanager
def hands() -> Iterator[Hands]:
    """Take them; they lie aside."""
    command = [sys.executable, "-m", "tests.wayland.mutter_hands"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        found = Hands(process)
        found.key(SHIFT)
        found.point(*ASIDE)
        yield found


async def _call(bus: MessageBus, path: str, interface: str, member: str, *rest: Any) -> list[Any]:
    signature, *body = rest or ("",)
    reply = await bus.call(Message(NAME, path, interface, member, signature=signature, body=body))
    assert reply is not None and reply.message_type is MessageType.METHOD_RETURN, reply
    return reply.body


async def _hold() -> None:
    """Do what comes in, line by line, until the input ends."""
    bus = await connected(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    [session] = await _call(bus, PATH, NAME, "CreateSession")

    async def notify(member: str, *rest: Any) -> None:
        await _call(bus, session, f"{NAME}.Session", member, *rest)

    await notify("Start")
    for line in sys.stdin:
        match line.split():
            case ["point", x, y]:
                # Into the corner, and from there.
                await notify("NotifyPointerMotionRelative", "dd", float(-FAR), float(-FAR))
                await notify("NotifyPointerMotionRelative", "dd", float(x), float(y))
            case ["move", x, y]:
                await notify("NotifyPointerMotionRelative", "dd", float(x), float(y))
            case ["press"]:
                await notify("NotifyPointerButton", "ib", LEFT, True)
            case ["release"]:
                await notify("NotifyPointerButton", "ib", LEFT, False)
            case ["key", keysym]:
                for pressed in (True, False):
                    await notify("NotifyKeyboardKeysym", "ub", int(keysym), pressed)
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_hold())
