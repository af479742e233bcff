"""A Secret Service that can be locked, empty or slow, and that records each prompt it shows.

Only what asking about locks and opening them takes; a real keyring does the rest in other tests.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Any

from dbus_fast import PropertyAccess, RequestNameReply, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusObjectPath, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from tests.desktop.private_bus import connected

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
COLLECTION = PATH + "/collection/login"
ITEM = COLLECTION + "/1"
PROMPT = PATH + "/prompt/1"
Paths = Annotated[list[str], DBusSignature("ao")]
Attributes = Annotated[dict[str, str], DBusSignature("a{ss}")]


@dataclass
class FakeSecretService:
    """`answer` is what the owner does at the prompt: open, refuse, or nothing (None)."""

    bus: MessageBus
    has_collection: bool = True
    is_locked: bool = True
    has_locked_item: bool = False
    answer: bool | None = True
    prompts: list[str] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    def opened(self) -> None:
        """The owner typed the right password."""
        self.is_locked = self.has_locked_item = False


class _Service(ServiceInterface):
    def __init__(self, state: FakeSecretService) -> None:
        super().__init__("org.freedesktop.Secret.Service")
        self._state = state

    @dbus_method()
    def ReadAlias(self, name: DBusStr) -> DBusObjectPath:
        return COLLECTION if self._state.has_collection and name == "default" else "/"

    @dbus_method()
    def SearchItems(self, attributes: Attributes) -> Annotated[list[Any], DBusSignature("aoao")]:
        return [[], [ITEM] if self._state.has_locked_item else []]

    @dbus_method()
    def Unlock(self, objects: Paths) -> Annotated[list[Any], DBusSignature("aoo")]:
        return [[], PROMPT]


class _Collection(ServiceInterface):
    def __init__(self, state: FakeSecretService) -> None:
        super().__init__("org.freedesktop.Secret.Collection")
        self._state = state

    @dbus_property(access=PropertyAccess.READ)
    def Locked(self) -> DBusBool:
        return self._state.is_locked


class _Prompt(ServiceInterface):
    def __init__(self, state: FakeSecretService) -> None:
        super().__init__("org.freedesktop.Secret.Prompt")
        self._state = state

    @dbus_method()
    def Prompt(self, window: DBusStr) -> None:
        self._state.prompts.append("shown")
        self._state.asked.set()
        if self._state.answer is not None:
            if self._state.answer:
                self._state.opened()
            self.Completed(not self._state.answer)

    @dbus_method()
    def Dismiss(self) -> None:
        self._state.prompts.append("dismissed")

    @dbus_signal()
    def Completed(self, dismissed: bool) -> Annotated[list[Any], DBusSignature("bv")]:
        return [dismissed, Variant("ao", [])]


async def fake_secret_service(address: str) -> FakeSecretService:
    """Run one on the bus at `address`."""
    bus = await connected(address)
    state = FakeSecretService(bus)
    bus.export(PATH, _Service(state))
    bus.export(COLLECTION, _Collection(state))
    bus.export(PROMPT, _Prompt(state))
    assert await bus.request_name(NAME) is RequestNameReply.PRIMARY_OWNER
    return state
