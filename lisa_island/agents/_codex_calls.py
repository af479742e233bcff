"""A call of a tool in a Codex rollout, as names: a few keys of its arguments are looked at, none is kept."""

import json
import re
import shlex
from dataclasses import dataclass
from typing import Any

from lisa_island.agents import _fields
from lisa_island.agents._command import READ_LIMIT, program
from lisa_island.agents._fields import basename, ident

MOST_FILES = 10
ARGUMENTS_LIMIT = 256 * 1024

_PATCH = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.{1,1024})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: its id, its name, the program or the file's name it is about. `is_escalated`: it
    asks to leave the sandbox.
    """

    id: str
    tool: str
    program: str = ""
    file: str = ""
    is_escalated: bool = False


def read_call(kind: str, payload: dict[str, Any]) -> tuple[Call, tuple[str, ...]]:
    """The call, and the base names of the files that a patch in it is about."""
    tool = _fields.tool(payload.get("name")) if kind in ("function_call", "custom_tool_call") else kind[:-5]
    asked, text = _asked(payload)
    command = _command(asked)
    files = tuple(name for n in _PATCH.findall(command or text)[:MOST_FILES] if (name := basename(n)))
    is_escalated = (
        asked.get("sandbox_permissions") == "require_escalated"
        or asked.get("with_escalated_permissions") is True
    )
    name = ident(payload.get("call_id")) or ident(payload.get("id"))
    program_ = _program(asked.get("command") or asked.get("cmd"))
    call = Call(name, tool, program_, files[-1] if files else "", is_escalated)
    return call, files


def _asked(payload: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The arguments as an object, and as the text of a patch where they are none."""
    text = payload.get("arguments") if "arguments" in payload else payload.get("input", payload.get("action"))
    if isinstance(text, dict):
        return text, ""
    if not isinstance(text, str) or len(text) > ARGUMENTS_LIMIT:
        return {}, ""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return (found, "") if isinstance(found, dict) else ({}, text)


def _command(asked: dict[str, Any]) -> str:
    found = asked.get("command") or asked.get("cmd") or asked.get("input")
    if isinstance(found, list):
        found = next((w for w in reversed(found) if isinstance(w, str)), "")
    return found if isinstance(found, str) else ""


def _program(command: Any) -> str:
    if not isinstance(command, list):
        return program(command)
    words = [w for w in command[:16] if isinstance(w, str)]
    if len(words) == 3 and re.fullmatch(r"-[a-z]*c", words[1]):  # ["bash", "-lc", script]
        return program(words[2])
    return program(shlex.join(words)[:READ_LIMIT])
