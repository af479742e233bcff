"""A real gnome-keyring, unlocked with a throw-away password, in a home folder of the test's own."""

import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from tests.desktop.private_bus import connected, until_owned

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"


@dataclass
class Keyring:
    """The running service, and what a test asks of it as another program would."""

    address: str
    home: Path
    bus: MessageBus

    async def lock(self) -> None:
        """Lock the default collection, as a desktop's idle lock may do."""
        [collection] = await self._call("ReadAlias", "s", "default")
        await self._call("Lock", "ao", [collection])

    def lookup(self, user: str, service: str = "lisa-island") -> str:
        """What `secret-tool` finds; "" for nothing."""
        return self._tool("lookup", "service", service, "username", user)

    def _tool(self, *arguments: str) -> str:
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DBUS_SESSION_BUS_ADDRESS": self.address,
        }
        found = subprocess.run(
            ["secret-tool", *arguments], env=environ, capture_output=True, text=True, timeout=60, check=False
        )
        return found.stdout

    async def _call(self, member: str, signature: str, *body: object) -> list[object]:
        message = Message(
            NAME, PATH, "org.freedesktop.Secret.Service", member, signature=signature, body=list(body)
        )
        reply = await self.bus.call(message)
        assert reply is not None and reply.message_type is MessageType.METHOD_RETURN, reply
        return reply.body


@asynccontextmanager
async def keyring_daemon(address: str, folder: Path) -> AsyncIterator[Keyring]:
    """Run it on the bus at `address`; `folder` becomes its home."""
    bus = await connected(address)
    control = folder / "control"
    control.mkdir(mode=0o700)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_RUNTIME_DIR": str(folder),
        "DBUS_SESSION_BUS_ADDRESS": address,
    }
    command = [
        "gnome-keyring-daemon",
        "--foreground",
        "--unlock",
        "--components=secrets",
        f"--control-directory={control}",
    ]
    with _unlocked(command, environ):
        try:
            await until_owned(bus, NAME)
            yield Keyring(address, folder, bus)
        finally:
            bus.disconnect()


@contextmanager
def _unlocked(command: list[str], environ: dict[str, str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=environ) as daemon:
        assert daemon.stdin is not None
        daemon.stdin.write(b"throw-away")
        daemon.stdin.close()
        try:
            yield
        finally:
            daemon.kill()
