"""The queue as cards with every word in place, and the receipt of a request that is gone. Knows no Qt."""

from collections.abc import Mapping
from dataclasses import dataclass

from lisa_island.core.agent import AgentSession, Origin, SessionKey
from lisa_island.core.pill import badge
from lisa_island.core.roster import Roster
from lisa_island.core.row_words import state_word
from lisa_island.core.summary import Need, twin_number
from lisa_island.core.text import clean
from lisa_island.core.times import relative
from lisa_island.core.words import say
from lisa_island.ui.said import can_answer, can_sign_in, where, who

QUESTION_LIMIT = 400
ANSWER_RULES = frozenset({"takoapi.answer", "a2a.answer"})


@dataclass(frozen=True, slots=True)
class CardView:
    """One card. `button` is "" where nothing can be answered from here; `note` then says why.

    `twin` is "#1" among rows of one title, for a card that has no room for `below`.
    """

    request_id: str
    key: SessionKey
    name: str
    verb: str
    below: str
    at: str
    question: str
    button: str
    note: str
    badge: tuple[str, str]
    spoken: str
    twin: str = ""


def card(
    roster: Roster, need: Need, lang: str, now: int, place: tuple[int, int], drafts: Mapping[str, str]
) -> CardView:
    """The card of one request; `place` is (i, n) in the queue."""
    session, request = need.session, need.request
    at = relative(lang, request.since, now)
    name, below = who(session, lang), where(roster, session, lang)
    verb = say(lang, f"card.verb.{request.kind}")
    question = clean(request.summary, QUESTION_LIMIT) or say(lang, "card.no-text")
    draft = say(lang, "card.draft") if drafts.get(request.request_id, "").strip() else ""
    answerable = can_answer(session) or can_sign_in(session)
    position = say(lang, "card.position", i=place[0], n=place[1])
    kind = say(lang, f"card.kind.{request.kind}")
    number = twin_number(roster, session.key)
    spoken = (kind, f"{name} {verb}", question, below, draft, at, position)
    return CardView(
        request.request_id,
        session.key,
        name,
        verb,
        " · ".join(p for p in (below, draft) if p),
        at,
        question,
        say(lang, f"card.button.{request.kind}") if answerable else "",
        "" if answerable else say(lang, no_answer(session, "card.own-terminal", "card.no-answers")),
        badge(session),
        say(lang, "row.name-comma").join(p for p in spoken if p),
        f"#{number}" if number else "",
    )


def no_answer(session: AgentSession, local: str, remote: str) -> str:
    """Which of two words says why it cannot be answered from here."""
    return local if session.origin is Origin.LOCAL else remote


def receipt(session: AgentSession | None, lang: str) -> str:
    """What stands for a moment in the slot of a request that is gone: only what the roster proves."""
    if session is None:
        return say(lang, "card.receipt.gone")
    if session.fact is not None and session.fact.rule in ANSWER_RULES:
        return say(lang, "card.receipt.answered")
    if session.is_blocked:
        return say(lang, "card.receipt.again")
    return say(lang, "card.receipt.moved", state=state_word(session, lang))
