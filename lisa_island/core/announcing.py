"""What is said aloud to who cannot look, and when: at most one announcement in GAP_MS, the rest is merged.

    Sentence(text, about, n=1, urgent=False)
    heard(voice, sentence, now) -> (voice, Spoken | None)     something new is to be said
    due(voice, now) -> (voice, Spoken | None)                 the pause is over
    wait(voice, now) -> int | None                            ms until `due`; None while nothing waits
    news(old, new, lang) -> tuple[Sentence, ...]              what a change of the roster is worth saying

Urgent sentences interrupt and go first, all others are polite. Needs add up ("2 more need you"), of what was
found only the newest counts, of all else the last MOST. Nobody hears of working or done.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from lisa_island.core.agent import AgentSession, RequestKind, State
from lisa_island.core.roster import Roster
from lisa_island.core.summary import needs, title
from lisa_island.core.text import clean, elide_middle
from lisa_island.core.words import count, say

GAP_MS = 2000
MOST = 3
NAME_LIMIT = 40
_NEEDS = {RequestKind.INPUT: "notices.input", RequestKind.AUTH: "notices.auth"}
_STOPS = (".", "?", "!", "…", "。", "？", "！")


class About(StrEnum):
    """The sorts of sentences, in the order in which merged ones are said."""

    OUTCOME = "outcome"
    NEED = "need"
    GONE = "gone"
    FAILED = "failed"
    FOUND = "found"


_NEWEST = (About.NEED, About.FOUND)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Whole words in the owner's language. `n` is how many needs it tells of."""

    text: str
    about: About = About.OUTCOME
    n: int = 1
    urgent: bool = False
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class Spoken:
    """Say this now; `assertive` may interrupt what is being read."""

    text: str
    assertive: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """When something was said last (ms of any steady clock), and what waits since."""

    said_at: int | None = None
    waiting: tuple[Sentence, ...] = ()


def heard(voice: Voice, sentence: Sentence, now: int) -> tuple[Voice, Spoken | None]:
    """Say it at once, or keep it until the pause is over."""
    if not sentence.text:
        return voice, None
    if voice.said_at is None or now - voice.said_at >= GAP_MS:
        rest = tuple(s for s in voice.waiting if s.about is not sentence.about or s.urgent)
        return Voice(now, rest), Spoken(sentence.text, sentence.urgent)
    return replace(voice, waiting=_with(voice.waiting, sentence)), None


def due(voice: Voice, now: int) -> tuple[Voice, Spoken | None]:
    """What waits, as one announcement; urgent ones alone, and the others after another pause."""
    if wait(voice, now) != 0:
        return voice, None
    urgent = tuple(s for s in voice.waiting if s.urgent)
    polite = tuple(s for s in voice.waiting if not s.urgent)
    told, rest = (urgent, polite) if urgent else (polite, ())
    order = list(About)
    parts = [s.text for s in sorted(told, key=lambda s: order.index(s.about))]
    return Voice(now, rest), Spoken(_joined(parts), bool(urgent))


def wait(voice: Voice, now: int) -> int | None:
    """Milliseconds until what waits may be said."""
    if not voice.waiting:
        return None
    return 0 if voice.said_at is None else max(0, GAP_MS - (now - voice.said_at))


def _with(waiting: tuple[Sentence, ...], new: Sentence) -> tuple[Sentence, ...]:
    same = [s for s in waiting if s.about is new.about and s.urgent == new.urgent]
    if new.about is About.NEED and same:
        n = new.n + sum(s.n for s in same)
        new = replace(new, n=n, text=count(new.lang, "card.new", n))
    kept = [] if new.about in _NEWEST else [s for s in same if s.text != new.text][1 - MOST :]
    return (*(s for s in waiting if s not in same or s in kept), new)


def _joined(parts: list[str]) -> str:
    """Whole sentences, one after the other."""
    whole = [p if p.endswith(_STOPS) else p + ("." if p.isascii() else "。") for p in parts]
    return " ".join(whole) if len(whole) > 1 else parts[0]


def news(old: Roster, new: Roster, lang: str) -> tuple[Sentence, ...]:
    """Requests that were not open, and who has failed; what had failed when it was first seen is history."""
    return (*_needs(old, new, lang), *_failures(old, new, lang))


def _needs(old: Roster, new: Roster, lang: str) -> Iterator[Sentence]:
    before = {n.request.request_id for n in needs(old)}
    fresh = [n for n in needs(new) if n.request.request_id not in before]
    if not fresh:
        return
    if len(fresh) > 1:
        text = count(lang, "card.new" if before else "pill.needs", len(fresh))
    else:
        session, kind = fresh[0].session, fresh[0].request.kind
        text = say(lang, _NEEDS.get(kind, "notices.need"), name=_name(session))
    yield Sentence(text, About.NEED, len(fresh), lang=lang)


def _failures(old: Roster, new: Roster, lang: str) -> Iterator[Sentence]:
    for key, session in new.sessions.items():
        before = old.get(key)
        if before is not None and session.state is State.ERROR and before.state is not State.ERROR:
            yield Sentence(say(lang, "notices.failed", name=_name(session)), About.FAILED, lang=lang)


def _name(session: AgentSession) -> str:
    return elide_middle(clean(title(session), 200), NAME_LIMIT)
