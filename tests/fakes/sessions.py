"""Rows for tests of the faces: remote tasks as a source would tell them."""

from lisa_island.core.agent import (
    AgentSession,
    Blocked,
    Can,
    RequestKind,
    SessionKey,
    State,
    Task,
)

MINUTE = 60_000


def key(slug: str, tag: str = "8c1e0000", agent: str = "takoapi") -> SessionKey:
    """The key of a remote task."""
    return SessionKey(agent, f"{slug}/{tag}")


def remote(slug: str, tag: str = "8c1e0000", state: State = State.WORKING, **more: object) -> AgentSession:
    """A remote task in some state."""
    more.setdefault("task", Task(slug, task_id="t-1", task_state=str(state)))
    more.setdefault("capabilities", frozenset({Can.STOP_FOLLOWING, Can.LABEL}))
    return AgentSession(key(slug, tag), slug, state, **more)  # type: ignore[arg-type]


def asking(
    slug: str,
    text: str = "Which quarter?",
    *,
    now: int,
    minutes: int = 1,
    kind: RequestKind = RequestKind.INPUT,
    tag: str = "8c1e0000",
    n: int = 1,
    answerable: bool = True,
    **more: object,
) -> AgentSession:
    """A remote task that waits for the owner; its request id is `<session id>#<n>`."""
    at = now - minutes * MINUTE
    request = Blocked(kind, request_id(slug, tag, n), at, text)
    can = {Can.STOP_FOLLOWING, Can.LABEL} | ({Can.ANSWER} if answerable else set())
    reason = "auth-required" if kind is RequestKind.AUTH else "input-required"
    more.setdefault("state_reason", reason)
    more.setdefault("last_activity", at)
    return remote(slug, tag, State.WAITING, requests=(request,), capabilities=frozenset(can), **more)


def request_id(slug: str, tag: str = "8c1e0000", n: int = 1) -> str:
    """The id that `asking` gives its request."""
    return f"{slug}/{tag}#{n}"


ATTACKS = (
    "<img src=file:///etc/passwd onerror=x> <a href='http://evil.example/x'>click</a> <b>bold</b>",
    "invoice\u202egpj.exe \u2066hidden\u2069 \u200bzero\x1b[31mred\x07",
    "word " * 800,
    "W" * 4000,
    "&amp; &lt;script&gt; %s {name} \\n",
)
