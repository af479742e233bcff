"""What the owner asks the gateway without calling an agent: the registry, one agent's price, the key.

Needs no key and sends none, but for the key check, which sends it to a slug that does not exist: the
gateway looks at the key first, so 401 means bad and 404 good, and nothing is spent (contract A2).
"""

import asyncio
from collections.abc import Mapping
from uuid import uuid4

from lisa_island.agents._http import CutError, NotSentError, bytes_of
from lisa_island.agents._payload import BadPayloadError
from lisa_island.agents._sse import TooLargeError, read_document
from lisa_island.agents._takoapi_desk import Desk
from lisa_island.agents._takoapi_http import REFUSAL_LIMIT
from lisa_island.agents._takoapi_registry import (
    SLUG,
    generation_of,
    read_detail,
    read_registry,
)
from lisa_island.agents._takoapi_status import Judgement, Verdict, judge
from lisa_island.core.intents import AgentInfo, Discover, Outcome, Result, done, refused

MOST_ASKED = 200
# G0 mixes projects in and ignores `kind`; so many rows hold the few that can be called.
MOST_ASKED_G0 = 500
QUERY_LIMIT = 100

_REGISTRY = "/api/registry"


class Questions:
    """Reads the public routes."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._probing = asyncio.Lock()

    async def generation(self) -> Outcome | None:
        """Learn the gateway's generation once; a refusal when it cannot be reached. Costs nothing."""
        async with self._probing:
            if self._desk.generation != "unknown":
                return None
            answer = await self._get(_REGISTRY, {"format": "json", "kind": "HOSTED", "limit": "1"})
            if isinstance(answer, Outcome):
                return answer
            self._desk.learn_generation(generation_of(answer[1]))
            return None

    async def describe(self, slug: str) -> AgentInfo | Outcome:
        """One agent's price and abilities; an unknown price where the gateway says nothing usable."""
        if not SLUG.fullmatch(slug):
            return refused("outcome.bad-slug")
        answer = await self._get(f"/api/agents/{slug}", {})
        if isinstance(answer, Outcome):
            return answer
        status, body = answer
        if status == 404 and isinstance(body, dict) and body.get("error") == "Agent not found":
            return refused("outcome.no-agent", slug=slug)
        info = read_detail(body, slug) if status == 200 else None
        if info is not None and not info.callable:
            return refused("outcome.not-callable", slug=slug)
        return info or AgentInfo(slug, slug)

    async def discover(self, intent: Discover) -> Outcome:
        """The registry's callable agents; never a roster row (I11)."""
        limit = min(max(intent.limit, 1), MOST_ASKED)
        asked = {"format": "json", "kind": "HOSTED", "limit": str(limit)}
        if query := intent.query.strip()[:QUERY_LIMIT]:
            asked["q"] = query
        if SLUG.fullmatch(intent.category):
            asked["category"] = intent.category
        found = await self._registry(asked)
        if isinstance(found, Outcome):
            return found
        agents, total = found
        return Outcome(Result.DONE, agents=agents[:limit], total=total)

    async def knock(self) -> Outcome:
        """Whether the gateway answers at all."""
        answer = await self._get(_REGISTRY, {"format": "json", "kind": "HOSTED", "limit": "1"})
        return answer if isinstance(answer, Outcome) else done()

    async def _registry(self, asked: Mapping[str, str]) -> tuple[tuple[AgentInfo, ...], int] | Outcome:
        answer = await self._get(_REGISTRY, asked)
        if isinstance(answer, Outcome):
            return answer
        listing = await read_registry(answer[1])
        if answer[0] != 200 or listing.generation == "unknown":
            return refused("outcome.no-registry", origin=self._desk.gateway.origin)
        self._desk.learn_generation(listing.generation)
        if listing.generation == "G0" and listing.rows >= int(asked["limit"]) < MOST_ASKED_G0:
            return await self._registry({**asked, "limit": str(MOST_ASKED_G0)})
        return listing.agents, listing.total

    async def check_key(self) -> Outcome:
        """Whether address and key work, without spending."""
        answer = await self._get(_REGISTRY, {"format": "json", "kind": "HOSTED", "limit": "1"})
        if isinstance(answer, Outcome):
            return answer
        generation = generation_of(answer[1])
        if answer[0] != 200 or generation == "unknown":
            return refused("outcome.no-registry", origin=self._desk.gateway.origin)
        self._desk.learn_generation(generation)
        key = self._desk.usable(await self._desk.find_key())
        if isinstance(key, Outcome):
            return key
        return await self._try_key(key)

    async def _try_key(self, key: str) -> Outcome:
        await self._desk.limits.token()
        try:
            said = await self._knock(key)
        except NotSentError as error:
            return self._unreachable(error.word)
        except CutError:
            return refused("outcome.key-unclear")
        match said.verdict:
            case Verdict.BAD_KEY:
                self._desk.key_refused()
                return refused("outcome.key-refused")
            case Verdict.REFUSED if said.word == "outcome.no-agent":
                self._desk.key_accepted()
                return done("outcome.key-good")
            case Verdict.BUSY:
                self._desk.busy(said.seconds)
                return refused("outcome.too-many", seconds=str(round(said.seconds)))
            case Verdict.REFUSED:
                return refused(said.word, **dict(said.values))
            case _:
                return refused("outcome.key-unclear")

    async def _knock(self, key: str) -> Judgement:
        path = f"/v1/agents/no-such-agent-{uuid4().hex}/message"
        async with self._desk.gateway.post(path, {}, key) as response:
            self._desk.reached()
            try:
                body = await read_document(bytes_of(response), REFUSAL_LIMIT)
            except (TooLargeError, BadPayloadError):
                body = b""
            wait = response.headers.get("retry-after", "")
            return judge(response.status_code, wait, body, self._desk.now())

    async def _get(self, path: str, params: Mapping[str, str]) -> tuple[int, object] | Outcome:
        if not self._desk.gateway.origin:
            return refused("outcome.bad-address")
        try:
            status, body = await self._desk.gateway.get(path, params)
        except NotSentError as error:
            return self._unreachable(error.word)
        except CutError:
            return refused("outcome.no-answer", origin=self._desk.gateway.origin)
        self._desk.reached()
        if 300 <= status < 400:
            return refused("outcome.redirect")
        return status, body

    def _unreachable(self, word: str) -> Outcome:
        self._desk.unreachable(None)
        return refused(word, origin=self._desk.gateway.origin)
