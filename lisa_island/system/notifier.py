"""The desktop's notices through org.freedesktop.Notifications, where a server shows them.

A server may be missing, come late, restart, or know no buttons: then `show` says False and our own toast does
it. UNTESTED elsewhere: on macOS and Windows the answer is always False.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from lisa_island.core.notices import Note
from lisa_island.core.text import clean, escaped
from lisa_island.system import session_bus
from lisa_island.system.session_bus import BusError, call
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

log = logging.getLogger(__name__)

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
APP_NAME = "LISA Island"
DESKTOP_ENTRY = "lisa-island"
NORMAL, CRITICAL = 1, 2
SERVERS_CHOICE = -1
CLOSE_SECONDS = 1.0
NO_SERVER, NO_ANSWER = "notices.no-server", "notices.no-answer"
TITLE_LIMIT, BODY_LIMIT = 120, 240
_MOST_EARLY = 16
# Of notices that are gone, so that a late press is still understood; a day of them fits.
_MOST_KNOWN = 500

_SIGNALS = f"type='signal',sender='{NAME}',path='{PATH}',interface='{NAME}'"
_OWNER = f"type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='{NAME}'"


class DesktopNotifier:
    """`core.ports.Notifier`. Connects at the first notice; ending the iteration of `pressed` closes it."""

    def __init__(self, environ: Mapping[str, str] = os.environ, worker: Worker | None = None) -> None:
        self._environ = environ
        self._worker = worker or Worker()
        self._bus: MessageBus | None = None
        self._owner = ""
        self._can: frozenset[str] | None = None
        # Our ids to the server's, and back. Back outlives the notice: a press may come after its end.
        self._numbers: dict[str, int] = {}
        self._notes: dict[int, str] = {}
        # Signals that overtook the answer that tells us which number is ours.
        self._early: list[tuple[int, str]] = []
        self._asking = 0
        self._presses: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._turn = asyncio.Lock()
        self.trouble = ""

    async def show(self, note: Note) -> bool:
        """Show or replace; False when nobody here shows it as it is meant."""
        async with self._turn:
            try:
                if not await self._is_able(note):
                    self.trouble = "notices.by-island" if self._can is not None else NO_SERVER
                    return False
                assert self._bus is not None and self._can is not None
                self._asking += 1
                arguments = _arguments(note, self._numbers.get(note.note_id, 0), self._can)
                [number] = await call(self._bus, NAME, PATH, f"{NAME}.Notify", "susssasa{sv}i", arguments)
            except (BusError, TimeoutError, OSError, EOFError) as error:
                log.info("no notice by the desktop: %s", type(error).__name__)
                self.trouble = NO_ANSWER if isinstance(error, TimeoutError) else NO_SERVER
                return False
            finally:
                self._asking = 0
            self.trouble = ""
            self._shown(note.note_id, number)
            return True

    async def withdraw(self, note_id: str) -> None:
        """Close it; what is not shown needs no closing."""
        async with self._turn:
            number = self._numbers.pop(note_id, 0)
            if not number or self._bus is None:
                return
            try:
                await call(self._bus, NAME, PATH, f"{NAME}.CloseNotification", "u", (number,))
            except (BusError, TimeoutError, OSError, EOFError):
                pass  # It was closed already, or the server is gone and all its notices with it.

    async def pressed(self) -> AsyncIterator[tuple[str, str]]:
        """(note id, action) for each button or click."""
        try:
            while True:
                yield await self._presses.get()
        finally:
            await self.close()

    async def close(self) -> None:
        """Take away what is shown, since nobody would hear its buttons, and leave the bus."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                for note_id in tuple(self._numbers):
                    await self.withdraw(note_id)
        except TimeoutError:
            log.info("the notification server is slow; its notices stay")
        if self._bus is not None:
            self._bus.disconnect()
            self._bus = None

    async def _is_able(self, note: Note) -> bool:
        if self._bus is None or not self._bus.connected:
            await self._connect()
        if self._bus is None:
            return False
        if self._can is None:
            # This starts a server where the desktop can start one.
            [words] = await call(self._bus, NAME, PATH, f"{NAME}.GetCapabilities")
            self._owner = str((await _ask_bus(self._bus, "GetNameOwner", NAME))[0])
            self._can = frozenset(words)
        return "actions" in self._can or not note.buttons

    async def _connect(self) -> None:
        self._forget_server()
        self._bus = bus = await session_bus.connect(self._worker, self._environ)
        if bus is not None:
            bus.add_message_handler(self._heard)
            for rule in (_SIGNALS, _OWNER):
                await _ask_bus(bus, "AddMatch", rule)

    def _shown(self, note_id: str, number: int) -> None:
        self._numbers[note_id] = number
        self._notes[number] = note_id
        while len(self._notes) > _MOST_KNOWN:
            del self._notes[next(iter(self._notes))]
        early, self._early = self._early, []
        for known, action in early:
            if known == number:
                self._happened(number, action)

    def _heard(self, message: "Message") -> None:
        match message.member, message.body:
            case "NameOwnerChanged", [str(name), _, str()] if name == NAME:
                self._forget_server()
            case "ActionInvoked", [int(number), str(action)] if message.sender == self._owner:
                self._happened(number, action)
            case "NotificationClosed", [int(number), int()] if message.sender == self._owner:
                self._happened(number, "")

    def _happened(self, number: int, action: str) -> None:
        """A press, or with no action the end of a notice. Numbers of other programs pass by as well."""
        note_id = self._notes.get(number)
        if note_id is None:
            if self._asking:
                self._early = [*self._early, (number, action)][-_MOST_EARLY:]
        elif action:
            self._presses.put_nowait((note_id, action))
        elif self._numbers.get(note_id) == number:
            del self._numbers[note_id]

    def _forget_server(self) -> None:
        """Another server, or none: its numbers and abilities say nothing about the next one."""
        self._owner, self._can = "", None
        self._numbers.clear()
        self._notes.clear()


def _arguments(note: Note, replaces: int, can: frozenset[str]) -> tuple[object, ...]:
    from dbus_fast import Variant

    body = clean(note.body, BODY_LIMIT)
    actions: list[str] = []
    if "actions" in can:
        actions = ["default", APP_NAME, *(word for button in note.buttons for word in button)]
    hints = {
        "desktop-entry": Variant("s", DESKTOP_ENTRY),
        "urgency": Variant("y", CRITICAL if note.urgent else NORMAL),
    }
    return (
        APP_NAME,
        replaces,
        DESKTOP_ENTRY,
        clean(note.title, TITLE_LIMIT),
        escaped(body) if "body-markup" in can else body,
        actions,
        hints,
        SERVERS_CHOICE,
    )


async def _ask_bus(bus: "MessageBus", member: str, argument: str) -> list[object]:
    bus_name = "org.freedesktop.DBus"
    return await call(bus, bus_name, "/org/freedesktop/DBus", f"{bus_name}.{member}", "s", (argument,))
