"""The keyring, asked in a process of its own that ends soon after the last answer.

What `keyring` brings along weighs 18 MB for a moment's work; and a keyring that hangs can be ended with its
process, which no thread can. A value goes through pipes that these two processes alone have: it is in no
argument and in no environment. UNTESTED on Windows: there the process stays until ours ends.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lisa_island.core.agent import KeyState
from lisa_island.system.hidden import Hidden
from lisa_island.system.keyring_backend import Found

_ROOT = str(Path(__file__).resolve().parent.parent.parent)
# The package is found where ours is, wherever the process was started.
_CHILD = f"import sys; sys.path.insert(0, {_ROOT!r}); from {__name__} import main; main()"
# Many origins are asked one after the other: the next question mostly follows at once.
IDLE_SECONDS = 3
END_SECONDS = 2.0
_NOTHING = Found(KeyState.ABSENT)


class KeyringProcess:
    """One process at a time, started by the first question and by the first after it has ended."""

    def __init__(self) -> None:
        self._child: Process | None = None
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[..., Found], user: str, *values: Hidden, limit: float) -> Found:
        """`work` of `keyring_backend`. Raises TimeoutError after `limit` seconds, and ends the process."""
        asked = {"work": work.__name__, "user": user, "values": [v.reveal() for v in values], "limit": limit}
        line = json.dumps(asked).encode() + b"\n"
        async with self._turn, asyncio.timeout(limit):
            # One that just ended for want of questions has not heard this one.
            answer = await self._asked(line) or await self._asked(line)
        return _read(answer)

    async def close(self) -> None:
        """End it, and wait until it has."""
        child, self._child = self._child, None
        if child is None:
            return
        _let_go(child)
        try:
            async with asyncio.timeout(END_SECONDS):
                await child.wait()
        except TimeoutError:
            _kill(child)
            await child.wait()

    async def _asked(self, line: bytes) -> bytes:
        """The answer, or nothing from a process that has ended."""
        try:
            if self._child is None or self._child.returncode is not None:
                # What a backend says of an error could carry the value.
                self._child = await asyncio.create_subprocess_exec(
                    sys.executable, "-c", _CHILD, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
                )
            child = self._child
            assert child.stdin is not None and child.stdout is not None
            child.stdin.write(line)
            await child.stdin.drain()
            answer = await child.stdout.readline()
        except OSError:
            answer = b""
        except BaseException:
            # Whose answer would come next is unknown from now on.
            if self._child is not None:
                _kill(self._child)
                self._child = None
            raise
        if not answer:
            self._child = None
        return answer


def _let_go(child: Process) -> None:
    if child.stdin is not None:
        child.stdin.close()


def _kill(child: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.kill()


def _read(answer: bytes) -> Found:
    try:
        told = json.loads(answer)
        value = told["value"]
        return Found(KeyState(told["state"]), None if value is None else Hidden(value), str(told["name"]))
    except (ValueError, KeyError, TypeError):
        return _NOTHING


def main() -> None:
    """In the process: a request a line of standard input, an answer a line of standard output."""
    # Ctrl-C in a terminal means the one who asked; it takes us along.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # What a backend prints is no answer.
    os.dup2(2, 1)
    _end_after(IDLE_SECONDS)
    for line in sys.stdin:
        asked = json.loads(line)
        # Also when nobody waits for it any more.
        _end_after(int(asked["limit"]) + IDLE_SECONDS)
        answers.write(json.dumps(_done(asked)) + "\n")
        _end_after(IDLE_SECONDS)


def _end_after(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _done(asked: dict[str, Any]) -> dict[str, Any]:
    from lisa_island.system import keyring_backend

    known = (keyring_backend.read, keyring_backend.write, keyring_backend.delete)
    found = {work.__name__: work for work in known}[asked["work"]](
        asked["user"], *map(Hidden, asked["values"])
    )
    return {
        "state": found.state,
        "value": found.value.reveal() if found.value else None,
        "name": found.name,
    }
