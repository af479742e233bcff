"""Tasks at an agent's own address: rows, groups, the detail and the answer page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lisa_island.core.agent import Activity, AgentSession, Artifact, Can, Freshness, Health, KeyState, State
from lisa_island.core.intents import Outcome, Result, refused
from lisa_island.core.rows import Kind
from tests.fakes.direct import ALWAYS, BOX, direct, finished, offering, ready
from tests.fakes.sessions import ATTACKS, MINUTE
from tests.fakes.shell import FakeShell
from tests.goldens.sheet import Subject
from tests.goldens.stage import Stage, Whole

CHOICES = ("green", "blue, as the sky over the sea on a late afternoon in June, with a little white in it")


def _shell(stage: Stage, *sessions: AgentSession) -> FakeShell:
    shell = stage.shell(direct_agents=(BOX,))
    shell.report("a2a", health=Health.OK, key_state=KeyState.READY)
    shell.targets_known = (("box", "", ""),)
    shell.put(*sessions)
    shell.clock.advance(1)
    return shell


def _many(now: int) -> tuple[AgentSession, ...]:
    ago = lambda minutes: now - minutes * MINUTE  # noqa: E731
    return (
        offering("green", "blue", now=now, tag="aaaa0000"),
        direct(State.ERROR, "bbbb0000", unread=True, last_activity=ago(3), capabilities=ALWAYS,
               activity=Activity(status_text="No paint left")),
        *(direct(tag=f"{n}0000000", last_activity=ago(n), started_at=ago(n + 9)) for n in range(1, 4)),
        ready(now, "cccc0000"),
        finished(now, "dddd0000"),
        direct(name="cat", state_reason="stalled", last_activity=ago(7)),
        direct(State.UNKNOWN, name="dog", state_reason="lost-by-server", last_activity=ago(8)),
        direct(name="owl", freshness=Freshness.OFFLINE, last_activity=ago(18)),
    )  # fmt: skip


def _rows(stage: Stage, *, opened: bool = False, compact: bool = False):
    shell = _shell(stage, *_many(stage.shell().now()))
    shell.prefer(compact_rows=compact)
    with stage.island(shell, parts="") as whole:
        roster = whole.panel.main.roster
        if opened:
            roster._chosen(next(r for r in roster.model.rows if r.kind is Kind.GROUP))
        return whole.picture()


def _detail(stage: Stage, session: AgentSession, act: Callable[[Whole, FakeShell], None] | None = None):
    shell = _shell(stage, session)
    with stage.island(shell) as whole:
        whole.turn("detail", lambda: whole.detail.open(session.key))
        if act is not None:
            act(whole, shell)
        return whole.picture()


def _asks(deed: str, how: Outcome | None = None) -> Callable[[Whole, FakeShell], None]:
    def act(whole: Whole, shell: FakeShell) -> None:
        whole.detail.begin(deed)
        if how is not None:
            shell.outcome = how
            whole.detail.face.confirm.do.click()

    return act


def _view(whole: Whole, shell: FakeShell) -> None:
    shell.outcome = Outcome(Result.DONE, text="Hello\n" * 4)
    whole.detail.face.artifacts.buttons()[0].click()


def _json(whole: Whole, shell: FakeShell) -> None:
    shell.outcome = Outcome(Result.DONE, text='{\n  "kind": "task",\n  "id": "0199c3f2"\n}')
    whole.detail.face.raw.click()


def _more(whole: Whole, _shell: FakeShell) -> None:
    whole.detail.begin("more")
    whole.detail.face.more_box.box.setPlainText("And the door in the same colour.")


def _answer(stage: Stage, options: tuple[str, ...], chosen: int = -1):
    now = stage.shell().now()
    with stage.island(_shell(stage, offering(*options, now=now))) as whole:
        whole.turn("answer", lambda: whole.answer.open("box/a1b20000#1"))
        if chosen >= 0:
            whole.answer.face.options.buttons()[chosen].click()
        return whole.picture()


def _bar(stage: Stage, text: str, waits: int = 0):
    now = stage.shell().now()
    shell = _shell(stage, *(offering(now=now, tag=f"{n}0000000") for n in range(1, waits + 1)))
    with stage.island(shell) as whole:
        bar = whole.bar()
        bar.focus_text()
        QTest.keyClicks(bar.field, text)
        QApplication.processEvents()
        return whole.picture()


def direct_tasks(stage: Stage) -> Iterator[Subject]:
    now = stage.shell().now()
    running = direct(last_activity=now - MINUTE, started_at=now - 9 * MINUTE, followed=True)
    yield "many tasks, folded", _rows(stage)
    yield "many tasks, opened", _rows(stage, opened=True)
    yield "choices", _answer(stage, CHOICES)
    yield "one is chosen", _answer(stage, CHOICES, 1)
    yield "running", _detail(stage, running)
    yield "cancel?", _detail(stage, running, _asks("cancel"))
    no = refused("outcome.not-canceled", name="box", why="The paint is on the wall already.")
    yield "not canceled", _detail(stage, running, _asks("cancel", no))
    yield "finished", _detail(stage, finished(now))
    yield "your turn", _detail(stage, ready(now), _more)
    yield "route", _bar(stage, "@box paint it green")
    if not stage.full:
        return
    yield "compact", _rows(stage, opened=True, compact=True)
    yield "an artifact", _detail(stage, finished(now), _view)
    yield "JSON", _detail(stage, running, _json)
    yield "send again?", _detail(stage, finished(now), _asks("again"))
    yield "stalled", _detail(stage, replace(running, state_reason="stalled"))
    lost = direct(State.UNKNOWN, state_reason="lost-by-server", capabilities=ALWAYS | {Can.SEND_AGAIN})
    yield "lost by its server", _detail(stage, replace(lost, last_activity=now - MINUTE))
    yield "offline", _detail(stage, replace(running, freshness=Freshness.OFFLINE))
    hostile = tuple(Artifact(text[:200], 12) for text in ATTACKS)
    session = finished(now)
    yield "hostile names", _detail(stage, replace(session, activity=Activity(1, hostile)))
    yield "completion", _bar(stage, "@")
    yield "two wait", _bar(stage, "@box blue", 2)
