"""What adding an agent by its card stores: one function for the dialog, the commands and imports.

Adding is the owner's consent to exactly the origins that were shown: those of the card's interfaces, or that
of the address that replaces them.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lisa_island.core.intents import AgentInfo
from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import AGENT_NAME, AUTHS, DirectAgent

NAME_LIMIT = 36
CARD_LIMIT = 256 * 1024
MOST_AGENTS = 200
_NO_NAME = re.compile(r"[^\w.-]+")
# A field name of RFC 9110.
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
# A header of these names is ours or the connection's, never a place for a secret.
_TAKEN = frozenset(
    {"host", "cookie", "content-length", "content-type", "connection", "transfer-encoding", "accept", "te"}
    | {"accept-encoding", "a2a-version", "a2a-extensions", "upgrade", "proxy-authorization", "user-agent"}
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the owner wants other than the card says; "" for nothing. auth and header as in `DirectAgent`."""

    name: str = ""
    endpoint: str = ""
    auth: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class Importable:
    """An agent in another program's list, as a choice. Strings are foreign and were cleaned."""

    name: str
    url: str
    description: str = ""
    has_key: bool = False


def agent_of(agents: Sequence[DirectAgent], info: AgentInfo, document: str, wish: Wish) -> DirectAgent | str:
    """The agent as it would be stored beside `agents`, or the word that says why not.

    `document` is the card itself where it was not fetched from an address.
    """
    taken = {agent.name for agent in agents}
    name = wish.name or free_name(info.name, taken)
    if not AGENT_NAME.fullmatch(name):
        return "agent.bad-name"
    if name.casefold() in {t.casefold() for t in taken}:
        return "agent.name-taken"
    if len(agents) >= MOST_AGENTS:
        return "agent.too-many"
    if word := wrong_in(wish):
        return word
    url = "" if document else info.card_url
    return DirectAgent(
        name, url, document, wish.endpoint, origins(info, wish.endpoint), wish.auth, wish.header
    )


def origins(info: AgentInfo, endpoint: str = "") -> tuple[str, ...]:
    """Where the owner's texts would go, each origin once."""
    found = (endpoint,) if endpoint else tuple(address(line) for line in info.interfaces)
    return tuple(dict.fromkeys(origin for url in found if (origin := origin_of(url))))


def address(interface: str) -> str:
    """The address in a line of `AgentInfo.interfaces`."""
    return interface.rpartition(" ")[2]


def wrong_in(wish: Wish) -> str:
    """The word for what no card could make right of a wish; "" where nothing is."""
    if wish.name and not AGENT_NAME.fullmatch(wish.name):
        return "agent.bad-name"
    if not is_auth(wish.auth, wish.header):
        return "agent.bad-auth" if wish.auth != "header" else "agent.bad-header"
    return "agent.bad-endpoint" if wish.endpoint and not origin_of(wish.endpoint) else ""


def is_auth(auth: str, header: str) -> bool:
    """Whether a credential can be sent like this."""
    return auth in AUTHS and (auth != "header" or is_header(header))


def is_header(name: str) -> bool:
    """Whether a header of this name may carry a credential."""
    return bool(_HEADER.fullmatch(name)) and name.lower() not in _TAKEN


def auth_of(needs: Sequence[str]) -> tuple[str, str]:
    """(auth, header) for the first need of a card that one credential can meet; ("", "") for none."""
    for need in needs:
        word, _, header = need.partition(" ")
        auth = "header" if word == "header" else word
        if auth and is_auth(auth, header):
            return auth, header
    return "", ""


def free_name(shown: str, taken: Collection[str]) -> str:
    """A name that can be called, made of the agent's own."""
    base = _NO_NAME.sub("-", shown.lower())[:NAME_LIMIT].strip("-.") or "agent"
    names = [base, *(f"{base}-{n}" for n in range(2, MOST_AGENTS + 2))]
    folded = {name.casefold() for name in taken}
    return next(name for name in names if name not in folded)
