"""What happened in a session, as structure: kinds, words of ours, numbers, and tags in place of foreign ids.

Nothing in here can hold a text: what a source says passes `tag` (a digest), a closed list of words, or is
left out. So a journal that is stored or exported is redacted by construction. Times are epoch ms.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import assert_never

from lisa_island.core.agent import RequestKind, SessionKey, State
from lisa_island.core.digest import hex_digest
from lisa_island.core.evidence import Rank
from lisa_island.core.task_state import TABLE
from lisa_island.core.words import has

MAIN = "main"
OTHER = "other"
MOST_OPEN = 64
MOST_REQUESTS = 32

_OURS = (
     "working", "sending", "answered", "waiting", "idle", "done", "error", "permission", "question",
     "plan", "dialog", "input", "external", "your-turn", "canceled", "outcome-unknown",
     "not-heard-since-restart", "not-sent", "session-expired", "stalled", "lost-by-server",
     "ready-for-input", "sign-in", "agent-error", "restored", "pinned",
)  # fmt: skip
_WORDS = frozenset(_OURS) | {status.reason for status in TABLE.values()}


@dataclass(frozen=True, slots=True)
class SessionTold:
    """The session as a whole; `gone` when its row left the roster."""

    busy: bool
    turns: int = 0
    gone: bool = False


@dataclass(frozen=True, slots=True)
class AgentJoined:
    """An agent is there: the session's own (`main`), or one below it."""

    id: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class AgentLeft:
    """It came to its end; `ok` only where the source says."""

    id: str
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One open request: its kind, its tag, since when."""

    kind: RequestKind
    tag: str
    since: int


@dataclass(frozen=True, slots=True)
class AgentStated:
    """Its state, with the fact behind it; `rank` None where none was told."""

    id: str
    state: State
    reason: str = ""
    rule: str = ""
    rank: Rank | None = None
    requests: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionBegan:
    """A tool began; `call` is the tag of its id, `action` one of `core.actions.ACTIONS`."""

    id: str
    action: str
    call: str


@dataclass(frozen=True, slots=True)
class ActionEnded:
    """The tool of this tag ended; `ok` only where the source says."""

    id: str
    call: str
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class Delegated:
    """One agent gave work to another."""

    giver: str
    taker: str


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens put out so far, in all."""

    id: str
    tokens: int


Happening = SessionTold | AgentJoined | AgentLeft | AgentStated | ActionBegan | ActionEnded | Delegated | Used


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    at: int
    key: SessionKey
    happening: Happening


@dataclass(frozen=True, slots=True)
class Known:
    """A session as its journal tells it; `agents` are (id, parent), `calls` (call, id, action)."""

    state: State = State.UNKNOWN
    reason: str = ""
    rule: str = ""
    rank: Rank | None = None
    requests: tuple[Asked, ...] = ()
    busy: bool = False
    turns: int = 0
    tokens: int = 0
    gone: bool = False
    agents: tuple[tuple[str, str], ...] = ()
    calls: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether it came to its end, or left."""
        return self.gone or not any(tag == MAIN for tag, _ in self.agents)


def fold(known: Known, happening: Happening) -> Known:
    """The session after one more happening. Pure and total."""
    match happening:
        case SessionTold(busy, turns, gone):
            left = replace(known, agents=(), calls=()) if gone else known
            return replace(left, busy=busy, turns=turns, gone=gone)
        case AgentJoined(tag, parent):
            return _joined(known, tag, parent)
        case AgentLeft(tag):
            return _left(known, tag)
        case AgentStated(tag):
            return known if tag != MAIN else _stated(known, happening)
        case ActionBegan(tag, action, call):
            others = [c for c in known.calls if c[0] != call]
            return replace(known, calls=(*others, (call, tag, action))[-MOST_OPEN:])
        case ActionEnded(_, call):
            return replace(known, calls=tuple(c for c in known.calls if c[0] != call))
        case Used(tag, tokens):
            return replace(known, tokens=tokens) if tag == MAIN else known
        case Delegated():
            return known
        case _:
            assert_never(happening)


def replayed(entries: Iterable[Entry]) -> Iterator[tuple[int, SessionKey, Known]]:
    """(time, session, how it stood then) for each change of a state, of what waits, or of its being there."""
    stood: dict[SessionKey, Known] = {}
    for entry in entries:
        before = stood.get(entry.key)
        after = stood[entry.key] = fold(before or Known(), entry.happening)
        if _shown(after) != _shown(before or Known()):
            yield entry.at, entry.key, after


def _shown(known: Known) -> tuple[object, ...]:
    return known.state, known.reason, known.requests, known.gone


def _joined(known: Known, tag: str, parent: str) -> Known:
    if tag == MAIN:  # begun, or begun again: what was open then has no end any more
        return replace(known, agents=((MAIN, ""),), calls=(), gone=False)
    own = tuple(a for a in known.agents if a[0] == MAIN)
    others = tuple(a for a in known.agents if a[0] not in (MAIN, tag))
    return replace(known, agents=(*own, *(*others, (tag, parent))[-MOST_OPEN:]))


def _left(known: Known, tag: str) -> Known:
    if tag == MAIN:
        return replace(known, agents=(), calls=())
    return replace(
        known,
        agents=tuple(a for a in known.agents if a[0] != tag),
        calls=tuple(c for c in known.calls if c[1] != tag),
    )


def _stated(known: Known, told: AgentStated) -> Known:
    return replace(
        known,
        state=told.state,
        reason=told.reason,
        rule=told.rule,
        rank=told.rank,
        requests=told.requests,
    )


def head(known: Known) -> tuple[Happening, ...]:
    """The happenings that make a session known from nothing: `fold` over them gives `known` again.

    Each stands for at least one that it was folded from, so a head is never longer than what it replaces.
    """
    blank = Known()
    found: list[Happening] = []
    if (known.busy, known.turns, known.gone) != (blank.busy, blank.turns, blank.gone):
        found.append(SessionTold(known.busy, known.turns, known.gone))
    found += [AgentJoined(agent, parent) for agent, parent in known.agents]
    found += [ActionBegan(agent, action, call) for call, agent, action in known.calls]
    if known.tokens:
        found.append(Used(MAIN, known.tokens))
    told = AgentStated(MAIN, known.state, known.reason, known.rule, known.rank, known.requests)
    if told != AgentStated(MAIN, blank.state):
        found.append(told)
    return tuple(found)


@cache
def _known_reason(word: str) -> bool:
    return word in _WORDS or has(f"row.local.{word}")


def reason_of(word: str) -> str:
    """A reason as a word of ours; what a peer made up is `other`."""
    return word if not word or _known_reason(word) else OTHER


def rule_of(rule: str) -> str:
    """A rule that the catalogue explains, else ""."""
    return rule if has(f"why.{rule}") else ""


@lru_cache(maxsize=4096)
def tag(foreign: str) -> str:
    """What stands for an id: equal ids have equal tags, and no tag leads back."""
    return hex_digest(foreign.encode("utf-8", "replace"))[:12]
