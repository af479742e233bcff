"""Real notification servers are told to keep quiet by their own tools, and we hear of it."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path

import pytest

from lisa_island.core.notices import Note
from lisa_island.system.do_not_disturb import XFCONF, Reading, do_not_disturb
from lisa_island.system.notifier import NAME, DesktopNotifier
from lisa_island.system.worker import Worker
from tests.desktop.private_bus import connected, until_owned

pytestmark = pytest.mark.desktop

NOTIFYD, XFCONFD = "xfce4/notifyd/xfce4-notifyd", "xfce4/xfconf/xfconfd"


def real(name: str) -> str:
    """A program of the machine; packaging/apt.txt brings it. A path is one below the libraries."""
    found = next(map(str, Path("/usr/lib").glob(f"*/{name}")), "") if "/" in name else shutil.which(name)
    assert found, f"{name} is not here, see packaging/apt.txt"
    return found


@contextmanager
def running(*programs: str, environ: dict[str, str]) -> Iterator[None]:
    started = [
        subprocess.Popen([real(p)], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for p in programs
    ]
    try:
        yield
    finally:
        for program in started:
            program.terminate()
            program.wait()


@pytest.fixture
def environ(bus_address: str, short_path: Path) -> dict[str, str]:
    """What a program on this desktop sees; its settings are thrown away."""
    home = str(short_path)
    return {**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus_address, "HOME": home, "XDG_CONFIG_HOME": home}


def run(environ: dict[str, str], *words: str) -> str:
    """What it prints."""
    argv = [real(words[0]), *words[1:]]
    return subprocess.run(argv, env=environ, check=True, capture_output=True, text=True).stdout.strip()


async def test_dunst(bus_address: str, environ: dict[str, str]) -> None:
    bus = await connected(bus_address)
    with running("dunst", environ=environ):
        await until_owned(bus, NAME)
        source = do_not_disturb(Worker(), environ)
        notifier = DesktopNotifier(environ)
        async with aclosing(source):
            assert await anext(source) == Reading(False, "dunst")
            run(environ, "dunstctl", "set-paused", "true")
            async with asyncio.timeout(20):
                assert await anext(source) == Reading(True, "dunst")
                assert await notifier.show(Note("n", "a needs input", buttons=(("reply", "Reply"),)))
            assert run(environ, "dunstctl", "count", "waiting") == "1", "dunst holds it"
            run(environ, "dunstctl", "set-paused", "false")
            async with asyncio.timeout(20):
                assert await anext(source) == Reading(False, "dunst")
        await notifier.close()
    bus.disconnect()


async def test_xfce(bus_address: str, environ: dict[str, str]) -> None:
    bus = await connected(bus_address)
    where = ("xfconf-query", "-c", "xfce4-notifyd", "-p", "/do-not-disturb")
    with running(XFCONFD, environ=environ):
        await until_owned(bus, XFCONF)
        with running(NOTIFYD, environ=environ):
            await until_owned(bus, NAME)
            source = do_not_disturb(Worker(), environ)
            async with aclosing(source), asyncio.timeout(30):
                assert await anext(source) == Reading(False, "Xfce Notify Daemon"), "never chosen means off"
                for on in (True, False, True):
                    run(environ, *where, "-n", "-t", "bool", "-s", str(on).lower())
                    assert await anext(source) == Reading(on, "Xfce Notify Daemon")
                run(environ, *where, "-r")
                assert await anext(source) == Reading(False, "Xfce Notify Daemon")
    bus.disconnect()
