"""What deserves a notice, decided from two rosters; the notices are data.

A notice goes out once for each transition. Structure only: who and which task, never a word of a question or
a reply, since desktops keep notices and show them on locked screens. `Pacer` is the policy over time: what
vanishes at once makes no notice, many at once make one, and what is held while the island is quiet is told
once afterwards if it still waits for the owner.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from lisa_island.core.agent import AgentSession, RequestKind, SessionKey, State
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import LABEL_LIMIT, Roster
from lisa_island.core.summary import title, twin_number
from lisa_island.core.text import elide_end
from lisa_island.core.words import count, say

HOLD_MS = 400
BURST_MS = 2000
MOST_AT_ONCE = 3
# What one session asks again and again is told so often at once, then not before this time is over.
CALM_MS = 60_000
MOST_UNTIL_CALM = 3
# What a session says when it is seen for the first time is news for so long; later it is history.
FRESH_MS = 10_000
NAME_LIMIT = 40


class About(StrEnum):
    """What a notice is about; a burst of one sort becomes one notice."""

    NEED = "need"
    FAILED = "failed"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Note:
    """One notice in the owner's language. `buttons` are (action, label); actions: reply, later, show.

    A notice for several agents has neither `keys` nor `request_id`: it opens the island. `urgent` is drawn
    and sent as such, but no source calls anything urgent yet.
    """

    note_id: str
    title: str
    body: str = ""
    urgent: bool = False
    buttons: tuple[tuple[str, str], ...] = ()
    keys: tuple[SessionKey, ...] = ()
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """Show `note`; then each (session, id) of `marks` was notified."""

    note: Note
    about: About = About.NEED
    marks: tuple[tuple[SessionKey, str], ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take it away wherever it is shown; it may never have been."""

    note_id: str


Effect = Show | Withdraw


def decide(old: Roster, new: Roster, prefs: Preferences, now: int, lang: str) -> tuple[Effect, ...]:
    """What to show and withdraw for this step of the roster; `now` is epoch ms. Withdrawals come first."""
    before, after = _news(old), _news(new)
    gone: list[Effect] = [Withdraw(note_id) for note_id in before if note_id not in after]
    gone += [Withdraw(about) for about in About if _has(before, about) and not _has(after, about)]
    fresh = (news for note_id, news in after.items() if note_id not in before)
    shown = [_show(news, new, lang) for news in fresh if _is_wanted(news, prefs) and _is_news(news, old, now)]
    return (*gone, *shown)


@dataclass(frozen=True, slots=True)
class _News:
    """Something in a roster that a notice can be about. `mark` is kept with the session once it was shown."""

    about: About
    session: AgentSession
    mark: str
    since: int
    kind: RequestKind | None = None

    @property
    def note_id(self) -> str:
        return f"{self.session.key}#{self.mark}"


def _news(roster: Roster) -> dict[str, _News]:
    return {news.note_id: news for s in roster.sessions.values() for news in _news_of(s)}


def _news_of(session: AgentSession) -> Iterator[_News]:
    for request in session.requests:
        yield _News(About.NEED, session, request.request_id, request.since, request.kind)
    if not session.unread or session.requests:
        return
    ended = session.last_activity or 0
    if session.state is State.ERROR:
        yield _News(About.FAILED, session, f"failed:{_which(session)}", ended)
    elif session.state is State.DONE and session.state_reason != "canceled":
        yield _News(About.FINISHED, session, f"finished:{_which(session)}", ended)


def _which(session: AgentSession) -> str:
    """The task and its call, so that a task that goes on and fails again is told again."""
    task = session.task
    if task is None or not task.message_id:
        return str(session.last_activity or 0)
    return task.message_id if task.calls <= 1 else f"{task.message_id}:{task.calls}"


def _has(news: dict[str, _News], about: About) -> bool:
    return any(n.about is about for n in news.values())


def _is_wanted(news: _News, prefs: Preferences) -> bool:
    if news.about is About.NEED:
        return prefs.notify_auth if news.kind is RequestKind.AUTH else prefs.notify_input
    return prefs.notify_failed if news.about is About.FAILED else prefs.notify_finished


def _is_news(news: _News, old: Roster, now: int) -> bool:
    """Not told before, and not read back from the disk at the start."""
    if news.session.notified == news.mark:
        return False
    return old.get(news.session.key) is not None or now - news.since <= FRESH_MS


_TITLES = {RequestKind.INPUT: "notices.input", RequestKind.AUTH: "notices.auth"}
_BUTTONS = {RequestKind.INPUT: ("reply", "later"), RequestKind.AUTH: ("show", "later")}


def _show(news: _News, roster: Roster, lang: str) -> Show:
    session = news.session
    name = _name(session)
    if news.about is About.NEED:
        key = _TITLES.get(news.kind, "notices.need") if news.kind else "notices.need"
        actions = _BUTTONS.get(news.kind, ("show", "later")) if news.kind else ("show",)
    else:
        key, actions = f"notices.{news.about}", ("show",)
    note = Note(
        news.note_id,
        say(lang, key, name=name),
        _task(session, roster),
        buttons=tuple((action, say(lang, f"notices.button.{action}")) for action in actions),
        keys=(session.key,),
        request_id=news.mark if news.about is About.NEED else "",
    )
    return Show(note, news.about, ((session.key, news.mark),), name)


def _name(session: AgentSession) -> str:
    return elide_end(session.task.target if session.task else session.project, NAME_LIMIT)


def _task(session: AgentSession, roster: Roster) -> str:
    """Which of its tasks: the owner's label, else a project that is not the name, else the twin's number."""
    shown = elide_end(title(session), LABEL_LIMIT)
    if shown != _name(session):
        return shown
    number = twin_number(roster, session.key)
    return f"#{number}" if number else ""


@dataclass(frozen=True, slots=True)
class Pacer:
    """Holds notices for a moment. A value: every step answers with the next one; times are epoch ms.

    `waiting` are (due, show) in order, `recent` (shown at, show, already part of a joint notice), `held` what
    would have been shown but for the quiet, `told` (shown at, about, session) of the last minute.
    """

    waiting: tuple[tuple[int, Show], ...] = ()
    recent: tuple[tuple[int, Show, bool], ...] = ()
    held: tuple[Show, ...] = ()
    told: tuple[tuple[int, About, SessionKey], ...] = ()

    def offer(self, effects: Iterable[Effect], now: int) -> "Pacer":
        """Take in what was decided: new notices wait, withdrawn ones are forgotten."""
        effects = tuple(effects)
        gone = {e.note_id for e in effects if isinstance(e, Withdraw)}
        added = tuple((self._due_at(e, now), e) for e in effects if isinstance(e, Show))
        return replace(
            self,
            waiting=tuple(w for w in self.waiting if w[1].note.note_id not in gone) + added,
            recent=tuple(r for r in self.recent if r[1].note.note_id not in gone),
            held=tuple(h for h in self.held if h.note.note_id not in gone),
        )

    def _due_at(self, show: Show, now: int) -> int:
        """In a moment; later for a session that was told of so often that one more would be noise."""
        keys = show.note.keys
        times = sorted(at for at, about, key in self.told if about is show.about and key in keys)
        is_noise = len(times) >= MOST_UNTIL_CALM and not show.note.urgent
        calm = times[-MOST_UNTIL_CALM] + CALM_MS if is_noise else 0
        return min(max(now + HOLD_MS, calm), now + CALM_MS)

    def hold(self, *shows: Show) -> "Pacer":
        """Keep what waits for the owner until the quiet is over. What has ended is no hurry then either."""
        return replace(self, held=self.held + tuple(s for s in shows if s.about is About.NEED))

    def forget_held(self) -> "Pacer":
        """The owner has looked for themselves."""
        return replace(self, held=())

    def resume(self, now: int, lang: str) -> tuple["Pacer", tuple[Effect, ...]]:
        """The quiet is over: one notice for all that still waits, however much it is."""
        if not self.held:
            return self, ()
        held, many = self.held, len(self.held) > 1
        recent = tuple((now, show, many) for show in held)
        effect = _joint(About.NEED, held, lang) if many else held[0]
        return replace(self, held=(), recent=self.recent + recent), (effect,)

    @property
    def next(self) -> int | None:
        """When `due` should be called, or None while nothing waits."""
        return min((at for at, _ in self.waiting), default=None)

    def due(self, now: int, lang: str, *, quiet: bool = False) -> tuple["Pacer", tuple[Effect, ...]]:
        """What is to be shown now, and withdrawn because a joint notice takes its place.

        While it is `quiet` only what is urgent is shown.
        """
        # A clock that was set back must not hold a notice for hours.
        ready = tuple(show for at, show in self.waiting if at <= now or at - now > CALM_MS)
        waiting = tuple(w for w in self.waiting if w[1] not in ready)
        kept = self.hold(*(s for s in ready if not s.note.urgent)) if quiet else self
        ready = tuple(s for s in ready if s.note.urgent) if quiet else ready
        recent = tuple(r for r in self.recent if 0 <= now - r[0] <= BURST_MS)
        effects: list[Effect] = []
        for about in About:
            fresh = tuple(show for show in ready if show.about is about)
            known = tuple(r for r in recent if r[1].about is about)
            is_burst = bool(fresh) and len(fresh) + len(known) > MOST_AT_ONCE
            if is_burst:
                effects += [Withdraw(show.note.note_id) for _, show, joint in known if not joint]
                effects.append(_joint(about, (*(show for _, show, _ in known), *fresh), lang))
                recent = tuple((at, s, joint or s.about is about) for at, s, joint in recent)
            else:
                effects += fresh
            recent += tuple((now, show, is_burst) for show in fresh)
        told = tuple(t for t in self.told if 0 <= now - t[0] <= CALM_MS)
        told += tuple((now, show.about, key) for show in ready for key in show.note.keys)
        return Pacer(waiting, recent, kept.held, told), tuple(effects)


def _joint(about: About, shows: tuple[Show, ...], lang: str) -> Show:
    """One notice for many: how many, and the first names."""
    names = tuple(dict.fromkeys(show.name for show in shows))
    listed = say(lang, "notices.comma").join(names[:MOST_AT_ONCE])
    if more := len(names) - MOST_AT_ONCE:
        listed = count(lang, "notices.more", more, names=listed) if more > 0 else listed
    note = Note(
        str(about),
        count(lang, f"notices.burst.{about}", len({key for show in shows for key, _ in show.marks})),
        listed,
        buttons=(("show", say(lang, "notices.button.show-all")),),
    )
    return replace(shows[0], note=note, marks=tuple(mark for show in shows for mark in show.marks))
