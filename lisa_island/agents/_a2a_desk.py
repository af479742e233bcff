"""What the parts of the A2A source share: agents, tasks, their followers, and the way to the roster."""

import asyncio
import random
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from lisa_island.agents._a2a_card import Card, CardFault, Endpoint
from lisa_island.agents._a2a_client import Client
from lisa_island.agents._a2a_config import Agent, Config
from lisa_island.agents._a2a_discovery import Discovery, Found
from lisa_island.agents._a2a_exchange import AGENT_ERROR, EXPIRED, OUTCOME_UNKNOWN
from lisa_island.agents._a2a_follow import Follower, Slots
from lisa_island.agents._a2a_output import MOST_SHOWN
from lisa_island.agents._a2a_raw import Ring
from lisa_island.agents._a2a_seen import Seen
from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._guard import guarded
from lisa_island.agents._http import Http, is_private
from lisa_island.agents._replies import Replies
from lisa_island.core.agent import Health, KeyState, Reply, SessionKey, SourceStatus
from lisa_island.core.errors import SecretError
from lisa_island.core.events import Event, PinsChanged, ReplyChanged, SourceReported
from lisa_island.core.intents import Outcome, Result, done, refused, unknown
from lisa_island.core.origin import origin_of
from lisa_island.core.ports import Context

_NO_CARD = {
    "not-json": "outcome.card.not-json",
    "not-a-card": "outcome.card.not-a-card",
    "too-large": "outcome.card.too-large",
    "not-found": "outcome.card.not-found",
    "needs-auth": "outcome.card.needs-auth",
    "refused": "outcome.card.refused",
    "moved": "outcome.card.moved",
    "unreachable": "outcome.card.unreachable",
    "untrusted": "outcome.card.untrusted",
    "not-allowed": "outcome.card.not-allowed",
    "not-an-address": "outcome.card.not-an-address",
}
# As many as there are streams, and some for questions.
MOST_CONNECTIONS = 64


@dataclass(slots=True)
class Open:
    """A task with whoever follows it. `waits` is resolved once, with what the asker of a call may know."""

    task: DirectTask
    client: Client
    raw: Ring
    follower: Follower | None = None
    cancel: Callable[[], None] = lambda: None
    waits: "asyncio.Future[Outcome] | None" = None
    held: set[str] = field(default_factory=set)

    def tell(self, outcome: Outcome) -> None:
        """Tell the asker, unless that was done before."""
        if self.waits is not None and not self.waits.done():
            self.waits.set_result(outcome)


class Desk:
    """State of the source."""

    def __init__(self, agent: str, config: Config, context: Context) -> None:
        self.agent = agent
        self.context = context
        self.config = config
        # What the owner typed may be on this network; where a card sends us on to may not.
        self.http = Http(context.transport, context.proxy, most=MOST_CONNECTIONS)
        self.guarded = Http(context.transport, context.proxy, most=MOST_CONNECTIONS, wrap=guarded)
        self.discovery = Discovery(self.http, context.clock)
        self.slots = Slots()
        self.replies = Replies()
        self.queue: asyncio.Queue[Event] = asyncio.Queue()
        self.open: dict[str, Open] = {}
        self.tasks: dict[str, DirectTask] = {}
        self._endpoints: dict[str, Endpoint] = {}
        # Everywhere that an agent may be called, in the order of its card.
        self._offered: dict[str, tuple[Endpoint, ...]] = {}
        self._told: SourceStatus | None = None

    def now(self) -> int:
        """Epoch ms."""
        return self.context.clock.now()

    def emit(self, *events: Event) -> None:
        """Hand events to whoever follows the source."""
        for event in events:
            self.queue.put_nowait(event)

    def pins(self) -> PinsChanged:
        """A row for each agent that the owner added."""
        names = tuple((a.name, "") for a in self.config.agents) if self.config.enabled else ()
        return PinsChanged(self.agent, names)

    def report(self) -> None:
        """Tell how the source fares. One agent's silence is its own rows' matter, not the source's."""
        health = Health.OK if self.config.enabled else Health.OFF
        status = SourceStatus(self.config.enabled, KeyState.READY, "A2A", "tasks", health)
        if status != self._told:
            self._told = status
            self.emit(SourceReported(self.agent, self.now(), status))

    def configure(self, config: Config) -> None:
        """Take new settings; what was learnt of an agent that changed is learnt anew."""
        for name in tuple(self._endpoints):
            if config.agent(name) != self.config.agent(name):
                del self._endpoints[name]
                self._offered.pop(name, None)
        self.config = config

    # --- agents ---

    async def found(self, agent: Agent) -> Found | Outcome:
        """The agent's card, from the owner's file or from its server, or the refusal that says why not."""
        if agent.card:
            found = await self.discovery.read_file(agent.card.encode(), agent.name)
        else:
            found = await self.discovery.find(agent.url)
        return no_card(found) if isinstance(found, CardFault) else found

    async def endpoint(self, name: str) -> Endpoint | Outcome:
        """Where to talk to an agent, and how. Nothing goes to an origin that the owner did not agree to."""
        agent = self.config.agent(name)
        if agent is None:
            return refused("outcome.no-such-agent", name=name)
        if (known := self._endpoints.get(name)) is not None:
            return known
        found = await self.found(agent)
        if isinstance(found, Outcome):
            return found
        chosen = self._choose(agent, found)
        if isinstance(chosen, Outcome):
            return chosen
        self._offered[name], self._endpoints[name] = chosen, chosen[0]
        return chosen[0]

    async def endpoint_of(self, task: DirectTask) -> Endpoint | Outcome:
        """Where a task is asked after: at the interface that it was sent to, where the agent still has it."""
        current = await self.endpoint(task.target)
        if isinstance(current, Outcome) or current.url == task.endpoint:
            return current
        return next((e for e in self._offered.get(task.target, ()) if e.url == task.endpoint), current)

    def next_endpoint(self, name: str, failed: Endpoint) -> Endpoint | None:
        """Another interface of an agent's card, after nobody was at one; it is the agent's from then on.

        After the last there is none, and the next call begins with the first again.
        """
        current = self._endpoints.get(name)
        if current is None or current.url != failed.url:
            return current
        urls = [e.url for e in self._offered[name]]
        rest = self._offered[name][urls.index(failed.url) + 1 :] if failed.url in urls else ()
        if not rest:
            del self._endpoints[name]
            return None
        self._endpoints[name] = rest[0]
        return rest[0]

    def _choose(self, agent: Agent, found: Found) -> tuple[Endpoint, ...] | Outcome:
        """Where the agent may be called: what its card offers and the owner agreed to, in this order."""
        card = found.card
        if (no := cannot_speak(card)) is not None:
            return no
        agreed = tuple(e for e in card.interfaces if self.is_agreed(agent, e.url))
        if not agreed:
            return refused(
                "outcome.endpoint-moved", name=agent.name, origin=origin_of(card.interfaces[0].url)
            )
        if agent.endpoint:
            agreed = (replace(agreed[0], url=agent.endpoint),)
        safe = tuple(e for e in agreed if not agent.auth or is_private(e.url))
        return safe if agreed[0] in safe else refused("outcome.insecure", origin=origin_of(agreed[0].url))

    def is_agreed(self, agent: Agent, url: str) -> bool:
        """Whether the owner agreed to talk to this address."""
        if agent.endpoint:
            return True
        return origin_of(url) in (*agent.origins, origin_of(agent.url))

    def learn(self, name: str, endpoint: Endpoint) -> None:
        """How the agent's server turned out to speak."""
        if name in self._endpoints:
            self._endpoints[name] = endpoint

    async def headers(self, name: str, origin: str) -> Mapping[str, str]:
        """The credential of this agent for this origin; none for any other origin."""
        agent = self.config.agent(name)
        if agent is None or not agent.auth:
            return {}
        try:
            secret = await self.context.secrets.get(origin)
        except SecretError:
            return {}
        if not secret.value or not secret.value.isprintable():
            return {}
        return _header(agent, secret.value)

    def client(self, name: str, endpoint: Endpoint, raw: Ring) -> Client:
        """A client for one task."""
        origin = origin_of(endpoint.url)
        agent = self.config.agent(name)
        # A card from the owner's own file is the owner's word too.
        is_typed = agent is not None and (
            bool(agent.card) or origin in (origin_of(agent.url), origin_of(agent.endpoint))
        )
        return Client(
            self.http if is_typed else self.guarded,
            endpoint,
            lambda: self.headers(name, origin),
            keep_raw=raw.keep,
            clock=self.context.clock,
        )

    def follower(self, opened: Open) -> Follower:
        """Who follows a task."""
        context = self.context
        return Follower(
            opened.client,
            Seen(opened.task, self.emit, self.now, heard=partial(_told, opened)),
            self.slots,
            context.clock,
            context.start,
            random.random,
            streams=opened.client.endpoint.streaming,
        )

    # --- replies ---

    def hold(self, opened: Open) -> None:
        """Keep in memory what a task put out, and say so; what had to go for it is lost, and said too."""
        task, session_id = opened.task, opened.task.key.session_id
        if session_id not in self.tasks or not (text := task.output.reply()):
            return
        gone = list(self.replies.keep(session_id, text))
        texts = task.output.artifact_texts()
        # One artifact with a text is the reply itself.
        for number, piece in enumerate(() if len(texts) == 1 and texts[0] else texts):
            gone += self.replies.keep(f"{session_id}#{number}", piece)
        if task.terminal:
            task.output.release()
        self.emit(ReplyChanged(task.key, self.now(), Reply.HELD))
        lost = (SessionKey(self.agent, g) for g in gone if "#" not in g)
        self.emit(*(ReplyChanged(key, self.now(), Reply.LOST) for key in lost))

    def drop(self, session_ids: Collection[str]) -> None:
        """Forget rows that left the roster, with their texts; nobody follows them any more."""
        for session_id in session_ids:
            self.replies.forget((session_id, *(f"{session_id}#{n}" for n in range(MOST_SHOWN))))
            self.tasks.pop(session_id, None)
            if (opened := self.open.pop(session_id, None)) is not None:
                opened.cancel()

    def begin(self) -> None:
        """The source is followed, at first or again."""
        self.http.begin()
        self.guarded.begin()

    async def close(self) -> None:
        """End every stream and connection."""
        for opened in tuple(self.open.values()):
            opened.cancel()
        self.open.clear()
        await self.http.close()
        await self.guarded.close()


def _told(opened: Open) -> None:
    if opened.task.is_heard:
        opened.tell(outcome_of(opened.task))


def outcome_of(task: DirectTask) -> Outcome:
    """What an asker is told of a call that reached the agent."""
    if task.reason == OUTCOME_UNKNOWN:
        return unknown("outcome.unknown", task.key)
    if task.reason == EXPIRED:
        return Outcome(Result.REFUSED, "outcome.session-expired", key=task.key)
    return done("outcome.agent-error" if task.reason == AGENT_ERROR else "", key=task.key)


def no_card(fault: CardFault) -> Outcome:
    """The sentence for a card that could not be read."""
    return refused(_NO_CARD.get(fault.why, "outcome.card.not-a-card"), url=fault.url, detail=fault.detail)


def cannot_speak(card: Card) -> Outcome | None:
    """Why an agent cannot be called, or None."""
    if card.is_0_1:
        return refused("outcome.draft-agent")
    if card.grpc_only:
        return refused("outcome.grpc-only")
    return None if card.interfaces else refused("outcome.no-interface")


def _header(agent: Agent, value: str) -> Mapping[str, str]:
    match agent.auth:
        case "bearer":
            return {"authorization": f"Bearer {value}"}
        case "basic":
            return {"authorization": f"Basic {b64encode(value.encode()).decode()}"}
        case "header" if agent.header:
            return {agent.header: value}
        case _:
            return {}
