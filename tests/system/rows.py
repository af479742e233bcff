"""Task rows for tests, and the call list as LISA writes it."""

import json
from pathlib import Path
from typing import Any

from lisa_island.core.agent import Blocked, RequestKind
from lisa_island.core.ports import TaskRow
from tests.fakes.clock import START

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR


def task(slug: str = "acme", number: int = 1, *, at: int = START, **changes: Any) -> TaskRow:
    """A working task of `slug`; `at` is its start and its last word."""
    row = TaskRow(
        session_id=f"{slug}/{number:08x}",
        target=slug,
        message_id=f"message-{number}",
        started_at=at,
        updated_at=at,
        state="working",
        reason="working",
        task_state="working",
        task_id=f"task-{slug}-{number}",
        context_id=f"context-{number}",
    )
    return row.with_(**changes)


def waiting(slug: str = "acme", number: int = 1, *, asks: str = "Which one?", **changes: Any) -> TaskRow:
    """A task that waits with a question."""
    question = Blocked(RequestKind.INPUT, f"request-{number}", START, asks, ("one", "two"))
    return task(
        slug, number, state="waiting", reason="input-required", task_state="input-required", question=question
    ).with_(**changes)


def ledger(home: Path) -> dict[str, dict[str, Any]]:
    """The call list by slug; it must be valid and hold one row per slug."""
    rows = json.loads((home / "takoapi-calls.json").read_text("utf-8"))
    found = {row["slug"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def lisa_row(slug: str, at: int, state: str = "completed", **more: Any) -> dict[str, Any]:
    """A row as LISA writes it."""
    return {"slug": slug, "startedAt": at, "lastMtime": at, "lastState": state, **more}


def write_as_lisa(home: Path, *rows: dict[str, Any]) -> None:
    """Upsert as LISA does: no lock, the whole file in place, the id of the call before kept."""
    path = home / "takoapi-calls.json"
    try:
        known = {row["slug"]: row for row in json.loads(path.read_text("utf-8"))}
    except (FileNotFoundError, ValueError):
        known = {}
    for row in rows:
        before = known.get(row["slug"], {})
        known[row["slug"]] = {k: before[k] for k in ("taskId", "startedAt") if k in before} | {
            k: v for k, v in row.items() if k != "startedAt" or "startedAt" not in before
        }
    with path.open("w", encoding="utf-8") as file:
        json.dump(list(known.values()), file)
