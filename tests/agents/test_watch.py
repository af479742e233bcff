"""Hints about changes, and what is left when the kernel has none."""

import asyncio
import errno
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _watch
from lisa_island.agents._watch import EXHAUSTED, HINTS, SWEEPS, Hints
from tests.fakes.clock import FakeClock, settle


async def run(work: Any, *args: Any, limit: float) -> Any:
    return work(*args)


async def test_a_change_in_a_folder_is_a_hint(tmp_path: Path) -> None:
    changed = asyncio.Event()
    hints = Hints(run, FakeClock(), changed.set)
    await hints.follow(frozenset({str(tmp_path)}))
    assert hints.mode == HINTS
    (tmp_path / "a").write_text("x")
    async with asyncio.timeout(10):
        await changed.wait()
    hints.close()


async def test_a_burst_is_told_at_once_and_then_merged() -> None:
    clock, told = FakeClock(), []
    hints = Hints(run, clock, lambda: told.append(clock.monotonic()))
    for _ in range(50):
        hints._hinted()
    assert told == [0.0]
    clock.advance(1)
    assert told == [0.0, _watch.GAP_SECONDS]
    hints.close()
    hints._hinted()
    assert len(told) == 2


@pytest.mark.parametrize(
    ("number", "mode"), [(errno.ENOSPC, EXHAUSTED), (errno.EMFILE, EXHAUSTED), (5, SWEEPS)]
)
async def test_no_watches_left_is_said(monkeypatch: pytest.MonkeyPatch, number: int, mode: str) -> None:
    def refuse(_hint: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(_watch, "_kernel", refuse)
    hints = Hints(run, FakeClock(), lambda: None)
    await hints.follow(frozenset({"/x"}))
    assert hints.mode == mode
    hints.close()


async def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    hints = Hints(run, FakeClock(), lambda: None)
    await hints.follow(frozenset({str(tmp_path / "no")}))
    assert hints.mode == SWEEPS
    await settle()
    hints.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own descriptor")
async def test_a_folder_that_comes_later_and_one_that_is_made_anew_are_hinted(tmp_path: Path) -> None:
    clock, changed, folder = FakeClock(), asyncio.Event(), tmp_path / "sessions"
    hints = Hints(run, clock, changed.set)
    wanted = frozenset({str(folder)})
    await hints.follow(wanted)
    assert hints.mode == SWEEPS
    for _ in range(2):
        folder.mkdir()
        clock.advance(_watch.RETRY_SECONDS)
        await hints.follow(wanted)
        assert hints.mode == HINTS
        changed.clear()
        (folder / "a").write_text("x")
        async with asyncio.timeout(10):
            await changed.wait()
        shutil.rmtree(folder)
        while not hints._is_short(clock.monotonic()):
            await asyncio.sleep(0)
            clock.advance(_watch.GAP_SECONDS)
    hints.close()


async def test_what_does_not_end_is_looked_at_less_often() -> None:
    """The first change at once; a flood four times a second; after a pause at once again."""
    clock, told = FakeClock(), []
    hints = Hints(run, clock, lambda: told.append(clock.monotonic()))
    for _ in range(200):
        hints._hinted()
        clock.advance(0.01)
    assert told[0] == 0.0 and told[1] == pytest.approx(_watch.GAP_SECONDS)
    assert 9 <= len(told) <= 12
    clock.advance(1)
    told.clear()
    hints._hinted()
    assert told == [clock.monotonic()]
    hints.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own descriptor")
async def test_a_burst_of_changes_takes_no_thread_and_no_turn_each(tmp_path: Path) -> None:
    clock, told, before, changed = FakeClock(), [], threading.active_count(), asyncio.Event()
    hints = Hints(run, clock, lambda: (told.append(1), changed.set()))
    await hints.follow(frozenset({str(tmp_path)}))
    for n in range(500):
        (tmp_path / f"a{n}").write_text("x")
    async with asyncio.timeout(10):
        await changed.wait()
    clock.advance(_watch.GAP_SECONDS)
    assert len(told) == 1, "all of it was read at once"
    assert threading.active_count() == before
    hints.close()
