"""Ctrl-C while the program is still being read, wherever it strikes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STRUCK = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
def strike(event, args):
    if event == "import" and args[0] == {name!r}:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(strike)
from lisa_island.cli import main
sys.exit(main({words!r}))
"""


@pytest.mark.parametrize("words", [[], ["demo"]])
@pytest.mark.parametrize("name", ["shiboken6.Shiboken", "PySide6.QtCore", "PySide6.QtWidgets", "qasync"])
def test_it_ends_at_once_with_nothing_broken(tmp_path: Path, name: str, words: list[str]) -> None:
    environ = {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
    }
    code = STRUCK.format(name=name, words=words)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environ, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
