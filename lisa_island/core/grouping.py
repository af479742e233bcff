"""Many tasks of one agent as one line that opens. Pure; the order it is given is the order it keeps.

From more than three rows on, an agent's rows stand under a line with its name, where the most urgent of them
stood. What waits for the owner, and a failure not seen yet, never goes below it.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lisa_island.core.agent import AgentSession, Origin, State

MOST_ALONE = 3
_GROUPED = (Origin.CALLED, Origin.LISA)

Agent = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """The tasks of one agent of one kind, most urgent first."""

    kind: str
    target: str
    members: tuple[AgentSession, ...]
    is_open: bool = False

    @property
    def id(self) -> str:
        """Its identity in the list."""
        return group_id(self.kind, self.target)


def group_id(kind: str, target: str) -> str:
    """The identity of an agent's line."""
    return f"group::{kind}::{target}"


def grouped(
    sessions: Sequence[AgentSession], opened: Collection[str] = ()
) -> tuple[AgentSession | Group, ...]:
    """The list with groups in it. Members of an open group are told in it alone, not after it."""
    totals = Counter(agent for s in sessions if (agent := _agent(s)) is not None)
    quiet: dict[Agent, list[AgentSession]] = {}
    for session in sessions:
        agent = _agent(session)
        if agent is not None and totals[agent] > MOST_ALONE and not is_loud(session):
            quiet.setdefault(agent, []).append(session)
    found: list[AgentSession | Group] = []
    for session in sessions:
        agent = _agent(session)
        members = quiet.get(agent, []) if agent is not None and not is_loud(session) else []
        if len(members) < 2:
            found.append(session)
        elif agent is not None and members[0] is session:
            found.append(Group(*agent, tuple(members), group_id(*agent) in opened))
    return tuple(found)


def is_loud(session: AgentSession) -> bool:
    """Whether it has to stand where everybody sees it."""
    return session.is_blocked or (session.state is State.ERROR and session.unread)


def _agent(session: AgentSession) -> Agent | None:
    if session.origin not in _GROUPED:
        return None
    return session.key.agent, session.task.target if session.task else session.project
