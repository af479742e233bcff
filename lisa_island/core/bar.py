"""What the command bar would do with the text in it: one line of words, and an intent once nothing is open.

"Replies to #a1b2" or "New task" is decided and said before Enter; with two tasks that wait, nothing is
sent until the owner chose one. Plain text goes nowhere and stays where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import assert_never

from lisa_island.core.agent import AgentSession, RequestKind
from lisa_island.core.intents import Answer, Send
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
    intent: Send | Answer | None = None
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
            return _problem("bar.no-such-task", tag=found.reply_to, target=found.target)
    if len(waiting) > 1:
        return _choose(found, waiting)
    if waiting:
        return _reply(found, waiting[0], price, host)
    send = Send(agent, found.target, found.task, label, price if price not in ("", "unknown") else "")
    values = (("host", host), ("price", price))
    return Line(_at("bar.new-task", host), values, intent=send, target=found.target, price=price)


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
    return Line(_at("bar.reply", host), values, intent=answer, target=found.target, price=price)


def _at(word: str, host: str) -> str:
    """Text for a gateway on this computer does not leave it, and the line does not say so."""
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
