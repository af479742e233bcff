"""A desk with everything on it: a permission, a question, a sign-in, a finished task, a provider offline."""

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Blocked,
    Fact,
    Health,
    KeyState,
    Origin,
    Reply,
    RequestKind,
    SessionKey,
    State,
    Task,
    TrailEntry,
)
from tests.fakes.sessions import MINUTE, asking, remote
from tests.fakes.shell import FakeShell


def fill(shell: FakeShell) -> None:
    """Put it all into the store."""
    now = shell.now()
    shell.report(health=Health.OFFLINE, key_state=KeyState.READY, origin="https://takoapi.com", retry_at=now)
    shell.targets_known = (("acme", "0.02 USD", "Scans"), ("sheet-wizard", "free", "Totals"))
    permission = Blocked(RequestKind.PERMISSION, "p", now - MINUTE, "npm run build")
    shell.put(
        asking("acme", "Which quarter should the report cover?", now=now, minutes=3, price="0.02 USD"),
        asking(
            "legal",
            "Please sign in: https://docs.example.com/oauth/start?c=71",
            now=now,
            kind=RequestKind.AUTH,
        ),
        AgentSession(
            SessionKey("codex", "c"), "web-shop", State.WAITING, "permission", now, now - 9 * MINUTE,
            Origin.LOCAL, requests=(permission,), cwd="~/code/web-shop",
        ),
        remote(
            "sheet-wizard", state=State.DONE, label="Invoice totals", reply=Reply.HELD, price="free",
            last_activity=now - 4 * MINUTE, started_at=now - 9 * MINUTE,
            task=Task("sheet-wizard", task_id="t", calls=2),
            activity=Activity(3, (Artifact("totals.csv", 12_034),), "Totals are ready"),
            fact=Fact("takoapi.status", "stream", at=now),
            trail=(TrailEntry(now - 5 * MINUTE, "state.working", "working"),
                   TrailEntry(now - 4 * MINUTE, "state.done", "completed")),
        ),
    )  # fmt: skip
    shell.clock.advance(1)
