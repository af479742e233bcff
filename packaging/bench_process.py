"""What the kernel counts of a program: CPU time, voluntary switches (wake-ups), resident memory."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Reading:
    """At one moment: (ns of CPU, voluntary switches) of each thread, and seconds on the wall."""

    threads: dict[str, tuple[int, int]]
    at: float


class Program:
    """A running program, read through /proc."""

    def __init__(self, process: "subprocess.Popen[str]", began: float) -> None:
        self.process = process
        self.began = began
        self._task = Path(f"/proc/{process.pid}/task")

    def cpu(self) -> int:
        """CPU of all its threads so far, ns. Threads that ended are not in it."""
        return sum(cpu for cpu, _ in self.read().threads.values())

    def read(self) -> Reading:
        """CPU and switches now."""
        found = {}
        for thread in self._task.iterdir():
            try:
                cpu, status = (thread / "schedstat").read_text(), (thread / "status").read_text()
            except OSError:
                continue  # It ended meanwhile.
            line = next(line for line in status.splitlines() if line.startswith("voluntary_ctxt"))
            found[thread.name] = int(cpu.split()[0]), int(line.split()[1])
        return Reading(found, time.monotonic())

    def resident(self) -> float:
        """Resident memory, MB."""
        status = (self._task.parent / "status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def settled(self, seconds: float = 2.0, most: float = 30.0) -> float:
        """Resident memory once the program has been quiet for a while, MB."""
        until = time.monotonic() + most
        while time.monotonic() < until:
            before = self.cpu()
            time.sleep(seconds)
            if self.cpu() - before < 20_000_000 * seconds:
                break
        return self.resident()

    def over(self, seconds: float) -> tuple[float, float]:
        """Watch it for a while: (percent of a core, voluntary switches a second)."""
        first = self.read()
        time.sleep(seconds)
        return between(first, self.read())

    def end(self) -> None:
        """Ask it to leave; a program that does not is killed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def between(first: Reading, last: Reading) -> tuple[float, float]:
    """(percent of a core, voluntary switches a second) between two readings."""
    seconds, cpu, switches = last.at - first.at, 0, 0
    for thread, (spent, switched) in last.threads.items():
        before = first.threads.get(thread, (0, 0))
        cpu, switches = cpu + spent - before[0], switches + switched - before[1]
    return cpu / seconds / 1e7, switches / seconds


@contextmanager
def running(
    command: Sequence[str], environ: Mapping[str, str] | None = None, *, pipes: bool = False
) -> Iterator[Program]:
    """Start a program and end it. `pipes` gives it a standard input and output of ours."""
    began = time.monotonic()
    pipe = subprocess.PIPE if pipes else subprocess.DEVNULL
    process = subprocess.Popen(
        list(command), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL if not noisy() else None,
        env=dict(os.environ) | dict(environ or {}), text=True,
    )  # fmt: skip
    program = Program(process, began)
    try:
        yield program
    finally:
        program.end()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def noisy() -> bool:
    """Whether what the programs complain of is shown."""
    return bool(os.environ.get("BENCH_NOISY"))
