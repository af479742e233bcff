"""What the answer page knows besides its widgets: phases, neighbours, and why a request is gone. No Qt."""

from enum import StrEnum

from lisa_island.core.agent import AgentSession, RequestKind
from lisa_island.core.origin import is_here
from lisa_island.core.roster import Roster
from lisa_island.core.row_words import state_word
from lisa_island.core.summary import needs
from lisa_island.core.text import plain_url, url_parts
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.detail_words import is_direct
from lisa_island.ui.detail_words import place as place_of
from lisa_island.ui.needs import ANSWER_RULES

# What is sent for "I have signed in": exactly this, in every language.
SIGNED_IN = "I have signed in."


class Phase(StrEnum):
    """Where the page stands. Only in `ASK` and `CONFIRM` can anything be sent."""

    ASK = "ask"
    CONFIRM = "confirm"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"
    GONE = "gone"


def gone(session: AgentSession | None, lang: str) -> str:
    """Why a request cannot be answered any more: only what the roster proves."""
    if session is None:
        return say(lang, "answer.unfollowed")
    if session.fact is not None and session.fact.rule in ANSWER_RULES:
        return say(lang, "answer.gone")
    if session.is_blocked:
        return say(lang, "answer.asks-else")
    return say(lang, "answer.ended", state=state_word(session, lang))


def unknown(session: AgentSession | None, lang: str) -> str:
    """That nobody can tell what became of an answer; only a gateway may have charged it."""
    direct = session is not None and is_direct(session)
    return say(lang, "answer.direct.unknown" if direct else "answer.unknown")


def costs(session: AgentSession, known: str, lang: str) -> str:
    """Where an answer goes and what it costs: a direct agent's own matter, or the registry's price."""
    host = place_of(session)
    if not host:
        return price.line(lang, known)
    here = is_here(f"//{host}")
    return say(lang, "answer.direct.here" if here else "answer.direct", host=host)


def place(roster: Roster, request_id: str) -> tuple[int, int]:
    """(i, n) of a request in the queue, from 1; (0, 0) when it is not there."""
    ids = [n.request.request_id for n in needs(roster)]
    return (ids.index(request_id) + 1, len(ids)) if request_id in ids else (0, 0)


def neighbour(roster: Roster, request_id: str, step: int) -> str:
    """The request before or after in the queue, around the end; "" when there is no other."""
    ids = [n.request.request_id for n in needs(roster)]
    if request_id not in ids:
        return ids[0] if ids else ""
    at = (ids.index(request_id) + step) % len(ids)
    return ids[at] if ids[at] != request_id else ""


def address(kind: RequestKind, summary: str) -> str:
    """The address of a sign-in, or "" ."""
    return (plain_url(summary) or "") if kind is RequestKind.AUTH else ""


def is_foreign(url: str, base_url: str) -> bool:
    """Whether an address leads to another host than the gateway's own."""
    return url_parts(url)[1] != url_parts(base_url)[1]
