"""Our A2A client beside the official one on the same recorded streams, and what many tasks cost."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bench_rival
from bench_process import running
from bench_table import Line, Table

SDK = "a2a-sdk==1.3.0"
HERE = Path(__file__).resolve().parent
SERVER = [sys.executable, str(HERE / "bench_a2a_server.py")]
CLIENTS = str(HERE / "bench_a2a_clients.py")
ROUNDS = 7
# Events as recorded, the middle of the stream repeated.
LONG, TIMES = "/stream/1000", 2
SHORT = 100
STREAMS, POLLED = 32, 1_000

Ask = Callable[[str], dict[str, float]]


def install(root: Path, folder: Path) -> Path:
    """An environment with the official client; its Python. Raises RivalError."""
    tool, python = bench_rival.uv(root), folder / "bin/python"
    for command in (
        [tool, "venv", "--quiet", "--python", sys.executable, str(folder)],
        [tool, "pip", "install", "--quiet", "--python", str(python), SDK],
    ):
        done = subprocess.run(command, env=bench_rival.outside(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise bench_rival.RivalError((done.stderr.strip().splitlines() or ["not installed"])[-1][:80])
    return python


@contextmanager
def served() -> Iterator[str]:
    """The agent, in a process of its own; its address."""
    with running(SERVER, pipes=True) as server:
        assert server.process.stdout is not None
        yield json.loads(server.process.stdout.readline())["url"]


@contextmanager
def client(python: str, who: str, url: str) -> Iterator[Ask]:
    """A client and the way to ask it."""
    with running([python, CLIENTS, who, url], pipes=True) as program:
        given, told = program.process.stdin, program.process.stdout
        assert given and told

        def ask(words: str) -> dict[str, float]:
            given.write(words + "\n")
            given.flush()
            line = told.readline()
            if not line:
                raise RuntimeError(f"the client ended at {words!r}; BENCH_NOISY=1 shows why")
            found: dict[str, float] = json.loads(line)
            return found

        told.readline()
        yield ask


def decode(table: Table, sdk: Path) -> None:
    """Events a second of CPU, of both in turn."""
    with served() as url, client(sys.executable, "ours", url) as ours, client(str(sdk), "sdk", url) as theirs:
        for path, times, name, target in (
            (LONG, TIMES, "A2A stream of 3,002 events", 0.5),
            ("/short", SHORT, "A2A streams of 5 events", None),
        ):
            found = [
                (per(ours(f"read {path} {times}")), per(theirs(f"read {path} {times}")))
                for _ in range(ROUNDS)
            ]
            us, them = max(f[0] for f in found), max(f[1] for f in found)
            figures = f"ours {us:,.0f}, a2a-sdk 1.3.0 {them:,.0f} events per CPU second"
            note = (
                "CPU for an event against theirs" if target else "with a connection for each, as calls need"
            )
            table.add(
                Line(name, figures, them / us, "x theirs", target, f"best of {ROUNDS}, in turn; {note}")
            )


def per(found: dict[str, float]) -> float:
    return found["events"] / found["cpu"]


def many(table: Table, seconds: float) -> None:
    """A large artifact, and many tasks at once, in the whole source."""
    with served() as url, client(sys.executable, "ours", url) as ask:
        big = ask("big")
        table.add(Line("A2A artifact of 6 MB, CPU", f"{big['cpu']:.3f} s", big["cpu"], "s", 0.3,
                       "streamed, then asked for once more"))  # fmt: skip
        figures = f"{big['turn'] * 1e3:.1f} ms"
        table.add(Line("the same, longest turn of the loop", figures, big["turn"] * 1e3, "ms", 16, "CPU"))
        found = ask(f"idle {STREAMS} {POLLED} {seconds:.0f}")
        figures = f"{found['percent']:.2f} %, {found['asked']:.1f} polls a second"
        note = f"{seconds:.0f} s of real time, a word a stream every 10 s, each polled once a minute"
        table.add(
            Line("A2A, 32 streams and 1,000 polled tasks", figures, found["percent"], "% of a core", 5, note)
        )


def measure(table: Table, root: Path, folder: Path, seconds: float) -> str:
    """All of it; why there are no figures of the official client, if so."""
    why = ""
    try:
        decode(table, install(root, folder / "sdk"))
    except bench_rival.RivalError as error:
        why = str(error)
    many(table, seconds)
    return why
