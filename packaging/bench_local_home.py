"""A home with Claude Code's folder, as large as asked for, and sessions in it whose processes live."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lisa_island.agents import _proc  # noqa: E402

PROJECTS, SPARE = 100, 4 * 10**9
OUTPUT, ARGUMENT = "x" * 1_400, "y" * 300


def stamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def session_id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def line(session: str, number: int, what: str, **more: object) -> bytes:
    """One record as the tool writes it: a prompt, a call with its result, or the end of a turn."""
    user, call = {"role": "user"}, f"toolu_{number // 2}"
    found: dict[str, object] = {
        "parentUuid": None, "isSidechain": False, "uuid": f"{session[:8]}-{number}", "timestamp": stamp(),
        "sessionId": session, "cwd": f"/w/p{number % PROJECTS}", "version": "2.1.332", "gitBranch": "main",
    }  # fmt: skip
    match what:
        case "prompt":
            found |= {"type": "user", "message": user | {"content": ARGUMENT}, "origin": {"kind": "human"}}
        case "call":
            asked = {"command": "npm t " + ARGUMENT}
            block = {"type": "tool_use", "id": call, "name": "Bash", "input": asked}
            found |= {"type": "assistant", "message": message(number, [block], "tool_use")}
        case "result":
            done = {"type": "tool_result", "tool_use_id": call, "content": OUTPUT, "is_error": False}
            found |= {"type": "user", "message": user | {"content": [done]}}
        case "said":
            text = {"type": "text", "text": ARGUMENT}
            found |= {"type": "assistant", "message": message(number, [text], "end_turn")}
    return json.dumps(found | more).encode() + b"\n"


def message(number: int, content: list[object], stop: str) -> dict[str, object]:
    return {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop, "usage": {"input_tokens": 9, "output_tokens": 20},
    }  # fmt: skip


@dataclass
class Home:
    """`.claude` below `place`. `size` is what its transcripts hold, bytes."""

    place: Path
    files: int = 0
    size: int = 0
    live: list["Live"] = field(default_factory=list)

    def fill(self, files: int, size: int) -> None:
        """So many transcripts, together so large, or as large as the disk allows. Real bytes, no holes."""
        size = min(size, max(0, shutil.disk_usage(self.place).free - SPARE))
        name = session_id(0)
        turn = b"".join(line(name, n, w) for n, w in enumerate(("prompt", "call", "result", "said")))
        block = turn * max(1, size // files // len(turn))
        month_ago = time.time() - 30 * 86_400
        for number in range(files):
            path = self.transcript(session_id(number + 1))
            path.write_bytes(block.replace(name.encode(), session_id(number + 1).encode()))
            os.utime(path, (month_ago + number, month_ago + number))
        self.files, self.size = self.files + files, self.size + files * len(block)

    def transcript(self, session: str) -> Path:
        path = self.place / f".claude/projects/-w-p{int(session[:8], 16) % PROJECTS}/{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def empty(self) -> None:
        """The folder of a tool that has never run."""
        for name in ("projects", "sessions"):
            (self.place / ".claude" / name).mkdir(parents=True, exist_ok=True)


@dataclass
class Live:
    """A session whose process lives."""

    path: Path
    session: str
    process: "subprocess.Popen[bytes]"
    written: int = 1_000_000

    def append(self, what: str, **more: object) -> None:
        """One line more, in one write."""
        self.written += 1
        data = line(self.session, self.written, what, **more)
        with self.path.open("ab", buffering=0) as file:
            file.write(data)


@contextmanager
def living(home: Home, count: int, first: int = 1, status: str = "") -> Iterator[list[Live]]:
    """The first so many sessions get a process and a record in the registry."""
    home.empty()
    found = []
    try:
        for number in range(first, first + count):
            process = subprocess.Popen(["sleep", "86400"])
            session, path = session_id(number), home.transcript(session_id(number))
            found.append(Live(path, session, process))
            found[-1].append("prompt")
            register(home, found[-1], status)
        yield found
    finally:
        for live in found:
            live.process.kill()
            live.process.wait()
            (home.place / f".claude/sessions/{live.process.pid}.json").unlink(missing_ok=True)


def register(home: Home, live: Live, status: str = "") -> None:
    """What the tool writes of its process. Without a status the transcript alone tells the state."""
    record: dict[str, object] = {
        "pid": live.process.pid, "sessionId": live.session, "cwd": "/w/p", "version": "2.1.332",
        "startedAt": int(time.time() * 1000), "procStart": _proc.start_ticks(live.process.pid),
        "kind": "interactive", "entrypoint": "cli", "pidDomain": _proc.domain(),
    }  # fmt: skip
    if status:
        record |= {"status": status, "statusUpdatedAt": int(time.time() * 1000)}
    (home.place / f".claude/sessions/{live.process.pid}.json").write_text(json.dumps(record))
