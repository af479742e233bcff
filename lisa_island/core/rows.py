"""The roster as the list shows it: rows with every word in place, headings and the fold line.

A row holds what is painted and nothing else, so that equal rows need no repaint. Foreign text in it
(title, status text, price, unknown state words) was cleaned at its source and is cut here once more.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from lisa_island.core.agent import AgentSession, Origin, SessionKey, State
from lisa_island.core.grouping import Group, grouped
from lisa_island.core.looks import Glyph, Urgency, look
from lisa_island.core.pill import Turn, badge, number
from lisa_island.core.roster import Roster
from lisa_island.core.row_words import agent_name, line, price, state_key
from lisa_island.core.summary import rows, title, twins
from lisa_island.core.text import clean, elide_end
from lisa_island.core.times import MINUTE, relative
from lisa_island.core.window import cap
from lisa_island.core.words import count, say

FOLD_AFTER = 30 * MINUTE
RECENT_CALLS = "recent-calls"
TITLE_LIMIT = 120
WORD_LIMIT = 40
FOLD_NAMES = 8

__all__ = ["Kind", "Known", "Listing", "Row", "agent_name", "is_old", "line", "listing", "price", "row"]


class Kind(StrEnum):
    SESSION = "session"
    HEADING = "heading"
    FOLD = "fold"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `id` is its identity. `line` is the second line, `at` the time column.

    `number` is n of "#n" among twins, else 0. `open` tells of a fold or group line whether it is unfolded.
    `inset` marks a row below its group's line. `name` is what a screen reader says.
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
    inset: bool = False
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
    opened: Collection[str] = (),
    turns: Mapping[SessionKey, Turn] | None = None,
    known: Known | None = None,
) -> Listing:
    """The list at `now`. A query finds rows by title, provider and id, folded ones too.

    `opened` are the ids of the groups that the owner unfolded.

    `known` keeps rows from one list to the next: within a minute one that did not change is not made again.
    """
    shown = rows(roster)
    made = _Rows(roster, lang, now, turns or {}, {} if known is None else known)
    if query.strip():
        found = tuple(made[s] for s in shown if _matches(s, lang, query))
        made.keep()
        return Listing(found, say(lang, "panel.sessions"), "", len(found))
    folded: list[AgentSession] = []
    upper: list[AgentSession] = []
    for session in shown:
        (folded if is_old(session, now) else upper).append(session)
    calls = {a for a, status in roster.sources.items() if status.mode == RECENT_CALLS}
    first = list(_lines([s for s in upper if s.key.agent not in calls], made, opened, lang, now))
    last = list(_lines([s for s in upper if s.key.agent in calls], made, opened, lang, now))
    only_calls = bool(calls) and not any(s.key.agent not in calls for s in shown)
    heading = () if only_calls or not last else (_heading(lang),)
    fold = _fold(folded, cap(roster.sessions.values()).hidden, lang, unfolded)
    below = [made[s] for s in folded] if unfolded else []
    made.keep()
    return Listing(
        (*first, *heading, *last, *fold, *below),
        say(lang, "panel.recent-calls" if only_calls else "panel.sessions"),
        say(lang, "panel.sync-only") if only_calls else "",
        len(shown),
    )


def _lines(
    sessions: Sequence[AgentSession],
    made: "_Rows",
    opened: Collection[str],
    lang: str,
    now: int,
) -> Iterator[Row]:
    for item in grouped(sessions, opened):
        if isinstance(item, AgentSession):
            yield made[item]
            continue
        yield _group(item, lang, now)
        if item.is_open:
            yield from (replace(made[s], inset=True) for s in item.members)


def _group(group: Group, lang: str, now: int) -> Row:
    drawn = look(group.members[0])
    latest = max((s.last_activity for s in group.members if s.last_activity is not None), default=None)
    counts = Counter(map(state_key, group.members))
    text = say(lang, "row.comma").join(
        say(lang, "row.group.count", n=number(n), state=say(lang, word)) for word, n in counts.items()
    )
    name, provider = clean(group.target, TITLE_LIMIT), agent_name(group.kind, lang)
    fold = say(lang, f"row.group.{'open' if group.is_open else 'closed'}")
    told = (name, provider, say(lang, "row.group", n=len(group.members)), text, fold)
    return Row(
        group.id,
        Kind.GROUP,
        title=name,
        provider=provider,
        line=text,
        at="" if latest is None else relative(lang, latest, now),
        glyph=drawn.glyph,
        grey=drawn.grey,
        badge=badge(group.members[0]),
        open=group.is_open,
        name=say(lang, "row.name-comma").join(told),
    )


class _Rows:
    """Makes the rows that are asked for: what is folded away is not drawn and not made."""

    def __init__(
        self, roster: Roster, lang: str, now: int, turns: Mapping[SessionKey, Turn], known: Known
    ) -> None:
        self._numbers = twins(roster)
        self._lang, self._now, self._turns, self._known = lang, now, turns, known
        self._kept: Known = {}

    def __getitem__(self, session: AgentSession) -> Row:
        key, lang, now = session.key, self._lang, self._now
        number, turn = self._numbers.get(key, 0), self._turns.get(key)
        basis = (session, lang, now // MINUTE, number, turn)
        before = self._known.get(key)
        fresh = before if before and before[0] == basis else (basis, row(session, number, lang, now, turn))
        self._kept[key] = fresh
        return fresh[1]

    def keep(self) -> None:
        """For the next list: what was asked for in this one."""
        self._known.clear()
        self._known.update(self._kept)


def is_old(session: AgentSession, now: int) -> bool:
    """Whether it goes below the fold: nothing to do, nothing unseen, and half an hour without a word."""
    calm = look(session).urgency in (Urgency.IDLE, Urgency.DONE) and not session.unread
    return calm and session.last_activity is not None and now - session.last_activity > FOLD_AFTER


def _matches(session: AgentSession, lang: str, query: str) -> bool:
    text = f"{clean(title(session), TITLE_LIMIT)} {_provider(session, lang)} {session.key}".casefold()
    return all(part in text for part in query.casefold().split())


def _provider(session: AgentSession, lang: str) -> str:
    return "" if session.origin is Origin.LOCAL else agent_name(session.key.agent, lang)


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


def row(session: AgentSession, number: int, lang: str, now: int, turn: Turn | None = None) -> Row:
    """One session's row; `number` tells it from its twins."""
    drawn = look(session)
    text = line(session, lang, now)
    made = Row(
        str(session.key),
        key=session.key,
        title=clean(title(session), TITLE_LIMIT),
        number=number,
        provider=_provider(session, lang),
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
