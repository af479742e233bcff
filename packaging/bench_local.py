"""Agents on this machine: many transcripts, a line's way to the face, quiet, deaths and huge lines.

The reference beside it is LISA's own server, by what is on record of it, not measured here: 203 ms from an
append to its event, five seconds of silence until a turn counts as over.
"""

import json
import os
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_local_home import Home, Live, living
from bench_process import Program, running
from bench_table import Line, Table

HERE = Path(__file__).resolve().parent
FACE = [sys.executable, "-m", "lisa_island", "--headless"]
LOOP = [sys.executable, str(HERE / "bench_local_loop.py")]
FILES, SIZE = 2_000, 5 * 10**9
LIVE, LINES_A_SECOND = 10, 20
CHANGES, GAP = 60, 0.45
HOLDS, DEATHS = 6, 6
REFERENCE_MS = 203
BIG = 50 * 10**6
KINDS = ("claude-code",)


class Face:
    """A `--headless` that runs, and its lines with the time at which each came."""

    def __init__(self, program: Program) -> None:
        assert program.process.stdout is not None
        self.program = program
        self._fd = program.process.stdout.fileno()
        self._rest = b""

    def until(self, is_it: Callable[[dict[str, object]], bool], seconds: float = 20.0) -> float:
        """The moment (monotonic) of the first line for which this holds. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self._fd], [], [], left)[0]:
                break
            came, data = time.monotonic(), os.read(self._fd, 1 << 20)
            if not data:
                raise RuntimeError("the face ended; BENCH_NOISY=1 shows why")
            *whole, self._rest = (self._rest + data).split(b"\n")
            found = [is_it(json.loads(text)) for text in whole]  # each of them is looked at
            if any(found):
                return came
        raise TimeoutError("no such line")

    def rows(self, count: int) -> float:
        """The moment at which so many sessions have been told."""
        seen: set[str] = set()

        def is_last(found: dict[str, object]) -> bool:
            if found.get("agent") in KINDS:
                seen.add(str(found["sessionId"]))
            return len(seen) >= count

        return self.until(is_last)

    def says(self, live: Live, state: str) -> float:
        """The moment at which a session is told to be so."""
        return self.until(lambda f: (f.get("sessionId"), f.get("state")) == (live.session, state))

    def drain(self, seconds: float) -> None:
        """Read for a while and keep nothing, so that the face is never held up."""
        try:
            self.until(lambda _line: False, seconds)
        except TimeoutError:
            pass


class Local:
    """The measures, on one home."""

    def __init__(self, table: Table, root: Path, folder: Path, seconds: float) -> None:
        self.table, self.root, self.folder, self.seconds = table, root, folder, seconds
        self.home = Home(folder / "owner")
        self.home.place.mkdir()
        self._homes = 0

    @contextmanager
    def face(self, kinds: tuple[str, ...] = KINDS, home: Path | None = None) -> Iterator[Face]:
        with running(FACE, self.environ(kinds, home or self.home.place), pipes=True) as program:
            yield Face(program)

    def environ(self, kinds: tuple[str, ...], home: Path) -> dict[str, str]:
        self._homes += 1
        place = self.folder / f"local{self._homes}"
        place.mkdir(mode=0o700)
        (place / "island.json").write_text(json.dumps({"schema": 1, "welcomed": True, "agentsOn": kinds}))
        return {"LISA_HOME": str(place), "HOME": str(home), "PYTHONPATH": str(self.root)}

    def first(self) -> None:
        """The first roster and what it takes, before many transcripts."""
        self.home.fill(FILES, SIZE)
        note = f"{self.home.files:,} transcripts, {self.home.size / 1e9:.2f} GB written, {LIVE} alive"
        with living(self.home, LIVE):
            with self.face(()) as face:
                face.drain(4)
                bare = face.program.settled(most=10)
            waits = []
            for _ in range(3):
                with self.face() as face:
                    waits.append(face.rows(LIVE) - face.program.began)
                    face.drain(20)
                    full = face.program.settled(most=10)
            self.table.add(Line("local, first roster from the start", f"{min(waits):.2f} s", min(waits), "s",
                                2, f"least of 3; {note}"))  # fmt: skip
            self.table.add(Line("local, memory for them", f"{bare:.1f} -> {full:.1f} MB", full - bare, "MB",
                                25, "the kind off, the kind on, after 20 s"))  # fmt: skip

    def latency(self) -> None:
        """From an append to its line, for changes that are told at once."""
        with living(self.home, 3) as live, self.face() as face:
            face.drain(3)
            waits = [self._change(face, live[n % 3], n) for n in range(CHANGES)]
            held = [self._hold(face, live[0]) for _ in range(HOLDS)]
        ordered = sorted(waits)
        p50, p95 = statistics.median(ordered), ordered[round(len(ordered) * 0.95) - 1]
        figures = f"p50 {p50 * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms; LISA's server {REFERENCE_MS} ms"
        self.table.add(Line("local, append -> line, p95", figures, p95 * 1e3, "ms", 80,
                            f"{CHANGES} changes that are not held, {len(self._names())} transcripts beside")
                       )  # fmt: skip
        figures = f"{statistics.median(held):.2f} s, of it 1.5 s held on purpose"
        self.table.add(Line("local, the end of a turn -> line", figures, statistics.median(held) - 1.5, "s",
                            None, "what is above the hold; LISA's server waits 5 s"))  # fmt: skip

    def _names(self) -> list[Path]:
        return list((self.home.place / ".claude/projects").glob("*/*.jsonl"))

    def _change(self, face: Face, live: Live, n: int) -> float:
        """A record each, all of them changes of the row."""
        face.drain(GAP)
        began = time.monotonic()
        live.append(("call", "result")[n // 3 % 2])
        return face.until(lambda found: found.get("sessionId") == live.session) - began

    def _hold(self, face: Face, live: Live) -> float:
        live.append("prompt")
        face.drain(1)
        began = time.monotonic()
        live.append("said")
        return face.says(live, "waiting") - began

    def busy(self) -> None:
        """Live sessions that write without a pause."""
        with living(self.home, LIVE) as live, self.face() as face:
            face.drain(5)
            quiet = self._spent(face, lambda: None)
            busy = min(self._spent(face, lambda: _write(live)) for _ in range(3))
        figures = f"{busy:.2f} % ({quiet:.2f} % while they write nothing)"
        self.table.add(Line(f"local, {LIVE} sessions at {LINES_A_SECOND} lines/s each", figures, busy,
                            "% of a core", 2, "least of 3; each line is a write of its own"))  # fmt: skip

    def _spent(self, face: Face, do: Callable[[], object]) -> float:
        """CPU of the whole process, percent of a core, while `do` runs so often a second."""
        began, before = time.monotonic(), _ticks(face.program)
        for n in range(int(self.seconds / 3 * LINES_A_SECOND)):
            do()
            face.drain(max(0.0, began + (n + 1) / LINES_A_SECOND - time.monotonic()))
        return 100 * (_ticks(face.program) - before) / (time.monotonic() - began)

    def deaths(self) -> None:
        """A process is killed with no word."""
        waits = []
        with self.face() as face:
            for _ in range(DEATHS):
                with living(self.home, 1) as (live,):
                    face.says(live, "working")
                    face.drain(2.2)
                    began = time.monotonic()
                    live.process.kill()
                    waits.append(face.says(live, "done") - began)
                    live.process.wait()
        figures = f"median {statistics.median(waits):.3f} s, slowest {max(waits):.3f} s"
        self.table.add(Line("local, kill -9 -> line", figures, max(waits), "s", 3,
                            f"{DEATHS} processes"))  # fmt: skip

    def quiet(self) -> None:
        """No agent's process lives: nothing is opened below the folder."""
        self.home.empty()
        trace = self.folder / "trace"
        with self.face() as face:
            face.drain(8)
            before, began = _ticks(face.program), time.monotonic()
            face.drain(self.seconds)
            cpu = 100 * (_ticks(face.program) - before) / (time.monotonic() - began)
            opened = traced(face, trace, self.home.place / ".claude")
        self.table.add(Line("local, no process alive, CPU", f"{cpu:.3f} %", cpu, "% of a core", 0.1,
                            f"{self.seconds:.0f} s, {len(self._names()):,} transcripts"))  # fmt: skip
        shown = "strace is not here" if opened is None else f"{opened} opened in 35 s"
        self.table.add(Line("local, no process alive, files", shown, opened or 0, "files", 0,
                            "transcripts and records; folders are listed"))  # fmt: skip

    def big(self) -> None:
        """One line of fifty megabytes in a session that is followed."""
        environ = self.environ(KINDS, self.home.place)
        with (
            living(self.home, 1) as (live,),
            running([*LOOP, str(live.path), str(BIG)], environ, pipes=True) as program,
        ):
            assert program.process.stdout is not None
            found = json.loads(program.process.stdout.readline())
        figures = f"{found['late']:.1f} ms late, {found['calm']:.1f} without; CPU {found['turn']:.1f} ms"
        note = f"a beat every 2 ms; {found['took']:.1f} s until it is known; least of 3"
        self.table.add(
            Line("local, a line of 50 MB, longest wait of the loop", figures, found["late"], "ms", 16, note)
        )


def _write(live: list[Live]) -> None:
    for one in live:
        one.append(("result", "call")[one.written % 2])


def traced(face: Face, trace: Path, folder: Path, seconds: float = 35) -> int | None:
    """How many files below the folder the process opens meanwhile, by its system calls."""
    try:
        tracer = subprocess.Popen(
            ["strace", "-f", "-qq", "-e", "trace=open,openat,openat2", "-o", str(trace),
             "-p", str(face.program.process.pid)], stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        return None
    face.drain(seconds)
    if tracer.poll() is not None:
        return None
    tracer.terminate()
    tracer.wait()
    told = [text for text in trace.read_text("utf-8", "replace").splitlines() if str(folder) in text]
    return sum("O_DIRECTORY" not in text for text in told)


def _ticks(program: Program) -> float:
    """CPU of the process so far, ended threads included, s."""
    text = Path(f"/proc/{program.process.pid}/stat").read_bytes()
    user, system = text[text.rindex(b")") + 2 :].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def measure(table: Table, root: Path, folder: Path, seconds: float) -> None:
    """All of it."""
    local = Local(table, root, folder, seconds)
    for part in (local.first, local.latency, local.busy, local.deaths, local.big, local.quiet):
        part()
