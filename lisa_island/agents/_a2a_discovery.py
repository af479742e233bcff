"""Fetches cards: at both well-known paths, below sub-paths, with a cache that asks before it fetches anew.

No credential goes with a card. What a card says of its endpoint is compared with where it was fetched, and
whatever does not fit is a Doubt for the owner: nobody is led to another host, or to a private one, unasked.
"""

import re
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

import httpx

from lisa_island.agents._a2a_card import Card, CardFault, Endpoint, read_card, whole_address
from lisa_island.agents._a2a_client import Client, RefusedError
from lisa_island.agents._a2a_wire import Noise
from lisa_island.agents._guard import is_local_name, is_public, literal
from lisa_island.agents._http import (
    UNTRUSTED,
    CutError,
    Http,
    NotSentError,
    Patience,
    bytes_of,
    is_private,
)
from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import TooLargeError, read_document
from lisa_island.core.origin import origin_of
from lisa_island.core.ports import Clock
from lisa_island.core.text import clean, plain_url

CARD_LIMIT: Final = 2 * 1024 * 1024
CARD_SECONDS: Final = 10.0
MOST_KEPT: Final = 64
LONGEST_AGE: Final = 24 * 3_600
WELL_KNOWN: Final = ("/.well-known/agent-card.json", "/.well-known/agent.json")
# A server with both dialects may answer another card to each: this is the one we ask for.
VERSION: Final = "1.0"
MOST_ENDPOINTS: Final = 8
NO_TASK: Final = "00000000-0000-4000-8000-000000000000"

_PATIENCE = Patience(CARD_SECONDS, CARD_SECONDS, CARD_SECONDS)
_MOVES = frozenset({301, 302, 303, 307, 308})
# An answer that does not say whether another path would have a card.
_ELSEWHERE = frozenset({400, 404, 405, 410, 501})
_MAX_AGE = re.compile(r"(?:^|,)\s*max-age=(\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the owner should know of an endpoint: the card says `says`, it was fetched from `fetched_from`.

    `kind`: other-origin, private-host (from a public card), plain-http, unreachable, answers-here. `instead`
    is the card's own origin with the endpoint's path, "" where that is no other address; with answers-here it
    was tried, and speaks A2A.
    """

    kind: str
    says: str
    fetched_from: str
    instead: str = ""
    instead_answers: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A card, where it was ("" for a file), its raw JSON, and what the owner has to be asked before use."""

    card: Card
    card_url: str
    raw: str = field(repr=False)
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    found: Found
    etag: str
    fresh_until: float


class Discovery:
    """Asks for cards through `http`; the owner's own addresses go through one without a guard."""

    def __init__(self, http: Http, clock: Clock) -> None:
        self._http = http
        self._clock = clock
        self._kept: dict[tuple[str, str], _Kept] = {}

    async def find(self, given: str) -> Found | CardFault:
        """The card for what the owner typed: a card's address, a base address, or an endpoint's."""
        places = list(places_of(given))
        if not places:
            return CardFault("not-an-address", clean(given, 200))
        first: CardFault | None = None
        for place in places:
            found = await self._fetch(place)
            if isinstance(found, Found):
                return found
            if found.why not in ("not-found", "not-json", "not-a-card"):
                return found
            first = first or found
        return first or CardFault("not-found", places[0])

    async def read_file(self, data: bytes, name: str) -> Found | CardFault:
        """The card in a file. It came from no host, so every endpoint of it is for the owner to judge."""
        if len(data) > CARD_LIMIT:
            return CardFault("too-large", clean(name, 200))
        return await _read(data.removeprefix(b"\xef\xbb\xbf"), "", clean(name, 200))

    async def check(self, found: Found) -> Found:
        """With what a look at the preferred endpoint adds: "unreachable", or "answers-here".

        Only the card's own origin is asked. Another one waits for the owner's consent.
        """
        if not found.card.interfaces:
            return found
        says = found.card.interfaces[0]
        if origin_of(says.url) == origin_of(found.card_url):
            more = None if await self.reaches(says) else Doubt("unreachable", says.url, found.card_url)
        else:
            more = await self._here(says, found.card_url)
        return replace(found, doubts=(*found.doubts, more)) if more else found

    async def _here(self, says: Endpoint, card_url: str) -> Doubt | None:
        """Whether the agent is where its card was: cards outlive ports and host names."""
        instead = _instead(says.url, card_url)
        if not instead or not await self.speaks(replace(says, url=instead)):
            return None
        return Doubt("answers-here", says.url, card_url, instead, instead_answers=True)

    async def speaks(self, endpoint: Endpoint) -> bool:
        """Whether an agent answers there: it is asked after a task that cannot exist, without credentials."""
        client = Client(self._http, endpoint, _no_headers, clock=self._clock)
        try:
            return not isinstance(await client.get(NO_TASK), Noise)
        except RefusedError as error:
            return error.status in (401, 403, 429, 503)
        except (NotSentError, CutError):
            return False

    async def reaches(self, endpoint: Endpoint) -> bool:
        """Whether anything answers HTTP there. A GET without a body or a credential; nothing is spent."""
        try:
            async with self._http.open("GET", endpoint.url, headers=_accept(), patience=_PATIENCE):
                return True
        except (NotSentError, CutError):
            return False

    async def _fetch(self, url: str) -> Found | CardFault:
        key = (url, VERSION)
        kept = self._kept.get(key)
        if kept and self._clock.monotonic() < kept.fresh_until:
            return kept.found
        headers = _accept() | ({"if-none-match": kept.etag} if kept and kept.etag else {})
        try:
            return await self._asked(url, headers, kept)
        except NotSentError as error:
            return CardFault(_why_unsent(error), url)
        except CutError:
            return CardFault("unreachable", url)
        except TooLargeError:
            return CardFault("too-large", url)

    async def _asked(self, url: str, headers: dict[str, str], kept: _Kept | None) -> Found | CardFault:
        at = url
        for is_last in (False, True):
            async with self._http.open("GET", at, headers=headers, patience=_PATIENCE) as response:
                if response.status_code in _MOVES:
                    target = urljoin(at, response.headers.get("location", ""))
                    if is_last or origin_of(target) != origin_of(at) or target == at:
                        return CardFault("moved", at, plain_url(target) or "")
                    at = target
                    continue
                return await self._answered(url, at, response, kept)
        return CardFault("moved", at)

    async def _answered(
        self, url: str, at: str, response: httpx.Response, kept: _Kept | None
    ) -> Found | CardFault:
        if response.status_code == 304 and kept:
            return self._keep(url, kept.found, response, kept.etag)
        if not response.is_success:
            return CardFault(_why_refused(response.status_code), at, f"HTTP {response.status_code}")
        async with aclosing(bytes_of(response)) as chunks:
            data = await read_document(chunks, CARD_LIMIT)
        found = await _read(data, at, at)
        return found if isinstance(found, CardFault) else self._keep(url, found, response, "")

    def _keep(self, url: str, found: Found, response: httpx.Response, etag: str) -> Found:
        tag = response.headers.get("etag", etag)[:256]
        age = _MAX_AGE.search(response.headers.get("cache-control", "").lower())
        fresh = min(int(age[1]), LONGEST_AGE) if age else 0
        self._kept.pop((url, VERSION), None)
        if len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[url, VERSION] = _Kept(found, tag, self._clock.monotonic() + fresh)
        return found


def places_of(given: str) -> Iterator[str]:
    """Where a card may be, the likeliest first. Without a scheme it is https, on this machine http."""
    url = given.strip()
    if url and "://" not in url:
        host = re.split("[/:?#]", url.removeprefix("["), maxsplit=1)[0]
        is_here = host == "localhost" or host.startswith("127.") or url.startswith("[::1]")
        url = f"{'http' if is_here else 'https'}://{url}"
    if not (url := whole_address(url)):
        return
    parts = urlsplit(url)._replace(fragment="")
    path = parts.path.rstrip("/")
    if path.endswith(".json") or "/.well-known/" in path:
        yield urlunsplit(parts)
        return
    while True:
        for known in WELL_KNOWN:
            yield urlunsplit(parts._replace(path=path + known))
        if not path:
            return
        path = path.rpartition("/")[0]


async def _read(data: bytes, card_url: str, asked: str) -> Found | CardFault:
    text = data.decode("utf-8", "replace")
    try:
        card = read_card(await decode(text), card_url or asked)
    except BadPayloadError:
        return CardFault("not-json", asked, "HTML" if data.lstrip().startswith(b"<") else "")
    if isinstance(card, CardFault):
        return card
    return Found(card, card_url, text, tuple(_doubts(card, card_url)))


def _doubts(card: Card, card_url: str) -> Iterator[Doubt]:
    """What does not fit of the endpoints, each once."""
    seen = set()
    for endpoint in card.interfaces[:MOST_ENDPOINTS]:
        kind = _doubt(endpoint.url, card_url)
        if kind and (kind, origin_of(endpoint.url)) not in seen:
            seen.add((kind, origin_of(endpoint.url)))
            yield Doubt(kind, endpoint.url, card_url, _instead(endpoint.url, card_url))


def _doubt(url: str, card_url: str) -> str:
    if card_url and origin_of(url) == origin_of(card_url):
        return ""
    if is_closed(url) and not (card_url and is_closed(card_url)):
        return "private-host"
    if not is_private(url):
        return "plain-http"
    return "other-origin"


def is_closed(url: str) -> bool:
    """Whether an address names this machine or its network, as far as the address itself tells."""
    host = urlsplit(url).hostname or ""
    address = literal(host)
    return is_local_name(host) if address is None else not is_public(address)


def _instead(url: str, card_url: str) -> str:
    """The same path where the card was, "" where that is the same address."""
    origin = origin_of(card_url)
    if not origin or origin == origin_of(url):
        return ""
    parts = urlsplit(url)
    return origin + urlunsplit(("", "", parts.path or "/", parts.query, ""))


async def _no_headers() -> dict[str, str]:
    return {}


def _accept() -> dict[str, str]:
    return {"accept": "application/json", "A2A-Version": VERSION}


def _why_unsent(error: NotSentError) -> str:
    if error.word == UNTRUSTED:
        return "untrusted"
    return "not-allowed" if error.word in ("outcome.not-https", "outcome.private-address") else "unreachable"


def _why_refused(status: int) -> str:
    if status in (401, 403):
        return "needs-auth"
    return "not-found" if status in _ELSEWHERE else "refused"
