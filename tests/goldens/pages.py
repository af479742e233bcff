"""Answer page, detail and command bar, in the panel they live in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Blocked,
    Can,
    Freshness,
    Health,
    KeyState,
    Reply,
    RequestKind,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Outcome, Result, refused, unknown
from tests.fakes.sessions import ATTACKS, MINUTE, asking, key, remote, request_id
from tests.fakes.shell import FakeShell
from tests.goldens.lists import PERMISSION, local
from tests.goldens.sheet import Subject
from tests.goldens.stage import Stage, Whole

QUESTION = "Which quarter should the report cover, and in which currency should the totals be?"
ANSWER = "Q3 2026, in euros. Leave out the reseller figures."
ID = request_id("acme-research")


def _shell(stage: Stage, *sessions: AgentSession) -> FakeShell:
    shell = stage.shell()
    shell.report(health=Health.OK, key_state=KeyState.READY, origin="https://takoapi.com")
    shell.targets_known = (
        ("acme-research", "0.02 USD", "Market scans with sources"),
        ("acme-legal", "0.10 USD", "Contracts, read and compared"),
        ("new-one", "unknown", ""),
        ("sheet-wizard", "free", "Totals from invoices"),
    )
    shell.put(*sessions)
    shell.clock.advance(1)
    return shell


# --- the answer page ---


def _question(now: int, text: str = QUESTION, **more: object) -> AgentSession:
    more.setdefault("price", "0.02 USD")
    return asking("acme-research", text, now=now, minutes=6, label="Q3 market scan", **more)  # type: ignore[arg-type]


def _answer(
    stage: Stage,
    session: Callable[[int], AgentSession] = _question,
    act: Callable[[Whole, FakeShell], None] | None = None,
):
    now = stage.shell().now()
    asked = session(now)
    shell = _shell(stage, asked, asking("sheet-wizard", "One file or many?", now=now))
    with stage.island(shell) as whole:
        whole.turn("answer", lambda: whole.answer.open(asked.requests[0].request_id))
        if act is not None:
            act(whole, shell)
        return whole.picture()


def _typed(whole: Whole, _shell: FakeShell) -> None:
    whole.answer.face.box.setPlainText(ANSWER)


def _sent(how: Outcome | None) -> Callable[[Whole, FakeShell], None]:
    def act(whole: Whole, shell: FakeShell) -> None:
        _typed(whole, shell)
        shell.hold = how is None
        if how is not None:
            shell.outcome = how
        whole.answer.face.primary.click()

    return act


def _done(whole: Whole, shell: FakeShell) -> None:
    _sent(None)(whole, shell)
    trail = (
        TrailEntry(shell.now(), "state.working", "sending"),
        TrailEntry(shell.now(), "state.working", "working"),
        TrailEntry(shell.now() + 4000, "state.done", "completed"),
    )
    shell.finish()
    shell.put(remote("acme-research", state=State.DONE, trail=trail, label="Q3 market scan"))
    shell.clock.advance(1)


def _changed(whole: Whole, shell: FakeShell) -> None:
    _typed(whole, shell)
    shell.clock.advance(1)
    session = _question(shell.now(), "Which quarter, which currency, and for which region?")
    fact = Fact("takoapi.status", "stream", at=shell.now())
    shell.store.dispatch(
        StateChanged(
            session.key, shell.now(), State.WAITING, "input-required", fact, session.requests,
            capabilities=session.capabilities,
        )
    )  # fmt: skip
    shell.clock.advance(1)


def _gone(whole: Whole, shell: FakeShell) -> None:
    _typed(whole, shell)
    fact = Fact("takoapi.answer", "answer", at=shell.now())
    shell.put(remote("acme-research", label="Q3 market scan", fact=fact))
    shell.clock.advance(1)


def _stop(whole: Whole, _shell: FakeShell) -> None:
    whole.answer.face.stop.click()


def _sign_in(now: int) -> AgentSession:
    text = "Please sign in: https://docs.example.com/oauth/start?client=71&scope=read"
    return asking("acme-research", text, now=now, kind=RequestKind.AUTH, price="0.02 USD")


def _permission(now: int) -> AgentSession:
    asked = (Blocked(RequestKind.PERMISSION, "p", now - MINUTE, PERMISSION),)
    return local("claude-code", "api-server", State.WAITING, now, requests=asked)


def answers(stage: Stage) -> Iterator[Subject]:
    priced = replace(refused("outcome.price"), price="0.05 USD")
    lost = unknown("outcome.unknown")
    no_credit = refused("outcome.balance-unknown")
    yield "a question", _answer(stage)
    yield "an answer is written", _answer(stage, act=_typed)
    yield "sending", _answer(stage, act=_sent(None))
    yield "sent, and what came of it", _answer(stage, act=_done)
    yield "the request changed", _answer(stage, act=_changed)
    yield "answered elsewhere", _answer(stage, act=_gone)
    yield "refused: no credit", _answer(stage, act=_sent(no_credit))
    yield "it costs more", _answer(stage, act=_sent(priced))
    yield "outcome unknown", _answer(stage, act=_sent(lost))
    yield "stop following?", _answer(stage, act=_stop)
    yield "sign-in", _answer(stage, _sign_in)
    yield "in its own terminal", _answer(stage, _permission)
    if not stage.full:
        return
    yield "free", _answer(stage, lambda now: _question(now, price="free"))
    yield "price unknown", _answer(stage, lambda now: _question(now, price="unknown"))
    yield "hostile", _answer(stage, lambda now: _question(now, ATTACKS[0] + "\n" + ATTACKS[1]))
    yield "long", _answer(stage, lambda now: _question(now, ATTACKS[2]))


# --- the detail ---


def _story(now: int) -> AgentSession:
    def at(minutes: int, kind: str, detail: str) -> TrailEntry:
        return TrailEntry(now - minutes * MINUTE, kind, detail)

    return remote(
        "sheet-wizard", label="Invoice totals", price="free", last_activity=now - 4 * MINUTE,
        started_at=now - 9 * MINUTE, task=Task("sheet-wizard", task_id="8c1e", calls=2),
        activity=Activity(3, (Artifact("totals.csv", 12_034), Artifact("", None)), "Adding columns"),
        fact=Fact("takoapi.status", "stream", at=now - 4 * MINUTE),
        trail=(at(9, "state.working", "submitted"), at(8, "state.waiting", "input-required"),
               at(6, "state.working", "sending"), at(4, "state.working", "working")),
    )  # fmt: skip


def _ended(now: int) -> AgentSession:
    return replace(
        _story(now), state=State.DONE, reply=Reply.HELD, unread=True,
        capabilities=frozenset({Can.READ_REPLY, Can.LABEL, Can.STOP_FOLLOWING}),
        trail=(*_story(now).trail, TrailEntry(now - 4 * MINUTE, "state.done", "completed")),
    )  # fmt: skip


def _lost(now: int) -> AgentSession:
    return replace(
        _story(now), state=State.UNKNOWN, state_reason="outcome-unknown",
        capabilities=frozenset({Can.SEND_AGAIN, Can.STOP_FOLLOWING, Can.LABEL}),
        trail=(*_story(now).trail, TrailEntry(now - 4 * MINUTE, "state.unknown", "outcome-unknown")),
    )  # fmt: skip


def _detail(stage: Stage, session: AgentSession, act: Callable[[Whole], None] | None = None):
    with stage.island(_shell(stage, session)) as whole:
        whole.turn("detail", lambda: whole.detail.open(session.key))
        if act is not None:
            act(whole)
        return whole.picture()


def details(stage: Stage) -> Iterator[Subject]:
    now = stage.shell().now()
    yield "working", _detail(stage, _story(now))
    yield "done", _detail(stage, _ended(now))
    yield "outcome unknown", _detail(stage, _lost(now))
    yield "waits for you", _detail(stage, asking("acme-research", QUESTION, now=now, minutes=6))
    failed = replace(
        _story(now), state=State.ERROR, unread=True, activity=Activity(status_text="exit code 2")
    )
    yield "failed", _detail(stage, failed)
    yield "no word for long", _detail(stage, replace(_story(now), freshness=Freshness.STALE))
    if not stage.full:
        return
    yield "offline", _detail(stage, replace(_story(now), freshness=Freshness.OFFLINE))
    yield "local", _detail(stage, local("codex", "web-shop", State.WORKING, now, 2))
    yield "stop following?", _detail(stage, _story(now), lambda w: w.detail.face.stop.click())
    hostile = remote(
        "hostile", label=ATTACKS[1], last_activity=now, activity=Activity(3, (Artifact(ATTACKS[1]),))
    )
    yield "hostile", _detail(stage, hostile)


# --- the command bar ---


def _bar(stage: Stage, text: str, how: Outcome | None = None, *, hold: bool = False, more: int = 0):
    now = stage.shell().now()
    waits = [asking("acme-research", QUESTION, now=now, tag=f"{i}0000000") for i in range(more)]
    shell = _shell(stage, remote("sheet-wizard", last_activity=now - 4 * MINUTE), *waits)
    shell.hold = hold
    with stage.island(shell) as whole:
        bar = whole.bar()
        bar.focus_text()
        QTest.keyClicks(bar.field, text)
        QApplication.processEvents()
        if how is not None or hold:
            shell.outcome = how or shell.outcome
            bar.go.click()
        return whole.picture()


def command_bars(stage: Stage) -> Iterator[Subject]:
    yield "completion", _bar(stage, "@")
    yield "completion, one waits", _bar(stage, "@ac", more=1)
    yield "the route", _bar(stage, "@sheet-wizard totals per customer, as CSV")
    yield "paid", _bar(stage, "@acme-legal compare the two drafts")
    yield "no agent", _bar(stage, "what should happen")
    yield "nobody of that name", _bar(stage, "@nobody do it")
    yield "two wait", _bar(stage, "@acme-research Q3", more=2)
    if not stage.full:
        return
    yield "on its way", _bar(stage, "@sheet-wizard totals", hold=True)
    yield "sent", _bar(stage, "@sheet-wizard totals", Outcome(Result.DONE, key=key("sheet-wizard")))
    yield "refused", _bar(stage, "@sheet-wizard totals", refused("outcome.balance-unknown"))
    yield "several lines", _bar(stage, "@sheet-wizard " + "totals per customer and month, " * 6)
