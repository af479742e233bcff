"""What a session, a request and an outcome are called on a page. Knows no Qt.

Clock times are local, hours and minutes; seconds only where steps of one action follow each other.
"""

from datetime import UTC, datetime

from lisa_island.core.agent import AgentSession, Can, Origin
from lisa_island.core.intents import Outcome
from lisa_island.core.roster import Roster
from lisa_island.core.row_words import agent_name
from lisa_island.core.summary import twin_number
from lisa_island.core.text import clean, elide_end, elide_middle
from lisa_island.core.words import has, say

NAME_LIMIT = 80
LABEL_LIMIT = 60
TOLD_LIMIT = 32


def clock(at: int, *, seconds: bool = False) -> str:
    """14:21, or 14:21:07, in the owner's time zone."""
    moment = datetime.fromtimestamp(at / 1000, UTC).astimezone()
    return moment.strftime("%H:%M:%S" if seconds else "%H:%M")


def who(session: AgentSession, lang: str) -> str:
    """The agent: a remote one by its slug, a local one by its kind."""
    if session.origin is Origin.LOCAL:
        return agent_name(session.key.agent, lang)
    return clean(session.task.target if session.task else session.project, NAME_LIMIT)


def told(session: AgentSession, lang: str) -> str:
    """The agent, short enough for a button."""
    return elide_middle(who(session, lang), TOLD_LIMIT)


def where(roster: Roster, session: AgentSession, lang: str) -> str:
    """Label or project, the number among twins, and the provider of a remote agent."""
    name = clean(session.label, LABEL_LIMIT)
    if not name and session.origin is Origin.LOCAL:
        name = clean(session.project, NAME_LIMIT)
    twin = twin_number(roster, session.key)
    parts = [f"{name} #{twin}".strip() if twin else name]
    if session.origin is not Origin.LOCAL:
        parts.append(agent_name(session.key.agent, lang))
    return " · ".join(p for p in parts if p)


def can_answer(session: AgentSession) -> bool:
    """Whether a reply can reach it from here."""
    return Can.ANSWER in session.capabilities


def can_sign_in(session: AgentSession) -> bool:
    """Whether a credential of the owner's can meet what it asks for."""
    return Can.SIGN_IN in session.capabilities and session.task is not None


def outcome(lang: str, how: Outcome, fallback: str = "answer.refused") -> str:
    """The sentence of an outcome; its values are foreign and were cleaned, and are cut once more."""
    word = how.word if has(how.word) else fallback
    return say(lang, word, **{name: elide_end(clean(value, 200), 200) for name, value in how.values})
