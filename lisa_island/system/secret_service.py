"""Asks the Secret Service and KWallet whether they are open, without waking a prompt; opens them when told.

`keyring` itself would answer "locked" with a prompt that takes the focus and waits for minutes.
"""

import asyncio
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from lisa_island.system import session_bus
from lisa_island.system.keyring_backend import SERVICE
from lisa_island.system.session_bus import BusError, call, get_property
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"
WALLET = "org.kde.KWallet"
PROMPT_SECONDS = 180.0

WALLETS = (
    ("org.kde.kwalletd6", "/modules/kwalletd6"),
    ("org.kde.kwalletd5", "/modules/kwalletd5"),
    ("org.kde.kwalletd", "/modules/kwalletd"),
)


class Access(StrEnum):
    """OPEN: reading asks nobody. EMPTY: it has no collection yet. MISSING: no such service here."""

    OPEN = "open"
    LOCKED = "locked"
    EMPTY = "empty"
    MISSING = "missing"


async def look(worker: Worker, environ: Mapping[str, str], user: str) -> Access:
    """Whether a read of `user` would be answered at once. Raises TimeoutError."""
    bus = await session_bus.connect(worker, environ)
    if bus is None:
        return Access.MISSING
    try:
        return await _service_access(bus, user)
    except BusError:
        return await _wallet_access(bus)
    finally:
        bus.disconnect()


async def unlock(worker: Worker, environ: Mapping[str, str], user: str) -> bool:
    """Let the desktop ask the owner; False when they said no. Raises TimeoutError when nobody answered."""
    bus = await session_bus.connect(worker, environ)
    if bus is None:
        return False
    try:
        return await _unlock(bus, user)
    except BusError:
        return await _open_wallet(bus)
    finally:
        bus.disconnect()


async def _unlock(bus: "MessageBus", user: str) -> bool:
    locked = await _locked_objects(bus, user)
    if not locked:
        return True
    _, prompt = await call(bus, NAME, PATH, "org.freedesktop.Secret.Service.Unlock", "ao", (locked,))
    return prompt == "/" or await _prompt(bus, prompt)


async def _service_access(bus: "MessageBus", user: str) -> Access:
    collection = await _collection(bus)
    if collection == "/":
        return Access.EMPTY
    return Access.LOCKED if await _locked_objects(bus, user) else Access.OPEN


async def _collection(bus: "MessageBus") -> str:
    [path] = await call(bus, NAME, PATH, "org.freedesktop.Secret.Service.ReadAlias", "s", ("default",))
    return str(path)


async def _locked_objects(bus: "MessageBus", user: str) -> list[str]:
    """The default collection if it is locked, else our own item if it alone is."""
    collection = await _collection(bus)
    if collection == "/":
        return []
    if await get_property(bus, NAME, collection, "org.freedesktop.Secret.Collection.Locked"):
        return [collection]
    wanted = {"service": SERVICE, "username": user}
    open_items, locked_items = await call(
        bus, NAME, PATH, "org.freedesktop.Secret.Service.SearchItems", "a{ss}", (wanted,)
    )
    return [] if open_items else list(locked_items)


async def _prompt(bus: "MessageBus", prompt: str) -> bool:
    """Show the prompt and wait for its `Completed`; it is dismissed when nobody answers in time."""
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def completed(message: "Message") -> None:
        if message.member == "Completed" and message.path == prompt and not done.done():
            done.set_result(not message.body[0])

    bus.add_message_handler(completed)
    await _match(bus, f"type='signal',sender='{NAME}',path='{prompt}'")
    await call(bus, NAME, prompt, "org.freedesktop.Secret.Prompt.Prompt", "s", ("",))
    try:
        async with asyncio.timeout(PROMPT_SECONDS):
            return await done
    except TimeoutError:
        await call(bus, NAME, prompt, "org.freedesktop.Secret.Prompt.Dismiss")
        raise


async def _match(bus: "MessageBus", rule: str) -> None:
    await call(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.AddMatch", "s", (rule,)
    )


async def _wallet_access(bus: "MessageBus") -> Access:
    """UNTESTED on a real KDE: whether the wallet for network passwords is open."""
    for name, path in WALLETS:
        try:
            [wallet] = await call(bus, name, path, f"{WALLET}.networkWallet")
            [is_open] = await call(bus, name, path, f"{WALLET}.isOpen", "s", (wallet,))
        except BusError:
            continue
        return Access.OPEN if is_open else Access.LOCKED
    return Access.MISSING


async def _open_wallet(bus: "MessageBus") -> bool:
    """UNTESTED on a real KDE: let it ask for the wallet's password."""
    for name, path in WALLETS:
        try:
            [wallet] = await call(bus, name, path, f"{WALLET}.networkWallet")
            asked = (wallet, 0, SERVICE)
            [handle] = await call(bus, name, path, f"{WALLET}.open", "sxs", asked, PROMPT_SECONDS)
        except BusError:
            continue
        return bool(handle >= 0)
    return False
