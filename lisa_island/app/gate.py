"""The owner's gate: who may spend or decide.

It guards against accident and habit. It is no wall between programs of one user.
"""

from dataclasses import dataclass

from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import Preferences

# What an ancestry says when it cannot be followed.
UNSURE = "unknown"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: `owner` is one of our windows or a person's terminal; `agent` names an agent above it."""

    owner: bool
    agent: str = ""


WINDOWS = Caller(owner=True)


def demand(preferences: Preferences, caller: Caller, *, owner_only: bool = False) -> None:
    """Raise NotAllowedError with a sentence that says what to do."""
    if caller.owner or (preferences.agent_calls == "allow" and not owner_only):
        return
    raise NotAllowedError(f"{'gate.owner' if owner_only else 'gate'}.{_why(caller)}", agent=caller.agent)


def demand_no_agent(caller: Caller) -> None:
    """For what may come from a script of the owner's, such as a key through a pipe, but from no agent."""
    if not caller.owner and caller.agent:
        raise NotAllowedError(f"gate.owner.{_why(caller)}", agent=caller.agent)


def _why(caller: Caller) -> str:
    if caller.agent == UNSURE:
        return "unsure"
    return "agent" if caller.agent else "no-terminal"
