"""Hints about changes, and what is left when the kernel has none."""

import asyncio
import errno
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
    def refuse() -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(_watch, "_observer", refuse)
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
