"""The roster as the list shows it: rows with every word in place, headings and the fold line.

A row holds what is painted and nothing else, so that equal rows need no repaint. Foreign text in it
(title, status text, price, unknown state words) was cleaned at its source and is cut here once more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from lisa_island.core.agent import AgentSession, Freshness, Origin, Reply, SessionKey, State
from lisa_island.core.looks import QUEUED_REASONS, Glyph, Urgency, look
from lisa_island.core.pill import Turn, badge, number
from lisa_island.core.roster import Roster
from lisa_island.core.summary import rows, summarize, title, twins
from lisa_island.core.text import clean, elide_end
from lisa_island.core.times import MINUTE, ago, relative, span
from lisa_island.core.words import count, has, say

FOLD_AFTER = 30 * MINUTE
RECENT_CALLS = "recent-calls"
TITLE_LIMIT = 120
STATUS_LIMIT = 200
WORD_LIMIT = 40
FOLD_NAMES = 8
QUIET_MINUTE = MINUTE


class Kind(StrEnum):
    SESSION = "session"
    HEADING = "heading"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `id` is its identity. `line` is the second line, `at` the time column.

    `number` is n of "#n" among twins, else 0. `open` tells of a fold line whether it is unfolded.
    `name` is what a screen reader says.
    """

    id: str
    kind: Kind = Kind.SESSION
    key: SessionKey | None = None
    title: str = ""
    number: int = 0
    provider: str = ""
    line: str = ""
    at: str = ""
    glyph: str = ""
    grey: bool = False
    step: int = 0
    badge: tuple[str, str] = ("other", "")
    needs: bool = False
    unread: bool = False
    open: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The list with its section line: `title`, how many rows there are, and a `note` beside it."""

    rows: tuple[Row, ...] = ()
    title: str = ""
    note: str = ""
    total: int = 0


Basis = tuple[AgentSession, str, int, int, Turn | None]
Known = dict[SessionKey, tuple[Basis, Row]]
"""Rows by session, with what they were made from."""


def listing(
    roster: Roster,
    lang: str,
    now: int,
    *,
    query: str = "",
    unfolded: bool = False,
    turns: Mapping[SessionKey, Turn] | None = None,
    known: Known | None = None,
) -> Listing:
    """The list at `now`. A query finds rows by title, provider and id, folded ones too.

    `known` keeps rows from one list to the next: within a minute one that did not change is not made again.
    """
    shown = rows(roster)
    made = _made(roster, shown, lang, now, turns or {}, {} if known is None else known)
    if query.strip():
        found = tuple(made[s.key] for s in shown if _matches(made[s.key], query))
        return Listing(found, say(lang, "panel.sessions"), "", len(found))
    folded = [s for s in shown if is_old(s, now)]
    upper = [s for s in shown if not is_old(s, now)]
    calls = {a for a, status in roster.sources.items() if status.mode == RECENT_CALLS}
    first = [made[s.key] for s in upper if s.key.agent not in calls]
    last = [made[s.key] for s in upper if s.key.agent in calls]
    only_calls = bool(calls) and not any(s.key.agent not in calls for s in shown)
    heading = () if only_calls or not last else (_heading(lang),)
    fold = _fold(folded, summarize(roster).hidden, lang, unfolded)
    below = [made[s.key] for s in folded] if unfolded else []
    return Listing(
        (*first, *heading, *last, *fold, *below),
        say(lang, "panel.recent-calls" if only_calls else "panel.sessions"),
        say(lang, "panel.sync-only") if only_calls else "",
        len(shown),
    )


def _made(
    roster: Roster,
    shown: Iterable[AgentSession],
    lang: str,
    now: int,
    turns: Mapping[SessionKey, Turn],
    known: Known,
) -> dict[SessionKey, Row]:
    numbers = twins(roster)
    kept: Known = {}
    for session in shown:
        number, turn = numbers.get(session.key, 0), turns.get(session.key)
        basis = (session, lang, now // MINUTE, number, turn)
        before = known.get(session.key)
        fresh = before if before and before[0] == basis else (basis, row(session, number, lang, now, turn))
        kept[session.key] = fresh
    known.clear()
    known.update(kept)
    return {key: fresh[1] for key, fresh in kept.items()}


def is_old(session: AgentSession, now: int) -> bool:
    """Whether it goes below the fold: nothing to do, nothing unseen, and half an hour without a word."""
    calm = look(session).urgency in (Urgency.IDLE, Urgency.DONE) and not session.unread
    return calm and session.last_activity is not None and now - session.last_activity > FOLD_AFTER


def _matches(row: Row, query: str) -> bool:
    text = f"{row.title} {row.provider} {row.id}".casefold()
    return all(part in text for part in query.casefold().split())


def _heading(lang: str) -> Row:
    text, note = say(lang, "panel.recent-calls"), say(lang, "panel.sync-only")
    name = say(lang, "row.name-comma").join((text, note))
    return Row("heading", Kind.HEADING, title=text, line=note, name=name)


def _fold(folded: list[AgentSession], hidden: int, lang: str, unfolded: bool) -> tuple[Row, ...]:
    parts = []
    if folded:
        names = dict.fromkeys(elide_end(clean(title(s), TITLE_LIMIT), WORD_LIMIT) for s in folded)
        listed = say(lang, "row.comma").join(list(names)[:FOLD_NAMES])
        parts.append(count(lang, "row.fold", len(folded), names=listed))
    if hidden:
        parts.append(count(lang, "row.hidden", hidden))
    text = " · ".join(parts)
    return (Row("fold", Kind.FOLD, title=text, open=unfolded and bool(folded), name=text),) if parts else ()


def agent_name(agent: str, lang: str) -> str:
    """What a kind of agent is called: its word in the catalogue, else its id."""
    return say(lang, f"agent.{agent}") if has(f"agent.{agent}") else agent


def row(session: AgentSession, number: int, lang: str, now: int, turn: Turn | None = None) -> Row:
    """One session's row; `number` tells it from its twins."""
    drawn = look(session)
    text = line(session, lang, now)
    made = Row(
        str(session.key),
        key=session.key,
        title=clean(title(session), TITLE_LIMIT),
        number=number,
        provider="" if session.origin is Origin.LOCAL else agent_name(session.key.agent, lang),
        line=text,
        at="" if session.last_activity is None else relative(lang, session.last_activity, now),
        glyph=drawn.glyph,
        grey=drawn.grey,
        step=turn.step if turn and drawn.glyph is Glyph.WORKING else 0,
        badge=badge(session),
        needs=session.is_blocked,
        unread=session.unread,
    )
    return replace(made, name=_name(made, session, lang))


def _name(row: Row, session: AgentSession, lang: str) -> str:
    shown = f"{row.title} #{row.number}" if row.number else row.title
    # "Waiting for you: input" and "Finished" have the state in them already.
    told = row.needs or session.state is State.DONE
    state = "" if told else say(lang, f"state.{row.glyph}")
    unread = say(lang, "row.unread") if row.unread else ""
    parts = (shown, row.provider or agent_name(session.key.agent, lang), state, row.line, unread, row.at)
    return say(lang, "row.name-comma").join(p for p in parts if p)


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
    match session.state:
        case State.WORKING if session.state_reason in QUEUED_REASONS:
            return [say(lang, f"row.{session.state_reason}"), _last_if_stale(session, lang, now)]
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
        case "" | "unknown":
            return say(lang, "row.unknown.bare")
        case word:
            return say(lang, "row.unknown", word=clean(word, WORD_LIMIT))
