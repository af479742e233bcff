"""Follows a gateway's task at its agent's own endpoint, where the owner chose that (contract A15).

The gateway has no way to ask after a task. The agent has, and learns this computer's address by it; what is
asked there is not metered. So it is off until chosen, agent by agent; it only asks, attaches and cancels,
sends no message and no credential, and goes to public https addresses alone. A gateway on this machine is
the owner's own, and so are its agents.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from lisa_island.agents._a2a_cancel import cancel
from lisa_island.agents._a2a_card import JSONRPC, Endpoint
from lisa_island.agents._a2a_client import Client
from lisa_island.agents._a2a_exchange import Exchange
from lisa_island.agents._a2a_follow import Follower, Slots
from lisa_island.agents._a2a_raw import Ring
from lisa_island.agents._a2a_seen import Seen
from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._guard import guarded
from lisa_island.agents._http import Http
from lisa_island.agents._replies import clean_long
from lisa_island.agents._takoapi_desk import Desk
from lisa_island.agents._takoapi_questions import Questions
from lisa_island.core.intents import Cancel, Outcome, Result, refused
from lisa_island.core.origin import is_here, origin_of

TRIES_AGAIN_SECONDS = 60.0


@dataclass(slots=True)
class _Open:
    task: DirectTask
    raw: Ring = field(default_factory=Ring)
    cancel: Callable[[], None] = lambda: None
    client: Client | None = None
    follower: Follower | None = None


class Beside:
    """The followers of one source, by session."""

    def __init__(self, desk: Desk, questions: Questions) -> None:
        self._desk = desk
        self._questions = questions
        self._slots = Slots()
        self._open: dict[str, _Open] = {}
        context = desk.context
        self._guarded = Http(context.transport, context.proxy, most=64, wrap=guarded)
        self._near = Http(context.transport, context.proxy, most=64)

    def wants(self, slug: str) -> bool:
        """Whether the owner chose it for this agent."""
        return slug in self._desk.config.follow

    def follow(self, exchange: Exchange) -> None:
        """Follow a task whose call has ended, if the owner chose it and the agent gave an id."""
        session_id = exchange.key.session_id
        is_over = exchange.terminal or not exchange.task_id or session_id not in self._desk.exchanges
        if is_over or not self.wants(exchange.target) or session_id in self._open:
            return
        if self._desk.open_calls(exchange):
            return
        task = self._desk.exchanges[session_id] = _direct(exchange)
        opened = self._open[session_id] = _Open(task)
        opened.cancel = self._desk.context.start(self._run(opened), "takoapi beside")

    def leave(self, session_id: str) -> None:
        """Nobody follows this one any more."""
        if (opened := self._open.pop(session_id, None)) is not None:
            opened.cancel()

    def settings_changed(self) -> None:
        """Leave what the owner switched off, take up what was switched on."""
        for session_id, opened in tuple(self._open.items()):
            if not self.wants(opened.task.target):
                self.leave(session_id)
                self._tell(opened.task, at_agent=False)
        for task in tuple(self._desk.exchanges.values()):
            self.follow(task)

    def hurry(self) -> None:
        """The owner wants to know now."""
        for opened in self._open.values():
            if opened.follower is not None:
                opened.follower.poke()

    def begin(self) -> None:
        """The source is followed, at first or again."""
        self._guarded.begin()
        self._near.begin()

    async def close(self) -> None:
        """End every stream and connection."""
        for session_id in tuple(self._open):
            self.leave(session_id)
        await self._guarded.close()
        await self._near.close()

    async def cancel(self, intent: Cancel) -> Outcome:
        """Ask the agent to stop a task. It may refuse, and says why."""
        opened = self._open.get(intent.key.session_id)
        if opened is None or opened.client is None:
            return refused("outcome.not-followed-there")
        return await cancel(opened.task, opened.client, self._desk.emit, self._desk.now)

    async def raw(self, session_id: str) -> Outcome:
        """The frames that the agent itself sent."""
        opened = self._open.get(session_id)
        if opened is None or not (text := opened.raw.text()):
            return refused("outcome.no-raw")
        return Outcome(Result.DONE, key=opened.task.key, text=await clean_long(text))

    async def _run(self, opened: _Open) -> None:
        session_id = opened.task.key.session_id
        try:
            client = opened.client = await self._client(opened)
            if client is not None:
                await self._follow(opened, client)
        finally:
            # Left and taken up again meanwhile, the place is another one's.
            if self._open.get(session_id) is opened:
                del self._open[session_id]

    async def _follow(self, opened: _Open, client: Client) -> None:
        desk, task = self._desk, opened.task
        # An agent may show the task to the gateway alone: then what the gateway said stands.
        seen = Seen(task, desk.emit, desk.now, signs_in=False)
        opened.follower = Follower(
            client, seen, self._slots, desk.context.clock, desk.context.start, random.random
        )
        self._tell(task, at_agent=True)
        try:
            await opened.follower.follow()
        except Exception:
            self._tell(task, at_agent=False)
            raise
        self._tell(task, at_agent=False)
        desk.hold(task)

    def _tell(self, task: DirectTask, *, at_agent: bool) -> None:
        task.at_agent = at_agent
        now = self._desk.now()
        self._desk.emit(*task.followed_by(now, at_agent), task.told(now))

    async def _client(self, opened: _Open) -> Client | None:
        """The agent's endpoint as the registry names it now; None where it keeps it to itself."""
        while True:
            info = await self._questions.describe(opened.task.target)
            if not isinstance(info, Outcome):
                break
            if info.word not in ("outcome.unreachable", "outcome.no-answer"):
                return None
            await self._desk.context.clock.sleep(TRIES_AGAIN_SECONDS)
        url = next(iter(info.interfaces), "")
        if not origin_of(url):
            return None
        http = self._near if is_here(self._desk.gateway.origin) else self._guarded
        # The gateway itself calls agents in this dialect; one that speaks another says so.
        endpoint = Endpoint(url, JSONRPC, "0.3")
        return Client(http, endpoint, _no_headers, keep_raw=opened.raw.keep, clock=self._desk.context.clock)


def _direct(exchange: Exchange) -> DirectTask:
    """The same task, as one that can be asked after."""
    if isinstance(exchange, DirectTask):
        return exchange
    known = {f.name: getattr(exchange, f.name) for f in fields(exchange)}
    private = {name: known.pop(name) for name in tuple(known) if name.startswith("_")}
    task = DirectTask(**known, is_relayed=True, at_agent=False)
    for name, value in private.items():
        setattr(task, name, value)
    task.joins(exchange.task_id)
    return task


async def _no_headers() -> dict[str, str]:
    return {}
