"""The real command as a child process in a home of its own: through pipes, or typed by a person."""

import json
import os
import pty
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.sandbox.child import KEY

ROOT = Path(__file__).parents[2]
ISLAND = (sys.executable, "-m", "lisa_island")
PATIENCE = 30.0
Typed = bytes | Callable[[], object]

# Becomes a child of init with a terminal of its own, so that whoever runs the tests is not among its parents,
# runs the command and tells its exit code.
PERSON = """
import fcntl, os, subprocess, sys, termios
if os.fork():
    os._exit(0)
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
out, told = int(sys.argv[1]), int(sys.argv[2])
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
def mine():
    signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen(sys.argv[3:], stdout=out if out >= 0 else None, preexec_fn=mine)
os.close(0)
os.write(told, b"%d\\n" % child.wait())
"""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended; `out` and `err` are what it wrote, `err` the whole screen of a person."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def said(self) -> str:
        return self.err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Island:
    """A home folder and the environment of every command in it."""

    home: Path
    url: str = "http://127.0.0.1:9"
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def lisa(self) -> Path:
        """LISA_HOME."""
        return self.home / "lisa"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "LISA_HOME": str(self.lisa),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "TAKOAPI_BASE_URL": self.url,
            "TMPDIR": str(self.home / "tmp"),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "LANG": "en_US.UTF-8",
            **self.extra,
        }

    def choose(
        self, *, on: bool = True, key: bool = True, calls: str = "deny", pins: Sequence[str] = ()
    ) -> None:
        """The owner's choices as files: opt-in, a key that is read from the environment, agents' calls."""
        entry = {"enabled": on, "pin": list(pins)}
        self.write("agents.json", {"integrations": {"takoapi": entry}})
        self.write("island.json", {"schema": 1, "agentCalls": calls, "keySource": "environment"})
        if key:
            self.extra["TAKO_KEY"] = KEY

    def write(self, name: str, value: Any) -> None:
        """A JSON file in LISA_HOME."""
        self.lisa.mkdir(mode=0o700, exist_ok=True)
        (self.lisa / name).write_text(json.dumps(value))

    def run(
        self, *arguments: str, given: bytes | None = b"", environ: Mapping[str, str] = {}, command=ISLAND
    ) -> Done:
        """With pipes on all three streams, as a script or an agent would."""
        done = subprocess.run(
            [*command, *arguments],
            input=given,
            capture_output=True,
            env=self.environ | dict(environ),
            cwd=self.home,
            timeout=PATIENCE,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def person(
        self,
        *arguments: str,
        types: Sequence[tuple[str, Typed]] = (),
        environ: Mapping[str, str] = {},
        command: Sequence[str] = ISLAND,
        piped: bool = True,
    ) -> Done:
        """Typed by a person: stdin and stderr are a terminal, stdout too unless it is `piped` away.

        `types` are (what the screen must show first, the bytes to type then, or what to do instead).
        """
        master, slave = pty.openpty()
        hear_out, out = os.pipe()
        hear_code, told = os.pipe()
        where = str(out) if piped else "-1"
        subprocess.run(
            [sys.executable, "-S", "-c", PERSON, where, str(told), *command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(out, told),
            env=self.environ | dict(environ),
            cwd=self.home,
            check=True,
        )
        for fd in (slave, out, told):
            os.close(fd)
        return _watched(master, hear_out, hear_code, list(types))

    @contextmanager
    def headless(self, **environ: str) -> Iterator["Headless"]:
        """A running island without windows; it has said hello."""
        process = subprocess.Popen(
            [*ISLAND, "--headless"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environ | environ,
            cwd=self.home,
        )
        running = Headless(process)
        try:
            assert running.next() == {"type": "hello", "apiVersion": 1}
            yield running
        finally:
            running.stop()


def _watched(master: int, hear_out: int, hear_code: int, types: list[tuple[str, Typed]]) -> Done:
    seen: dict[int, bytes] = {master: b"", hear_out: b"", hear_code: b""}
    open_fds, looked = set(seen), 0
    while open_fds:
        ready, _, _ = select.select(list(open_fds), [], [], PATIENCE)
        assert ready, f"nothing more came: {seen}"
        for fd in ready:
            try:
                data = os.read(fd, 65536)
            except OSError:  # the terminal's other side is gone
                data = b""
            seen[fd] += data
            if not data:
                open_fds.discard(fd)
                os.close(fd)
        while types and (at := seen[master].find(types[0][0].encode(), looked)) >= 0 and master in open_fds:
            looked = at + len(types[0][0].encode())
            act = types.pop(0)[1]
            if isinstance(act, bytes):
                os.write(master, act)
            else:
                act()
    assert not types, f"the screen never showed {types[0][0]!r}: {seen[master]!r}"
    return Done(int(seen[hear_code] or b"-99"), seen[hear_out], seen[master])


class Headless:
    """A running `--headless` and its lines."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.errors = b""
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._readers = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def next(self) -> Any:
        """The next line."""
        line = self._lines.get(timeout=PATIENCE)
        assert line, f"it ended: {self.process.poll()} {self.errors!r}"
        return json.loads(line)

    def until(self, holds) -> Any:
        """The first line of which `holds(line)` is true."""
        while not holds(line := self.next()):
            pass
        return line

    def rest(self) -> list[Any]:
        """Every line until its end."""
        lines = []
        while line := self._lines.get(timeout=PATIENCE):
            lines.append(json.loads(line))
        return lines

    def stop(self) -> int:
        """Ask it to leave, and wait."""
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return code

    def _read_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors += self.process.stderr.read()
