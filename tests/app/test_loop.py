"""The loop of the desktop at its end, where threads still have something to tell."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lisa_island.app import loop
from lisa_island.app.desktop import bare_application

ROOT = Path(__file__).parents[2]

# Four threads never stop telling, each a few things at a time, while the loop closes and the process ends.
ENDS = """
import asyncio, sys, threading
from lisa_island.app import loop
from lisa_island.app.desktop import bare_application

def tell(to, heard):
    try:
        while True:
            to.call_soon_threadsafe(heard.release)
            heard.acquire(timeout=0.0005)
    except RuntimeError:
        pass

async def main():
    here = asyncio.get_running_loop()
    for _ in range(4):
        threading.Thread(target=tell, args=(here, threading.Semaphore(0)), daemon=True).start()
    for _ in range(20):
        await asyncio.sleep(0)
    return 0

sys.exit(loop.run(bare_application(), main()))
"""


def test_a_thread_hands_over_until_the_loop_is_closed() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def main() -> int:
        here, heard = asyncio.get_running_loop(), asyncio.Event()
        threading.Thread(target=here.call_soon_threadsafe, args=(heard.set,)).start()
        await heard.wait()
        loops.append(here)
        return 0

    assert loop.run(bare_application(), main()) == 0
    with pytest.raises(RuntimeError, match="closed"):
        loops[0].call_soon_threadsafe(print)


def test_the_process_ends_in_order_while_threads_tell(tmp_path: Path) -> None:
    environ = {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
    }
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", ENDS],
            env=environ, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
