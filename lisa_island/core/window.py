"""What time does to a session, and which rows are shown.

A row without an open call or stream is stale after ten minutes without a word and leaves
three hours after it. What waits, and a failure that was not seen, stays. Finished rows and
pins are capped at ten each per agent kind; what the cap takes is counted, never lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lisa_island.core.agent import AgentSession, Freshness, Origin, State

STALE_AFTER = 10 * 60 * 1000
WINDOW = 3 * 60 * 60 * 1000
FINISHED_ROWS = 10
PINNED_ROWS = 10


def age(session: AgentSession, now: int) -> AgentSession | None:
    """The session as it stands at `now` (epoch ms); None when it leaves."""
    if session.origin in (Origin.PINNED, Origin.LOCAL) or session.last_activity is None:
        return session
    silence = now - session.last_activity
    if silence > WINDOW and not _stays(session):
        return None
    stale = session.state is State.WORKING and not session.followed and silence >= STALE_AFTER
    if stale and session.freshness is Freshness.LIVE:
        return replace(session, freshness=Freshness.STALE)
    return session


def _stays(session: AgentSession) -> bool:
    return (
        session.followed
        or session.is_blocked
        or session.state is State.WAITING
        or (session.state is State.ERROR and session.unread)
    )


def next_tick(sessions: Iterable[AgentSession], now: int) -> int | None:
    """When `age` will change something next (epoch ms), or None: then no timer need run."""
    # A thousand rows may be followed, and time does nothing to them.
    times = [t for s in sessions if not s.followed for t in _edges(s) if t > now]
    return min(times, default=None)


def _edges(session: AgentSession) -> tuple[int, ...]:
    if session.origin in (Origin.PINNED, Origin.LOCAL) or session.last_activity is None:
        return ()
    edges: tuple[int, ...] = () if _stays(session) else (session.last_activity + WINDOW + 1,)
    if session.state is State.WORKING and not session.followed and session.freshness is Freshness.LIVE:
        edges = (*edges, session.last_activity + STALE_AFTER)
    return edges


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows to show and how many the caps took."""

    rows: tuple[AgentSession, ...]
    hidden: int = 0


def cap(sessions: Iterable[AgentSession]) -> Shown:
    """Apply the caps: per agent kind ten finished rows (newest first) and ten pins (in pin order)."""
    kept: list[AgentSession] = []
    hidden = 0
    finished: dict[str, list[AgentSession]] = {}
    pins: dict[str, list[AgentSession]] = {}
    for session in sessions:
        if session.origin is Origin.PINNED:
            pins.setdefault(session.key.agent, []).append(session)
        elif session.is_finished and not session.is_blocked:
            finished.setdefault(session.key.agent, []).append(session)
        else:
            kept.append(session)
    for group in finished.values():
        group.sort(key=lambda s: -(s.last_activity or 0))
        kept += group[:FINISHED_ROWS]
        hidden += max(0, len(group) - FINISHED_ROWS)
    for group in pins.values():
        kept += group[:PINNED_ROWS]
        hidden += max(0, len(group) - PINNED_ROWS)
    return Shown(tuple(kept), hidden)
