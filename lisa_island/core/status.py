"""The roster as JSON, for `status --json`, `--headless` and the door. Structure only.

No text of a peer but words and ids: no question, no choice of many words, no artifact name, no status text.
Times are ISO 8601 UTC with milliseconds. Optional members are absent, never null.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from lisa_island.core.agent import AgentSession, Blocked, Freshness, SourceStatus
from lisa_island.core.roster import Roster
from lisa_island.core.summary import needs, rows, summarize

SCHEMA = 1
_WORD = re.compile(r"[\w.-]{1,64}")
_ID = re.compile(r"[!-~]{1,256}")
API_VERSION = 1


def iso(at: int) -> str:
    """Epoch ms as ISO 8601 UTC."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"


def status(roster: Roster) -> dict[str, Any]:
    """The whole answer of `status --json`."""
    return {
        "schema": SCHEMA,
        "sessions": [session_json(s) for s in rows(roster)],
        "needsYou": [
            {"agent": n.session.key.agent, "sessionId": n.session.key.session_id, **blocked_json(n.request)}
            for n in needs(roster)
        ],
        "summary": summary_json(roster),
        "sources": {name: source_json(s) for name, s in sorted(roster.sources.items())},
    }


def summary_json(roster: Roster) -> dict[str, int]:
    """Counts of rows by what is drawn; `needsYou` counts requests, `hidden` what the caps took."""
    s = summarize(roster)
    return {
        "needsYou": s.needs_you,
        "failed": s.failed,
        "working": s.working,
        "queued": s.queued,
        "yourTurn": s.your_turn,
        "notReporting": s.not_reporting,
        "finished": s.finished,
        "idle": s.idle,
        "hidden": s.hidden,
    }


def session_json(session: AgentSession) -> dict[str, Any]:
    """One session."""
    found: dict[str, Any] = {
        "agent": session.key.agent,
        "sessionId": session.key.session_id,
        "project": session.project,
        "state": str(session.state),
        "stateReason": _token(session.state_reason),
    }
    found |= {k: v for k, v in _optional(session).items() if v}
    return found


def _optional(session: AgentSession) -> Mapping[str, Any]:
    task = session.task
    return {
        "label": session.label,
        "taskState": _token(task.task_state) if task else "",
        "taskId": _plain_id(task.task_id) if task else "",
        "contextId": _plain_id(task.context_id) if task else "",
        "lastMtime": iso(session.last_activity) if session.last_activity is not None else "",
        "stale": session.freshness is Freshness.STALE,
        "offline": session.freshness is Freshness.OFFLINE,
        "unread": session.unread,
        "activity": _activity(session),
        "blocked": blocked_json(session.requests[0]) if session.requests else None,
    }


def _token(word: str) -> str:
    """A state word as a word. What reads like a sentence is an agent's text, and no program is shown that."""
    return word if not word or _WORD.fullmatch(word) else "unknown"


def _plain_id(peers: str) -> str:
    """A peer's id, "" for one with blanks in it, which can be a sentence as well."""
    return peers if _ID.fullmatch(peers) else ""


def _activity(session: AgentSession) -> dict[str, int]:
    activity = session.activity
    counts = {"updates": activity.updates, "artifacts": len(activity.artifacts)}
    return counts if any(counts.values()) else {}


def blocked_json(request: Blocked) -> dict[str, Any]:
    """One request, without its text."""
    return {
        "kind": str(request.kind),
        "requestId": request.request_id,
        "since": iso(request.since),
        "options": [_token(option) for option in request.options],
    }


def source_json(source: SourceStatus) -> dict[str, Any]:
    """The face of one source."""
    found: dict[str, Any] = {
        "enabled": source.enabled,
        "keyState": str(source.key_state),
        "generation": source.generation,
        "mode": source.mode,
        "health": str(source.health),
    }
    if source.retry_at is not None:
        found["retryAt"] = iso(source.retry_at)
    return found
