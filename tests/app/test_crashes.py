"""A real island that goes wrong, and what its next start offers: once, to be read, sent nowhere."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REPLY = "the reply of an agent"

# The island itself, with one thing added: what is to happen once it stands.
ISLAND = """
import sys, json
from lisa_island.cli import main
from lisa_island.app.desktop import face
ready, offer = face.Face.ready, face.Face.offer_crash
def after_ready(self):
    ready(self)
    then(self)
def after_the_look(fault):
    import asyncio
    from lisa_island.system import crashlog
    loop, take = asyncio.get_running_loop(), crashlog.take
    def taken(home):
        try:
            return take(home)
        finally:
            loop.call_soon_threadsafe(fault)
    crashlog.take = taken
def told(**words):
    print(json.dumps(words), flush=True)
"""
FAULTS = {
    "segv": "def then(self):\n    import faulthandler; faulthandler._sigsegv()",
    # Once this start has looked for what the last one left: what goes wrong now is for the next one.
    "slot": f"""
from PySide6.QtCore import QTimer
def then(self):
    def slot():
        QTimer.singleShot(0, self._over.set)
        raise ValueError({REPLY!r})
    after_the_look(lambda: QTimer.singleShot(0, slot))""",
    "task": f"""
def then(self):
    async def task():
        self._over.set()
        raise ValueError({REPLY!r})
    after_the_look(lambda: self._house.nursery.start(task(), 'odd work of-someone'))""",
    "qt": "def then(self):\n    from PySide6.QtCore import qFatal\n    qFatal('the last word')",
}
# The next start tells what it offers, reads it, and leaves.
OFFERS = """
import asyncio
from lisa_island.system import crashlog
take = crashlog.take
def then(self):
    loop = asyncio.get_running_loop()
    def taken(home):
        report = take(home)
        if report is None:
            loop.call_soon_threadsafe(self._over.set)
        return report
    crashlog.take = taken
def offered(self, report):
    offer(self, report)
    banners = self._banners
    told(says=banners.texts(), buttons=[b.text() for b in banners.buttons()])
    banners.buttons()[PRESSED].click()
    windows = [w for w in self._app.topLevelWidgets() if type(w).__name__ == 'CrashReport']
    told(says=banners.texts(), read=[w.text.toPlainText() for w in windows if w.isVisible()])
    self._over.set()
face.Face.offer_crash = offered
"""
RUN = "face.Face.ready = after_ready\nsys.exit(main([]))\n"


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder with a short name: the path of a unix socket has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        (Path(folder) / "run").mkdir(mode=0o700)
        yield Path(folder)


def run(home: Path, code: str) -> "subprocess.CompletedProcess[str]":
    environ = {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "LANG": "en_US.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
    }
    return subprocess.run(
        [sys.executable, "-c", ISLAND + code + "\n" + RUN],
        env=environ,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def next_start(home: Path, pressed: int = 0) -> list[dict[str, list[str]]]:
    done = run(home, f"PRESSED = {pressed}\n{OFFERS}")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_next_start_offers_what_went_wrong_once(home: Path, fault: str) -> None:
    died = run(home, FAULTS[fault])
    killed = {"segv": -signal.SIGSEGV, "qt": -signal.SIGABRT}
    assert died.returncode == killed.get(fault, 0), died.stderr

    offered, shown = next_start(home)
    ended = "LISA Island ended unexpectedly last time."
    assert offered["says"] == [ended if fault in killed else "Something went wrong in LISA Island last time."]
    assert offered["buttons"] == ["Show", "Dismiss"]
    [text] = shown["read"]
    assert shown["says"] == []
    word = {"segv": "Segmentation fault", "slot": "uncaught\nValueError\n", "qt": ": Qt\n[A qFatal() call"}
    assert word.get(fault, "task odd work\nValueError\n") in text
    for secret in (REPLY, "of-someone", str(home)):
        assert secret not in text and secret not in died.stderr

    assert next_start(home) == []


def test_dismissed_it_opens_nothing(home: Path) -> None:
    run(home, FAULTS["segv"])
    _offered, after = next_start(home, pressed=1)
    assert after == {"says": [], "read": []}


def test_an_orderly_run_offers_nothing(home: Path) -> None:
    assert run(home, "def then(self):\n    self._over.set()").returncode == 0
    assert next_start(home) == []
