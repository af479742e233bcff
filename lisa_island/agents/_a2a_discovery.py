"""Fetches cards: at both well-known paths, below sub-paths, with a cache that asks before it fetches anew."""

from dataclasses import dataclass, field

from lisa_island.agents._a2a_card import Card, CardFault, Endpoint
from lisa_island.agents._http import Http
from lisa_island.core.ports import Clock


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why an endpoint is not simply believed: the card says `says`, it was fetched from `fetched_from`.

    `kind`: other-origin, private-host (from a public card), plain-http, unreachable. `instead` is the card's
    own origin with the endpoint's path, "" where that is no other address; `instead_answers`: it was tried.
    """

    kind: str
    says: str
    fetched_from: str
    instead: str = ""
    instead_answers: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A card, where it was, its raw JSON, and what the owner has to be asked before it is used."""

    card: Card
    card_url: str
    raw: str = field(repr=False)
    doubts: tuple[Doubt, ...] = ()


class Discovery:
    """Asks for cards; no credential goes with it."""

    def __init__(self, http: Http, clock: Clock) -> None:
        raise NotImplementedError

    async def find(self, given: str) -> Found | CardFault:
        """The card for what the owner typed: a card's address, a base address or a sub-path."""
        raise NotImplementedError

    async def read_file(self, data: bytes, name: str) -> Found | CardFault:
        """The card in a file."""
        raise NotImplementedError

    async def check(self, found: Found) -> Found:
        """With the doubt "unreachable" where nothing answers at the first endpoint."""
        raise NotImplementedError

    async def reaches(self, endpoint: Endpoint) -> bool:
        """Whether anything answers HTTP there; sends nothing but a GET."""
        raise NotImplementedError
