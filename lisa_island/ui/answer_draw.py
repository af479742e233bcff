"""Puts the words of one request into the answer page's widgets, whole each time."""

from dataclasses import dataclass

from lisa_island.core.agent import AgentSession, Can, Origin, RequestKind
from lisa_island.core.pill import badge
from lisa_island.core.rows import agent_name
from lisa_island.core.summary import Need, find_request
from lisa_island.core.text import clean
from lisa_island.core.times import relative
from lisa_island.core.words import say
from lisa_island.ui import price
from lisa_island.ui.answer_face import Face
from lisa_island.ui.answer_parts import TEXT_LIMIT
from lisa_island.ui.answering import Phase, address, costs, gone, is_foreign, neighbour, place, unknown
from lisa_island.ui.detail_words import endpoint, is_direct
from lisa_island.ui.needs import no_answer
from lisa_island.ui.said import can_answer, can_sign_in, told, where, who
from lisa_island.ui.shell import Shell
from lisa_island.ui.trail import chain

_ASKS = (Phase.ASK, Phase.CONFIRM, Phase.SENDING)


@dataclass(frozen=True, slots=True)
class View:
    """What the page shows. `need` is the request as last seen, `session` its row now, None when it left."""

    shell: Shell
    request_id: str
    need: Need | None
    session: AgentSession | None
    phase: Phase
    banner: tuple[str, str] | None
    price: str
    sent_at: int


def draw(f: Face, v: View) -> None:
    """Everything, for one moment."""
    lang, roster = v.shell.lang, v.shell.store.roster
    f.show_banner(*(v.banner or _banner(v)))
    f.header.set_position(*place(roster, v.request_id))
    if v.need is None:
        f.header.set_title(say(lang, "card.kind.input"))
        f.show_phase(v.phase, kind=RequestKind.INPUT, answerable=False, removable=False)
        f.line.hide()
        f.quote.hide()
        return
    session = v.session or v.need.session
    _agent(f, v, session, v.need)
    _request(f, v, session, v.need)
    f.show_phase(
        v.phase,
        kind=v.need.request.kind,
        answerable=_is_answerable(v, session),
        removable=v.session is not None and Can.STOP_FOLLOWING in session.capabilities,
        address=f.address.url(),
        again=Can.SEND_AGAIN in session.capabilities,
        sign_in=can_sign_in(session),
    )
    f.next.setText(_next(v))
    f.primary.setText(_primary(v))


def _is_answerable(v: View, session: AgentSession) -> bool:
    """While the answer is on its way the request is gone, and the page stays as it was sent."""
    asked = v.need.session if v.need is not None and v.phase is Phase.SENDING else session
    return can_answer(asked)


def _banner(v: View) -> tuple[str, str]:
    match v.phase:
        case Phase.GONE:
            return "neutral", gone(v.session, v.shell.lang)
        case Phase.UNKNOWN:
            return "unknown", unknown(v.session, v.shell.lang)
        case _:
            return "neutral", ""


def _agent(f: Face, v: View, session: AgentSession, need: Need) -> None:
    lang, roster = v.shell.lang, v.shell.store.roster
    asks, kind = v.phase in _ASKS, need.request.kind
    title = say(lang, f"card.kind.{kind}") if asks else session.label or who(session, lang)
    f.header.set_title(clean(title, 80))
    below = _task(session, lang) if v.phase is Phase.SENT else where(roster, session, lang)
    at = relative(lang, need.request.since if asks else v.sent_at, v.shell.now())
    verb = say(lang, f"card.verb.{kind}") if asks else ""
    f.line.show_agent(badge(session), who(session, lang), verb, below, "" if v.phase is Phase.GONE else at)


def _task(session: AgentSession, lang: str) -> str:
    short = session.key.session_id.rpartition("/")[2][:4]
    n = max(1, session.task.calls - 1) if session.task else 1
    return say(lang, "answer.task", id=short, n=n)


def _request(f: Face, v: View, session: AgentSession, need: Need) -> None:
    lang, request = v.shell.lang, need.request
    text = clean(request.summary, TEXT_LIMIT, newlines=True)
    f.quote.show_text(_source(session, lang), text or say(lang, "card.no-text"))
    f.cut.set_text(say(lang, "answer.cut") if len(text) >= TEXT_LIMIT else "")
    url = address(request.kind, request.summary)
    base = endpoint(session) or v.shell.preferences.base_url
    if url != f.address.url():
        f.address.show_url(url)
    foreign = bool(url) and is_foreign(url, base)
    f.warning.set_text(say(lang, "answer.auth.warning", host=price.host(base)) if foreign else "")
    if _is_answerable(v, session):
        f.hint.set_text(costs(session, v.price, lang))
    elif can_sign_in(session):
        f.hint.set_text(say(lang, "direct.sign-in.denied"))
    elif is_direct(session):
        f.hint.set_text(say(lang, "answer.direct.no-answers"))
    else:
        f.hint.set_text(say(lang, no_answer(session, "answer.own-terminal", "answer.no-answers")))
    f.show_options(request.options)
    f.steps.show_steps(chain(v.session, v.sent_at, lang) if v.phase is Phase.SENT else ())


def _source(session: AgentSession, lang: str) -> str:
    if session.origin is Origin.LOCAL:
        return say(lang, "answer.quoted.local", agent=agent_name(session.key.agent, lang))
    return say(lang, "answer.quoted")


def _primary(v: View) -> str:
    lang = v.shell.lang
    match v.phase:
        case Phase.SENDING:
            return say(lang, "answer.sending")
        case Phase.CONFIRM:
            return say(lang, "answer.send-for", price=price.word(lang, v.price))
        case _:
            return say(lang, "answer.send")


def _next(v: View) -> str:
    lang, roster = v.shell.lang, v.shell.store.roster
    found = find_request(roster, neighbour(roster, v.request_id, 1))
    if found is None:
        return say(lang, "answer.done")
    return say(lang, "answer.next-is", name=told(found.session, lang))
