"""The crash log: what dies for real is told, in one private bounded file, without a word of anybody's."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lisa_island.system import crashlog, scrub

ROOT = Path(__file__).parents[2]
KEY = "tako_live_" + "S" * 32
REPLY = "the reply of an agent"
BEGIN = "from pathlib import Path\nfrom lisa_island.system import crashlog\ncrashlog.begin(Path(HOME))\n"

UNCAUGHT = f"raise ValueError({REPLY!r})"
SEGV = "import faulthandler; faulthandler._sigsegv()"
THREAD = f"""
import threading
def work(): raise OSError({KEY!r})
t = threading.Thread(target=work); t.start(); t.join()
crashlog.end()
"""
LOOP = f"""
import asyncio
async def main():
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(crashlog.in_loop)
    over = loop.create_future()
    def fail():
        loop.call_soon(over.set_result, None)
        raise KeyError({REPLY!r})
    loop.call_soon(fail)
    await over
asyncio.run(main())
crashlog.end()
"""
UNRAISABLE = f"""
class Odd:
    def __del__(self): raise ValueError({REPLY!r})
Odd()
crashlog.end()
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of the owner, named in the environment of the test and of its children."""
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "ada" / "state"))
    return tmp_path / "ada" / ".lisa"


@pytest.fixture
def dies(home):
    """Run code in a child after `begin`; what its end looked like."""

    def run(code: str, begin: str = BEGIN):
        # In a file: a traceback names it.
        script = home.parent / "child.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"HOME = {str(home)!r}\n{begin}{code}\n")
        return subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


def test_a_segmentation_fault_is_told_at_the_next_start_and_only_once(dies, home):
    assert dies(SEGV).returncode == -signal.SIGSEGV
    report = crashlog.take(home)
    assert report is not None and report.fatal
    assert "Segmentation fault" in report.text and "child.py" in report.text
    assert str(home.parent) not in report.text
    assert report.path.read_text().strip() == report.text.strip()
    assert stat.S_IMODE(report.path.stat().st_mode) == 0o600
    assert crashlog.take(home) is None


@pytest.mark.parametrize(
    ("code", "fatal", "kind", "where"),
    [
        (UNCAUGHT, True, "ValueError", "uncaught"),
        (THREAD, False, "OSError", "thread"),
        (LOOP, False, "KeyError", "loop"),
        (UNRAISABLE, False, "ValueError", "unraisable"),
    ],
)
def test_what_nobody_caught_is_told_by_type_and_place(dies, home, code, fatal, kind, where):
    done = dies(code)
    assert (done.returncode != 0) == fatal
    report = crashlog.take(home)
    assert report is not None and report.fatal == fatal
    assert f": {where}\n{kind}\n" in report.text and "child.py:" in report.text
    for secret in (REPLY, KEY, str(home.parent)):
        assert secret not in report.text and secret not in done.stderr


def test_a_run_that_ended_in_order_leaves_nothing_to_tell(dies, home):
    assert dies("crashlog.end()").returncode == 0
    assert crashlog.take(home) is None and not crashlog.last_file(home).exists()
    assert [p.stat().st_size for p in crashlog.files()] == [0]


def test_what_is_said_while_things_are_put_away_is_no_news(dies, home):
    done = dies(
        f"crashlog.end()\n{UNRAISABLE.replace('crashlog.end()', '')}\ncrashlog.record('x', OSError())"
    )
    assert done.returncode == 0 and crashlog.take(home) is None


def test_dying_after_the_end_is_told_all_the_same(dies, home):
    dies(THREAD + SEGV)
    report = crashlog.take(home)
    assert report is not None and report.fatal


def test_a_fault_before_the_end_that_killed_is_fatal(dies, home):
    dies(THREAD.replace("crashlog.end()", SEGV))
    report = crashlog.take(home)
    assert report is not None and report.fatal and "OSError" in report.text


def test_a_second_start_beside_it_takes_nothing_away(dies, home):
    """It has no door, so it neither takes nor ends; the file is shared, and stays whole."""
    code = "import subprocess, sys\n" + THREAD.replace("crashlog.end()", "")
    other = f"HOME = {str(home)!r}\n{BEGIN}"
    dies(code + f"subprocess.run([sys.executable, '-c', {other!r}], check=True)\n" + SEGV)
    report = crashlog.take(home)
    assert report is not None and report.fatal and "OSError" in report.text


def test_another_lisa_home_has_a_crash_log_of_its_own(dies, home):
    dies(SEGV)
    assert crashlog.take(home.with_name("other")) is None
    assert crashlog.take(home) is not None


def test_a_fault_that_comes_again_and_again_does_not_fill_the_disk(dies, home):
    code = "for n in range(3000): crashlog.record('slot', ValueError(n))\n"
    dies(code + SEGV)
    assert crashlog.live_file(home).stat().st_size < 2 * crashlog.SIZE
    dies(SEGV)
    dies(SEGV)
    assert crashlog.live_file(home).stat().st_size < 2 * crashlog.SIZE
    report = crashlog.take(home)
    assert report is not None and "ValueError" in report.text


def test_the_chain_of_causes_is_told_with_the_interpreters_own_words(dies, home):
    dies(f"try:\n    [].missing\nexcept AttributeError as error:\n    raise ValueError({REPLY!r}) from error")
    report = crashlog.take(home)
    assert report is not None
    assert "ValueError\n" in report.text and REPLY not in report.text
    assert "after AttributeError: 'list' object has no attribute 'missing'" in report.text


def test_stopped_by_the_owner_is_no_crash(dies, home):
    dies("raise KeyboardInterrupt")
    dies("raise SystemExit(3)")
    assert crashlog.take(home) is None


def test_a_place_that_cannot_be_written_is_no_reason_not_to_run(dies, home):
    home.parent.mkdir()
    (home.parent / "state").write_text("a file in the way")
    done = dies("print('runs'); crashlog.record('x', ValueError()); crashlog.end()")
    assert done.stdout == "runs\n" and done.returncode == 0
    assert crashlog.take(home) is None and crashlog.files() == []


def test_a_link_in_its_place_is_not_followed(dies, home):
    victim = home.parent / "victim"
    live = crashlog.live_file(home)
    live.parent.mkdir(parents=True)
    victim.write_text("precious")
    live.symlink_to(victim)
    dies(SEGV)
    assert victim.read_text() == "precious" and crashlog.files() == []


def test_without_begin_nothing_is_written(home):
    crashlog.record("test", ValueError(REPLY))
    assert crashlog.files() == []


def test_scrubbing_knows_a_home_by_all_its_names(tmp_path, monkeypatch):
    real = tmp_path / "really" / "ada"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    text = f"{tmp_path}/link/x {real}/y {real}s/z {KEY} \x1b[31m\u202e"
    shown = scrub.scrub(text, 1000)
    assert shown == f"~/x ~/y {real}s/z {KEY[:16]}…"


@pytest.mark.parametrize("root", ["", "/"])
def test_a_home_that_is_no_folder_hides_nothing(monkeypatch, root):
    monkeypatch.setenv("HOME", root)
    assert scrub.scrub("/usr/bin", 100) == "/usr/bin"
