"""The shapes of what the door answers, and how a request's members are read."""

from typing import Any

from lisa_island.core.agent import AgentSession
from lisa_island.core.intents import Outcome
from lisa_island.core.status import blocked_json, session_json

Json = dict[str, Any]

# What `send` and `answer` tell of a row.
_TOLD = ("sessionId", "taskId", "state", "stateReason")


def text_of(request: Json, name: str, limit: int) -> str:
    """A member that is text, cut; "" for anything else."""
    value = request.get(name, "")
    return value[:limit] if isinstance(value, str) else ""


def failed(word: str, **values: str) -> Json:
    """The answer to what could not be done."""
    return {"error": "failed", "word": word, "values": values}


def refusal_json(outcome: Outcome) -> Json:
    """An outcome that left no row; with `price` when that has to be accepted first."""
    told = failed(outcome.word or "outcome.unknown", **dict(outcome.values))
    return told | {"price": outcome.price} if outcome.price else told


def call_json(session: AgentSession, outcome: Outcome | None = None) -> Json:
    """A call by its row: ids, state, what it waits for, the sentence of its outcome.

    `why` is the catalogue key of a refusal that came late.
    """
    row = session_json(session)
    told: Json = {k: row[k] for k in _TOLD if k in row}
    told["needs"] = [blocked_json(r) for r in session.requests]
    if late := next((t.detail for t in reversed(session.trail) if t.kind == "call.refused"), ""):
        told["why"] = late
    if outcome is not None and outcome.word:
        told |= {"word": outcome.word, "values": dict(outcome.values)}
    return told
