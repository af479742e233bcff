"""One line of a Codex rollout, as structure alone: what happened and when, never what was said.

Four generations: bare items (0.20), items in an envelope (0.45), turns with a beginning and an end of their
own (0.120), paginated items (0.171). Prose is looked at for how it begins, and dropped. An unknown kind is
`OTHER`.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lisa_island.agents._codex_calls import MOST_FILES, Call, read_call
from lisa_island.agents._codex_head import STARTS
from lisa_island.agents._fields import basename, blocks, count, ident, mapping, moment, path, word
from lisa_island.agents._jsonl import Line, record

ASKS = "request_user_input"

_INJECTED = ("<", "# AGENTS.md")
_STARTED = frozenset({"task_started", "turn_started", "turn.started"})
_ENDED = frozenset({"task_complete", "turn_complete", "turn.completed"})
_ITEMS = frozenset({"CommandExecution", "FileChange", "McpToolCall", "CollabAgentToolCall"})
_QUIET_EVENTS = frozenset(
    {
        "token_count", "context_compacted", "thread_name_updated", "thread_goal_updated", "undo_completed",
        "entered_review_mode", "exited_review_mode", "guardian_assessment", "sub_agent_activity",
        "account/rateLimits/updated", "exec_command_end", "mcp_tool_call_end", "patch_apply_end",
        "web_search_end", "image_generation_end", "view_image_tool_call", "dynamic_tool_call_request",
        "dynamic_tool_call_response", "collab_agent_spawn_end", "collab_agent_interaction_end",
        "collab_waiting_end", "collab_close_end",
    }
)  # fmt: skip
_QUIET_ITEMS = frozenset({"ghost_snapshot", "agent_message", "compaction"})
_QUIET = frozenset(
    {
        "world_state",
        "token_usage_record",
        "inter_agent_communication_metadata",
        "session_meta",
        "turn_context",
    }
)


class Happened(Enum):
    """What a record is to the state of its session."""

    NOTHING = "nothing"
    OTHER = "other"  # a kind of record that we do not know
    STARTED = "started"  # a turn's own beginning
    ENDED = "ended"  # and its own end
    FAILED = "failed"
    ABORTED = "aborted"
    PROMPT = "prompt"
    THOUGHT = "thought"
    SAID = "said"
    CALLED = "called"
    RETURNED = "returned"
    COMPACTED = "compacted"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Entry:
    """A record's structure. `at` is epoch ms or None; `turn` the id of the turn it belongs to, "" where none
    is said. `is_event`: a prompt that is told as an event, beside its item. `ok` is how the call `returned`
    ended, None where that is not said. `output` is the thread's sum of output tokens.
    """

    happened: Happened
    kind: str
    at: int | None = None
    turn: str = ""
    is_event: bool = False
    call: Call | None = None
    returned: str = ""
    ok: bool | None = None
    files: tuple[str, ...] = ()
    error: str = ""
    output: int | None = None
    cwd: str = ""
    model: str = ""
    policy: str = ""
    reviewer: str = ""


def read(line: Line) -> Entry | None:
    """What a line says, or None for what is no record."""
    if line.tail or not line.data:
        return _long(line)
    found = record(line.data, STARTS)
    if found is None:
        return None
    kind = word(found.get("type"))
    payload = found.get("payload")
    if isinstance(payload, dict):
        more = _enveloped(kind, payload)
    else:
        payload = found
        more = _item(found) if kind else {"happened": Happened.NOTHING}  # 0.20 wrote its items bare
    inner = word(payload.get("type"))
    named = f"{kind}/{inner}" if kind and payload is not found and inner else kind
    return Entry(**({"kind": named, "at": moment(found.get("timestamp")), "turn": _turn(payload)} | more))


def _turn(payload: dict[str, Any]) -> str:
    for holder in (
        payload,
        payload.get("internal_chat_message_metadata_passthrough"),
        payload.get("metadata"),
    ):
        if found := ident(mapping(holder).get("turn_id")):
            return found
    return ""


def _enveloped(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    match kind:
        case "event_msg":
            return _event(payload)
        case "response_item":
            return _item(payload)
        case "turn_context":
            return {"happened": Happened.NOTHING, **_settings(payload)}
        case "compacted":
            return {"happened": Happened.COMPACTED}
        case "token_usage_record":
            return {"happened": Happened.NOTHING, "output": _output(payload.get("thread_token_usage"))}
        case _:
            return {"happened": Happened.NOTHING if kind in _QUIET else Happened.OTHER}


def _settings(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "cwd": path(found.get("cwd")),
        "model": word(found.get("model")),
        "policy": word(found.get("approval_policy")),
        "reviewer": word(found.get("approvals_reviewer")),
    }


def _output(usage: Any) -> int | None:
    return count(mapping(usage).get("output_tokens"))


# --- events ---


def _event(payload: dict[str, Any]) -> dict[str, Any]:
    kind = word(payload.get("type"))
    if kind in _STARTED:
        return {"happened": Happened.STARTED}
    if kind in _ENDED:
        return _end(payload)
    match kind:
        case "turn_aborted":
            return {"happened": Happened.ABORTED}
        case "error":
            return {"happened": Happened.FAILED, "error": failure(_class(payload))}
        case "user_message":
            return {"happened": Happened.PROMPT, "is_event": True}
        case "agent_message":
            return {"happened": Happened.SAID}
        case "agent_reasoning" | "agent_reasoning_raw_content":
            return {"happened": Happened.THOUGHT}
        case "item_completed":
            return _completed(mapping(payload.get("item")))
        case "thread_settings_applied":
            return {"happened": Happened.SETTINGS, **_settings(mapping(payload.get("thread_settings")))}
        case "token_count":
            info = mapping(payload.get("info"))
            return {"happened": Happened.NOTHING, "output": _output(info.get("total_token_usage"))}
        case "patch_apply_end":
            return {"happened": Happened.NOTHING, "files": _names(payload.get("changes"))}
    return {"happened": Happened.NOTHING if kind in _QUIET_EVENTS else Happened.OTHER}


def _end(payload: dict[str, Any]) -> dict[str, Any]:
    if payload.get("error"):
        return {"happened": Happened.FAILED, "error": failure(_class(mapping(payload.get("error"))))}
    return {"happened": Happened.ENDED}


def _class(error: dict[str, Any]) -> str:
    """The machine's word for a failure; newer builds hang details on it."""
    found = error.get("codex_error_info") or mapping(error.get("error")).get("kind")
    if isinstance(found, dict) and len(found) == 1:
        found = next(iter(found))
    return word(found)


def failure(said: str) -> str:
    """A class of ours."""
    low = said.lower()
    for part, name in _FAILURES:
        if part in low:
            return name
    return "api-error"


_FAILURES = (
    ("usage_limit", "usage-limit"),
    ("rate_limit", "rate-limit"),
    ("too_many_failed", "server-error"),
    ("context_window", "context-full"),
    ("overloaded", "overloaded"),
    ("unauthorized", "auth"),
    ("auth", "auth"),
    ("bad_request", "bad-request"),
    ("invalid_request", "bad-request"),
    ("server", "server-error"),
    ("connection", "server-error"),
    ("stream", "server-error"),
)


def _completed(item: dict[str, Any]) -> dict[str, Any]:
    """A finished item: for a call this is how it ended, its result follows as an item of its own."""
    kind = word(item.get("type"))
    if kind == "ContextCompaction":
        return {"happened": Happened.COMPACTED}
    if kind not in _ITEMS:
        return {"happened": Happened.NOTHING}
    code = item.get("exit_code")
    ok = (
        code == 0
        if isinstance(code, int) and not isinstance(code, bool)
        else _OKS.get(word(item.get("status")))
    )
    return {
        "happened": Happened.NOTHING,
        "returned": ident(item.get("id")),
        "ok": ok,
        "files": _names(item.get("changes")) if kind == "FileChange" else (),
    }


_OKS = {"completed": True, "failed": False}


def _names(changes: Any) -> tuple[str, ...]:
    found = (basename(name) for name, _ in zip(mapping(changes), range(MOST_FILES), strict=False))
    return tuple(name for name in found if name)


# --- items ---


def _item(payload: dict[str, Any]) -> dict[str, Any]:
    kind = word(payload.get("type"))
    if kind.endswith(("_call_output", "tool_search_output")):
        return {"happened": Happened.RETURNED, "returned": ident(payload.get("call_id"))}
    match kind:
        case "message":
            return _message(payload)
        case "reasoning" | "web_search_call" | "image_generation_call":
            return {"happened": Happened.THOUGHT}
        case "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call":
            call, files = read_call(kind, payload)
            return {"happened": Happened.CALLED, "call": call, "files": files}
    return {"happened": Happened.NOTHING if kind in _QUIET_ITEMS else Happened.OTHER}


def _message(payload: dict[str, Any]) -> dict[str, Any]:
    match payload.get("role"):
        case "assistant":
            return {"happened": Happened.SAID}
        case "user" if not _beginning(payload.get("content")).lstrip().startswith(_INJECTED):
            return {"happened": Happened.PROMPT}
        case _:
            return {"happened": Happened.NOTHING}


def _beginning(content: Any) -> str:
    """How a text begins: enough to tell who wrote it."""
    texts = [b.get("text") for b in blocks(content)[:1]]
    return texts[0][:64] if texts and isinstance(texts[0], str) else ""


_KIND = re.compile(rb'"type":\s?"([a-z_]{1,40})"')
_AT = re.compile(rb'"timestamp":\s?"([^"]{1,40})"')
_CALL = re.compile(rb'"call_id":\s?"([\w-]{1,128})"')
_TURN = re.compile(rb'"turn_id":\s?"([\w-]{1,128})"')


def _long(line: Line) -> Entry | None:
    """A record of more than a mebibyte, known by its ends alone: its envelope stands at its beginning."""
    kinds = [k.decode("ascii") for k in _KIND.findall(line.data)[:2]]
    stamp = _AT.search(line.data)
    at = moment(stamp[1].decode("ascii", "replace")) if stamp else None
    turn = _TURN.search(line.data) or _TURN.search(line.tail)
    entry = {"kind": "/".join(kinds), "at": at, "turn": turn[1].decode("ascii") if turn else ""}
    if kinds[:1] == ["compacted"]:
        return Entry(Happened.COMPACTED, **entry)  # type: ignore[arg-type]
    if kinds[:1] == ["event_msg"] and kinds[1:] and kinds[1] in _ENDED:
        return Entry(Happened.ENDED, **entry)  # type: ignore[arg-type]
    called = _CALL.search(line.data) or _CALL.search(line.tail)
    if kinds[:1] == ["response_item"] and kinds[1:] and kinds[1].endswith("_output") and called:
        return Entry(Happened.RETURNED, returned=called[1].decode("ascii"), **entry)  # type: ignore[arg-type]
    return Entry(Happened.NOTHING, **entry)  # type: ignore[arg-type]
