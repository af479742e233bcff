"""One summary of the roster, from which pill, tray, tooltip and `status` are computed whole."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from lisa_island.core.agent import AgentSession, Blocked, Health, RequestKind, SessionKey
from lisa_island.core.looks import Urgency, look, order
from lisa_island.core.roster import Roster
from lisa_island.core.window import cap


@dataclass(frozen=True, slots=True)
class Need:
    """One card of the queue."""

    session: AgentSession
    request: Blocked


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts by urgency (rows; `needs_you` counts requests), and what the pill names."""

    needs_you: int = 0
    failed: int = 0
    working: int = 0
    queued: int = 0
    your_turn: int = 0
    not_reporting: int = 0
    finished: int = 0
    idle: int = 0
    hidden: int = 0
    oldest: int | None = None
    offline: tuple[str, ...] = ()
    queued_name: str = ""


def rows(roster: Roster) -> tuple[AgentSession, ...]:
    """The rows that are shown, most urgent first."""
    return tuple(sorted(cap(roster.sessions.values()).rows, key=order))


# Blocked agents (permission, sign-in) come before the rest of the queue.
_BLOCKING = frozenset({RequestKind.PERMISSION, RequestKind.AUTH})


def needs(roster: Roster) -> tuple[Need, ...]:
    """The queue: blocked agents first, then the rest, oldest first."""
    found = [Need(s, r) for s in roster.sessions.values() for r in s.requests]
    found.sort(key=lambda n: (n.request.kind not in _BLOCKING, n.request.since, n.request.request_id))
    return tuple(found)


def find_request(roster: Roster, request_id: str) -> Need | None:
    """The one open request with this id."""
    return next((n for n in needs(roster) if n.request.request_id == request_id), None)


def summarize(roster: Roster) -> Summary:
    """Count everything once."""
    shown = cap(roster.sessions.values())
    urgencies = [look(s).urgency for s in shown.rows]
    counts = Counter(urgencies)
    queue = needs(roster)
    queued = shown.rows[urgencies.index(Urgency.QUEUED)] if counts[Urgency.QUEUED] else None
    return Summary(
        needs_you=len(queue),
        failed=counts[Urgency.ERROR],
        working=counts[Urgency.WORKING],
        queued=counts[Urgency.QUEUED],
        your_turn=counts[Urgency.YOUR_TURN],
        not_reporting=counts[Urgency.NOT_REPORTING],
        finished=counts[Urgency.DONE],
        idle=counts[Urgency.IDLE],
        hidden=shown.hidden,
        oldest=min((n.request.since for n in queue), default=None),
        offline=tuple(sorted(a for a, s in roster.sources.items() if s.health is Health.OFFLINE)),
        queued_name=title(queued) if queued else "",
    )


def title(session: AgentSession) -> str:
    """The name of a row: the owner's label, else the project or target."""
    return session.label or session.project


def twins(roster: Roster) -> Mapping[SessionKey, int]:
    """`twin_number` of every row that has a twin."""
    alike: dict[tuple[str, str], list[AgentSession]] = {}
    for session in roster.sessions.values():
        alike.setdefault((session.key.agent, title(session)), []).append(session)
    return {
        session.key: number
        for group in alike.values()
        if len(group) > 1
        for number, session in enumerate(sorted(group, key=_by_start), 1)
    }


def _by_start(session: AgentSession) -> tuple[int, SessionKey]:
    return (session.started_at or 0, session.key)


def twin_number(roster: Roster, key: SessionKey) -> int:
    """Its number among rows that would have the same title (1-based, by start), or 0 when it has no twin."""
    session = roster.get(key)
    if session is None:
        return 0
    alike = [s for s in roster.sessions.values() if s.key.agent == key.agent and title(s) == title(session)]
    return sorted(alike, key=_by_start).index(session) + 1 if len(alike) > 1 else 0
