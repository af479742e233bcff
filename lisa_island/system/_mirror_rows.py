"""Rows of the call list in LISA's format: read, told apart, merged. Pure.

A row on the wire is `{"slug", "taskId"?, "startedAt", "lastMtime", "lastState"}`, times in epoch ms, one row
per slug, the latest call wins, a day after its last change it goes. `lastState` is the word as A2A has it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lisa_island.core.agent import State
from lisa_island.core.ports import LisaRow, TaskRow
from lisa_island.core.task_state import read_task_state
from lisa_island.core.text import clean, word

DAY_MS = 24 * 60 * 60 * 1000
SLUG_LIMIT = 200
ID_LIMIT = 500
FILE_LIMIT = 4 * 1024 * 1024
OURS = frozenset({"slug", "taskId", "startedAt", "lastMtime", "lastState"})

Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WireRow:
    """What LISA itself demands of a row; the rest is taken where it makes sense."""

    slug: str
    last_state: str
    last_mtime: float
    started_at: float | None
    task_id: str


def read_row(row: object) -> WireRow:
    """A row of the file. Raises ValueError for what LISA would not take either."""
    if not isinstance(row, dict):
        raise ValueError("not an object")
    slug, state, mtime = row.get("slug"), row.get("lastState"), _time(row.get("lastMtime"))
    if not isinstance(slug, str) or not slug or not isinstance(state, str) or mtime is None:
        raise ValueError("no row of LISA's")
    for text in (slug, state):
        text.encode()  # Half a character is no text.
    task_id = row.get("taskId")
    return WireRow(
        slug, state, mtime, _time(row.get("startedAt")), task_id if isinstance(task_id, str) else ""
    )


def _time(value: object) -> float | None:
    """Epoch ms, or None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 2**53 else None  # type: ignore[operator,arg-type]


def parse(data: bytes) -> list[Raw]:
    """The valid rows of a file, as they stand there. Raises ValueError when it is no JSON array."""
    try:
        found = json.loads(data.decode("utf-8", "replace").removeprefix("\ufeff"), parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, list):
        raise ValueError("not an array")
    return [row for row in found if _is_valid(row)]


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _is_valid(row: object) -> bool:
    try:
        read_row(row)
    except ValueError:
        return False
    return True


def dump(rows: list[Raw]) -> bytes:
    """The file, indented by two; the oldest rows go when it would be refused as too large."""
    data = _encode(rows)
    while len(data) > FILE_LIMIT:
        newest = sorted((row["lastMtime"] for row in rows), reverse=True)[: len(rows) * 9 // 10]
        rows = [row for row in rows if newest and row["lastMtime"] >= newest[-1]][: len(newest)]
        data = _encode(rows)
    return data


def _encode(rows: list[Raw]) -> bytes:
    try:
        return json.dumps(rows, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate came in as an escape, and has to leave as one
        return json.dumps(rows, indent=2).encode()


def identity(row: Raw) -> tuple[str, int]:
    """What tells one write of a slug from another."""
    return row["slug"], int(row["lastMtime"])


def wire_of(row: TaskRow) -> Raw:
    """Our row as LISA would have written it."""
    found: Raw = {"slug": row.target}
    if row.task_id:
        found["taskId"] = row.task_id
    return found | {
        "startedAt": row.started_at,
        "lastMtime": row.updated_at,
        "lastState": last_state(row),
    }


def last_state(row: TaskRow) -> str:
    """The A2A word for a row; where the agent gave none, the one that LISA reads as the same state."""
    status = read_task_state(row.task_state)
    if row.task_state and status.state == row.state:
        return status.word
    match row.state:
        case State.ERROR:
            return "failed"  # also for an answer 200 that carried a JSON-RPC error
        case State.DONE:
            return "canceled" if row.reason == "canceled" else "completed"
        case State.WORKING:
            return "submitted" if row.reason in ("sending", "submitted") else "working"
        case State.WAITING:
            return "auth-required" if row.reason == "auth-required" else "input-required"
        case _:
            return "unknown"


def lisa_row(raw: Raw, own_ids: frozenset[str], now: int) -> LisaRow | None:
    """A row that LISA wrote, cleaned; None when its slug or time cannot be shown as it is.

    LISA keeps the id of the call before when the new one has none; an id of ours is not its own.
    """
    row = read_row(raw)
    slug = clean(row.slug, SLUG_LIMIT)
    if not slug or slug != row.slug or not -DAY_MS <= now - row.last_mtime <= DAY_MS:
        return None
    task_id = row.task_id if row.task_id not in own_ids and len(row.task_id) <= ID_LIMIT else ""
    mtime = int(row.last_mtime)
    started = mtime if row.started_at is None else int(row.started_at)
    return LisaRow(slug, clean(task_id, ID_LIMIT), started, mtime, word(row.last_state))


def wire_of_lisa(row: LisaRow) -> Raw:
    """A remembered row of LISA, to be put back."""
    found: Raw = {"slug": row.target}
    if row.task_id:
        found["taskId"] = row.task_id
    return found | {"startedAt": row.started_at, "lastMtime": row.updated_at, "lastState": row.last_state}


def foreign(rows: Iterable[Raw], written: frozenset[tuple[str, int]]) -> list[Raw]:
    """The rows that we did not write."""
    return [row for row in rows if identity(row) not in written]


def merge(
    file: Iterable[Raw], others: Iterable[Raw], ours: Mapping[str, Raw], written: frozenset[tuple[str, int]],
    now: int,
) -> list[Raw]:  # fmt: skip
    """One row per slug, the latest of all; a write of ours that no task stands behind any more goes.

    `written` are all writes of ours: what stands there of them is replaced by `ours`, whatever its time.
    Rows keep their place and the keys that we do not know.
    """
    best: dict[str, Raw] = {}
    for row in (*file, *others):
        slug = row["slug"]
        if identity(row) in written:
            if slug not in ours:
                continue
            row = _extras(row) | ours[slug]
        if slug not in best or row["lastMtime"] > best[slug]["lastMtime"]:
            best[slug] = row
    for slug, row in ours.items():
        if slug not in best or row["lastMtime"] >= best[slug]["lastMtime"]:
            best[slug] = _extras(best.get(slug, {})) | row
    return [row for row in best.values() if now - row["lastMtime"] <= DAY_MS]


def _extras(row: Raw) -> Raw:
    return {key: value for key, value in row.items() if key not in OURS}
