"""Programs of the owner's: what they start does not outlive the answer."""

import os
import signal
import sys
from pathlib import Path

import pytest

from lisa_island.agents._program import Ended, Program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process groups are read from /proc")


def program(folder: Path, script: str) -> Program:
    path = folder / "tool"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return Program("tool", {"PATH": f"{folder}{os.pathsep}{os.defpath}"}.get, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("redirects", ["", " >/dev/null"], ids=["holds the pipe", "lets go of it"])
def test_what_it_left_running_ends_with_it(tmp_path: Path, redirects: str) -> None:
    left = tmp_path / "left"
    ran = program(tmp_path, f"sleep 1000{redirects} & echo $! > {left}; exit 0").run(limit=1.0)
    assert ran.ended is (Ended.BY_ITSELF if redirects else Ended.LATE)
    pid = int(left.read_text())
    stat = Path(f"/proc/{pid}/stat")
    # Dead: gone, or waiting for whoever adopts it.
    try:
        state = stat.read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return
    assert state == "Z" or _is_ending(pid), "it lives on"


def _is_ending(pid: int) -> bool:
    """Whether the signal that ends it is on its way."""
    fields = dict(
        line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line
    )
    pending = int(fields["SigPnd"], 16) | int(fields["ShdPnd"], 16)
    return bool(pending & 1 << (signal.SIGKILL - 1))
