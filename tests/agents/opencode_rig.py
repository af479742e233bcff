"""OpenCode's storage in a temporary place."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.agents.local_rig import DATA, NOW

LAB = DATA / "opencode" / "lab-1.18.33" / "opencode.db"
OLD = DATA / "opencode" / "agent-sessions_storage_legacy"
TREE = DATA / "opencode" / "agent-sessions_storage_v2"
SESSION = "ses_one"
CWD = "/w/demo"


class OpenCodeDb:
    """A database of OpenCode's, empty but for what a test writes."""

    def __init__(self, path: Path, source: Path = LAB, wal: bool = True) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute(f"PRAGMA journal_mode = {'wal' if wal else 'delete'}")
        self._serial = 0

    def empty(self) -> "OpenCodeDb":
        for table in ("part", "message", "session"):
            self.db.execute(f"DELETE FROM {table}")
        return self

    def session(self, id_: str = SESSION, directory: str = CWD, at: int = NOW, **more: Any) -> None:
        row = {
            "id": id_, "project_id": "p", "slug": "s", "directory": directory, "title": "t",
            "version": "1.18.33", "time_created": at, "time_updated": at, **more,
        }  # fmt: skip
        self._put("session", row)

    def message(self, role: str, at: int = NOW, session: str = SESSION, **data: Any) -> str:
        self._serial += 1
        id_ = data.pop("id", f"msg_{self._serial:04}")
        data = {"role": role, "time": {"created": at}, "modelID": "m", "agent": "build"} | data
        self._put(
            "message",
            {
                "id": id_,
                "session_id": session,
                "time_created": at,
                "time_updated": at,
                "data": json.dumps(data),
            },
        )
        return str(id_)

    def answer(self, at: int = NOW, finish: str | None = "stop", session: str = SESSION, **data: Any) -> str:
        time = {"created": at, **({"completed": at} if finish else {})}
        more = {"finish": finish} if finish else {}
        return self.message("assistant", at, session, time=time, **more, **data)

    def part(self, message: str, at: int = NOW, session: str = SESSION, **data: Any) -> None:
        self._serial += 1
        row = {
            "id": f"prt_{self._serial:04}", "message_id": message, "session_id": session, "time_created": at,
            "time_updated": at, "data": json.dumps(data),
        }  # fmt: skip
        self._put("part", row)

    def tool(
        self, message: str, tool: str = "bash", status: str = "running", at: int = NOW, **asked: Any
    ) -> None:
        state = {"status": status, "input": asked, "error": asked.pop("error", None)}
        self.part(message, at, type="tool", tool=tool, callID=f"call_{self._serial}", state=state)

    def _put(self, table: str, row: dict[str, Any]) -> None:
        names = ", ".join(row)
        marks = ", ".join("?" for _ in row)
        self.db.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))

    def close(self) -> None:
        self.db.close()


def as_of(source: Path, target: Path, at: int) -> None:
    """The database as it was then: later rows gone, what was to end later still open."""
    shutil.copyfile(source, target)
    with closing(sqlite3.connect(target)) as db:
        for table in ("part", "message", "session"):
            db.execute(f"DELETE FROM {table} WHERE time_created > ?", (at,))
            db.execute(f"UPDATE {table} SET time_updated = min(time_updated, ?)", (at,))
        for row_id, text in db.execute("SELECT id, data FROM message").fetchall():
            data = json.loads(text)
            if data["time"].get("completed", 0) > at:
                for name in ("finish", "error"):
                    data.pop(name, None)
                del data["time"]["completed"]
                db.execute("UPDATE message SET data = ? WHERE id = ?", (json.dumps(data), row_id))
        for row_id, text in db.execute("SELECT id, data FROM part").fetchall():
            state = (data := json.loads(text)).get("state") or {}
            if state.get("time", {}).get("end", 0) > at:
                state["status"] = "running"
                for name in ("error", "output"):
                    state.pop(name, None)
                db.execute("UPDATE part SET data = ? WHERE id = ?", (json.dumps(data), row_id))
        db.commit()


def tree_as_of(source: Path, target: Path, at: int) -> None:
    """The folder as it was then, by the times that its files hold."""
    for file in source.rglob("*.json"):
        data = json.loads(file.read_text("utf-8"))
        time = data.get("time") or (data.get("state") or {}).get("time") or {}
        if (time.get("created") or time.get("start") or 0) <= at:
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
