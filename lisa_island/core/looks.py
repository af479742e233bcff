"""What is drawn for a session: one pure table over state, reason, requests, unread and freshness.

The state on the wire is never changed by what is drawn. `Glyph` names a shape of
`resources/icons/state`; urgency is one order for pill, tray and roster.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from lisa_island.core.agent import AgentSession, Freshness, State


class Glyph(StrEnum):
    """The nine shapes."""

    WAITING = "waiting"
    ERROR = "error"
    WORKING = "working"
    QUEUED = "queued"
    YOUR_TURN = "your-turn"
    UNKNOWN = "unknown"
    OFFLINE = "offline"
    DONE = "done"
    IDLE = "idle"


class Urgency(IntEnum):
    """The one order, most urgent first."""

    BLOCKED = 0
    ERROR = 1
    WORKING = 2
    QUEUED = 3
    YOUR_TURN = 4
    NOT_REPORTING = 5
    DONE = 6
    IDLE = 7


QUEUED_REASONS = frozenset({"submitted", "sending", "starting"})


@dataclass(frozen=True, slots=True)
class Look:
    """`grey` draws the shape without its colour: the last word is old, or it was seen."""

    glyph: Glyph
    urgency: Urgency
    grey: bool = False


def look(session: AgentSession) -> Look:
    """The shape, its place in the order, and whether it has lost its colour."""
    if session.is_blocked:
        return _blocked(session)
    if session.freshness is Freshness.OFFLINE and not session.is_finished:
        return Look(Glyph.OFFLINE, Urgency.NOT_REPORTING)
    if session.freshness is Freshness.STALE:
        return Look(_calm(session).glyph, Urgency.NOT_REPORTING, grey=True)
    return _calm(session)


def _blocked(session: AgentSession) -> Look:
    # Offline or stale, the request still waits for the owner: shape and order stay.
    return Look(Glyph.WAITING, Urgency.BLOCKED, grey=session.freshness is not Freshness.LIVE)


def _calm(session: AgentSession) -> Look:
    match session.state:
        case State.WAITING:
            return Look(Glyph.YOUR_TURN, Urgency.YOUR_TURN)
        case State.ERROR:
            return Look(Glyph.ERROR, Urgency.ERROR if session.unread else Urgency.DONE, not session.unread)
        case State.WORKING if session.state_reason in QUEUED_REASONS:
            return Look(Glyph.QUEUED, Urgency.QUEUED)
        case State.WORKING if session.state_reason == "stalled":
            return Look(Glyph.WORKING, Urgency.NOT_REPORTING, grey=True)
        case State.WORKING:
            return Look(Glyph.WORKING, Urgency.WORKING)
        case State.UNKNOWN:
            return Look(Glyph.UNKNOWN, Urgency.NOT_REPORTING)
        case State.DONE if session.unread and session.state_reason != "canceled":
            return Look(Glyph.DONE, Urgency.DONE)
        case _:
            return Look(Glyph.IDLE, Urgency.IDLE)


def order(session: AgentSession) -> tuple[int, int, str]:
    """Sort key of the roster: urgency, then newest first, then a stable name."""
    return (look(session).urgency, -(session.last_activity or 0), str(session.key))
