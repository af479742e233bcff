"""The owner's gate: who may spend or decide.

It guards against accident and habit. It is no wall between programs of one user.
"""

from dataclasses import dataclass

from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import Preferences


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
    raise NotAllowedError("gate.agent" if caller.agent else "gate.no-terminal", agent=caller.agent)
