#!/usr/bin/env python3
"""How fast and how light the island is, as ratios in one run on one machine; nothing here is ever asserted.

    packaging/rig.sh .venv/bin/python packaging/bench.py [--only PART]... [--runs N] [--seconds N]

Starts itself in the rig when it is not there. The unit is a bare PySide6 widget; beside it stand an app that
imports our libraries all at once, and a rival from the package index. CPU is what the scheduler counts
(/proc/PID/schedstat of all threads), wake-ups are voluntary context switches. Where a busy machine disturbs,
the least of several runs counts: what disturbs only ever adds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bench_a2a
import bench_local
import bench_rival
from bench_process import Program, between, running
from bench_screen import has_screen, screen
from bench_table import Line, Table

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent
PYTHON = sys.executable
WIDGET = [PYTHON, str(HERE / "bench_widget.py")]
SKELETON = [PYTHON, str(HERE / "bench_skeleton.py")]
ISLAND = [PYTHON, "-m", "lisa_island"]
INSIDE = [PYTHON, str(HERE / "bench_island.py")]
KEY = "tako_live_" + "b" * 32
# What uv needs of the caller, whose home the rig hides.
OUTSIDE = ("HOME", "UV_CACHE_DIR", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_CONFIG_FILE", "XDG_CONFIG_HOME",
           "XDG_CACHE_HOME", "XDG_DATA_HOME", "UV_FIND_LINKS", "PIP_INDEX_URL", "SSL_CERT_FILE",
           "HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "UV_OFFLINE")  # fmt: skip
FIRST_SECONDS = 30.0


class Bench:
    """One run. `rival` is its Python, or None with the reason in `why`."""

    def __init__(self, runs: int, seconds: float, folder: Path) -> None:
        self.table = Table()
        self.runs, self.seconds, self.folder = runs, seconds, folder
        self._homes = 0
        self.rival: Path | None = None
        self.why = ""

    def home(self, **more: object) -> dict[str, str]:
        """The environment of an island with a folder of its own, whose owner has seen the first-run steps."""
        self._homes += 1
        home = self.folder / f"h{self._homes}"
        home.mkdir(mode=0o700)
        (home / "island.json").write_text(json.dumps({"schema": 1, "welcomed": True, **more}))
        return {"LISA_HOME": str(home), "PYTHONPATH": str(ROOT)}

    def find_rival(self) -> None:
        """Install it, once."""
        try:
            self.rival = bench_rival.install(ROOT, self.folder / "rival")
        except bench_rival.RivalError as error:
            self.why = str(error)
            print(f"  the rival is not here: {self.why}", flush=True)

    def rival_home(self, **options: bool) -> dict[str, str]:
        self._homes += 1
        return bench_rival.environ(self.folder / f"r{self._homes}", **options)

    # --- the parts ---

    def first(self) -> None:
        """From the start of the process to the first pixel."""
        subjects = {"widget": (WIDGET, dict), "island": (ISLAND, self.home)}
        if self.rival:
            subjects["rival"] = (bench_rival.command(self.rival), self.rival_home)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in subjects}
        with screen() as watched:
            for _ in range(self.runs):
                for name, (command, environ) in subjects.items():
                    given = environ()
                    watched.clear_events()
                    with running(command, given) as program:
                        if watched.first_pixel(FIRST_SECONDS):
                            found[name].append(
                                (program.cpu() / 1e6, (time.monotonic() - program.began) * 1e3)
                            )
                    time.sleep(0.2)
        cpu = {name: min(p[0] for p in pairs) for name, pairs in found.items() if pairs}
        wall = {name: min(p[1] for p in pairs) for name, pairs in found.items() if pairs}
        note = f"least of {self.runs}; CPU until the pixel, since the wall shows the load of the machine"
        for unit, values, target in (("CPU", cpu, 1.3), ("wall", wall, None)):
            figures = ", ".join(f"{name} {ms:.0f} ms" for name, ms in values.items())
            ratio = values["island"] / values["widget"]
            self.table.add(Line(f"first pill, {unit}", figures, ratio, "x widget", target, note))
            note = ""

    def memory(self) -> None:
        """Resident memory in three conditions."""
        base = self.least(SKELETON, dict)
        bare = self.least([*SKELETON, "--bare"], dict)
        shows = self.least([*SKELETON, "--shows"], dict)
        figures = [
            f"skeleton {base:.1f} MB ({bare:.1f} before it has used anything, {shows:.1f} with a window)"
        ]
        figures.append(f"widget {self.least(WIDGET, dict):.1f} MB")
        if self.rival:
            figures.append(f"rival {self.least(bench_rival.command(self.rival), self.rival_home):.1f} MB")
        off = self.least(ISLAND, self.home)
        self.table.add(Line("RSS, off and without key", ", ".join([f"island {off:.1f} MB", *figures]),
                            off / base, "x skeleton", 0.75,
                            f"{off / shows:.2f} x one that shows a window"))  # fmt: skip
        before, after, panel = self._with_calls()
        shown = f"island {before:.1f} MB, skeleton {base:.1f} MB"
        note = f"key in a real keyring, sandbox gateway; {before / shows:.2f} x one that shows a window"
        self.table.add(Line("RSS, ten rows, one followed", shown, before / base, "x skeleton", 1.05, note))
        shown = f"{before:.1f} -> {after:.1f} MB (open {panel:.1f})"
        self.table.add(Line("panel opened once and closed", shown, after - before, "MB", 6.0))

    def least(self, command: list[str], environ: Callable[[], dict[str, str]]) -> float:
        """The least resident memory of three starts, MB."""
        found = []
        for _ in range(3):
            with running(command, environ()) as program:
                time.sleep(1)
                found.append(program.settled())
        return min(found)

    def _with_calls(self) -> tuple[float, float, float]:
        """(ten rows, after the panel was open once, while it is open), MB."""
        gateway = [PYTHON, "-m", "lisa_island.sandbox", "--key", KEY, "--speed", "0.2"]
        with running(gateway, {"PYTHONPATH": str(ROOT)}, pipes=True) as sandbox:
            assert sandbox.process.stdout is not None
            url = json.loads(sandbox.process.stdout.readline())["url"]
            with self.inside("calls", url, first=KEY) as (program, ask):
                assert ask("rows") == 10, "ten calls, ten rows"
                time.sleep(3)
                before = program.settled(most=10)
                ask("open")
                time.sleep(3)
                panel = program.settled(most=10)
                ask("close")
                time.sleep(2)
                return before, program.settled(most=10), panel

    def idle(self) -> None:
        """Collapsed, quiet, everything off: all three at once, so that they meet the same machine."""
        commands = {"widget": (WIDGET, {}), "island": (ISLAND, self.home())}
        if self.rival:
            commands["rival"] = (bench_rival.command(self.rival), self.rival_home())
        with _all_running(commands) as programs:
            time.sleep(8)
            first = {name: p.read() for name, p in programs.items()}
            time.sleep(self.seconds)
            found = {name: between(first[name], p.read()) for name, p in programs.items()}
        figures = ", ".join(f"{name} {cpu:.4f} %" for name, (cpu, _) in found.items())
        self.table.add(Line("collapsed idle, CPU", figures, found["island"][0], "% of a core", 0.02,
                            f"{self.seconds:.0f} s side by side"))  # fmt: skip
        figures = ", ".join(f"{name} {n:.2f}/s" for name, (_, n) in found.items())
        self.table.add(Line("collapsed idle, wake-ups", figures, found["island"][1], "/s", 1.0))
        with self.inside("rows", "10") as (_, ask):
            time.sleep(3)
            timers = list(ask("timers"))
        self.table.add(Line("collapsed idle, timers", ", ".join(timers) or "none", len(timers), "timers", 1,
                            "ten working rows"))  # fmt: skip

    def latency(self) -> None:
        """From a first event to its pixel, beside the widget's own update."""
        for rows, word, what, against in (
            (3, "latency", "first event -> pixel", "widget"),
            (0, "latency", "the same out of quiet: the pill grows", "widget"),
            (0, "latency grows", "out of quiet", "widget that grows too"),
        ):
            with self.inside("rows", str(rows)) as (_, ask):
                time.sleep(3)
                told = ask(word)
            for percent, target in ((50, 3.0), (95, 12.0)):
                figures = ", ".join(
                    f"{who} {told[f'{who}.wall.{percent}']:.0f} us ({told[f'{who}.cpu.{percent}']:.0f} CPU)"
                    for who in ("island", "widget")
                )
                value = told[f"island.wall.{percent}"] / told[f"widget.wall.{percent}"]
                note = f"{rows} rows work already"
                self.table.add(Line(f"{what}, p{percent}", figures, value, f"x {against}", target, note))

    def panel(self) -> None:
        """The panel open over rows that work."""
        for rows, target in ((10, 0.7), (50, 1.5)):
            figures = []
            with self.inside("rows", str(rows)) as (program, ask):
                ask("open")
                time.sleep(4)
                assert ask("panel"), "the panel is open"
                ours = self.calmest(program)
                ask("say 10")
                time.sleep(2)
                talking = self.calmest(program)
            figures.append(f"island {ours:.2f} %")
            if self.rival:
                figures.append(f"rival {self._rival_panel(rows):.2f} %")
            name = f"panel open, {rows} working rows"
            self.table.add(
                Line(name, ", ".join(figures), ours, "% of a core", target, "rows stand, as the rival's")
            )
            self.table.add(Line(f"{name}, each a word in 10 s", "", talking, "% of a core"))

    def calmest(self, program: Program) -> float:
        """The least CPU of three looks, percent of a core."""
        return min(program.over(self.seconds / 4)[0] for _ in range(3))

    def _rival_panel(self, rows: int) -> float:
        assert self.rival
        # Its panel stays open for as long as the pointer rests on it.
        subprocess.run(["xdotool", "mousemove", "1920", "20"], check=True)
        with running(bench_rival.command(self.rival), self.rival_home(expanded=True)) as program:
            time.sleep(4)
            with bench_rival.fed(self.rival, rows):
                time.sleep(4)
                found = self.calmest(program)
        subprocess.run(["xdotool", "mousemove", "100", "1000"], check=True)
        return found

    def sources(self) -> None:
        """Many sources, each with an update a second."""
        found = {}
        for count in (250, 500, 1000):
            with self.inside("sources", str(count)) as (program, ask):
                time.sleep(2)
                assert ask("rows") == count, "every source has its row"
                ask("say 1")
                time.sleep(3)
                found[count] = self.calmest(program)
        each = {count: cpu / count * 100 for count, cpu in found.items()}
        figures = ", ".join(f"{count}: {cpu:.2f} %" for count, cpu in found.items())
        self.table.add(Line("1,000 sources, an update a second", figures, found[1000], "% of a core", 15.0))
        figures = ", ".join(f"{count}: {cpu:.2f} % per 100" for count, cpu in each.items())
        self.table.add(Line("the same, per source against 250", figures, each[1000] / each[250], "x", 1.25,
                            "1 is linear"))  # fmt: skip

    def a2a(self) -> None:
        """The A2A client beside the official one, and many tasks at once."""
        why = bench_a2a.measure(self.table, ROOT, self.folder, self.seconds)
        if why:
            print(f"  the official A2A client is not here: {why}", flush=True)

    def local(self) -> None:
        """Agents on this machine."""
        bench_local.measure(self.table, ROOT, self.folder, self.seconds)

    # --- inside ---

    @contextmanager
    def inside(self, *arguments: str, first: str = "") -> Iterator[tuple[Program, Callable[[str], object]]]:
        """The driven island and the way to ask it."""
        with running([*INSIDE, *arguments], self.home(), pipes=True) as program:
            given, told = program.process.stdin, program.process.stdout
            assert given and told

            def ask(words: str) -> object:
                given.write(words + "\n")
                given.flush()
                line = told.readline()
                if not line:
                    raise RuntimeError(f"the island ended at {words!r}; BENCH_NOISY=1 shows why")
                return json.loads(line)

            if first:
                given.write(first + "\n")
                given.flush()
            if json.loads(told.readline() or "null") != "ready":
                raise RuntimeError("the island did not start; BENCH_NOISY=1 shows why")
            yield program, ask
            ask("quit")


@contextmanager
def _all_running(commands: dict[str, tuple[list[str], dict[str, str]]]) -> Iterator[dict[str, Program]]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield {name: stack.enter_context(running(*given)) for name, given in commands.items()}


PARTS = ("first", "memory", "idle", "latency", "panel", "sources", "a2a", "local")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="this part (may be given again)")
    parser.add_argument("--runs", type=int, default=9, help="starts of each program for the first pill")
    parser.add_argument("--seconds", type=float, default=60, help="how long idle is watched")
    parser.add_argument("--no-rival", action="store_true", help="leave the rival out")
    return parser.parse_args()


def into_rig() -> int:
    """Start again on a desktop of its own."""
    outside = {name: os.environ[name] for name in OUTSIDE if name in os.environ}
    again = ["env", f"BENCH_OUTSIDE={json.dumps(outside)}", PYTHON, __file__, *sys.argv[1:]]
    return subprocess.run([str(HERE / "rig.sh"), *again], check=False).returncode


def main() -> int:
    asked = arguments()
    if not (has_screen() and os.environ.get("LISA_RIG")):
        return into_rig()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    with tempfile.TemporaryDirectory(prefix="lb.") as folder:
        bench = Bench(asked.runs, asked.seconds, Path(folder))
        parts = asked.only or list(PARTS)
        if not asked.no_rival and {"first", "memory", "idle", "panel"} & set(parts):
            bench.find_rival()
        loads = [os.getloadavg()[0]]
        for part in parts:
            getattr(bench, part)()
            loads.append(os.getloadavg()[0])
    print(f"\n{os.cpu_count()} cores, load {min(loads):.1f} to {max(loads):.1f} "
          f"(median {statistics.median(loads):.1f}), Python {sys.version.split()[0]}, xcb\n")  # fmt: skip
    print(bench.table.markdown())
    if bench.why:
        print(f"\nThe rival could not be run: {bench.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
