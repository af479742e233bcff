"""A screen reader on the desktop's own accessibility bus reads and uses the island, as a process apart."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.desktop.screen_reader import Reader, accessibility

pytestmark = pytest.mark.desktop


@contextlib.asynccontextmanager
async def demo(home: Path, bus: str) -> AsyncIterator[None]:
    """The island with made-up agents, as a command starts it."""
    environ = dict(os.environ) | {
        "DBUS_SESSION_BUS_ADDRESS": bus,
        "HOME": str(home),
        "LISA_HOME": str(home / "lisa"),
        "LISA_ISLAND_LANG": "en",
    }
    null = asyncio.subprocess.DEVNULL
    command = (sys.executable, "-m", "lisa_island", "demo")
    running = await asyncio.create_subprocess_exec(*command, env=environ, stdout=null, stderr=null)
    try:
        yield
    finally:
        running.terminate()
        await running.wait()


@pytest.fixture
async def reader(bus_address: str, short_path: Path) -> AsyncIterator[Reader]:
    async with accessibility(bus_address) as made, demo(short_path, bus_address):
        yield made


async def test_it_reads_the_pill_and_a_card_and_opens_both(reader: Reader) -> None:
    pill = await reader.find("push button", "LISA Island, 1 needs you")
    assert {"expandable"} <= await pill.states() and "expanded" not in await pill.states()

    await pill.press()
    panel = await reader.find("frame", "LISA Island")
    queue = await reader.find("list", "Needs you", panel)
    card = await reader.find("list item", "Input required, acme-research needs input, Which quarter", queue)
    assert (await card.name()).endswith("1 of 1") and "focusable" in await card.states()
    assert "expanded" in await pill.states()
    roles = {await child.role() for child in await card.children()}
    assert "push button" in roles and "unknown" not in roles

    sessions = await reader.find("list", "Sessions", panel)
    assert {await row.role() for row in await sessions.children()} == {"list item"}

    await card.press()
    await reader.find("text", "Your reply", panel)


async def test_it_hears_of_a_new_need_and_of_nothing_that_works(reader: Reader) -> None:
    await reader.find("push button", "LISA Island, 1 needs you")
    async with asyncio.timeout(10):
        await reader.announced()
    polite = 1
    assert reader.announcements == [("Q3 market scan needs input", polite)]
