"""What the detail says of a session besides its state: who, figures, one banner, what can be done. No Qt."""

from lisa_island.core.agent import AgentSession, Can, Freshness, Origin, Reply, Work
from lisa_island.core.naming import DIRECT, host
from lisa_island.core.pill import number
from lisa_island.core.row_words import agent_name
from lisa_island.core.text import clean
from lisa_island.core.times import ago, span
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.said import who


def is_direct(session: AgentSession) -> bool:
    """Whether it lives at an agent's own address, with no gateway and no price between."""
    return session.key.agent == DIRECT


def kind(session: AgentSession) -> str:
    """What the page is about, as a word below `detail.`."""
    match session.origin:
        case Origin.LOCAL:
            return "local"
        case Origin.PINNED:
            return "added" if is_direct(session) else "pinned"
        case _:
            return "remote"


def endpoint(session: AgentSession) -> str:
    """The address that a direct task was called at, "" for all others."""
    return session.task.endpoint if session.task and is_direct(session) else ""


def place(session: AgentSession) -> str:
    """The host of it, with its port."""
    return host(endpoint(session))


def below(session: AgentSession, lang: str) -> str:
    """The line below the title."""
    provider = agent_name(session.key.agent, lang)
    if session.origin is Origin.LOCAL:
        work = session.activity.work
        beside = (work.branch, work.mode) if work else ()
        return " · ".join(p for p in (provider, clean(session.cwd, 80), *beside) if p)
    at = say(lang, "detail.at", host=place(session)) if place(session) else ""
    cost = price.word(lang, session.price) if session.price and not is_direct(session) else ""
    lisa = say(lang, "detail.lisa") if session.origin is Origin.LISA else ""
    return " · ".join(p for p in (who(session, lang), provider, at, cost, lisa) if p)


def figures(session: AgentSession, lang: str, now: int) -> tuple[tuple[str, str], ...]:
    """(name, value) pairs."""
    at, count = session.last_activity, session.activity.updates
    found = [("last", ago(lang, at, now) if at is not None else say(lang, "detail.never"))]
    if session.origin is Origin.LOCAL or session.task is None:
        if count:
            found.append(("updates", str(count)))
        if session.started_at is not None and session.origin is Origin.LOCAL:
            found.append(("running", span(lang, now - session.started_at)))
        if (work := session.activity.work) is not None:
            found += [(name, _least(n, work.is_partial, lang)) for name, n in _counted(work) if n]
    else:
        found.append(("calls", str(session.task.calls)))
        found.append(("artifacts", str(len(session.activity.artifacts))))
        if session.origin is Origin.CALLED and not is_direct(session):
            found.append(("cost", _cost(session.price, session.task.calls, lang)))
    return tuple((say(lang, f"detail.{name}"), value) for name, value in found)


def _counted(work: Work) -> tuple[tuple[str, int], ...]:
    named = ("turns", "tokens", "changed", "ahead", "behind")
    return tuple((name, getattr(work, name)) for name in named)


def _least(n: int, is_partial: bool, lang: str) -> str:
    return say(lang, "detail.at-least", n=number(n)) if is_partial else number(n)


def _cost(known: str, calls: int, lang: str) -> str:
    if price.is_paid(known):
        return say(lang, "detail.cost.calls", n=calls, price=price.word(lang, known))
    return say(lang, "detail.cost.free" if known == "free" else "detail.cost.unknown")


def banner(session: AgentSession, lang: str) -> tuple[str, str]:
    """(kind, sentence), or two empty words."""
    direct = is_direct(session)
    match session.state_reason:
        case "outcome-unknown":
            return "unknown", say(lang, "detail.direct.unknown" if direct else "detail.unknown")
        case "not-sent":
            return "error", say(lang, "detail.not-sent")
        case "not-heard-since-restart" if session.freshness is not Freshness.OFFLINE:
            return "unknown", say(lang, "detail.not-heard")
        case "lost-by-server":
            return "unknown", say(lang, "detail.direct.lost")
        case _ if direct and session.freshness is Freshness.OFFLINE and not session.is_finished:
            return "offline", say(lang, "detail.direct.offline", host=place(session) or who(session, lang))
        case "stalled":
            return "neutral", say(lang, "detail.direct.stalled")
        case _ if session.reply is Reply.LOST:
            return "neutral", say(lang, "detail.lost")
        case _:
            return "", ""


def stop_note(session: AgentSession, lang: str) -> str:
    """What stopping does not do, or "" where it cannot be stopped."""
    if Can.STOP_FOLLOWING not in session.capabilities:
        return ""
    if Can.CANCEL in session.capabilities:
        return say(lang, "detail.direct.stop")
    return say(lang, "detail.direct.stop.only" if is_direct(session) else "detail.stop.note")


def is_unsure(session: AgentSession) -> bool:
    """Whether what was sent may have been lost: then sending again is the main thing to decide."""
    return Can.SEND_AGAIN in session.capabilities and session.state_reason in ("outcome-unknown", "not-sent")


def again(session: AgentSession, lang: str) -> str:
    """The question before a text is sent once more."""
    if not is_direct(session):
        return say(lang, "answer.again.ask")
    key = "detail.again.twice" if session.state_reason == "outcome-unknown" else "detail.again.new"
    return say(lang, key, name=who(session, lang))
