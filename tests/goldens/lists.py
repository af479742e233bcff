"""Rows, cards and the whole panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Blocked,
    Freshness,
    Health,
    KeyState,
    Origin,
    Reply,
    RequestKind,
    SessionKey,
    State,
    Task,
)
from lisa_island.core.events import StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.ui import modality
from lisa_island.ui.requests_view import RequestsView
from tests.fakes.sessions import ATTACKS, MINUTE, asking, key, remote
from tests.fakes.shell import FakeShell
from tests.goldens.sheet import Subject, picture
from tests.goldens.stage import Stage, Whole

LONG = "a-very-long-slug-of-an-agent-that-does-not-fit-into-the-row-of-the-panel"
PERMISSION = "npm run migrate -- --env staging"


def local(agent: str, project: str, state: State, now: int, minutes: int = 0, **more: object) -> AgentSession:
    """A session on this machine."""
    more.setdefault("cwd", f"~/code/{project}")
    at = now - minutes * MINUTE
    return AgentSession(
        SessionKey(agent, project), project, state, last_activity=at, origin=Origin.LOCAL, **more
    )  # type: ignore[arg-type]


def _every_state(now: int) -> tuple[AgentSession, ...]:
    ago = lambda minutes: now - minutes * MINUTE  # noqa: E731
    permission = (Blocked(RequestKind.PERMISSION, "p", now, PERMISSION),)
    many = tuple(Blocked(RequestKind.QUESTION, f"q{i}", ago(5), "Which?") for i in range(2))
    return (
        local("claude-code", "fix/login-timeout", State.WAITING, now, requests=permission),
        local("codex", "two-questions", State.WAITING, now, 5, requests=many),
        asking("acme-research", "Which quarter?", now=now, minutes=6, label="Q3 market scan"),
        asking("legal", "Sign in", now=now, minutes=7, kind=RequestKind.AUTH),
        asking("last-week", "Go on?", now=now, minutes=12, freshness=Freshness.STALE),
        remote("flaky-build", state=State.ERROR, unread=True, last_activity=ago(3),
               activity=Activity(status_text="make: exit code 2")),
        remote("refuser", state=State.ERROR, state_reason="rejected", unread=True, last_activity=ago(4)),
        remote("stream", followed=True, started_at=ago(9), last_activity=now,
               activity=Activity(7, (Artifact("a.csv", 10), Artifact("b.csv", 10)), "Totals per customer")),
        remote("sheet-wizard", label="Invoice totals", last_activity=ago(4)),
        local("gemini-cli", "docs-site", State.WORKING, now, 1,
              activity=Activity(status_text="$ npm run build")),
        remote("poster", state_reason="submitted", last_activity=now),
        remote("sender", state_reason="sending", last_activity=now),
        local("opencode", "your-turn", State.WAITING, now, 2),
        remote("billing-spike", state=State.UNKNOWN, state_reason="not-heard-since-restart",
               last_activity=ago(22)),
        remote("gone-quiet", state=State.UNKNOWN, state_reason="outcome-unknown", last_activity=ago(26)),
        remote("odd", state=State.UNKNOWN, state_reason="pondering", last_activity=ago(27)),
        remote("silent", last_activity=ago(14), freshness=Freshness.STALE),
        remote("far-away", last_activity=ago(18), freshness=Freshness.OFFLINE),
        remote("retry-client", state=State.DONE, unread=True, last_activity=ago(9), reply=Reply.HELD,
               activity=Activity(2, (Artifact("totals.csv", 12_034),))),
    )  # fmt: skip


def _seen_and_odd(now: int) -> tuple[AgentSession, ...]:
    ago = lambda minutes: now - minutes * MINUTE  # noqa: E731
    hostile = ATTACKS[1]
    return (
        remote("seen-failure", state=State.ERROR, last_activity=ago(11)),
        remote("seen-result", state=State.DONE, last_activity=ago(12), reply=Reply.LOST),
        remote("canceled", state=State.DONE, state_reason="canceled", unread=True, last_activity=ago(13)),
        remote("pinned", state=State.IDLE, origin=Origin.PINNED, price="0.02 USD", task=None),
        remote("twin", "11110000", last_activity=ago(1), started_at=ago(9), task=Task("twin", task_id="1")),
        remote("twin", "22220000", last_activity=ago(2), started_at=ago(3), task=Task("twin", task_id="2")),
        remote(LONG, last_activity=ago(3), followed=True, started_at=ago(125),
               activity=Activity(1234, status_text="A status that is far too long for one line of a row")),
        remote("hostile", label=hostile, last_activity=ago(5), followed=True, started_at=now,
               activity=Activity(status_text=hostile)),
        remote("yesterday", last_activity=ago(60 * 30)),
        remote("last-month", last_activity=ago(60 * 24 * 30)),
        remote("old-one", state=State.DONE, last_activity=ago(45)),
        remote("old-two", state=State.IDLE, last_activity=ago(50)),
        local("git", "lisa-island", State.IDLE, now, 55),
    )  # fmt: skip


def _ready(shell: FakeShell) -> FakeShell:
    shell.report(health=Health.OK, key_state=KeyState.READY, origin="https://takoapi.com")
    return shell


def _only_rows(stage: Stage, shell: FakeShell, *, keyboard: bool = False) -> QImage:
    shell.clock.advance(1)
    with stage.island(_ready(shell), parts="") as whole:
        if keyboard:
            modality.by_keyboard_now()
            whole.panel.main.roster.focus_first()
            QTest.keyClick(whole.panel.main.roster.list, Qt.Key.Key_Down)
        return whole.picture()


def _rows(stage: Stage, *sessions: AgentSession, **preferences: object) -> FakeShell:
    shell = stage.shell(**preferences)
    shell.put(*sessions)
    return shell


def rows(stage: Stage) -> Iterator[Subject]:
    now = stage.shell().now()
    every, odd = _every_state(now), _seen_and_odd(now)
    yield "states, the loud ones", _only_rows(stage, _rows(stage, *every[:10]))
    yield "states, the others", _only_rows(stage, _rows(stage, *every[10:]))
    yield "seen, twins, cut, hostile, old", _only_rows(stage, _rows(stage, *odd))
    yield "compact", _only_rows(stage, _rows(stage, *every[::2], *odd[4:], compact_rows=True))
    yield "the keyboard's row", _only_rows(stage, _rows(stage, *every[2:6]), keyboard=True)
    with stage.island(_ready(_rows(stage, *every)), parts="") as whole:
        whole.panel.main.roster.start_search("build")
        yield "search", whole.picture()


# --- cards ---


def _queue(shell: FakeShell) -> FakeShell:
    now = shell.now()
    question = "Which quarter should the report cover, and in which currency should the totals be?"
    shell.put(
        asking("acme-research", question, now=now, minutes=6, label="Q3 market scan", price="0.02 USD"),
        local("codex", "web-shop", State.WAITING, now, 14,
              requests=(Blocked(RequestKind.QUESTION, "q", now - 14 * MINUTE, "Ship with Qt 6.7 now?"),)),
        remote("sheet-wizard", last_activity=now - 4 * MINUTE),
    )  # fmt: skip
    return shell


def _cards(
    stage: Stage,
    shell: FakeShell,
    drafts: dict[str, str] | None = None,
    act: Callable[[Whole], None] | None = None,
) -> QImage:
    with stage.island(_ready(shell), drafts, parts="requests") as whole:
        if act is not None:
            act(whole)
        whole.panel.main.roster.hide()
        return whole.picture()


def cards(stage: Stage) -> Iterator[Subject]:
    yield "first and others", _cards(stage, _queue(stage.shell()))
    shell = stage.shell()
    now = shell.now()
    shell.put(
        asking("legal", "Please sign in: https://docs.example.com/oauth/start?c=71", now=now,
               kind=RequestKind.AUTH, label="Contract check"),
        asking("twin", "The first of two?", now=now, minutes=9, tag="11110000", started_at=now - 9),
        asking("twin", "The second?", now=now, minutes=8, tag="22220000", started_at=now - 5),
    )  # fmt: skip
    yield "sign-in first, twins", _cards(stage, shell)
    shell = stage.shell()
    permission = (Blocked(RequestKind.PERMISSION, "p", shell.now(), PERMISSION),)
    shell.put(
        local("claude-code", "api-server", State.WAITING, shell.now(), requests=permission),
        asking("silent", "Is anybody there?", now=shell.now(), minutes=20, answerable=False,
               freshness=Freshness.STALE),
    )  # fmt: skip
    yield "only to be answered elsewhere", _cards(stage, shell)
    shell = stage.shell()
    shell.put(
        *(asking(f"{LONG}{i}", text, now=shell.now(), minutes=40 - i) for i, text in enumerate(ATTACKS))
    )
    yield "long and hostile, and two more", _cards(stage, shell)
    yield "keyboard", _cards(stage, _queue(stage.shell()), act=_by_keyboard)
    if not stage.full:
        return
    yield "a draft", _cards(stage, _queue(stage.shell()), {"acme-research/8c1e0000#1": "half a reply"})
    yield "answered: the receipt", _cards(stage, _queue(stage.shell()), act=_answered)
    shell = stage.shell()
    shell.put(remote("acme-research", last_activity=shell.now()))
    yield "nothing waits", _cards(stage, shell)


def _answered(whole: Whole) -> None:
    shell = whole.answer._shell
    assert isinstance(shell, FakeShell)
    shell.clock.advance(1)
    fact = Fact("takoapi.answer", "answer", at=shell.now())
    shell.store.dispatch(StateChanged(key("acme-research"), shell.now(), State.WORKING, "sending", fact))
    shell.clock.advance(1)


def _by_keyboard(whole: Whole) -> None:
    modality.by_keyboard_now()
    requests = whole.panel.main.requests
    assert isinstance(requests, RequestsView)
    requests.cards()[1].setFocus(Qt.FocusReason.TabFocusReason)


# --- the whole panel ---


_ONLY_WORDS = ("busy", "the source failed", "keyring locked", "keyring did not answer", "recent calls only")


def panels(stage: Stage) -> Iterator[Subject]:
    shell = _ready(_queue(stage.shell()))
    now = shell.now()
    permission = (Blocked(RequestKind.PERMISSION, "p", now, PERMISSION),)
    shell.put(
        local("claude-code", "fix/login-timeout", State.WAITING, now, requests=permission),
        remote("flaky-build", state=State.ERROR, unread=True, last_activity=now - 3 * MINUTE,
               activity=Activity(status_text="make: exit code 2")),
        remote("billing-spike", state=State.UNKNOWN, state_reason="not-heard-since-restart",
               last_activity=now - 22 * MINUTE),
        remote("old-one", state=State.DONE, last_activity=now - 45 * MINUTE),
    )  # fmt: skip
    shell.clock.advance(1)
    with stage.island(shell) as whole:
        yield "pill and panel: the pill", picture(whole.island.pill)
        yield "full", whole.picture()
    for words, made in _empties(stage):
        if not stage.full and words in _ONLY_WORDS:
            continue
        with stage.island(made) as whole:
            yield words, whole.picture()


def _empties(stage: Stage) -> Iterator[tuple[str, FakeShell]]:
    yield "no agents", stage.shell()
    yield "nothing is running", _ready(stage.shell())
    shell = stage.shell()
    shell.report(health=Health.OK, key_state=KeyState.NONE)
    yield "no key", shell
    retry = shell.now() + 5 * MINUTE
    faces = {
        "offline": {"health": Health.OFFLINE, "key_state": KeyState.READY, "retry_at": retry},
        "busy": {"health": Health.WAITING, "key_state": KeyState.READY, "retry_at": retry},
        "the source failed": {"health": Health.OFFLINE, "key_state": KeyState.READY, "retry_at": retry,
                              "detail": "source-failed"},
        "key refused": {"health": Health.REFUSED, "key_state": KeyState.READY},
        "keyring locked": {"health": Health.OK, "key_state": KeyState.LOCKED},
        "no keyring": {"health": Health.OK, "key_state": KeyState.ABSENT},
        "keyring did not answer": {"health": Health.OK, "key_state": KeyState.TIMED_OUT},
    }  # fmt: skip
    for words, status in faces.items():
        shell = stage.shell()
        shell.report(origin="https://takoapi.com", **status)
        shell.put(remote("acme-research", last_activity=shell.now() - 4 * MINUTE))
        yield words, shell
    shell = _ready(stage.shell(agent_calls_wanted="allow"))
    shell.put(remote("acme-research", last_activity=shell.now() - 4 * MINUTE))
    yield "a file asks for more", shell
    shell = stage.shell()
    shell.report(health=Health.OK, key_state=KeyState.READY, mode="recent-calls")
    shell.put(remote("acme-research", state=State.DONE, unread=True, last_activity=shell.now() - MINUTE))
    yield "recent calls only", shell
