"""What the pill says: one pure view of the summary. The panel's header repeats it, the tray may too.

Order: urgent, needs you, failed, remote offline, working, queued, your turn, not reporting.
A finish only flashes, and never over something that waits for the owner.
"""

from dataclasses import dataclass, replace

from lisa_island.core.agent import AgentSession, Origin, State
from lisa_island.core.looks import Glyph, Urgency, look
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet, aside
from lisa_island.core.roster import Roster
from lisa_island.core.summary import Summary, title
from lisa_island.core.text import elide_middle
from lisa_island.core.words import say

NAME_LIMIT = 18
MOST = 99
COUNTS = 2
TURN_MS = 250


@dataclass(frozen=True, slots=True)
class PillView:
    """`glyph` "" is the island itself. `counts` are (shape, "4"), loudest first, at most two.

    `tone`: strong (something to tell), quiet, faint (starting), urgent. `badge` is (kind, text) or None.
    `name` is the whole of it for a screen reader. `short` is the text down to its number.
    """

    glyph: str = ""
    text: str = ""
    short: str = ""
    counts: tuple[tuple[str, str], ...] = ()
    tone: str = "strong"
    badge: tuple[str, str] | None = None
    muted: bool = False
    shrunk: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to tell: how many, its shape and its words."""

    glyph: Glyph
    n: int
    word: str


def number(n: int) -> str:
    """99+ beyond two digits."""
    return str(n) if n <= MOST else f"{MOST}+"


def pill_view(
    summary: Summary,
    preferences: Preferences,
    lang: str,
    flash: str = "",
    *,
    quiet: Quiet | None = None,
    starting: bool = False,
    only: AgentSession | None = None,
    urgent: str = "",
) -> PillView:
    """The view. `flash`: who has just finished; `only`: the one session that runs; `urgent`: who asks.

    No source calls anything urgent yet, so nobody passes it: the look is there for the first that does.
    """
    parts = _parts(summary, lang)
    view = _loud(parts, summary, lang, flash, only, urgent)
    if view is None:
        view = _still(preferences, lang, starting)
    said = [view.text, *(p.word for p in parts if p.word != view.text)]
    muted = quiet is not None
    if quiet is not None:
        said.append(aside(quiet, lang))
    name = say(lang, "pill.name", parts=say(lang, "row.name-comma").join(said))
    return replace(view, muted=muted, shrunk=view.shrunk and not muted, name=name)


def _parts(s: Summary, lang: str) -> list[Part]:
    found = (
        (Glyph.WAITING, s.needs_you, "needs"),
        (Glyph.ERROR, s.failed, "failed"),
        (Glyph.OFFLINE, len(s.offline), "offline"),
        (Glyph.WORKING, s.working, "working"),
        (Glyph.QUEUED, s.queued, "sending"),
        (Glyph.YOUR_TURN, s.your_turn, "your-turn"),
        # Rows of a source that is offline do not report either: that is said once.
        (Glyph.UNKNOWN, 0 if s.offline else s.not_reporting, "not-reporting"),
    )
    return [Part(glyph, n, _word(lang, key, n)) for glyph, n, key in found if n]


def _word(lang: str, key: str, n: int) -> str:
    if key == "offline":
        return say(lang, "pill.offline")
    return say(lang, f"pill.{key}.one") if n == 1 else say(lang, f"pill.{key}.many", n=number(n))


def _loud(
    parts: list[Part], summary: Summary, lang: str, flash: str, only: AgentSession | None, urgent: str
) -> PillView | None:
    if urgent:
        text = say(lang, "pill.urgent", name=elide_middle(urgent, NAME_LIMIT))
        return PillView(Glyph.WAITING, text, text, _counts(parts, Glyph.WAITING), "urgent")
    if flash and not (parts and parts[0].glyph in (Glyph.WAITING, Glyph.ERROR)):
        text = say(lang, "pill.finished", name=elide_middle(flash, NAME_LIMIT))
        return PillView(Glyph.DONE, text, text, _counts(parts))
    if not parts:
        return None
    first = parts[0]
    view = PillView(first.glyph, first.word, number(first.n), _counts(parts, first.glyph))
    if first.glyph is Glyph.OFFLINE:
        return replace(view, short=first.word)
    if first.glyph is Glyph.QUEUED and first.n == 1 and summary.queued_name:
        text = say(lang, "pill.sent", name=elide_middle(summary.queued_name, NAME_LIMIT))
        return replace(view, text=text, short=text)
    if first.glyph is Glyph.WORKING and first.n == 1 and only is not None:
        text = elide_middle(title(only), NAME_LIMIT)
        return replace(view, text=text, short=text, badge=badge(only))
    return view


def _counts(parts: list[Part], loud: Glyph | None = None) -> tuple[tuple[str, str], ...]:
    # Remote offline is a fact and no count.
    rest = [p for p in parts if p.glyph not in (loud, Glyph.OFFLINE)]
    return tuple((p.glyph, number(p.n)) for p in rest[:COUNTS])


def _still(preferences: Preferences, lang: str, starting: bool) -> PillView:
    if starting:
        return PillView(text=say(lang, "pill.starting"), tone="faint")
    return PillView(text=say(lang, "pill.quiet"), tone="quiet", shrunk=preferences.shrink_when_quiet)


def badge(session: AgentSession) -> tuple[str, str]:
    """Its badge as (kind, text): the container tells the place, a circle is remote."""
    if session.origin is Origin.LOCAL:
        return session.key.agent, ""
    return "remote", session.task.target if session.task else session.project


def only_working(roster: Roster) -> AgentSession | None:
    """The session that runs, when there is exactly one."""
    found = [s for s in roster.sessions.values() if look(s).urgency is Urgency.WORKING]
    return found[0] if len(found) == 1 else None


def finished(old: Roster, new: Roster) -> AgentSession | None:
    """A session that has come to a good end between the two, the latest of them."""
    ended = [
        s
        for key, s in new.sessions.items()
        if s.state is State.DONE
        and s.unread
        and s.state_reason != "canceled"
        and (was := old.get(key)) is not None
        and was.state is not State.DONE
    ]
    return max(ended, key=lambda s: s.last_activity or 0, default=None)


def has_new_need(old: Roster, new: Roster) -> bool:
    """Whether a request is open that was not: only this may draw the eye."""
    known = {r.request_id for s in old.sessions.values() for r in s.requests}
    return any(r.request_id not in known for s in new.sessions.values() for r in s.requests)


@dataclass(frozen=True, slots=True)
class Turn:
    """How far a working ring has turned: `step` of 45 degrees; `seen` the last word it has counted."""

    step: int = 0
    seen: int | None = None
    at: int = 0


def turned(turn: Turn, last_activity: int | None, now: int) -> Turn:
    """One step for a new word, at most four in a second; a word that comes too soon is counted, not drawn."""
    if last_activity == turn.seen:
        return turn
    if turn.seen is None or 0 <= now - turn.at < TURN_MS:
        return replace(turn, seen=last_activity)
    return Turn(turn.step + 1, last_activity, now)
