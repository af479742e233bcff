"""Why a state is believed and what would change it: one answer for page and command. Structure only.

Times are epoch ms. No text of a peer is in here: kinds, rules and ids, and words of ours.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lisa_island.core.agent import AgentSession, Can, Freshness, Origin, SourceStatus
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.roster import Roster
from lisa_island.core.status import blocked_json, iso, session_json
from lisa_island.core.text import clean
from lisa_island.core.times import ago
from lisa_island.core.words import has, say

SCHEMA = 1
LEAST_PREFIX = 4
WORD_LIMIT = 64

_SIGNALS = {"/stream": "stream", "/message": "message", "LISA": "lisa"}
_PLAIN = re.compile(r"[\w./-]{1,64}")


@dataclass(frozen=True, slots=True)
class Explained:
    """A session with its facts, strongest first, and `would`: catalogue keys of what would change it."""

    session: AgentSession
    facts: tuple[Fact, ...]
    would: tuple[str, ...]
    source: SourceStatus | None = None


def explain(session: AgentSession, source: SourceStatus | None = None) -> Explained:
    """The whole answer about one row. `source` is the face of the kind that it came from."""
    return Explained(session, _facts(session), tuple(_would(session)), source)


def find(roster: Roster, wanted: str) -> tuple[AgentSession, ...]:
    """The sessions that `wanted` names: `kind::id`, an id, a label, or the beginning of an id."""
    everyone = tuple(roster.sessions.values())
    exact = tuple(s for s in everyone if wanted in (str(s.key), s.key.session_id, s.label))
    if exact or len(wanted) < LEAST_PREFIX:
        return exact
    return tuple(s for s in everyone if s.key.session_id.startswith(wanted))


def _facts(session: AgentSession) -> tuple[Fact, ...]:
    """What decided the state, and each open request, which stands above everything."""
    fact = session.fact
    if fact is not None and fact.rank is Rank.REQUEST and len(session.requests) <= 1:
        return (fact,)  # it is that request
    asked = tuple(
        Fact(f"request.{r.kind}", fact.signal if fact else "", Rank.REQUEST, r.since)
        for r in session.requests
    )
    return (*asked, *((fact,) if fact else ()))


def _would(session: AgentSession) -> Iterator[str]:
    if session.freshness is Freshness.OFFLINE:
        yield "would.offline"
    if session.origin is Origin.PINNED:
        yield "would.called"
    elif session.requests:
        can = {Can.ANSWER, Can.SIGN_IN} & session.capabilities
        yield "would.answered" if can else "would.decided"
    elif session.origin is Origin.LOCAL:
        yield from _would_here(session.fact)
    else:
        yield from _would_remotely(session)


def _would_here(fact: Fact | None) -> Iterator[str]:
    if fact is None:
        return
    yield f"would.rank.{int(fact.rank)}"
    # What time alone does to it: each kind has its own table, and says so in its own words.
    if has(f"would.{fact.rule}"):
        yield f"would.{fact.rule}"


def _would_remotely(session: AgentSession) -> Iterator[str]:
    if session.task is not None and session.task.terminal:
        yield "would.over"
        return
    yield "would.followed" if session.followed else "would.unfollowed"


def sentence(fact: Fact, lang: str, time: str) -> str:
    """One fact: its rule in words, where it was read, and when (`time` as the face writes times)."""
    known = f"why.{fact.rule}"
    rule = say(lang, known) if has(known) else say(lang, "why.unknown", rule=clean(fact.rule, WORD_LIMIT))
    signal = _SIGNALS.get(fact.signal, fact.signal)
    source = say(lang, f"why.signal.{signal}") if has(f"why.signal.{signal}") else clean(signal, WORD_LIMIT)
    return say(lang, "detail.why.line", rule=rule, signal=source, time=time)


def standing(fact: Fact, lang: str, now: int) -> str:
    """Its rule's id, its rank and its age."""
    rule = clean(fact.rule, WORD_LIMIT)
    return say(lang, "explain.rule", rule=rule, rank=int(fact.rank), ago=ago(lang, fact.at, now))


def lines(told: Explained, lang: str, time: Callable[[int], str], now: int) -> tuple[str, ...]:
    """The answer of the page: what decided, how much that is worth, and what would change it."""
    decided = told.session.fact
    said = [say(lang, "detail.why.none")]
    if decided is not None:
        said = [
            sentence(decided, lang, time(decided.at)),
            say(lang, f"detail.rank.{int(decided.rank)}"),
            standing(decided, lang, now),
        ]
    if told.session.origin is not Origin.LOCAL:  # one on this machine may have a limit of its own
        return (*said, *changes(told.would, lang), say(lang, "detail.why.silence"))
    return (*said, *changes(told.would, lang))


def changes(would: tuple[str, ...], lang: str) -> tuple[str, ...]:
    """What would change it, as one line; none where nothing is known of it."""
    said = say(lang, "would.join").join(say(lang, key) for key in would if has(key))
    return (say(lang, "would.line", what=said),) if said else ()


def explained_json(told: Explained, now: int) -> dict[str, Any]:
    """The answer of `explain --json`; ages in ms at `now`, optional members absent."""
    row = session_json(told.session)
    kept = ("agent", "sessionId", "state", "stateReason", "stale", "offline", "lastMtime")
    found: dict[str, Any] = {"schema": SCHEMA} | {k: row[k] for k in kept if k in row}
    found["facts"] = [_fact_json(fact, now) for fact in told.facts]
    found["requests"] = [blocked_json(r) for r in told.session.requests]
    found["would"] = list(told.would)
    if told.source is not None:
        found["source"] = {"health": str(told.source.health), "mode": _word(told.source.mode)}
    return found


def _fact_json(fact: Fact, now: int) -> dict[str, Any]:
    return {
        "rule": _word(fact.rule),
        "signal": _word(fact.signal),
        "rank": fact.rank.name.lower(),
        "at": iso(fact.at),
        "ageMs": max(0, now - fact.at),
    }


def _word(text: str) -> str:
    return text if not text or _PLAIN.fullmatch(text) else "unknown"
