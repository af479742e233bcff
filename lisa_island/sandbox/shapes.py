"""A2A 0.3 results as an agent writes them, and what a run of them adds up to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zlib import crc32

from .steps import NOW, Call, Event, Json

ENDED = frozenset({"completed", "failed", "canceled", "rejected"})


def parts(text: str) -> list[Json]:
    return [{"kind": "text", "text": text}]


def said(call: Call, text: str) -> Json:
    """The agent's message inside a status."""
    return {
        "kind": "message",
        "role": "agent",
        "messageId": f"{call.task_id}-{crc32(text.encode(errors='replace')):08x}",
        "taskId": call.task_id,
        "contextId": call.context_id,
        "parts": parts(text),
    }


def status(call: Call, state: str, text: str | None = None, *, final: bool = False) -> Event:
    word: Json = {"state": state, "timestamp": NOW}
    if text is not None:
        word["message"] = said(call, text)
    return Event(
        {
            "kind": "status-update",
            "taskId": call.task_id,
            "contextId": call.context_id,
            "status": word,
            "final": final,
        }
    )


def task(call: Call, state: str = "submitted") -> Event:
    """The first frame of an exchange: the task with the message that opened it."""
    opened = {**call.message, "taskId": call.task_id, "contextId": call.context_id}
    return Event(
        {
            "kind": "task",
            "id": call.task_id,
            "contextId": call.context_id,
            "status": {"state": state, "timestamp": NOW},
            "history": [opened],
            "artifacts": [],
        }
    )


def artifact(call: Call, key: str, name: str, text: str, *, append: bool = False, last: bool = True) -> Event:
    return Event(
        {
            "kind": "artifact-update",
            "taskId": call.task_id,
            "contextId": call.context_id,
            "artifact": {"artifactId": key, "name": name, "parts": parts(text)},
            "append": append,
            "lastChunk": last,
        }
    )


def answer(call: Call, text: str) -> Event:
    """A stateless answer: no task exists."""
    return Event(
        {
            "kind": "message",
            "role": "agent",
            "messageId": f"{call.task_id}-answer",
            "contextId": call.context_id,
            "parts": parts(text),
        }
    )


def add_up(results: Iterable[Any]) -> Any:
    """What a blocking server answers: the task after all events, or the last result that is none.

    >>> add_up([{"kind": "task", "id": "t"}, {"kind": "status-update", "status": {"state": "working"}}])
    {'kind': 'task', 'id': 't', 'status': {'state': 'working'}}
    """
    whole: Any = None
    for result in results:
        kind = result.get("kind") if isinstance(result, dict) else None
        if isinstance(whole, dict) and whole.get("kind") == "task" and kind == "status-update":
            whole = {**whole, "status": result["status"]}
        elif isinstance(whole, dict) and whole.get("kind") == "task" and kind == "artifact-update":
            whole = {**whole, "artifacts": _with_artifact(whole.get("artifacts", []), result)}
        else:
            whole = result
    return whole


def _with_artifact(old: list[Json], update: Json) -> list[Json]:
    new = update["artifact"]
    known = {item["artifactId"]: item for item in old}
    before = known.get(new["artifactId"])
    if before is not None and update.get("append"):
        new = {**before, "parts": [*before["parts"], *new["parts"]]}
    known[new["artifactId"]] = new
    return list(known.values())
