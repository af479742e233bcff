"""`show`, `hide`, `toggle`, `quit`, and the island without windows that they talk to."""

import signal
import subprocess

import pytest

from tests.cli.rig import ISLAND, PATIENCE, Island

BLOCKED = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "qasync"):
            raise ImportError(f"{name} is not here")
sys.meta_path.insert(0, NoQt())
"""


def is_quiet(errors: bytes) -> bool:
    """A log may warn of this machine, where a limit is reached; nothing fails."""
    return not any(word in errors for word in (b"Traceback", b"Exception", b"ERROR"))


@pytest.mark.parametrize("word", ["show", "hide", "toggle", "quit"])
def test_when_nothing_runs(island, word):
    done = island.run(word)
    assert (done.code, done.out) == (4, b"") and "Start it with: lisa-island" in done.said


@pytest.mark.parametrize("word", ["show", "hide", "toggle"])
def test_an_island_without_windows_says_so(island, word):
    with island.headless():
        done = island.run(word)
    assert (done.code, done.out) == (1, b"") and "without windows" in done.said


def test_quit_returns_when_the_island_is_gone(island):
    with island.headless() as running:
        done = island.run("quit")
        assert (done.code, done.out, done.err) == (0, b"", b"")
        assert island.run("quit").code == 4
        with island.headless():  # the place is free at once
            pass
        assert running.process.wait(PATIENCE) == 0
    assert is_quiet(running.errors)


def test_quit_asks_once_when_something_would_be_lost(called, gateway):
    with called.headless() as running:
        assert called.person("send", "@step-by-step", "go").code == 0
        stays = called.person("quit", types=[("Quit all the same?", b"n\n")])
        assert stays.code == 1 and "1 call is open" in stays.said and "The island goes on." in stays.said
        assert running.process.poll() is None
        assert called.person("quit", types=[("Quit all the same?", b"y\n")]).code == 0
        assert running.process.wait(PATIENCE) == 0


def test_one_island_a_home(island):
    with island.headless() as running:
        second = island.run("--headless")
        assert second.code == 1 and "already running" in second.said and second.out == b""
        assert running.process.poll() is None
        other = Island(island.home / "other", extra={"XDG_RUNTIME_DIR": str(island.home / "run")})
        other.home.mkdir()
        with other.headless():
            pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_an_ordered_shutdown(called, number):
    with called.headless() as running:
        assert called.person("send", "@acme-research", "Scan", "--yes", "--wait").code == 0
        running.process.send_signal(number)
        assert running.process.wait(PATIENCE) == 0
        left = {p.name for p in called.lisa.iterdir()}
        assert not left & {"endpoint", "island.db-wal", "island.db-shm"}
        assert list((called.home / "run").glob("*.sock")) == []
    assert is_quiet(running.errors)
    [row] = called.run("status", "--json").json["sessions"]
    assert row["state"] == "waiting"


def test_windows_need_a_display(island):
    done = island.run()
    assert (done.code, done.out) == (1, b"") and "lisa-island --headless" in done.said


def test_a_start_beside_an_island_without_windows_says_so(island):
    with island.headless():
        done = island.run(environ={"QT_QPA_PLATFORM": "offscreen"})
    assert (done.code, done.out) == (1, b"") and "without windows" in done.said


def test_it_tells_what_is_stored_then_what_changes(called):
    called.choose(pins=["legal-lens"])
    assert called.person("send", "@tone-check", "hi").code == 0
    with called.headless() as running:
        told = {line["sessionId"]: line for line in (running.next(), running.next())}
        assert told.keys() > {"legal-lens"} and len(told) == 2
        assert {line["type"] for line in told.values()} == {"agent_session_update"}
        sent = called.person("send", "@sheet-wizard", "hi").json["sessionId"]
        lines = [running.until(lambda line: line.get("sessionId") == sent)]
        while lines[-1]["state"] != "done":
            lines.append(running.until(lambda line: line.get("sessionId") == sent))
        assert lines[0]["state"] == "working" and lines[-1]["activity"]["artifacts"] == 2


def test_it_runs_where_qt_is_not(called):
    called.home.joinpath("sitecustomize.py").write_text(BLOCKED)
    without = f"{called.home}:{called.environ['PYTHONPATH']}"
    called.extra["PYTHONPATH"] = without
    qt = called.run("-c", "import PySide6", command=(ISLAND[0],))
    assert b"PySide6 is not here" in qt.err  # the block works
    with called.headless():
        assert called.person("send", "@tone-check", "hi", "--wait").code == 0
        assert called.run("status").code == 0


def test_a_reader_that_leaves_ends_it_quietly(called):
    pipe = subprocess.PIPE
    command, where = [*ISLAND, "--headless"], {"env": called.environ, "cwd": called.home}
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, **where) as process:
        assert process.stdout is not None and process.stderr is not None
        assert b"hello" in process.stdout.readline()
        process.stdout.close()
        assert called.run("pin", "legal-lens").code == 0  # the line that nobody reads
        assert process.wait(PATIENCE) == 0 and is_quiet(process.stderr.read())


def test_a_broken_home_is_said(island):
    island.lisa.write_text("a file where the folder should be")
    done = island.run("--headless")
    assert done.code == 1 and "Traceback" not in done.said and str(island.lisa) in done.said
