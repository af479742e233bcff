"""Codex's folder in a temporary place, processes that hold its locks, and the source before them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lisa_island.agents import _codex_record as records
from lisa_island.agents import _running
from lisa_island.agents._codex_state import judge
from lisa_island.agents._codex_turn import Turn, fold
from lisa_island.agents._jsonl import Line
from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.words import has
from tests.agents.kind_rig import KindRig
from tests.fakes.clock import FakeClock

DATA = Path(__file__).parents[1] / "data" / "codex"
LAB = DATA / "lab-0.171.0" / "sessions" / "2026" / "11" / "30"
EXEC = LAB / "rollout-2026-11-30T17-35-17-01a22d86-7862-7ff3-8f18-e8b9f99cb7a7.jsonl"
TUI = LAB / "rollout-2026-11-30T17-35-57-01a22d87-178d-7863-9ce2-91b167b509c4.jsonl"
PARENT = LAB / "rollout-2026-11-30T17-46-06-01a22d90-5f87-7172-a320-2e7fcf13148a.jsonl"
CHILD = LAB / "rollout-2026-11-30T17-46-12-01a22d90-7a5e-77c2-b1eb-551da80157a9.jsonl"
OLD = DATA / "lab-0.20.0" / "sessions" / "2026" / "11" / "30"
OLD_LS = OLD / "rollout-2026-11-30T17-38-18-86245c73-6f06-4a2f-909a-0210ae4187ff.jsonl"
OLD_PATCH = OLD / "rollout-2026-11-30T17-38-24-9d273da2-13bb-461c-96b2-b8c0249a500b.jsonl"

THREAD = "01a22d87-178d-7863-9ce2-91b167b509c4"
OTHER = "01a22d90-5f87-7172-a320-2e7fcf13148a"
BELOW = "01a22d90-7a5e-77c2-b1eb-551da80157a9"
NOW = 4_000_000_000_000  # after every process of this machine began
CWD = "/w/demo"

# Holds the locks and files that it is told of, as the tool's own writer does, until it is told to drop them.
HOLDS = """
import fcntl, sys
kept = {}
for line in sys.stdin:
    kind, path = line.rstrip("\\n").split(" ", 1)
    if kind == "drop":
        kept.pop(path).close()
    else:
        kept[path] = open(path, "ab")
    if kind == "lock":
        fcntl.flock(kept[path], fcntl.LOCK_EX)
    print("ok", flush=True)
"""


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")


def told(raw: list[bytes], turn: Turn | None = None) -> Turn:
    """The turn after these lines."""
    turn = turn or Turn()
    for line in raw:
        entry = records.read(Line(line)) if line else None
        if entry is not None:
            turn = fold(turn, replace(entry, at=NOW if entry.at is None else entry.at))
    return turn


def verdict(turn: Turn, now: int, life: Life = Life.ALIVE, **more: Any) -> Verdict:
    found = judge(turn, life, now, now, **more)
    rule = found.fact.rule
    assert has(f"why.{rule}") and has(f"would.{rule}") == (found.until is not None), rule
    assert found.until is None or found.until > now
    return found


def stamp(at: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def meta(at: int = NOW, thread: str = THREAD, **more: Any) -> dict[str, Any]:
    payload = {
        "id": thread, "cwd": CWD, "originator": "codex-tui", "source": "vscode", "cli_version": "0.171.0",
        "git": {"branch": "main"}, "timestamp": stamp(at), "thread_source": "user", **more,
    }  # fmt: skip
    return {"timestamp": stamp(at), "ordinal": 0, "type": "session_meta", "payload": payload}


def event(kind: str, at: int = NOW, turn: str = "t1", **more: Any) -> dict[str, Any]:
    payload = {"type": kind, **({"turn_id": turn} if turn else {}), **more}
    return {"timestamp": stamp(at), "type": "event_msg", "payload": payload}


def item(kind: str, at: int = NOW, turn: str = "t1", **more: Any) -> dict[str, Any]:
    passed = {"internal_chat_message_metadata_passthrough": {"turn_id": turn}} if turn else {}
    return {"timestamp": stamp(at), "type": "response_item", "payload": {"type": kind, **more, **passed}}


def started(at: int = NOW, turn: str = "t1") -> dict[str, Any]:
    return event("task_started", at, turn, started_at=at // 1000)


def ended(at: int = NOW, turn: str = "t1", **more: Any) -> dict[str, Any]:
    return event("task_complete", at, turn, last_agent_message="done", **more)


def prompt(at: int = NOW, turn: str = "t1", text: str = "please") -> dict[str, Any]:
    return item("message", at, turn, role="user", content=[{"type": "input_text", "text": text}])


def said(at: int = NOW, turn: str = "t1", text: str = "done") -> dict[str, Any]:
    return item("message", at, turn, role="assistant", content=[{"type": "output_text", "text": text}])


def call(
    at: int = NOW, turn: str = "t1", id_: str = "c1", name: str = "exec_command", **asked: Any
) -> dict[str, Any]:
    return item("function_call", at, turn, name=name, call_id=id_, arguments=json.dumps(asked))


def result(at: int = NOW, turn: str = "t1", id_: str = "c1") -> dict[str, Any]:
    return item("function_call_output", at, turn, call_id=id_, output="out")


def context(at: int = NOW, turn: str = "t1", **more: Any) -> dict[str, Any]:
    payload = {"turn_id": turn, "cwd": CWD, "model": "m-1", "approval_policy": "on-request", **more}
    return {"timestamp": stamp(at), "type": "turn_context", "payload": payload}


def settings(at: int = NOW) -> dict[str, Any]:
    return event("thread_settings_applied", at, "", thread_settings={"approval_policy": "on-request"})


def dumped(*found: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in found)


class Codex:
    """A process that lives until it is told, by the name that the tool has."""

    def __init__(self, place: Path) -> None:
        program = place / "codex"
        program.symlink_to(Path(sys.executable).resolve())
        command = [str(program), "-I", "-S", "-c", HOLDS]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def holds(self, kind: str, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(f"{kind} {path}\n".encode())
        stdin.flush()
        assert stdout.readline() == b"ok\n"
        _running.LISTING.forget()

    def drops(self, path: Path) -> None:
        self.holds("drop", path)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        _running.LISTING.forget()

    def close(self) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class CodexRig(KindRig):
    """A home with Codex's folder."""

    def __init__(self, home: Path, now: int = NOW, variables: dict[str, str] | None = None) -> None:
        super().__init__("codex", home, dict(variables or {}), FakeClock(now))
        self.root = Path(self.variables.get("CODEX_HOME", home / ".codex"))
        self.day = self.root / "sessions" / "2026" / "11" / "30"
        _running.LISTING.forget()

    def lock(self, thread: str = THREAD) -> Path:
        return self.root / "thread-writer-locks" / f"{thread}.lock"

    def path(self, thread: str = THREAD) -> Path:
        return self.day / f"rollout-2026-11-30T17-35-57-{thread}.jsonl"

    def write(self, *found: dict[str, Any], thread: str = THREAD) -> Path:
        path = self.path(thread)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(dumped(*found))
        os.utime(path, (self.clock.now() / 1000, self.clock.now() / 1000))
        return path


@contextmanager
def codex(place: Path) -> Iterator[Codex]:
    folder = place / f"bin-{len(list(place.iterdir()))}"
    folder.mkdir()
    process = Codex(folder)
    try:
        yield process
    finally:
        process.close()
