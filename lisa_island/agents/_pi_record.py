"""One record of a pi session, as structure alone: what happened and when, never what was said.

A session is a tree in a log: a header, then entries with an id and a parent. Formats 1 to 3, up to pi 1.6.0.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lisa_island.agents import _fields
from lisa_island.agents._command import program
from lisa_island.agents._jsonl import Line, record

STARTS = (b'{"type"',)
FILE_TOOLS = frozenset({"read", "edit", "write"})
MOST_CALLS = 64
TEXT_LIMIT = 200

_CLASSES = (
    (r"\b429\b|quota|rate.?limit|too many requests", "rate-limit"),
    (r"\b529\b|overloaded", "overloaded"),
    (r"\b40[13]\b|API.key|authenticat|unauthori[sz]ed", "auth"),
    (r"\b4(?:00|04|13)\b|invalid.request|not.found", "bad-request"),
    (r"\b50\d\b|server.error", "server-error"),
)
_SILENT = frozenset(
    {
        "session", "model_change", "thinking_level_change", "usage", "custom", "label", "session_info",
        "branch_summary", "custom_message",
    }
)  # fmt: skip
_QUIET_ROLES = frozenset({"system", "bashExecution", "custom", "branchSummary", "compactionSummary"})


class Happened(Enum):
    """What a record is to the state of its session."""

    NOTHING = "nothing"
    OTHER = "other"  # a kind of record that we do not know
    PROMPT = "prompt"
    CALLED = "called"
    RESULT = "result"
    OVER = "over"
    ABORTED = "aborted"
    FAILED = "failed"
    EDITED = "edited"  # an entry was taken out of the talk: a failure that is tried again
    COMPACTED = "compacted"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool."""

    id: str
    tool: str
    program: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record's structure. `at` is epoch ms or None; `target` is the entry or call that it is about."""

    happened: Happened
    kind: str = ""
    at: int | None = None
    id: str = ""
    target: str = ""
    calls: tuple[Call, ...] = ()
    output: int = 0
    model: str = ""
    error: str = ""
    is_failed: bool = False
    session: str = ""
    cwd: str = ""


def read(line: Line) -> Entry | None:
    """What a line says, or None for what is no record."""
    if line.tail:
        return _long(line)
    found = record(line.data, STARTS)
    return None if found is None else _entry(found)


def _entry(found: dict[str, Any]) -> Entry:
    kind = _fields.word(found.get("type"))
    more: dict[str, Any] = {"kind": kind, "at": _fields.moment(found.get("timestamp"))}
    more["id"] = _fields.ident(found.get("id"))
    match kind:
        case "message":
            return _message(_fields.mapping(found.get("message")), more)
        case "session":
            return Entry(Happened.NOTHING, **more, session=more["id"], cwd=_fields.path(found.get("cwd")))
        case "context_edit":
            is_out = "replacement" in found and found["replacement"] is None
            target = _fields.ident(found.get("targetId")) if is_out else ""
            return Entry(Happened.EDITED, **more, target=target)
        case "compaction":
            return Entry(Happened.COMPACTED, **more)
    return Entry(Happened.NOTHING if kind in _SILENT else Happened.OTHER, **more)


def _message(found: dict[str, Any], more: dict[str, Any]) -> Entry:
    role = _fields.word(found.get("role"))
    match role:
        case "user":
            return Entry(Happened.PROMPT, **more)
        case "toolResult":
            target = _fields.ident(found.get("toolCallId"))
            return Entry(Happened.RESULT, **more, target=target, is_failed=found.get("isError") is True)
        case "assistant":
            return _said(found, more)
    more["kind"] = f"message/{role}"
    return Entry(Happened.NOTHING if role in _QUIET_ROLES else Happened.OTHER, **more)


def _said(found: dict[str, Any], more: dict[str, Any]) -> Entry:
    more["output"] = _fields.count(_fields.mapping(found.get("usage")).get("output")) or 0
    more["model"] = _fields.word(found.get("model"))
    stop = _fields.word(found.get("stopReason"))
    if stop == "error":
        return Entry(Happened.FAILED, **more, error=_failure(found.get("errorMessage")))
    if stop == "aborted":
        return Entry(Happened.ABORTED, **more)
    parts = (b for b in _fields.blocks(found.get("content")) if b.get("type") == "toolCall")
    calls = tuple(_call(part) for _, part in zip(range(MOST_CALLS), parts, strict=False))
    return Entry(Happened.CALLED if calls else Happened.OVER, **more, calls=calls)


def _call(found: dict[str, Any]) -> Call:
    tool, asked = _fields.tool(found.get("name")), _fields.mapping(found.get("arguments"))
    return Call(
        _fields.ident(found.get("id")), tool, program(asked.get("command")) if tool == "bash" else "",
        _fields.basename(asked.get("path")) if tool in FILE_TOOLS else "",
    )  # fmt: skip


def _failure(found: Any) -> str:
    """A class of ours: what an error says is prose."""
    text = found[:TEXT_LIMIT] if isinstance(found, str) else ""
    return next((name for pattern, name in _CLASSES if re.search(pattern, text, re.IGNORECASE)), "api-error")


_LONG = re.compile(
    rb'^\{"type":"message","id":"([\w-]{1,64})".{0,100}"timestamp":"([^"]{1,40})".{0,20}"role":"(\w+)"'
)
_CALL_ID = re.compile(rb'"toolCallId":"([\w.:-]{1,128})"')


def _long(line: Line) -> Entry | None:
    """A record of more than a mebibyte, known by its beginning: a result, or a prompt with a picture."""
    match = _LONG.search(line.data)
    if match is None:
        return Entry(Happened.NOTHING)
    id_, stamp, role = (part.decode("ascii", "replace") for part in match.groups())
    at = _fields.moment(stamp)
    if role == "toolResult":
        call = _CALL_ID.search(line.data)
        return Entry(Happened.RESULT, "message", at, id_, call[1].decode("ascii") if call else "")
    return Entry(Happened.PROMPT if role == "user" else Happened.NOTHING, "message", at, id_)
