"""A session as its host reported it: a pure fold, and the verdict on it with its rule. Reads no clock."""

from dataclasses import dataclass, replace
from typing import assert_never

from lisa_island.agents._fields import basename
from lisa_island.agents._generic_wire import (
    ActionEvent,
    DelegateEvent,
    EndEvent,
    JoinEvent,
    LeaveEvent,
    SessionEvent,
    StateEvent,
    UsageEvent,
    Wire,
)
from lisa_island.core.agent import Activity, Blocked, RequestKind, State, Step, Work
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.text import clean

RULE = "generic"
SIGNAL = "report"
MOST_AGENTS = 32
MOST_OPEN = 32
MOST_ENDED = 8
LAST_TOOLS = 6
PATH_LIMIT = 400
# A host that says nothing for so long may be gone; one whose tool runs is given longer.
RUNNING = frozenset({"thinking", "working", "talking"})
AT_REST = frozenset({"idle", "done", "error"})
QUIET_MS = 5 * 60_000
LONG_MS = 30 * 60_000


Steps = tuple[tuple[str, Step], ...]  # each with the agent whose it is


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent of a session; `parent` is "" for its own. `request` tells one wait from the next."""

    id: str
    parent: str = ""
    state: str = "idle"
    waits: RequestKind | None = None
    request: str = ""
    since: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What a host told so far. `at` is the newest time (epoch ms); `steps` are open or ended last.

    `died` is when its process was seen to end, 0 while it lives or none is known.
    """

    at: int = 0
    agents: tuple[Agent, ...] = ()
    steps: Steps = ()
    tools: tuple[str, ...] = ()
    turns: int = 0
    tokens: int = 0
    cwd: str = ""
    busy: bool | None = None
    has_left: bool = False
    waits: int = 0
    pid: int = 0
    died: int = 0

    @property
    def lead(self) -> Agent | None:
        """The session's own agent."""
        return next((a for a in self.agents if not a.parent), None)


def fold(told: Told, event: Wire, at: int) -> Told:
    """The session after one more event that happened `at`; unchanged by what nobody there can have done."""
    after = _applied(told, event, at)
    if after is told:
        return told
    after = replace(after, at=max(told.at, at), died=0)
    # Whoever speaks after its process has ended named another machine's, or another's.
    is_named = isinstance(event, SessionEvent) and event.pid is not None
    return replace(after, pid=0) if told.died and not is_named else after


def _applied(told: Told, event: Wire, at: int) -> Told:
    match event:
        case SessionEvent():
            return replace(
                told,
                busy=told.busy if event.busy is None else event.busy,
                turns=told.turns if event.turns is None else event.turns,
                pid=told.pid if event.pid is None else event.pid,
                cwd=clean(event.cwd, PATH_LIMIT) if event.cwd.startswith(("/", "~")) else told.cwd,
            )
        case JoinEvent():
            return _joined(told, event)
        case LeaveEvent():
            return _left(told, event)
        case StateEvent():
            return told if at < told.at else _stated(told, event, at)
        case ActionEvent():
            return _began(told, event)
        case EndEvent():
            return _ended(told, event.call, event.ok)
        case DelegateEvent():
            return told
        case UsageEvent():
            return replace(told, tokens=event.tokens) if _is_lead(told, event.id) else told
        case _:
            assert_never(event)


def _is_lead(told: Told, name: str) -> bool:
    return told.lead is None or told.lead.id == name


def _known(told: Told, name: str) -> Agent | None:
    return next((a for a in told.agents if a.id == name), None)


def _put(told: Told, agent: Agent) -> Told:
    others = tuple(a for a in told.agents if a.id != agent.id)
    if len(others) >= MOST_AGENTS:
        return told
    return replace(told, agents=(*others, agent), has_left=told.has_left and bool(agent.parent))


def _joined(told: Told, event: JoinEvent) -> Told:
    parent = event.parent or ""
    if not parent and not _is_lead(told, event.id):
        return told  # a session has one agent of its own
    if parent and (_known(told, parent) is None or parent == event.id):
        return told
    known = _known(told, event.id)
    new = Agent(event.id, parent, "working" if parent else "idle")
    joined = _put(told, replace(known, parent=parent) if known else new)
    return joined if not parent or known or joined is told else _step(joined, event.id, Step(event.id))


def _left(told: Told, event: LeaveEvent) -> Told:
    agent = _known(told, event.id)
    if agent is None:
        return told
    if not agent.parent:
        return replace(
            told, agents=(), steps=_few(tuple((o, _close(s)) for o, s in told.steps)), has_left=True
        )
    left = replace(told, agents=tuple(a for a in told.agents if a.id != event.id))
    return _ended(replace(left, steps=_closed(left.steps, event.id)), event.id, event.ok)


def _stated(told: Told, event: StateEvent, at: int) -> Told:
    agent = _known(told, event.id)
    if agent is None and told.lead is not None:
        return told
    agent = agent or Agent(event.id)
    if event.state in AT_REST:  # what its host forgot to end has ended with its turn
        told = replace(
            told, steps=tuple((o, _close(s) if o == agent.id and s.tool else s) for o, s in told.steps)
        )
    waits = event.waits if event.state == "waiting" else None
    if waits is None:
        return _put(told, replace(agent, state=event.state, waits=None, request="", since=at))
    if agent.waits is waits and event.request in (None, agent.request):
        return told  # it waits for the same still
    name = event.request or f"{event.id}@{told.waits + 1}"
    asking = replace(agent, state="waiting", waits=waits, request=name, since=at)
    return replace(_put(told, asking), waits=told.waits + 1)


def _began(told: Told, event: ActionEvent) -> Told:
    if _known(told, event.id) is None:
        if told.lead is not None:
            return told
        told = _put(told, Agent(event.id))
    tools = (*told.tools, event.action)[-LAST_TOOLS:]
    return replace(_step(told, event.id, Step(event.call, event.action)), tools=tools)


def _step(told: Told, owner: str, step: Step) -> Told:
    others = tuple((o, s) for o, s in told.steps if s.id != step.id)
    if sum(not s.is_over for _, s in others) >= MOST_OPEN:
        return told
    return replace(told, steps=(*others, (owner, step)))


def _ended(told: Told, call: str, ok: bool | None) -> Told:
    if not any(s.id == call and not s.is_over for _, s in told.steps):
        return told
    return replace(told, steps=_few(tuple((o, _close(s, ok) if s.id == call else s) for o, s in told.steps)))


def _closed(steps: Steps, owner: str) -> Steps:
    """With the tools of one agent ended, nobody knows how."""
    return _few(tuple((o, _close(s) if o == owner and s.tool else s) for o, s in steps))


def _few(steps: Steps) -> Steps:
    """Without those that ended longest ago."""
    ended = [s.id for _, s in steps if s.is_over]
    old = set(ended[: max(0, len(ended) - MOST_ENDED)])
    return tuple((o, s) for o, s in steps if s.id not in old)


def _close(step: Step, ok: bool | None = None) -> Step:
    return step if step.is_over else replace(step, is_over=True, ok=ok)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a session is, and why. `until` is epoch ms when silence makes it something else, or None."""

    state: State
    reason: str
    fact: Fact
    requests: tuple[Blocked, ...] = ()
    until: int | None = None


def judge(told: Told, session: str, now: int) -> Verdict:
    """The verdict on a session at `now`. Silence takes a *working* away, and nothing else."""
    at = min(told.at, now)
    if told.died:
        return _dead(told)
    asked = tuple(
        Blocked(a.waits, f"{session}#{a.request}", a.since) for a in told.agents if a.waits is not None
    )
    if asked:
        return _say(State.WAITING, str(asked[0].kind), "asked", at, asked, Rank.REQUEST)
    if told.has_left:
        return _say(State.DONE, "exited", "left", at)
    lead = told.lead
    if lead is not None and lead.state == "error":
        return _say(State.ERROR, "agent-error", "state", at)
    open_tool = any(s.tool and not s.is_over for _, s in told.steps)
    if open_tool or any(a.state in RUNNING for a in told.agents):
        return _working(at, now, LONG_MS if open_tool else QUIET_MS)
    return _resting(told, lead, at, now)


def _dead(told: Told) -> Verdict:
    """Its process ended: it neither works nor waits, whatever it said last."""
    is_open = any(a.state in RUNNING or a.waits for a in told.agents)
    reason = "ended-mid-turn" if is_open and not told.has_left else "exited"
    return _say(State.DONE, reason, "dead", told.died, rank=Rank.PROCESS, signal="process")


def _resting(told: Told, lead: Agent | None, at: int, now: int) -> Verdict:
    if lead is None:
        return (
            _working(at, now, QUIET_MS) if told.busy else _say(State.UNKNOWN, "nothing-decisive", "none", at)
        )
    if lead.state == "done":
        return _say(State.DONE, "completed", "state", at)
    if lead.state == "waiting":
        return _say(State.WAITING, "your-turn", "state", at)
    return _say(State.IDLE if lead.state == "idle" else State.UNKNOWN, "quiet", "state", at)


def _working(at: int, now: int, limit: int) -> Verdict:
    if now - at >= limit:
        return _say(State.UNKNOWN, "quiet", "silent", at)
    return replace(_say(State.WORKING, "working", "working", at), until=at + limit)


def _say(
    state: State,
    reason: str,
    rule: str,
    at: int,
    requests: tuple[Blocked, ...] = (),
    rank: Rank = Rank.LIVE,
    signal: str = SIGNAL,
) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", signal, rank, at), requests)


def activity(told: Told) -> Activity:
    """Counts and kinds of work, as the row and the journal have them."""
    children = sum(bool(a.parent) for a in told.agents)
    steps = tuple(step for _, step in told.steps)
    return Activity(
        work=Work(turns=told.turns, tokens=told.tokens, tools=told.tools, subagents=children, steps=steps)
    )


def project(told: Told, reporter: str) -> str:
    """What the row is called: its folder and who reports, else who reports alone."""
    folder = basename(told.cwd)
    return f"{folder} ({reporter})" if folder else reporter
