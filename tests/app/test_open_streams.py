"""Leaving with forty streams open, on the loop of the desktop: in order, and nothing complains (AT12)."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

LEAVES = """
import asyncio, gc, warnings
from lisa_island.app import loop
from lisa_island.app.desktop import bare_application
from tests.agents.test_a2a_sockets import busy, forty

async def main():
    async with busy() as (agent, origin):
        await forty(origin)
        await asyncio.gather(*agent.open)
        gc.collect()
        assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()
    return 0

warnings.simplefilter("error")
code = loop.run(bare_application(), main())
gc.collect()
raise SystemExit(code)
"""


def test_at12_quitting_with_forty_streams_ends_with_nothing_said(tmp_path: Path) -> None:
    environ = {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", LEAVES],
        env=environ, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
