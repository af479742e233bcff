"""An agent's card, read by shape: A2A 0.1 to 1.0, legacy and dual layouts in one body. Pure.

What it says is a claim: cleaned, bounded, never followed from here. `supportedInterfaces` wins over the
legacy members where it names anything; the patch part of a version is ignored, 0.2 speaks as 0.3 does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean, name, plain_url, word

MOST_INTERFACES: Final = 32
MOST_SKILLS: Final = 100
MOST_TAGS: Final = 20
MOST_NEEDS: Final = 16
DESCRIPTION_LIMIT: Final = 1_000
ADDRESS_LIMIT: Final = 2_048

JSONRPC: Final = "JSONRPC"
REST: Final = "HTTP+JSON"
_CALLABLE = frozenset({JSONRPC, REST})
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}")
# A header of these names is ours or the connection's, never a place for a secret that a card asks for.
_TAKEN = frozenset(
    {"host", "cookie", "content-length", "content-type", "connection", "transfer-encoding", "accept", "te"}
    | {"accept-encoding", "a2a-version", "a2a-extensions", "upgrade", "proxy-authorization", "user-agent"}
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how an agent is called. `version` is "1.0" or "0.3"; a tenant of "" is none."""

    url: str
    binding: str = JSONRPC
    version: str = "1.0"
    tenant: str = ""
    streaming: bool = True


@dataclass(frozen=True, slots=True)
class Skill:
    """Something that the agent says it can do."""

    id: str
    name: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """A credential that the card names.

    `kind`: bearer, basic, api-key, oauth2, oidc, mtls, other. For api-key `header` is the header's name, "" where
    it would go into a query or a cookie. `can_satisfy`: whether we can send it.
    """

    kind: str
    scheme: str
    header: str = ""
    can_satisfy: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What an agent says about itself. `interfaces` are those we can speak, the preferred first.

    `needs` has an entry for each scheme that is named; `needs_any` says whether one is required.
    `claims` are the versions as claimed, `others` the bindings that we do not speak, both cleaned.
    """

    name: str
    url: str
    description: str = ""
    provider: str = ""
    version: str = ""
    skills: tuple[Skill, ...] = ()
    interfaces: tuple[Endpoint, ...] = ()
    streaming: bool = False
    needs: tuple[Need, ...] = ()
    needs_any: bool = False
    has_extended: bool = False
    required_extensions: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_0_1: bool = False
    grpc_only: bool = False


@dataclass(frozen=True, slots=True)
class CardFault:
    """Why there is no card. `why` is one of: not-json, not-a-card, too-large, not-found, needs-auth, refused,
    moved, unreachable, untrusted, not-allowed, not-an-address. `detail` is cleaned; `url` is what was asked.
    """

    why: str
    url: str
    detail: str = ""


def read_card(body: object, card_url: str) -> Card | CardFault:
    """The card in a JSON body. Never raises."""
    raise NotImplementedError
