"""What the command bar would do with the text in it: one line of words, and an intent once nothing is open.

"Replies to #a1b2" or "New task" is decided and said before Enter; with two tasks that wait, nothing is
sent until the owner chose one. Plain text goes nowhere and stays where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import assert_never

from lisa_island.core.agent import AgentSession, Can, RequestKind
from lisa_island.core.intents import Answer, Continue, Send
from lisa_island.core.naming import DIRECT, GATEWAY
from lisa_island.core.origin import is_here
from lisa_island.core.roster import Roster
from lisa_island.core.routing import (
    Ambiguous,
    Conflict,
    EmptyTask,
    ExplicitRoute,
    Hint,
    NoRoute,
    UnknownTarget,
    route,
)
from lisa_island.core.summary import Need, needs

REMOTE = GATEWAY
NO_PLACES: Mapping[str, str] = MappingProxyType({})
TAG_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Line:
    """The line under the field. `word` with `values` is its sentence; `choices` are texts to put in instead.

    `intent` is set when Enter may send; `target` names the agent whose badge stands before the line,
    `price` its price word. `is_problem` draws the line as a refusal.
    """

    word: str = ""
    values: tuple[tuple[str, str], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    intent: Send | Answer | Continue | None = None
    target: str = ""
    price: str = ""
    is_problem: bool = False


def line(
    text: str,
    roster: Roster,
    prices: Mapping[str, str],
    host: str,
    *,
    places: Mapping[str, str] = NO_PLACES,
    label: str = "",
    pasted: bool = False,
) -> Line:
    """Read the owner's text. `prices` holds every target that was called, pinned or added, with its price.

    `host` is the gateway's; `places` holds the direct agents, each with the host that it is called at.
    """
    routed = route(text, prices.keys(), pasted=pasted)
    match routed:
        case ExplicitRoute():
            agent = DIRECT if routed.target in places else GATEWAY
            # What a direct agent costs is between it and the owner.
            price = "" if agent == DIRECT else prices.get(routed.target, "")
            return _explicit(routed, roster, agent, price, places.get(routed.target, host), label)
        case NoRoute(reason="blank"):
            return Line()
        case NoRoute(reason="pasted"):
            return _problem("bar.pasted")
        case NoRoute(reason="no-names"):
            return _problem("bar.no-names")
        case NoRoute():
            return _problem("bar.pick")
        case EmptyTask(target=target):
            return Line("bar.empty", (("target", target),), target=target)
        case Conflict(first=first, second=second):
            return _problem("bar.conflict", first=first, second=second)
        case Hint(name=name):
            return Line("bar.hint", (("name", name),), ((f"@{name}", _aim(text, name)),), is_problem=True)
        case Ambiguous(prefix=prefix, names=names):
            choices = tuple((name, _aim(text, name)) for name in names)
            values = (("n", str(len(names))), ("prefix", prefix))
            return Line("bar.ambiguous", values, choices, is_problem=True)
        case UnknownTarget(name=name):
            return _problem("bar.unknown", name=name)
        case _:
            assert_never(routed)


def tag(session: AgentSession) -> str:
    """The short name of a task: four hex digits of its session id."""
    return session.key.session_id.rpartition("/")[2][:TAG_LENGTH]


def _explicit(found: ExplicitRoute, roster: Roster, agent: str, price: str, host: str, label: str) -> Line:
    waiting = () if found.new_task else _waiting(roster, agent, found.target)
    if found.reply_to:
        waiting = tuple(n for n in waiting if tag(n.session) == found.reply_to)
        if not waiting:
            return _go_on(found, roster, agent, host)
    if len(waiting) > 1:
        return _choose(found, waiting)
    if waiting:
        return _reply(found, waiting[0], price, host)
    send = Send(agent, found.target, found.task, label, price if price not in ("", "unknown") else "")
    values = (("host", host), ("price", price))
    return Line(_at("task", agent, host), values, intent=send, target=found.target, price=price)


def _go_on(found: ExplicitRoute, roster: Roster, agent: str, host: str) -> Line:
    """A task that asks nothing and is ready for more is named by its tag alone, never guessed."""
    ready = [
        s
        for s in roster.sessions.values()
        if s.key.agent == agent
        and Can.CONTINUE in s.capabilities
        and s.task is not None
        and s.task.target == found.target
        and tag(s) == found.reply_to
    ]
    if len(ready) != 1:
        return _problem("bar.no-such-task", tag=found.reply_to, target=found.target)
    values = (("tag", found.reply_to), ("host", host))
    intent = Continue(ready[0].key, found.task)
    return Line(_at("reply", agent, host), values, intent=intent, target=found.target)


def _waiting(roster: Roster, agent: str, target: str) -> tuple[Need, ...]:
    return tuple(
        n
        for n in needs(roster)
        if n.session.key.agent == agent
        and n.session.task is not None
        and n.session.task.target == target
        and n.request.kind in (RequestKind.INPUT, RequestKind.AUTH, RequestKind.QUESTION)
    )


def _reply(found: ExplicitRoute, need: Need, price: str, host: str) -> Line:
    price = need.session.price or price
    accepted = price if price not in ("", "unknown") else ""
    answer = Answer(need.session.key, need.request.request_id, found.task, accepted)
    values = (("tag", tag(need.session)), ("host", host), ("price", price))
    word = _at("reply", need.session.key.agent, host)
    return Line(word, values, intent=answer, target=found.target, price=price)


_WORDS = {
    ("task", GATEWAY): "bar.new-task",
    ("reply", GATEWAY): "bar.reply",
    ("task", DIRECT): "bar.direct-task",
    ("reply", DIRECT): "bar.direct-reply",
}


def _at(deed: str, agent: str, host: str) -> str:
    """Text for a place on this computer does not leave it, and the line does not say so."""
    word = _WORDS[deed, agent]
    return f"{word}.here" if is_here(f"//{host}") else word


def _choose(found: ExplicitRoute, waiting: Sequence[Need]) -> Line:
    prefix = found.raw_prefix
    choices = [(f"#{tag(n.session)}", f"{prefix} #{tag(n.session)} {found.task}") for n in waiting]
    choices.append(("!new", f"{prefix} !new {found.task}"))
    values = (("n", str(len(waiting))), ("target", found.target))
    return Line("bar.choose", values, tuple(choices), target=found.target)


def _problem(word: str, **values: str) -> Line:
    return Line(word, tuple(sorted(values.items())), is_problem=True)


def _aim(text: str, name: str) -> str:
    """The text with its first word replaced by the name that was chosen."""
    _, _, rest = text.strip().partition(" ")
    return f"@{name} {rest}"
