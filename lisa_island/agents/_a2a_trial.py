"""Looks at agents without calling them: cards for adding one, what the added ones can do, and a test.

Nothing here costs the owner anything: a card is fetched, and a test asks after a task that cannot exist.
"""

import asyncio

from lisa_island.agents._a2a_card import Card, CardFault, Need
from lisa_island.agents._a2a_client import RefusedError
from lisa_island.agents._a2a_config import Agent
from lisa_island.agents._a2a_desk import Desk, cannot_speak, no_card
from lisa_island.agents._a2a_discovery import Doubt, Found
from lisa_island.agents._a2a_raw import Ring
from lisa_island.agents._a2a_wire import Fault
from lisa_island.agents._http import CutError, NotSentError
from lisa_island.core.intents import (
    AgentInfo,
    Describe,
    Discover,
    Outcome,
    ReadCard,
    Result,
    refused,
)
from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean

NOT_FOUND = -32001
_ASKS_WHO = (401, 403)
WHY_LIMIT = 200


class Trials:
    """What the owner may ask before spending anything."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def read_card(self, intent: ReadCard) -> Outcome:
        """The card behind an address that the owner typed, or in a document, as a choice to be made."""
        discovery = self._desk.discovery
        if intent.document:
            found = await discovery.read_file(intent.document.encode("utf-8", "replace"), "card")
        else:
            found = await discovery.find(intent.url)
        if isinstance(found, CardFault):
            return no_card(found)
        if (no := cannot_speak(found.card)) is not None:
            return no
        found = await discovery.check(found)
        return Outcome(Result.DONE, agents=(info_of(found, ""),), text=found.raw if intent.document else "")

    async def describe(self, intent: Describe) -> Outcome:
        """The card of an agent that was added."""
        agent = self._desk.config.agent(intent.target)
        if agent is None:
            return refused("outcome.no-such-agent", name=intent.target)
        found = await self._desk.found(agent)
        if isinstance(found, Outcome):
            return found
        return Outcome(Result.DONE, agents=(info_of(found, agent.name),), total=1)

    async def discover(self, intent: Discover) -> Outcome:
        """The added agents whose card fits; an agent that does not answer is left out."""
        agents = self._desk.config.agents
        asked = [self._ask(agent) for agent in agents]
        founds = [await found for found in asked]
        infos = (
            info_of(found, agent.name)
            for agent, found in zip(agents, founds, strict=True)
            if not isinstance(found, Outcome)
        )
        fitting = tuple(info for info in infos if _fits(info, intent))
        return Outcome(Result.DONE, agents=fitting[: intent.limit], total=len(fitting))

    def _ask(self, agent: Agent) -> "asyncio.Future[Found | Outcome]":
        """All at once: one that is dead takes its time, and the others need not wait for it."""
        told: asyncio.Future[Found | Outcome] = asyncio.get_running_loop().create_future()

        async def ask() -> None:
            found: Found | Outcome = refused("outcome.card.unreachable", url=agent.url, detail="")
            try:
                found = await self._desk.found(agent)
            finally:
                if not told.done():
                    told.set_result(found)

        self._desk.context.start(ask(), "a2a card")
        return told

    async def test(self, name: str) -> Outcome:
        """Whether an agent answers at its endpoint, in the version that its card says."""
        endpoint = await self._desk.endpoint(name)
        if isinstance(endpoint, Outcome):
            return endpoint
        client = self._desk.client(name, endpoint, Ring())
        claimed = endpoint.version
        try:
            frame = await client.get(self._desk.context.new_id())
        except NotSentError as error:
            return refused(error.word, origin=origin_of(endpoint.url))
        except CutError:
            return refused("outcome.unreachable", origin=origin_of(endpoint.url))
        except RefusedError as error:
            if error.status in _ASKS_WHO:
                return refused("outcome.test-sign-in", name=name, status=str(error.status))
            why = clean(f"HTTP {error.status} {error.said}", WHY_LIMIT)
            return refused("outcome.test-odd", version=claimed, why=why)
        self._desk.learn(name, client.endpoint)
        if isinstance(frame, Fault) and frame.code != NOT_FOUND:
            why = clean(f"{frame.code} {frame.message}", WHY_LIMIT)
            return refused("outcome.test-odd", version=claimed, why=why)
        values = (("name", name), ("version", client.endpoint.version))
        return Outcome(Result.DONE, "outcome.test-ok", values)


def info_of(found: Found, name: str) -> AgentInfo:
    """A card as a choice for the owner; `name` is the owner's own word for it, "" before it is added."""
    card = found.card
    return AgentInfo(
        target=name,
        name=card.name,
        description=card.description,
        streaming=card.streaming,
        skills=tuple(skill.name for skill in card.skills),
        tags=tuple(dict.fromkeys(tag for skill in card.skills for tag in skill.tags)),
        provider=card.provider,
        version=card.version,
        card_url=found.card_url,
        interfaces=tuple(f"{e.binding} {e.version} {e.url}" for e in card.interfaces),
        needs=_needs(card),
        warnings=tuple(_warning(doubt) for doubt in found.doubts),
    )


def _needs(card: Card) -> tuple[str, ...]:
    return tuple(_need(need) for need in card.needs) if card.needs_any else ()


def _need(need: Need) -> str:
    return f"header {need.header}" if need.kind == "api-key" and need.header else need.kind


def _warning(doubt: Doubt) -> tuple[str, tuple[tuple[str, str], ...]]:
    key = f"warning.{doubt.kind}"
    if doubt.kind == "unreachable" and doubt.instead_answers:
        key = "warning.answers-elsewhere"
    values = {"says": doubt.says, "fetched": doubt.fetched_from, "instead": doubt.instead}
    return key, tuple(sorted(values.items()))


def _fits(info: AgentInfo, intent: Discover) -> bool:
    tag, words = intent.category.casefold(), intent.query.casefold()
    if tag and tag not in (t.casefold() for t in info.tags):
        return False
    shown = " ".join((info.target, info.name, info.description, *info.skills, *info.tags)).casefold()
    return words in shown
