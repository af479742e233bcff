"""The desktop's do-not-disturb on a real bus: told by signals, unknown where it is unknown."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from lisa_island.system.do_not_disturb import DCONF, Reading, do_not_disturb
from lisa_island.system.worker import Worker
from tests.desktop.private_bus import private_bus, until_owned
from tests.desktop.quiet_servers import MakoModes, Named, Odd, Plasma, Swaync, serve

DCONF_SERVICE = "/usr/libexec/dconf-service"


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as where:
        yield where


Told = Any


@asynccontextmanager
async def listening(address: str, **environ: str) -> AsyncIterator[Told]:
    """`await told()` is the next reading."""
    source = do_not_disturb(Worker(), {"DBUS_SESSION_BUS_ADDRESS": address, **environ})
    async with aclosing(source):
        yield lambda: asyncio.wait_for(anext(source), 20)


async def test_without_a_bus_nothing_is_told() -> None:
    async with listening("") as told:
        with pytest.raises(StopAsyncIteration):
            await told()


async def test_a_server_comes_changes_its_mind_and_goes(address: str) -> None:
    async with listening(address) as told:
        assert await told() == Reading()
        plasma = Plasma("Plasma")
        bus = await serve(address, plasma)
        assert await told() == Reading(False, "Plasma")
        for on in (True, False, True):
            plasma.turn(on)
            assert await told() == Reading(on, "Plasma")
        bus.disconnect()
        assert await told() == Reading(), "a server that is gone keeps nobody quiet"


async def test_any_server_with_the_property_is_followed(address: str) -> None:
    server = Plasma("something new")
    server.on = True
    bus = await serve(address, server)
    async with listening(address) as told:
        assert await told() == Reading(True, "something new")
    bus.disconnect()


@pytest.mark.parametrize("server", [Named("notification-daemon"), Odd("odd"), Named("mako"), Named("dunst")])
async def test_what_does_not_tell_is_not_known(address: str, server: Named) -> None:
    bus = await serve(address, server)
    async with listening(address) as told:
        assert await told() == Reading(None, server.server)
    bus.disconnect()


async def test_a_name_of_a_server_is_foreign_text(address: str) -> None:
    bus = await serve(address, Named("x\x1b[31m\u202e" + "y" * 5000))
    async with listening(address) as told:
        found = await told()
    assert "\x1b" not in found.server and "\u202e" not in found.server and len(found.server) < 200
    bus.disconnect()


async def test_mako_is_quiet_in_the_modes_that_are_named_so(address: str) -> None:
    modes = MakoModes()
    bus = await serve(address, Named("mako"), modes)
    async with listening(address) as told:
        assert await told() == Reading(False, "mako")
        modes.turn("default", "do-not-disturb")
        assert await told() == Reading(True, "mako")
        modes.turn("away")
        assert await told() == Reading(False, "mako")
        modes.turn("dnd")
        assert await told() == Reading(True, "mako")
    bus.disconnect()


async def test_swaync(address: str) -> None:
    swaync = Swaync()
    bus = await serve(address, Named("SwayNotificationCenter"), swaync)
    async with listening(address) as told:
        assert await told() == Reading(False, "SwayNotificationCenter")
        swaync.turn(True)
        assert await told() == Reading(True, "SwayNotificationCenter")
    bus.disconnect()


# --- GNOME: its server is a stand-in, dconf and gsettings are real ---


@contextmanager
def gnome(address: str, home: Path) -> Iterator[dict[str, str]]:
    """The environment of a GNOME of its own, with dconf's writer on the bus."""
    environ = {
        "DBUS_SESSION_BUS_ADDRESS": address, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_RUNTIME_DIR": str(home / "run"), "PATH": os.environ["PATH"],
    }  # fmt: skip
    assert shutil.which("gsettings") and Path(DCONF_SERVICE).exists(), "see packaging/apt.txt"
    (home / "run").mkdir(mode=0o700)
    with subprocess.Popen([DCONF_SERVICE], env=environ, stderr=subprocess.DEVNULL) as writer:
        try:
            yield environ
        finally:
            writer.terminate()


def gsettings(environ: dict[str, str], *words: str) -> None:
    subprocess.run(["gsettings", *words], env=environ, check=True, capture_output=True)


async def test_gnomes_switch_is_followed(address: str, tmp_path: Path) -> None:
    bus = await serve(address, Named("gnome-shell"))
    schema = ("org.gnome.desktop.notifications", "show-banners")
    with gnome(address, tmp_path) as environ:
        await until_owned(bus, DCONF)
        async with listening(address, **environ) as told:
            assert await told() == Reading(False, "gnome-shell")
            gsettings(environ, "set", *schema, "false")
            assert await told() == Reading(True, "gnome-shell")
            gsettings(environ, "reset", *schema)
            assert await told() == Reading(False, "gnome-shell")
            gsettings(environ, "set", *schema, "false")
            assert await told() == Reading(True, "gnome-shell")
    bus.disconnect()


async def test_gnome_without_gsettings_is_not_known(address: str, tmp_path: Path) -> None:
    bus = await serve(address, Named("gnome-shell"))
    async with listening(address, PATH=str(tmp_path)) as told:
        assert await told() == Reading(None, "gnome-shell")
    bus.disconnect()


@pytest.mark.parametrize("script", ["echo maybe", "echo No such schema >&2; exit 1", "printf '\\377'"])
async def test_whatever_else_gsettings_says_is_not_known(address: str, tmp_path: Path, script: str) -> None:
    fake = tmp_path / "gsettings"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    bus = await serve(address, Named("gnome-shell"))
    async with listening(address, PATH=str(tmp_path)) as told:
        assert await told() == Reading(None, "gnome-shell")
    bus.disconnect()
