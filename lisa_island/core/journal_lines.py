"""A happening as a JSON object and back, and the lines of a journal that was exported.

Reading is strict: what this program would not have written is refused, so no text comes in this way either.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from lisa_island.core.actions import ACTIONS
from lisa_island.core.agent import RequestKind, SessionKey, State
from lisa_island.core.evidence import Rank
from lisa_island.core.journal import (
    MAIN,
    MOST_REQUESTS,
    OTHER,
    ActionBegan,
    ActionEnded,
    AgentJoined,
    AgentLeft,
    AgentStated,
    Asked,
    Delegated,
    Entry,
    Happening,
    SessionTold,
    Used,
    reason_of,
    rule_of,
    tag,
)

FORMAT = "lisa-island-journal"
VERSION = 1
LINE_LIMIT = 16 * 1024
LARGEST = 2**53

_TAG = re.compile(r"[0-9a-f]{12}")
_KIND = re.compile(r"[a-z0-9-]{1,32}")


def exported(entries: Iterable[Entry]) -> Iterator[str]:
    """A journal as lines: its format, then one entry each. A session's id is a tag there too."""
    yield json.dumps({"format": FORMAT, "version": VERSION})
    for entry in entries:
        kind, session = _kind(entry.key.agent), tag(str(entry.key))
        yield json.dumps({"at": entry.at, "agent": kind, "session": session, "event": plain(entry.happening)})


def imported(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of exported lines. Raises ValueError with the number of the line that is none."""
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line) if len(line) <= LINE_LIMIT else None
            if number > 1:
                yield _entry(found)
            elif found != {"format": FORMAT, "version": VERSION}:
                raise ValueError("another format")
        except (ValueError, RecursionError) as error:
            raise ValueError(str(number)) from error
    if not number:
        raise ValueError("1")


def _entry(found: object) -> Entry:
    if not isinstance(found, dict) or not isinstance(kind := found.get("agent"), str):
        raise ValueError("no entry")
    key = SessionKey(_kind(kind), _tag(found.get("session")))
    return Entry(_number(found.get("at")), key, read(found.get("event")))


def _kind(agent: str) -> str:
    return agent if _KIND.fullmatch(agent) else OTHER


def plain(happening: Happening) -> dict[str, Any]:
    """The JSON object of a happening; optional members are absent, never null."""
    match happening:
        case SessionTold(busy, turns, gone):
            found: dict[str, Any] = {"type": "session", "busy": busy, "turns": turns}
            return found | ({"gone": True} if gone else {})
        case AgentJoined(agent, parent):
            return {"type": "agent_join", "id": agent} | ({"parent": parent} if parent else {})
        case AgentLeft(agent, ok):
            return {"type": "agent_leave", "id": agent} | _ok(ok)
        case AgentStated():
            return _state_plain(happening)
        case ActionBegan(agent, action, call):
            return {"type": "action", "id": agent, "action": action, "toolCallId": call}
        case ActionEnded(agent, call, ok):
            return {"type": "action_end", "id": agent, "toolCallId": call} | _ok(ok)
        case Delegated(giver, taker):
            return {"type": "delegate", "from": giver, "to": taker}
        case Used(agent, tokens):
            return {"type": "usage", "id": agent, "tokens": tokens}
        case _:
            assert_never(happening)


def _ok(ok: bool | None) -> dict[str, Any]:
    return {} if ok is None else {"ok": ok}


def _state_plain(told: AgentStated) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "agent_state", "id": told.id, "state": str(told.state)}
    found |= {k: v for k, v in (("reason", told.reason), ("rule", told.rule)) if v}
    if told.rank is not None:
        found["rank"] = told.rank.name.lower()
    if told.requests:
        found["requests"] = [{"kind": str(r.kind), "tag": r.tag, "since": r.since} for r in told.requests]
    return found


def read(found: object) -> Happening:
    """The happening of a JSON object. Raises ValueError for whatever this program would not have written."""
    if not isinstance(found, Mapping):
        raise ValueError("no object")
    try:
        return _read(found)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("a member is missing or of another kind") from error


def _read(found: Mapping[str, Any]) -> Happening:
    match found.get("type"):
        case "session":
            return SessionTold(_flag(found["busy"]), _number(found["turns"]), _flag(found.get("gone", False)))
        case "agent_join":
            parent = found.get("parent", "")
            return AgentJoined(_agent(found["id"]), _agent(parent) if parent else "")
        case "agent_leave":
            return AgentLeft(_agent(found["id"]), _maybe(found.get("ok")))
        case "agent_state":
            return _read_state(found)
        case "action":
            return ActionBegan(
                _agent(found["id"]), _one_of(found["action"], ACTIONS), _tag(found["toolCallId"])
            )
        case "action_end":
            return ActionEnded(_agent(found["id"]), _tag(found["toolCallId"]), _maybe(found.get("ok")))
        case "delegate":
            return Delegated(_agent(found["from"]), _agent(found["to"]))
        case "usage":
            return Used(_agent(found["id"]), _number(found["tokens"]))
        case _:
            raise ValueError("no such kind")


def _read_state(found: Mapping[str, Any]) -> AgentStated:
    requests = found.get("requests", [])
    if not isinstance(requests, list) or len(requests) > MOST_REQUESTS:
        raise ValueError("no requests")
    rank = found.get("rank")
    ranks = {r.name.lower(): r for r in Rank}
    reason, rule = found.get("reason", ""), found.get("rule", "")
    if not isinstance(reason, str) or (reason != OTHER and reason_of(reason) != reason):
        raise ValueError("no such reason")
    if not isinstance(rule, str):
        raise ValueError("no rule")
    asked = tuple(Asked(RequestKind(r["kind"]), _tag(r["tag"]), _number(r["since"])) for r in requests)
    return AgentStated(
        _agent(found["id"]),
        State(found["state"]),
        reason,
        rule_of(rule),
        None if rank is None else ranks[rank],
        asked,
    )


def _tag(value: object) -> str:
    if not isinstance(value, str) or not _TAG.fullmatch(value):
        raise ValueError("no tag")
    return value


def _agent(value: object) -> str:
    return MAIN if value == MAIN else _tag(value)


def _one_of(value: object, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise ValueError("no such word")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


def _maybe(value: object) -> bool | None:
    return None if value is None else _flag(value)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise ValueError("no such number")
    return value
