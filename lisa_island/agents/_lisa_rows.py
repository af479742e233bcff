"""What LISA tells becomes rows: which of hers are shown, and how far her word reaches.

Of agents that she runs herself she knows the state. Of those she only watches she guesses from the ends of
files: that is shown as a guess, and is never a wait for a decision. What a source of this island shows by
itself is not shown twice.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from lisa_island.agents._lisa_wire import Told
from lisa_island.agents._local import Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Blocked, RequestKind, SessionKey, State
from lisa_island.core.evidence import Fact, Rank

MOST = 100
OVER_WINDOW_MS = 3 * 60 * 60_000
SIGNAL = "lisa-server"

# Kinds whose rows go by ids of our own making: hers cannot be told from ours, so one of both is shown.
_OWN_IDS = frozenset({"takoapi", "git", "shell", "github-pr", "aider"})
# Her reasons that a turn's end is written down for.
_ENDED = frozenset({"end_turn", "max_tokens", "stop_sequence", "turn_complete", "task_complete", "refusal"})


@dataclass(slots=True)
class Hers:
    """Her sessions by key; the newest word of each counts, whichever way it came."""

    told: dict[str, Told] = field(default_factory=dict)
    asked: dict[str, tuple[str, int]] = field(default_factory=dict)

    def replace(self, found: Iterable[Told]) -> None:
        """She told them all: what is not among them is gone."""
        newest: dict[str, Told] = {}
        for one in found:
            known = newest.get(one.id)
            if known is None or known.at <= one.at:
                newest[one.id] = one
        kept = sorted(newest.values(), key=lambda told: -told.at)[:MOST]
        self.told = {one.id: _newer(self.told.get(one.id), one) for one in kept}
        self.asked = {id_: asked for id_, asked in self.asked.items() if id_ in self.told}

    def merge(self, one: Told) -> None:
        """She told of one; an older word than the one that is known is not heard."""
        if one.id in self.told or len(self.told) < MOST:
            self.told[one.id] = _newer(self.told.get(one.id), one)

    def seen(self, on: Collection[str], shown: Mapping[str, Collection[str]], now: int) -> tuple[Seen, ...]:
        """What to show. `on` are the kinds that are on here, `shown` the ids that others show, by kind."""
        kept = [t for t in self.told.values() if not is_ours(t, on, shown) and not _is_over(t, now)]
        return tuple(_seen(one, self._asks(one)) for one in kept)

    def _asks(self, one: Told) -> tuple[Blocked, ...]:
        """An agent of hers that stands at a gate: she names no request, so its beginning tells it apart."""
        is_asked = one.control == "managed" and one.state is State.WAITING and bool(one.pending)
        if not is_asked:
            self.asked.pop(one.id, None)
            return ()
        tool, since = self.asked.get(one.id, ("", 0))
        if tool != one.pending:
            tool, since = self.asked[one.id] = (one.pending, one.at)
        return (Blocked(RequestKind.PERMISSION, f"{one.id}@{since}", since, tool),)


def _newer(known: Told | None, one: Told) -> Told:
    return one if known is None or one.at >= known.at else known


def is_ours(one: Told, on: Collection[str], shown: Mapping[str, Collection[str]]) -> bool:
    """Whether a source of this island shows it, or would."""
    if one.agent in _OWN_IDS:
        return one.agent in on
    ids = shown.get(one.agent, ())
    # Some name a session by its file, which ends with the session's id.
    hers = (one.raw_id, one.adopted)
    return any(her and (her == our or her.endswith(our)) for her in hers for our in ids)


def by_kind(keys: Iterable[SessionKey]) -> dict[str, set[str]]:
    """Ids by kind; ids that are too short to be one alone are left out."""
    found: dict[str, set[str]] = {}
    for key in keys:
        if len(key.session_id) >= 8:
            found.setdefault(key.agent, set()).add(key.session_id)
    return found


def _is_over(one: Told, now: int) -> bool:
    is_at_rest = one.state in (State.DONE, State.IDLE, State.ERROR, State.UNKNOWN)
    return is_at_rest and now - one.at >= OVER_WINDOW_MS


def _seen(one: Told, requests: tuple[Blocked, ...]) -> Seen:
    verdict = judge(one, requests)
    # Whose agent it is stands in the name: the row itself is hers. It lives as long as she tells of it.
    shown = " · ".join(part for part in (one.project, one.agent) if part)
    return Seen(
        one.id, Life.ALIVE, lambda _life, _now, _died_at: verdict, one.at, one.activity, shown, one.cwd
    )


def judge(one: Told, requests: tuple[Blocked, ...] = ()) -> Verdict:
    """What a session of hers is. Pure."""
    if requests:
        return Verdict(
            State.WAITING, "permission", Fact("lisa.permission", SIGNAL, Rank.REQUEST, one.at), requests
        )
    if one.control:
        return Verdict(one.state, one.reason, Fact(f"lisa.{one.control}", SIGNAL, Rank.LIVE, one.at))
    return Verdict(one.state, _guessed(one), Fact("lisa.watched", SIGNAL, Rank.TRANSCRIPT, one.at))


def _guessed(one: Told) -> str:
    """Of a session that she only watches five seconds of silence make a wait: that is said as a guess."""
    if one.state is not State.WAITING or one.reason in _ENDED or one.agent == "takoapi":
        return one.reason
    if one.reason.startswith("stalled") or one.reason == "permission":
        return "long-tool"
    return "your-turn-probable"
