"""The rival from the package index, in an environment of its own that is thrown away with the bench."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_process import Program, running

NAME = "dulus-bar==0.5.1"
# 6.12 breaks it on Python < 3.12 as it would break us.
QT = "PySide6<6.12"
PORT = "27372"
FEED = """
import json, sys, time
from websockets.sync.client import connect
with connect("ws://127.0.0.1:" + sys.argv[1]) as bar:
    for n in range(int(sys.argv[2])):
        for kind, payload in (("session_started", {}), ("prompt", {"text": "Read the sources"})):
            bar.send(json.dumps({"agent": "Claude", "type": kind, "session_id": f"s{n}",
                                 "payload": payload, "ts": time.time()}))
    print("fed", flush=True)
    sys.stdin.read()
"""


class RivalError(Exception):
    """Why there are no figures of the rival."""


def uv(root: Path) -> str:
    """The project's own uv, else the one on the path."""
    own = root / ".tools/uv/bin/uv"
    found = str(own) if own.is_file() else shutil.which("uv")
    if found is None:
        raise RivalError("no uv")
    return found


def install(root: Path, folder: Path) -> Path:
    """An environment with the rival; its Python. Raises RivalError."""
    tool, python = uv(root), folder / "bin/python"
    for command in (
        [tool, "venv", "--quiet", "--python", sys.executable, str(folder)],
        [tool, "pip", "install", "--quiet", "--python", str(python), NAME, QT],
    ):
        # The rig's home is empty; packages come from the caller's cache and configuration.
        done = subprocess.run(command, env=outside(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RivalError(done.stderr.strip().splitlines()[-1][:80] if done.stderr else "not installed")
    return python


def outside() -> dict[str, str]:
    """The caller's environment, whose home the rig hides."""
    return dict(os.environ) | json.loads(os.environ.get("BENCH_OUTSIDE", "{}"))


def command(python: Path) -> list[str]:
    """How it is started so that it stays the process we watch."""
    return [str(python), "-m", "dulus_bar", "run", "--foreground"]


def environ(home: Path, *, expanded: bool = False) -> dict[str, str]:
    """Settings of its own; `expanded` opens its panel by its own debug switch."""
    found = {"DULUS_BAR_HOME": str(home), "DULUS_BAR_PORT": PORT}
    return found | ({"DULUS_BAR_AUTO_EXPAND": "1"} if expanded else {})


@contextmanager
def fed(python: Path, sessions: int) -> Iterator[Program]:
    """Sessions that work, for as long as the context lasts."""
    with running([str(python), "-c", FEED, PORT, str(sessions)], pipes=True) as program:
        assert program.process.stdout is not None
        if not program.process.stdout.readline():
            raise RivalError("it took no sessions")
        yield program
