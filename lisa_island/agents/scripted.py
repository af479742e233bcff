"""Two local sessions that play a short day at the desk, so that the demo shows a roster of many agents.

Only `demo` opens this. Its rows belong to the kinds they play, so they carry no capability: a permission is
shown as what can be answered only in its terminal. The clock alone moves the script.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Freshness,
    Origin,
    RequestKind,
    SessionKey,
    State,
)
from lisa_island.core.events import ActivityChanged, Event, SessionOpened, StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Intent, Outcome, refused
from lisa_island.core.ports import Context

AGENT = "scripted"

CLAUDE = SessionKey("claude-code", "demo-claude")
CODEX = SessionKey("codex", "demo-codex")

__all__ = ["AGENT", "CLAUDE", "CODEX", "Config", "Scripted", "open_source"]


class Config(BaseModel):
    """The script takes no settings."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True)
class Step:
    """What a session does after a pause of `wait` seconds; `ask` stops it for the owner."""

    wait: float
    key: SessionKey
    state: State
    reason: str
    doing: str = ""
    ask: str = ""


SCRIPT = (
    Step(2, CLAUDE, State.WORKING, "working", "Reading tests/test_ring.py"),
    Step(3, CODEX, State.WORKING, "working", "Running the tests"),
    Step(5, CLAUDE, State.WORKING, "working", "Editing ring.py"),
    Step(6, CODEX, State.WAITING, "permission", ask="npm run build"),
    Step(8, CLAUDE, State.WORKING, "working", "Running pytest -q"),
    Step(12, CODEX, State.WORKING, "working", "Building"),
    Step(8, CLAUDE, State.WAITING, "your-turn", "All tests pass"),
    Step(10, CODEX, State.DONE, "completed", "Built in 6 s"),
    Step(30, CLAUDE, State.WORKING, "working", "Writing the changelog"),
)


def open_source(_config: Config, context: Context) -> "Scripted":
    """A source that plays `SCRIPT` once, then lets its last round rest."""
    return Scripted(context)


class Scripted:
    """The source."""

    key = AGENT

    def __init__(self, context: Context) -> None:
        self._clock = context.clock
        self._updates: dict[SessionKey, int] = {}

    async def events(self) -> AsyncGenerator[Event, None]:
        """Both sessions at once, then the script, step by step."""
        now = self._clock.now()
        yield SessionOpened(_session(CLAUDE, "api-server", "~/code/api-server", now), now)
        yield SessionOpened(_session(CODEX, "web-shop", "~/code/web-shop", now), now)
        for number, step in enumerate(SCRIPT, 1):
            await self._clock.sleep(step.wait)
            for event in self._play(step, number):
                yield event

    async def perform(self, intent: Intent) -> Outcome:
        """Nothing here can be answered but in its terminal."""
        return refused("outcome.observe-only")

    def _play(self, step: Step, number: int) -> list[Event]:
        now = self._clock.now()
        self._updates[step.key] = updates = self._updates.get(step.key, 0) + 1
        requests = (
            (Blocked(RequestKind.PERMISSION, f"{step.key.session_id}#{number}", now, step.ask),)
            if step.ask
            else ()
        )
        return [
            ActivityChanged(step.key, now, Activity(updates, (), step.doing)),
            StateChanged(
                step.key, now, step.state, step.reason, Fact("demo.script", "script", at=now), requests,
                unread=step.state is State.DONE, followed=step.state is State.WORKING,
            ),
        ]  # fmt: skip


def _session(key: SessionKey, project: str, folder: str, now: int) -> AgentSession:
    return AgentSession(
        key, project, State.WORKING, "working", now, now, Origin.LOCAL, cwd=folder,
        freshness=Freshness.LIVE, followed=True, fact=Fact("demo.script", "script", at=now),
    )  # fmt: skip
