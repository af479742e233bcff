"""One record of a Gemini CLI chat, as structure alone: what happened and when, never what was said.

A chat is a log of messages that may be written again whole (the last line of an id counts), of changes to
what is known of the session, and of rewinds. Formats up to 0.61.0; before 0.40 one object with all messages.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lisa_island.agents import _fields
from lisa_island.agents._command import program
from lisa_island.agents._jsonl import Line, record

STARTS = (b'{"id"', b'{"$set"', b'{"$rewindTo"', b'{"sessionId"')
FILE_KEYS = ("file_path", "absolute_path")
FILE_TOOLS = frozenset({"read_file", "write_file", "replace", "edit_file", "edit"})
MOST_CALLS = 64
TEXT_LIMIT = 400

_CONTEXT = "<session_context>"
_COMMAND = re.compile(r"/[a-z][a-z-]*(?:\s|$)")
_CLASSES = (
    (r"\b429\b|quota|rate.?limit|RESOURCE_EXHAUSTED", "rate-limit"),
    (r"\b529\b|overloaded|UNAVAILABLE", "overloaded"),
    (r"\b40[13]\b|API.key|authenticat|UNAUTHENTICATED|PERMISSION_DENIED", "auth"),
    (r"\b4(?:00|04|13)\b|INVALID_ARGUMENT|NOT_FOUND", "bad-request"),
    (r"\b50\d\b|INTERNAL", "server-error"),
)


class Happened(Enum):
    """What a record is to the state of its session."""

    NOTHING = "nothing"
    OTHER = "other"  # a kind of record that we do not know
    PROMPT = "prompt"
    ANSWERED = "answered"  # a tool's result went back to the model
    SAID = "said"
    INFO = "info"
    FAILED = "failed"
    REWOUND = "rewound"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool that has ended: it is written then, and not before."""

    id: str
    tool: str
    status: str = ""
    program: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record's structure. `at` is epoch ms or None; `output` counts the tokens of a message."""

    happened: Happened
    kind: str = ""
    at: int | None = None
    id: str = ""
    has_text: bool = False
    calls: tuple[Call, ...] = ()
    output: int = 0
    model: str = ""
    error: str = ""


def read(line: Line) -> Entry | None:
    """What a line says, or None for what is no record."""
    if line.tail:
        return _long(line)
    found = record(line.data, STARTS)
    return None if found is None else _entry(found)


def read_whole(data: bytes) -> tuple[Entry, ...]:
    """The entries of a chat that is one object (before 0.40)."""
    try:
        whole = json.loads(data.decode("utf-8", "replace"), parse_constant=lambda _word: None)
    except (ValueError, RecursionError):
        return ()
    found = _fields.mapping(whole)
    messages = found.get("messages")
    listed = messages if isinstance(messages, list) else []
    return (_header(found), *(_entry(m) for m in listed if isinstance(m, dict)))


def _entry(found: dict[str, Any]) -> Entry:
    if "$set" in found:
        return _set(_fields.mapping(found["$set"]))
    if "$rewindTo" in found:
        return Entry(Happened.REWOUND, "$rewindTo", id=_fields.ident(found["$rewindTo"]))
    if "type" not in found and "sessionId" in found:
        return _header(found)
    return _message(found)


def _header(found: dict[str, Any]) -> Entry:
    return Entry(Happened.NOTHING, "header", _fields.moment(found.get("startTime")))


def _set(found: dict[str, Any]) -> Entry:
    """What is known of the session; also a whole history, which was told message by message before."""
    return Entry(Happened.NOTHING, "$set", _fields.moment(found.get("lastUpdated")))


def _message(found: dict[str, Any]) -> Entry:
    kind = _fields.word(found.get("type"))
    more: dict[str, Any] = {"kind": kind, "at": _fields.moment(found.get("timestamp"))}
    more["id"] = _fields.ident(found.get("id"))
    content = found.get("content")
    match kind:
        case "user":
            return Entry(_asked(content), **more)
        case "gemini":
            return Entry(Happened.SAID, **more, **_said(found, content))
        case "info":
            return Entry(Happened.INFO, **more)
        case "error":
            return Entry(Happened.FAILED, **more, error=_failure(_beginning(content)))
        case "warning":
            return Entry(Happened.NOTHING, **more)
        case _:
            return Entry(Happened.OTHER, **more)


def _asked(content: Any) -> Happened:
    parts = _fields.blocks(content)
    if parts and all("functionResponse" in part for part in parts):
        return Happened.ANSWERED
    text = _beginning(content)
    is_none = not text or text.startswith(_CONTEXT) or _COMMAND.match(text)
    return Happened.NOTHING if is_none else Happened.PROMPT


def _said(found: dict[str, Any], content: Any) -> dict[str, Any]:
    tokens = _fields.mapping(found.get("tokens"))
    counts = (_fields.count(tokens.get(name)) or 0 for name in ("output", "thoughts"))
    return {
        "has_text": bool(_beginning(content)),
        "calls": tuple(_call(c) for c in _fields.blocks(found.get("toolCalls"))[:MOST_CALLS]),
        "output": sum(counts),
        "model": _fields.word(found.get("model")),
    }


def _call(found: dict[str, Any]) -> Call:
    tool, asked = _fields.tool(found.get("name")), _fields.mapping(found.get("args"))
    file = next((name for key in FILE_KEYS if (name := _fields.basename(asked.get(key)))), "")
    command = asked.get("command") if tool == "run_shell_command" else None
    return Call(
        _fields.ident(found.get("id")), tool, _fields.word(found.get("status")), program(command),
        file if tool in FILE_TOOLS else "",
    )  # fmt: skip


def _beginning(content: Any) -> str:
    """How a text begins: enough to tell what it is."""
    if isinstance(content, str):
        return content[:TEXT_LIMIT].strip()
    texts = (part.get("text") for part in _fields.blocks(content))
    return next((t[:TEXT_LIMIT].strip() for t in texts if isinstance(t, str) and t.strip()), "")


def _failure(text: str) -> str:
    """A class of ours: what an error says is prose."""
    return next((name for pattern, name in _CLASSES if re.search(pattern, text, re.IGNORECASE)), "api-error")


_LONG = re.compile(rb'"id":"([\w.:-]{1,128})","timestamp":"([^"]{1,40})","type":"([a-z]{1,20})"')


def _long(line: Line) -> Entry | None:
    """A record of more than a mebibyte, known by its ends alone."""
    match = _LONG.search(line.data)
    if match is None:
        return Entry(Happened.NOTHING)
    id_, stamp, kind = (part.decode("ascii", "replace") for part in match.groups())
    at = _fields.moment(stamp)
    if kind == "user":
        answered = b'"functionResponse"' in line.data
        return Entry(Happened.ANSWERED if answered else Happened.PROMPT, kind, at, id_)
    if kind != "gemini":
        return Entry(Happened.NOTHING, kind, at, id_)
    # What grows so long is a tool's result, not what the model wrote.
    return Entry(Happened.SAID, kind, at, id_, calls=(Call("", "tool"),))
