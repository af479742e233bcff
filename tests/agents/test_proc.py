"""Whether a process lives and is still the same one."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lisa_island.agents import _proc
from lisa_island.agents._proc import Deaths, Life, life

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

PID = os.getpid()


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


def test_the_same_process_is_alive() -> None:
    assert life(PID, _proc.start_ticks(PID)) is Life.ALIVE


def test_an_id_that_was_taken_over_is_dead() -> None:
    assert life(PID, "1") is Life.DEAD
    assert life(PID, started_at=1) is Life.DEAD


def test_without_ticks_the_start_time_decides() -> None:
    began = int(psutil.Process(PID).create_time() * 1000)
    assert life(PID, started_at=began + 500) is Life.ALIVE
    assert life(PID) is Life.UNKNOWN


def test_a_probe_that_fails_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_pid: int) -> str:
        raise PermissionError

    monkeypatch.setattr(_proc, "start_ticks", refuse)
    assert life(PID, "5") is Life.UNKNOWN


def test_what_ended_is_dead_while_its_parent_has_not_looked(child: "subprocess.Popen[bytes]") -> None:
    ticks = _proc.start_ticks(child.pid)
    assert life(child.pid, ticks) is Life.ALIVE
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert life(child.pid, ticks) is Life.DEAD
    child.wait()
    assert life(child.pid, ticks) is Life.DEAD


def test_a_domain_names_machine_and_namespace() -> None:
    if Path("/etc/machine-id").exists():
        assert _proc.domain().startswith("linux:") and _proc.domain().endswith("]")


async def test_a_death_is_told_by_the_kernel(child: "subprocess.Popen[bytes]") -> None:
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    deaths = Deaths(ended.set_result)
    deaths.follow(frozenset({child.pid}))
    child.kill()
    async with asyncio.timeout(10):
        assert await ended == child.pid
    deaths.close()
