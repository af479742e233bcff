"""The sandbox as its users have it: a child process that ends with whoever started it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx

ROOT = Path(__file__).parents[2]
KEY = "tako_live_" + "k" * 32


@dataclass(frozen=True, slots=True)
class Running:
    """A program that listens; `greeting` is its one line."""

    process: subprocess.Popen[bytes]
    greeting: dict[str, Any]

    @property
    def url(self) -> str:
        return str(self.greeting["url"])

    def get(self, name: str) -> Any:
        """What `/_sandbox/<name>` knows."""
        return httpx.get(f"{self.url}/_sandbox/{name}", trust_env=False).raise_for_status().json()

    def turn(self, name: str, **fields: Any) -> Any:
        answer = httpx.post(f"{self.url}/_sandbox/{name}", json=fields, trust_env=False)
        return answer.raise_for_status().json()


@contextmanager
def running(command: list[str], errors: IO[bytes] | None = None) -> Iterator[Running]:
    """Start a program that prints one JSON line when it listens; closing its input ends it."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Running(process, json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(20)


def sandbox(*arguments: str) -> list[str]:
    """The command line of a sandbox that waits for nothing."""
    return [sys.executable, "-m", "lisa_island.sandbox", "--key", KEY, "--speed", "0", *arguments]
