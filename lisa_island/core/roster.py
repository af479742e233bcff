"""The roster and the only function that changes it.

`reduce` answers with the same object when nothing changed. Rules it keeps:
older events are ignored; a lower rank never overwrites a newer higher one; a terminal
task revives only under a new task id; losing a source changes freshness, not history.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from lisa_island.core.agent import (
    TRAIL_LIMIT,
    AgentSession,
    Freshness,
    Health,
    Origin,
    SessionKey,
    SourceStatus,
    State,
    TrailEntry,
)
from lisa_island.core.events import (
    ActivityChanged,
    ClockTicked,
    Event,
    FollowChanged,
    LabelChanged,
    Notified,
    PinsChanged,
    ReachChanged,
    ReplyChanged,
    Seen,
    SessionOpened,
    SessionRemoved,
    SourceReported,
    StateChanged,
    TrailAdded,
)
from lisa_island.core.window import age

LABEL_LIMIT = 60


@dataclass(frozen=True, slots=True)
class Roster:
    """All sessions by key, the face of each source, and the pins. Treat the mappings as values."""

    sessions: Mapping[SessionKey, AgentSession] = field(default_factory=dict)
    sources: Mapping[str, SourceStatus] = field(default_factory=dict)
    pins: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def get(self, key: SessionKey) -> AgentSession | None:
        """The session, if it is here."""
        return self.sessions.get(key)

    def put(self, session: AgentSession) -> "Roster":
        """A roster with this session in place of the old one; the same roster if they are equal."""
        if self.sessions.get(session.key) == session:
            return self
        return replace(self, sessions={**self.sessions, session.key: session})

    def without(self, *keys: SessionKey) -> "Roster":
        """A roster without these sessions."""
        if not any(key in self.sessions for key in keys):
            return self
        return replace(self, sessions={k: s for k, s in self.sessions.items() if k not in keys})


def reduce(roster: Roster, event: Event) -> Roster:
    """The next roster. Pure and total."""
    match event:
        case SessionOpened():
            return _opened(roster, event)
        case PinsChanged():
            return _repinned(roster, event)
        case SourceReported():
            return _source(roster, event)
        case ClockTicked():
            return _ticked(roster, event)
        case SessionRemoved():
            return _with_pins(roster.without(event.key), event.key.agent)
        case (
            StateChanged() | ActivityChanged() | FollowChanged() | ReachChanged() | ReplyChanged()
            | TrailAdded() | LabelChanged() | Seen() | Notified()
        ):  # fmt: skip
            session = roster.get(event.key)
            return roster if session is None else roster.put(_changed(session, event))
        case _:
            assert_never(event)


def _changed(session: AgentSession, event: Event) -> AgentSession:
    match event:
        case StateChanged():
            return _moved(session, event)
        case ActivityChanged():
            if _is_old(session, event.at):
                return session
            if _is_over(session):
                # What it put out may still become known whole; that is no sign of life.
                known = session.activity
                return replace(session, activity=replace(known, artifacts=event.activity.artifacts))
            return replace(
                session, activity=event.activity, last_activity=event.at, freshness=_revived(session)
            )
        case FollowChanged():
            return replace(session, followed=event.followed)
        case ReachChanged():
            return replace(session, freshness=Freshness.LIVE if event.reachable else Freshness.OFFLINE)
        case ReplyChanged():
            return replace(session, reply=event.reply)
        case TrailAdded():
            return _trail(session, event.entry)
        case LabelChanged():
            return replace(session, label=event.label[:LABEL_LIMIT])
        case Seen():
            return replace(session, unread=False)
        case Notified():
            return replace(session, notified=event.request_id)
        case _:
            raise AssertionError(event)


def _opened(roster: Roster, event: SessionOpened) -> Roster:
    known = roster.get(event.key)
    # LISA's rows are told whole each time; ours are opened once.
    told_whole = event.session.origin is Origin.LISA
    if (
        known is not None
        and known.origin is not Origin.PINNED
        and (not told_whole or _is_old(known, event.at))
    ):
        return roster
    session = event.session
    if session.freshness is Freshness.LIVE and _is_offline(roster, session.key.agent):
        session = replace(session, freshness=Freshness.OFFLINE)
    if known is not None and session.origin is Origin.LISA and known.origin is Origin.LISA:
        session = replace(session, trail=known.trail, label=known.label, notified=known.notified)
        if known.state is session.state and not known.unread:
            session = replace(session, unread=False)
    return _with_pins(roster.put(session), session.key.agent)


def _moved(session: AgentSession, event: StateChanged) -> AgentSession:
    if _is_old(session, event.at) or _is_outranked(session, event) or _revives(session, event):
        return session
    same = session.state is event.state and session.state_reason == event.reason
    moved = replace(
        session,
        state=event.state,
        state_reason=event.reason,
        last_activity=event.at,
        fact=event.fact,
        requests=event.requests,
        task=event.task or session.task,
        unread=event.unread or (session.unread and same),
        followed=session.followed if event.followed is None else event.followed,
        freshness=_revived(session),
        capabilities=session.capabilities if event.capabilities is None else event.capabilities,
    )
    return moved if same else _trail(moved, TrailEntry(event.at, f"state.{event.state}", event.reason))


def _is_old(session: AgentSession, at: int) -> bool:
    return session.last_activity is not None and at < session.last_activity


def _is_over(session: AgentSession) -> bool:
    return session.task is not None and session.task.terminal


def _is_outranked(session: AgentSession, event: StateChanged) -> bool:
    fact = session.fact
    return fact is not None and event.fact.rank < fact.rank and event.at <= fact.at


def _revives(session: AgentSession, event: StateChanged) -> bool:
    """Whether a finished task would come back without a new task id or a new call of ours."""
    if not _is_over(session):
        return False
    old, new = session.task, event.task
    assert old is not None
    return new is None or (new.task_id == old.task_id and new.calls <= old.calls)


def _revived(session: AgentSession) -> Freshness:
    return Freshness.LIVE if session.freshness is Freshness.STALE else session.freshness


def _trail(session: AgentSession, entry: TrailEntry) -> AgentSession:
    if session.trail and session.trail[-1] == entry:
        return session
    return replace(session, trail=(*session.trail, entry)[-TRAIL_LIMIT:])


def _is_offline(roster: Roster, agent: str) -> bool:
    status = roster.sources.get(agent)
    return status is not None and status.health is Health.OFFLINE


def _source(roster: Roster, event: SourceReported) -> Roster:
    if roster.sources.get(event.agent) == event.status:
        return roster
    was = _is_offline(roster, event.agent)
    roster = replace(roster, sources={**roster.sources, event.agent: event.status})
    gone = event.status.health is Health.OFFLINE
    if was == gone:
        return roster
    sessions = dict(roster.sessions)
    for key, session in sessions.items():
        if key.agent == event.agent and session.origin is not Origin.PINNED:
            sessions[key] = replace(session, freshness=Freshness.OFFLINE if gone else Freshness.LIVE)
    return replace(roster, sessions=sessions)


def _ticked(roster: Roster, event: ClockTicked) -> Roster:
    sessions: dict[SessionKey, AgentSession] = {}
    for key, session in roster.sessions.items():
        aged = age(session, event.now)
        if aged is not None:
            sessions[key] = aged
    if all(sessions.get(k) is s for k, s in roster.sessions.items()):
        return roster
    lost = {k.agent for k in roster.sessions.keys() - sessions.keys()}
    roster = replace(roster, sessions=sessions)
    for agent in sorted(lost):
        roster = _with_pins(roster, agent)
    return roster


def _repinned(roster: Roster, event: PinsChanged) -> Roster:
    if roster.pins.get(event.agent, ()) == event.pins:
        return roster
    return _with_pins(replace(roster, pins={**roster.pins, event.agent: event.pins}), event.agent)


def _with_pins(roster: Roster, agent: str) -> Roster:
    """Each pinned target without a row of its own has one idle row; a called one needs none."""
    called = {
        s.task.target if s.task else s.project
        for s in roster.sessions.values()
        if s.key.agent == agent and s.origin is not Origin.PINNED
    }
    wanted = {slug: price for slug, price in roster.pins.get(agent, ()) if slug not in called}
    sessions = {
        k: s
        for k, s in roster.sessions.items()
        if k.agent != agent or s.origin is not Origin.PINNED or s.project in wanted
    }
    for slug, price in wanted.items():
        key = SessionKey(agent, slug)
        pin = AgentSession(key, slug, State.IDLE, "pinned", origin=Origin.PINNED, price=price)
        if sessions.get(key) != pin:
            sessions[key] = pin
    return roster if sessions == roster.sessions else replace(roster, sessions=sessions)
