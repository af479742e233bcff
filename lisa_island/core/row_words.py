"""What a row says in words: its second line, the state, the price, the kind of agent.

Foreign text in it (status text, price, unknown state words) was cleaned at its source and is cut once more.
"""

from collections.abc import Iterable
from dataclasses import replace

from lisa_island.core.agent import AgentSession, Freshness, Origin, Reply, State
from lisa_island.core.looks import QUEUED_REASONS, look
from lisa_island.core.naming import DIRECT
from lisa_island.core.pill import number
from lisa_island.core.text import clean
from lisa_island.core.times import MINUTE, ago, span
from lisa_island.core.words import count, has, say

STATUS_LIMIT = 200
WORD_LIMIT = 40
QUIET_MINUTE = MINUTE


def agent_name(agent: str, lang: str) -> str:
    """What a kind of agent is called: its word in the catalogue, else its id."""
    return say(lang, f"agent.{agent}") if has(f"agent.{agent}") else agent


def state_word(session: AgentSession, lang: str) -> str:
    """The state in its own word: what was seen or canceled keeps it, whatever its shape."""
    return say(lang, state_key(session))


def state_key(session: AgentSession) -> str:
    """Where the catalogue has that word."""
    if session.state is State.DONE:
        return "detail.state.canceled" if session.state_reason == "canceled" else "state.done"
    return f"state.{look(session).glyph}"


def line(session: AgentSession, lang: str, now: int) -> str:
    """The second line: what it does or waits for, in words."""
    parts = _blocked(session, lang, now) if session.is_blocked else _state(session, lang, now)
    return " · ".join(p for p in parts if p)


def _blocked(session: AgentSession, lang: str, now: int) -> list[str]:
    kind = say(lang, f"row.kind.{session.requests[0].kind}")
    n = len(session.requests)
    return [
        say(lang, "row.waiting", kind=kind),
        say(lang, "row.requests", n=number(n)) if n > 1 else "",
        "" if session.freshness is Freshness.LIVE else _last(session, lang, now),
    ]


def _last(session: AgentSession, lang: str, now: int) -> str:
    if session.last_activity is None:
        return ""
    return say(lang, "row.last", ago=ago(lang, session.last_activity, now))


def _state(session: AgentSession, lang: str, now: int) -> list[str]:
    if session.freshness is Freshness.OFFLINE and not session.is_finished and session.last_activity:
        word = say(lang, f"state.{look(replace(session, freshness=Freshness.LIVE)).glyph}")
        return [say(lang, "row.known", state=word, ago=ago(lang, session.last_activity, now))]
    if session.origin is Origin.LOCAL and has(f"row.local.{session.state_reason}"):
        # What is at rest shows what it did last; what works shows it in its own words below.
        last = clean(session.activity.status_text, STATUS_LIMIT) if session.state is State.IDLE else ""
        return [say(lang, f"row.local.{session.state_reason}"), last, *_counts(session, lang)]
    match session.state:
        case State.WORKING if session.state_reason in QUEUED_REASONS:
            return [say(lang, f"row.{session.state_reason}"), _last_if_stale(session, lang, now)]
        case State.WORKING if session.state_reason == "stalled":
            return [say(lang, "row.stalled"), *_counts(session, lang)]
        case State.WORKING:
            return _working(session, lang, now)
        case State.WAITING:
            return [say(lang, "row.your-turn")]
        case State.ERROR:
            word = say(lang, "row.rejected" if session.state_reason == "rejected" else "row.failed")
            return [word, clean(session.activity.status_text, STATUS_LIMIT)]
        case State.DONE:
            return _done(session, lang)
        case State.IDLE:
            return _idle(session, lang)
        case State.UNKNOWN:
            return [_unknown(session, lang), *_counts(session, lang)]


def _last_if_stale(session: AgentSession, lang: str, now: int) -> str:
    return _last(session, lang, now) if session.freshness is Freshness.STALE else ""


def _working(session: AgentSession, lang: str, now: int) -> list[str]:
    status = clean(session.activity.status_text, STATUS_LIMIT)
    if session.followed:
        running = session.started_at is not None and now - session.started_at >= MINUTE
        started = session.started_at or now
        time = say(lang, "row.for", span=span(lang, now - started)) if running else say(lang, "row.working")
        return [time, *_counts(session, lang), status]
    if session.last_activity is not None and now - session.last_activity >= QUIET_MINUTE:
        heard = say(lang, "row.working.last", ago=ago(lang, session.last_activity, now))
        return [heard, *_counts(session, lang)]
    return [status or say(lang, "row.working"), *_counts(session, lang)]


def _counts(session: AgentSession, lang: str) -> Iterable[str]:
    done = session.activity
    if done.updates:
        yield count(lang, "row.updates", done.updates)
    if done.artifacts:
        yield count(lang, "row.artifacts", len(done.artifacts))


def _done(session: AgentSession, lang: str) -> list[str]:
    if session.state_reason == "canceled":
        return [say(lang, "row.canceled")]
    artifacts = len(session.activity.artifacts)
    return [
        say(lang, "row.finished"),
        count(lang, "row.artifacts", artifacts) if artifacts else "",
        say(lang, "row.reply-lost") if session.reply is Reply.LOST else "",
    ]


def _idle(session: AgentSession, lang: str) -> list[str]:
    if session.origin is Origin.PINNED and session.last_activity is None:
        if session.key.agent == DIRECT:
            return [say(lang, "row.added")]
        return [say(lang, "row.pinned"), price(session.price, lang)]
    return [say(lang, "row.idle")]


def price(known: str, lang: str) -> str:
    """A price in words: free, 0.02 USD, price unknown; nothing where none was ever named."""
    match known:
        case "":
            return ""
        case "free":
            return say(lang, "row.free")
        case "unknown":
            return say(lang, "row.price-unknown")
        case _:
            return clean(known, WORD_LIMIT)


def _unknown(session: AgentSession, lang: str) -> str:
    match session.state_reason:
        case "outcome-unknown":
            return say(lang, "row.outcome-unknown")
        case "not-heard-since-restart":
            return say(lang, "row.not-heard")
        case "lost-by-server":
            return say(lang, "row.lost-by-server")
        case "" | "unknown":
            return say(lang, "row.unknown.bare")
        case word:
            return say(lang, "row.unknown", word=clean(word, WORD_LIMIT))
