"""What the gateway makes of a request body, per route and generation (contract A6, A7, A18)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from .steps import Json, Route

WORDS = ("messageId", "taskId", "contextId", "kind")
EMPTY = 'Send a non-empty "text", or a "message" whose "parts" hold some content.'


@dataclass(frozen=True, slots=True)
class Refused:
    """A 400 that the gateway answers by itself."""

    error: str
    detail: str


def message_for(route: Route, generation: str, body: bytes) -> Json | Refused:
    """The A2A Message that goes upstream. Bytes that are no JSON count as `{}`."""
    parsed = _parsed(body)
    if route == "stream" or generation == "G0":
        return _collapsed(parsed)
    return _normalised(parsed)


def envelope(route: Route, message: Json) -> Json:
    """The JSON-RPC request for the agent; its id is the gateway's own."""
    method = "message/send" if route == "message" else "message/stream"
    return {"jsonrpc": "2.0", "id": str(uuid4()), "method": method, "params": {"message": message}}


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return {}


def _collapsed(parsed: Any) -> Json:
    """Only text survives; an object `message` becomes an empty string that is sent all the same."""
    fields = parsed if isinstance(parsed, dict) else {}
    words = (fields.get("text"), fields.get("message"))
    text = next((word for word in words if isinstance(word, str)), "")
    return {"role": "user", "parts": [{"kind": "text", "text": text}]}


def _normalised(parsed: Any) -> Json | Refused:
    fault = _fault(parsed)
    if fault is not None:
        return Refused("Invalid request body", fault)
    inner = parsed.get("message")
    given = inner if isinstance(inner, dict) else {}
    if "parts" in given:
        content = [_part(part) for part in given["parts"]]
    else:
        text = parsed.get("text", inner if isinstance(inner, str) else "")
        content = [{"kind": "text", "text": text}]
    if not any(_has_content(part) for part in content):
        return Refused("Empty message", EMPTY)
    ids = {name: value for name in ("taskId", "contextId") if (value := given.get(name, parsed.get(name)))}
    return {
        **given,
        "role": given.get("role", "user"),
        "parts": content,
        "messageId": given.get("messageId") or str(uuid4()),
        "kind": "message",
        **ids,
    }


def _part(part: Json) -> Json:
    return part if "kind" in part or not isinstance(part.get("text"), str) else {"kind": "text", **part}


def _has_content(part: Json) -> bool:
    kind = part.get("kind")
    return bool(part.get("text")) or (kind is not None and kind != "text")


def _fault(parsed: Any) -> str | None:
    """`<path>: <why>` for the first field that does not fit; a null is a value, and a wrong one."""
    if not isinstance(parsed, dict):
        return f"body: Invalid input: expected object, received {_kind(parsed)}"
    for name in ("text", "taskId", "contextId"):
        if name in parsed and not isinstance(parsed[name], str):
            return f"{name}: Invalid input: expected string, received {_kind(parsed[name])}"
    if "message" in parsed and not _is_message(parsed["message"]):
        return "message: Invalid input"
    return None


def _is_message(message: Any) -> bool:
    if isinstance(message, str):
        return True
    if not isinstance(message, dict):
        return False
    words = all(isinstance(message.get(name, ""), str) for name in WORDS)
    role = message.get("role", "user") in ("user", "agent")
    content = message.get("parts", [])
    return words and role and isinstance(content, list) and all(map(_is_part, content))


def _is_part(part: Any) -> bool:
    return isinstance(part, dict) and all(isinstance(part.get(name, ""), str) for name in ("kind", "text"))


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]
