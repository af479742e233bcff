"""Real commands against a hostile agent, watched from inside: where they went, and what got out."""

import os
from pathlib import Path

import pytest

from lisa_island.sandbox.hostile import MARK
from tests.cli.rig import PATIENCE, Island
from tests.e2e.watch import holding, hook, seen
from tests.sandbox.child import KEY, Running

STARTS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "pty.spawn")
ENDS = ("hello", "word", "fail", "ask", "sign in")
# What acts: sequences of terminals, right-to-left overrides, marks that nobody sees.
ACTING = (b"\x1b[", b"\x1b]", b"\xc2\x9b", *(c.encode() for c in "\u202e\u2066\u2067\u200b\ufeff\u2028"))


@pytest.fixture
def watched(short_home: Path, gateway: Running) -> Island:
    """A home whose every process of ours is watched."""
    hook(short_home)
    island = Island(short_home, gateway.url)
    island.extra["PYTHONPATH"] = f"{short_home / 'hook'}:{island.environ['PYTHONPATH']}"
    island.extra["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={short_home}/run/bus"
    island.choose(pins=["hostile-harry"])
    return island


def full_run(island: Island) -> None:
    """Every command, alone and through a running island."""
    assert island.run("discover", "harry").code == 0
    for end in ENDS:
        assert island.person("send", "@hostile-harry", end, "--wait").code in (0, 1)
    with island.headless() as running:
        for end in ENDS:
            assert island.person("send", "@hostile-harry", end, "--wait", "--label", "Mine").code in (0, 1)
        told = island.run("status", "--json").json
        assert len(told["sessions"]) == 2 * len(ENDS) and len(told["needsYou"]) == 4
        for need in told["needsYou"]:
            assert MARK in island.person("question", need["requestId"]).text
        assert island.person("answer", told["needsYou"][0]["requestId"], "ask", "--wait").code == 0
        for line in ("status", "discover", "doctor", "pin a", "unpin a", "key status"):
            assert island.run(*line.split()).code == 0, line
        assert island.run("quit").code == 0
        assert running.process.wait(PATIENCE) == 0


def test_it_connects_to_its_gateway_and_to_sockets_of_its_own_alone(watched, gateway):
    full_run(watched)
    log = watched.home / "audit.log"
    host, port = gateway.url.removeprefix("http://").split(":")
    addresses = {
        tuple(args[0]) if isinstance(args[0], list) else args[0] for args in seen(log, "socket.connect")
    }
    inet = {a for a in addresses if isinstance(a, tuple)}
    unix = {a for a in addresses if isinstance(a, str)}
    assert {(a[0], a[1]) for a in inet} == {(host, int(port))}
    assert unix and all(Path(a).parent == watched.home / "run" for a in unix), unix
    names = {args[0] for args in seen(log, "socket.getaddrinfo")}
    assert names <= {host}
    assert seen(log, "socket.sendto", "webbrowser.open") == []


def test_nothing_a_peer_says_gets_out(watched):
    full_run(watched)
    home, log = watched.home, watched.home / "audit.log"
    # No program is started at all, so there is no argv, stdin or environment to reach.
    assert seen(log, *STARTS) == []
    assert not [args for args in seen(log, "os.putenv") if MARK in str(args) or KEY in str(args)]
    # A question is kept in the database while it waits, cleaned; no other file holds a word of a peer.
    files = [p for p in home.rglob("*") if p.is_file() and p != log]
    assert (watched.lisa / "takoapi-calls.json") in files
    database = [p for p in files if p.name.startswith("island.db")]
    assert holding([p for p in files if p not in database], MARK.encode()) == []
    assert holding(database, MARK.encode()) and holding(database, *ACTING) == []
    # Nothing was made that a string asked for.
    assert not list(home.rglob(f"*{MARK}*")) and not os.path.lexists(f"/tmp/{MARK}")


def test_an_answered_question_leaves_no_byte(watched):
    watched.person("send", "@hostile-harry", "ask")
    [need] = watched.run("status", "--json").json["needsYou"]
    database = [p for p in watched.lisa.iterdir() if p.name.startswith("island.db")]
    assert holding(database, MARK.encode())
    watched.person("answer", need["requestId"], "hello")
    assert holding(watched.lisa.iterdir(), MARK.encode()) == []


def test_the_key_is_in_no_file_and_in_no_process_it_did_not_come_to(watched):
    with watched.headless() as running:
        watched.person("send", "@hostile-harry", "hello", "--wait")
        environ = Path(f"/proc/{running.process.pid}/cmdline").read_bytes()
        assert KEY.encode() not in environ
    files = [p for p in watched.home.rglob("*") if p.is_file()]
    assert holding(files, KEY.encode()) == []
