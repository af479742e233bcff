"""The history of a session as lines, newest first, and why its state is believed. Knows no Qt.

Only structure: states with their times, artifacts by name and size, the newest words of the agent (which
live in memory). Foreign words were cleaned at their source and are cut here once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lisa_island.core.agent import AgentSession, Artifact, Freshness, Origin, State, TrailEntry
from lisa_island.core.explain import explain, lines
from lisa_island.core.looks import QUEUED_REASONS, look
from lisa_island.core.naming import DIRECT
from lisa_island.core.text import clean
from lisa_island.core.times import relative, span
from lisa_island.core.words import count, has, say
from lisa_island.ui.said import clock

MOST_ARTIFACTS = 20
NAME_LIMIT = 80
STATUS_LIMIT = 300
WORD_LIMIT = 64
SHORT_ID = 8
CONTINUED = "call.continued"

# Reason words of the wire and of ours that have a line of their own, with the picture of it.
_REASONS = {
    "input-required": ("trail.input", "state/waiting"),
    "auth-required": ("trail.auth", "state/waiting"),
    "canceled": ("trail.canceled", "state/idle"),
    "rejected": ("trail.rejected", "state/error"),
    "outcome-unknown": ("trail.outcome-unknown", "state/unknown"),
    "not-heard-since-restart": ("trail.not-heard", "state/unknown"),
    "not-sent": ("trail.not-sent", "state/error"),
    "session-expired": ("trail.expired", "state/error"),
    "stalled": ("trail.stalled", "state/working"),
    "lost-by-server": ("trail.lost", "state/unknown"),
    "ready-for-input": ("trail.ready", "state/your-turn"),
    "sign-in": ("trail.sign-in", "state/waiting"),
}
# A wait of an agent on this machine without a request is a turn of the owner's.
_PICTURES = {str(State.WAITING): "your-turn"}
_PLAIN = frozenset({"", "working", "completed", "failed", "submitted", "answered", "agent-error", "unknown"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: `picture` names a glyph or icon, `quiet` draws it as past, `strong` draws the title bold."""

    picture: str
    title: str
    note: str = ""
    at: str = ""
    strong: bool = False
    quiet: bool = True
    name: str = ""


def entries(session: AgentSession, lang: str, now: int) -> tuple[Entry, ...]:
    """All lines, newest first."""
    found = [*_silence(session, lang, now), *_newest(session, lang), *_artifacts(session, lang)]
    known = session.trail
    past = [
        _line(entry, known[i + 1] if i + 1 < len(known) else None, lang, first=i == len(known) - 1)
        for i, entry in enumerate(known)
    ]
    head, tail = past[-1:], past[-2::-1]
    lines = [*found[:1], *head, *found[1:], *tail] if _is_silent(session) else [*head, *found, *tail]
    return tuple(_named(e, lang) for e in (*lines, *_begun(session, lang)))


def title(entry: TrailEntry, lang: str) -> str:
    """What happened, in words; an unknown kind shows its own word."""
    return _known(entry, lang)[0]


def _known(entry: TrailEntry, lang: str) -> tuple[str, str]:
    state = entry.kind.removeprefix("state.")
    if entry.kind.startswith("state."):
        if state == State.WORKING and entry.detail in QUEUED_REASONS:
            replied = entry.detail == "sending"
            return (
                (say(lang, "trail.replied"), "action/reply")
                if replied
                else (
                    say(lang, f"row.{entry.detail}"),
                    "state/queued",
                )
            )
        if entry.detail in _REASONS:
            word, picture = _REASONS[entry.detail]
            return say(lang, word), picture
        if has(f"row.local.{entry.detail}"):
            return say(lang, f"row.local.{entry.detail}"), f"state/{_PICTURES.get(state, state)}"
        if has(f"trail.{entry.kind}"):
            return say(lang, f"trail.{entry.kind}"), f"state/{state}"
    if entry.kind == CONTINUED and entry.detail:
        return say(lang, "trail.continued", id=short_id(entry.detail)), "action/info"
    if has(f"trail.{entry.kind}"):
        return say(lang, f"trail.{entry.kind}"), "action/info"
    return clean(entry.kind, WORD_LIMIT), "action/info"


def short_id(task_id: str) -> str:
    """As much of a foreign id as tells it from others."""
    shown = clean(task_id, WORD_LIMIT)
    return shown if len(shown) <= SHORT_ID else f"{shown[:SHORT_ID]}…"


def _line(entry: TrailEntry, after: TrailEntry | None, lang: str, *, first: bool) -> Entry:
    words, picture = _known(entry, lang)
    is_state = picture.startswith("state/")
    return Entry(
        picture,
        words,
        _note(entry, after, lang),
        clock(entry.at),
        strong=is_state,
        quiet=not (first and is_state),
    )


def _note(entry: TrailEntry, after: TrailEntry | None, lang: str) -> str:
    if entry.kind == "state.waiting" and after is not None and after.detail == "sending":
        return say(lang, "trail.answered-after", span=span(lang, after.at - entry.at))
    if entry.kind == "state.working" and entry.detail == "sending":
        return say(lang, "trail.replied.note")
    if entry.kind == "call.refused" and has(entry.detail):
        return ""
    if entry.kind == CONTINUED and entry.detail:
        return say(lang, "trail.continued.note")
    if entry.detail == "ready-for-input":
        return say(lang, "trail.ready.note")
    if not entry.kind.startswith("state."):
        return clean(entry.detail, WORD_LIMIT)
    if has(f"row.local.{entry.detail}"):
        return ""
    if entry.detail in _REASONS and not entry.detail.endswith("-required"):
        return ""
    if entry.detail in _PLAIN or entry.detail in _REASONS:
        return say(lang, "trail.said")
    return say(lang, "trail.said.word", word=clean(entry.detail, WORD_LIMIT))


def _is_silent(session: AgentSession) -> bool:
    """Whether an active task is heard of by nobody now."""
    if session.origin is Origin.LOCAL or session.last_activity is None:
        return False
    active = session.state is State.WORKING and not (session.task and session.task.terminal)
    return active and (not session.followed or session.freshness is not Freshness.LIVE)


def _silence(session: AgentSession, lang: str, now: int) -> Iterator[Entry]:
    if _is_silent(session) and session.last_activity is not None:
        offline = session.freshness is Freshness.OFFLINE
        yield Entry(
            "state/offline" if offline else "state/queued",
            say(lang, "detail.silent", time=clock(session.last_activity)),
            say(lang, _why_silent(session, offline)),
            relative(lang, session.last_activity, now),
            strong=True,
        )


def _why_silent(session: AgentSession, offline: bool) -> str:
    if session.key.agent == DIRECT:
        return "detail.direct.silent.offline" if offline else "detail.direct.silent"
    return "detail.silent.offline" if offline else "detail.silent.why"


def _newest(session: AgentSession, lang: str) -> Iterator[Entry]:
    if words := clean(session.activity.status_text, STATUS_LIMIT):
        yield Entry("action/list", words, say(lang, "detail.status.note"))


def _artifacts(session: AgentSession, lang: str) -> Iterator[Entry]:
    # Those of a direct agent have a list of their own, where they are read.
    made = () if session.key.agent == DIRECT else session.activity.artifacts
    for artifact in made[-MOST_ARTIFACTS:][::-1]:
        name = clean(artifact.name, NAME_LIMIT)
        words = say(lang, "detail.artifact", name=name) if name else say(lang, "detail.artifact.unnamed")
        yield Entry("action/file", words, _size_note(artifact, lang))
    if len(made) > MOST_ARTIFACTS:
        yield Entry("action/file", count(lang, "card.more", len(made) - MOST_ARTIFACTS))


def _size_note(artifact: Artifact, lang: str) -> str:
    if artifact.size is None:
        return say(lang, "detail.artifact.no-size")
    return say(lang, "detail.artifact.size", size=size(artifact.size, lang))


def size(n: int, lang: str) -> str:
    """Bytes in steps of 1000."""
    if n < 1000:
        return say(lang, "size.bytes", n=max(0, n))
    unit, word = (1000, "size.kb") if n < 1_000_000 else (1_000_000, "size.mb")
    value = n / unit
    return say(lang, word, n=f"{value:.1f}".removesuffix(".0") if value < 10 else str(round(value)))


def _begun(session: AgentSession, lang: str) -> Iterator[Entry]:
    if session.started_at is None:
        return
    match session.origin:
        case Origin.CALLED:
            word, picture = "trail.begun", "action/send"
        case Origin.LISA:
            word, picture = "trail.begun.lisa", "action/send"
        case _:
            word, picture = "trail.begun.seen", "action/info"
    yield Entry(picture, say(lang, word), at=clock(session.started_at))


def _named(entry: Entry, lang: str) -> Entry:
    parts = (entry.at, entry.title, entry.note)
    name = say(lang, "row.name-comma").join(p for p in parts if p)
    return Entry(entry.picture, entry.title, entry.note, entry.at, entry.strong, entry.quiet, name)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the chain after a reply: a shape, words, and a time with seconds."""

    shape: str
    text: str
    at: str = ""


def chain(session: AgentSession | None, sent_at: int, lang: str) -> tuple[Step, ...]:
    """Sent, accepted, and what the agent does now: only what the trail proves."""
    sent = Step("done", say(lang, "answer.chain.sent"), clock(sent_at, seconds=True))
    later = _since(session.trail if session else (), sent_at)
    if session is None or not later:
        return (sent, Step("queued", say(lang, "answer.chain.waiting")))
    accepted = Step("done", say(lang, "answer.chain.accepted"), clock(later[0].at, seconds=True))
    newest = Step(look(session).glyph, title(later[-1], lang), clock(later[-1].at, seconds=True))
    failed = later[0].detail in ("outcome-unknown", "not-sent", "not-heard-since-restart")
    return (sent, newest) if failed else (sent, accepted, newest)


def _since(trail: Sequence[TrailEntry], sent_at: int) -> list[TrailEntry]:
    states = [e for e in trail if e.at >= sent_at and e.kind.startswith("state.")]
    return [e for e in states if e.detail != "sending"]


def why(session: AgentSession, lang: str, now: int) -> str:
    """Why the state is believed and what would change it, a line each."""
    return "\n".join(lines(explain(session), lang, lambda at: clock(at, seconds=True), now))
