"""One line of a Claude Code transcript, as structure alone: what happened and when, never what was said.

Prose is looked at here for how it begins, and dropped. Formats up to 2.1.332; an unknown kind is `OTHER`.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lisa_island.agents import _fields
from lisa_island.agents._command import program
from lisa_island.agents._fields import basename, moment, path
from lisa_island.agents._fields import blocks as _blocks
from lisa_island.agents._fields import count as _count
from lisa_island.agents._fields import ident as _id
from lisa_island.agents._fields import mapping as _dict
from lisa_island.agents._fields import name as _name
from lisa_island.agents._fields import word as _word
from lisa_island.agents._jsonl import Line, record

FILE_KEYS = ("file_path", "notebook_path", "path")

SUBAGENTS = frozenset({"Task", "Agent"})
ASKS = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}

_REJECTED = ("The user doesn't want to ",)
_INTERRUPTED = "[Request interrupted by user"
_COMMANDS = ("<command-", "<local-command-", "<bash-")
_HUMAN = frozenset({"typed", "queued", "sdk"})
_QUIET = frozenset(
    {
        "attachment", "queue-operation", "last-prompt", "ai-title", "custom-title", "summary", "tag",
        "agent-name", "mode", "permission-mode", "tools-used", "cost-state", "file-history-snapshot",
        "file-history-delta", "worktree-state", "relocated", "pr-link", "continued-in", "fork-context-ref",
        "derived-from", "observer-ref", "bridge-session", "ended-by-model", "session-owner",
        "isolation-latch", "atis-latch", "dev-mods", "content-replacement", "attribution-snapshot",
        "memory-mode", "api-request", "api-request-blob", "api-request-shape", "resume-head-vouch",
        "history-suppression", "frame-link", "progress", "system", "user", "assistant",
    }
)  # fmt: skip


class Happened(Enum):
    """What a record is to the state of its session."""

    NOTHING = "nothing"
    OTHER = "other"  # a kind of record that we do not know
    PROMPT = "prompt"
    NOTICE = "notice"  # a background task told the model something: a turn without a human
    META = "meta"
    COMMAND = "command"
    COMPACTED = "compacted"
    INTERRUPTED = "interrupted"
    RESULT = "result"
    SAID = "said"
    ENDED = "ended"
    FAILED = "failed"
    RETRYING = "retrying"
    PROGRESS = "progress"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: its id, its name, the program or the file's name it is about."""

    id: str
    tool: str
    program: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record's structure. `at` is epoch ms or None. `stop` is the stop reason of a message, "" if none is
    known yet; `text` and `thinking` say that it holds such blocks. `is_copied`: a fork took it over from
    another session. `usage` is (prompt, output) tokens of `message`. `results` are the calls that returned,
    `oks` how each did: None where the record does not say.
    """

    happened: Happened
    kind: str
    at: int | None = None
    uuid: str = ""
    session: str = ""
    is_human_marked: bool = False
    is_copied: bool = False
    cwd: str = ""
    branch: str = ""
    version: str = ""
    mode: str = ""
    model: str = ""
    message: str = ""
    stop: str = ""
    text: bool = False
    thinking: bool = False
    calls: tuple[Call, ...] = ()
    results: tuple[str, ...] = ()
    oks: tuple[bool | None, ...] = ()
    is_async: bool = False
    error: str = ""
    prompts: int | None = None
    background: int | None = None
    usage: tuple[int, int] | None = None


def read(line: Line) -> Entry | None:
    """What a line says, or None for what is no record of this session (broken, or a subagent's)."""
    if line.tail or len(line.data) == 0:
        return _long(line)
    found = record(line.data)
    if found is None or found.get("isSidechain") is True or isinstance(found.get("agentId"), str):
        return None
    kind = _word(found.get("type"))
    reader = {"user": _user, "assistant": _assistant, "system": _system}.get(kind)
    more = reader(found) if reader else _rest(kind, found)
    return Entry(**(_envelope(kind, found) | more))


def _envelope(kind: str, found: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": kind,
        "at": moment(found.get("timestamp")),
        "uuid": _id(found.get("uuid")),
        "session": _id(found.get("sessionId")),
        "is_copied": _id(found.get("requestSessionId")) not in ("", _id(found.get("sessionId"))),
        "cwd": path(found.get("cwd")),
        "branch": _name(found.get("gitBranch")),
        "version": _word(found.get("version")),
        "mode": _word(found.get("permissionMode")),
    }


def _rest(kind: str, found: dict[str, Any]) -> dict[str, Any]:
    if kind == "progress":
        return {"happened": Happened.PROGRESS}
    known = kind in _QUIET or kind.startswith(("data-flow-", "artifact-", "api-request"))
    return {"happened": Happened.NOTHING if known else Happened.OTHER}


def _system(found: dict[str, Any]) -> dict[str, Any]:
    match found.get("subtype"):
        case "turn_duration" | "stop_hook_summary":
            return {
                "happened": Happened.ENDED,
                "background": _count(found.get("pendingBackgroundAgentCount")),
            }
        case "compact_boundary":
            return {"happened": Happened.COMPACTED}
        case "api_error":
            return {"happened": Happened.RETRYING}
        case _:
            return {"happened": Happened.NOTHING}


def _user(found: dict[str, Any]) -> dict[str, Any]:
    position = _dict(found.get("turnPosition"))
    origin = _dict(found.get("origin")).get("kind")
    marked = origin is not None or "turnOrigin" in found or "promptSource" in found
    more: dict[str, Any] = {"prompts": _count(position.get("promptIndex")), "is_human_marked": marked}
    content = _dict(found.get("message")).get("content")
    results = [b for b in _blocks(content) if b.get("type") == "tool_result"]
    if results:
        return more | _results(found, results)
    text = _beginning(content)
    if found.get("isCompactSummary") is True:
        return more | {"happened": Happened.COMPACTED}
    if text.startswith(_INTERRUPTED) or found.get("interruptedMessageId") is not None:
        return more | {"happened": Happened.INTERRUPTED}
    if text.startswith("<task-notification>") or origin == "task-notification":
        return more | {"happened": Happened.NOTICE}
    human = found.get("turnOrigin") == "human" or origin == "human" or found.get("promptSource") in _HUMAN
    if human:
        return more | {"happened": Happened.PROMPT}
    if found.get("isMeta") is True or text.startswith("Caveat: "):
        return more | {"happened": Happened.META}
    if text.startswith(_COMMANDS):
        return more | {"happened": Happened.COMMAND}
    said = isinstance(content, str) or bool(_blocks(content))
    return more | {"happened": Happened.NOTHING if not said or text.startswith("<") else Happened.PROMPT}


def _results(found: dict[str, Any], blocks: list[dict[str, Any]]) -> dict[str, Any]:
    told = [(found_id, b.get("is_error")) for b in blocks if (found_id := _id(b.get("tool_use_id")))]
    denied = found.get("toolDenialKind") == "user-rejected" or any(
        b.get("is_error") is True and _beginning(b.get("content")).startswith(_REJECTED) for b in blocks
    )
    return {
        "happened": Happened.INTERRUPTED if denied else Happened.RESULT,
        "results": tuple(i for i, _ in told),
        "oks": tuple(not failed if isinstance(failed, bool) else None for _, failed in told),
        "is_async": _dict(found.get("toolUseResult")).get("isAsync") is True,
    }


def _assistant(found: dict[str, Any]) -> dict[str, Any]:
    message = _dict(found.get("message"))
    if found.get("isApiErrorMessage") is True:
        return {"happened": Happened.FAILED, "error": _failure(found)}
    if message.get("model") == "<synthetic>":
        return {"happened": Happened.NOTHING}
    blocks = _blocks(message.get("content"))
    kinds = {b.get("type") for b in blocks}
    if not blocks and not isinstance(message.get("content"), str):
        return {"happened": Happened.NOTHING}
    return {
        "happened": Happened.SAID,
        "model": _word(message.get("model")),
        "message": _id(message.get("id")) or _id(found.get("requestId")),
        "stop": _word(message.get("stop_reason")),
        "text": "text" in kinds or isinstance(message.get("content"), str),
        "thinking": bool(kinds & {"thinking", "redacted_thinking"}),
        "calls": tuple(_call(b) for b in blocks if b.get("type") == "tool_use"),
        "usage": _usage(message.get("usage")),
    }


def _call(block: dict[str, Any]) -> Call:
    tool = _fields.tool(block.get("name"))
    asked = _dict(block.get("input"))
    command = asked.get("command") if tool in ("Bash", "PowerShell") else None
    file = next((basename(asked.get(key)) for key in FILE_KEYS if basename(asked.get(key))), "")
    is_about_files = tool in ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead")
    return Call(_id(block.get("id")), tool, program(command), file if is_about_files else "")


def _failure(found: dict[str, Any]) -> str:
    """A class of ours: what the provider says is prose."""
    status, word = found.get("apiErrorStatus"), f"{found.get('error')} {found.get('apiErrorType')}"
    if status == 529 or "overloaded" in word:
        return "overloaded"
    if status == 429 or "rate_limit" in word or "usage_limit" in word:
        return "rate-limit"
    if status in (401, 403) or "auth" in word or "billing" in word:
        return "auth"
    if status in (400, 404, 413, 422) or "invalid_request" in word:
        return "bad-request"
    return "server-error" if status in (500, 502, 503, 504) or "server_error" in word else "api-error"


def _usage(found: Any) -> tuple[int, int] | None:
    usage = _dict(found)
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    prompt = sum(_count(usage.get(name)) or 0 for name in names)
    output = _count(usage.get("output_tokens")) or 0
    return (prompt, output) if usage else None


_RESULT = re.compile(rb'"tool_use_id":"([\w-]{1,128})"')


def _long(line: Line) -> Entry | None:
    """A record of more than a mebibyte, known by its ends alone."""
    if b'"isSidechain":true' in line.data:
        return None
    stamp = re.search(rb'"timestamp":"([^"]{1,40})"', line.tail) or re.search(
        rb'"timestamp":"([^"]{1,40})"', line.data
    )
    at = moment(stamp[1].decode("ascii", "replace")) if stamp else None
    if b'"type":"assistant"' in line.tail:
        return Entry(Happened.SAID, "assistant", at, thinking=True)
    if b'"type":"user"' not in line.data:
        return Entry(Happened.NOTHING, "", at)
    results = tuple(m.decode("ascii") for m in _RESULT.findall(line.data + b" " + line.tail))
    return Entry(Happened.RESULT if results else Happened.PROMPT, "user", at, results=results)


def _beginning(content: Any) -> str:
    """How a text begins: enough to tell who wrote it."""
    if isinstance(content, str):
        return content[:64]
    texts = [b.get("text") for b in _blocks(content) if b.get("type") == "text"]
    return texts[0][:64] if texts and isinstance(texts[0], str) else ""
