"""Killed without a word, at moments that matter: nothing that was told is lost, nothing is sent again."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.rig import ISLAND, PATIENCE, Headless, Island


def kill(running: Headless) -> None:
    running.process.kill()
    running.process.wait(PATIENCE)


def told(running: Headless, *slugs: str) -> dict[str, str]:
    """Slug to state, once each of them has a row."""
    found: dict[str, str] = {}
    while not set(slugs) <= found.keys():
        line = running.next()
        found[line["sessionId"].partition("/")[0]] = line["state"]
    return found


def crash_files(called: Island) -> list[bytes]:
    return [p.read_bytes() for p in called.home.rglob("*crash-*.log")]


def test_what_was_told_is_there_again(called: Island, gateway) -> None:
    with called.headless() as running:
        for slug in ("acme-research", "sheet-wizard"):
            assert called.person("send", f"@{slug}", "go", "--yes").code == 0
        running.until(lambda line: line.get("state") == "waiting")
        assert called.run("status", "--json").code == 0
        kill(running)
    sent = gateway.get("calls")
    with called.headless() as again:
        states = told(again, "acme-research", "sheet-wizard")
    assert states["acme-research"] == "waiting"
    assert gateway.get("calls") == sent
    assert not any(crash_files(called)), "nothing is offered that was not seen to go wrong"


def test_a_call_on_its_way_is_known_and_not_sent_again(called: Island, gateway) -> None:
    gateway.turn("hold", gate="step-by-step")
    with called.headless() as running:
        assert called.person("send", "@step-by-step", "go").code == 0
        running.until(lambda line: line.get("state") == "working")
        kill(running)
    sent = gateway.get("calls")
    gateway.turn("open", gate="step-by-step", release=True)
    with called.headless() as again:
        states = told(again, "step-by-step")
    assert states["step-by-step"] in ("unknown", "working", "done")
    assert gateway.get("calls") == sent and len(sent) == 1


@contextmanager
def windows(called: Island) -> Iterator["subprocess.Popen[bytes]"]:
    """The island with its windows, on no screen."""
    environ = called.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([*ISLAND], env=environ, cwd=called.home, stderr=subprocess.PIPE) as process:
        yield process


def test_its_door_and_lock_are_free_for_the_next_start(called: Island) -> None:
    for _ in range(3):
        with windows(called) as first:
            while called.run("show").code:
                assert first.poll() is None
            first.kill()
            assert first.wait(PATIENCE) == -9
    with windows(called) as last:
        while called.run("show").code:
            assert last.poll() is None
        assert called.run("quit").code == 0
        assert last.wait(PATIENCE) == 0
        assert last.stderr is not None and last.stderr.read() == b""
    assert not any(crash_files(called))
