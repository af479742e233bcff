"""Rows of agents at their own address, as their source would tell them."""

from dataclasses import replace

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Blocked,
    Can,
    Reply,
    RequestKind,
    SessionKey,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.preferences import DirectAgent
from tests.fakes.sessions import MINUTE

BOX = DirectAgent("box", url="https://box.example", origins=("https://box.example",))
ENDPOINT = "https://box.example/rpc"
ALWAYS = frozenset({Can.STOP_FOLLOWING, Can.LABEL, Can.SHOW_RAW})
RUNNING = ALWAYS | {Can.CANCEL}


def direct_key(tag: str = "a1b20000", name: str = "box") -> SessionKey:
    return SessionKey("a2a", f"{name}/{tag}")


def direct(
    state: State = State.WORKING, tag: str = "a1b20000", *, name: str = "box", **more: object
) -> AgentSession:
    """A task of `name`; its task id is "t-<tag>"."""
    more.setdefault("capabilities", RUNNING)
    more.setdefault("task", Task(name, task_id=f"t-{tag}", endpoint=ENDPOINT.replace("box", name)))
    return AgentSession(direct_key(tag, name), name, state, **more)  # type: ignore[arg-type]


def offering(*options: str, now: int, tag: str = "a1b20000", text: str = "Which colour?") -> AgentSession:
    """It asks, and lets the owner choose."""
    request = Blocked(RequestKind.INPUT, f"box/{tag}#1", now - MINUTE, text, options)
    return direct(
        State.WAITING, tag, state_reason="input-required", requests=(request,), last_activity=now - MINUTE,
        capabilities=RUNNING | {Can.ANSWER},
    )  # fmt: skip


def ready(now: int, tag: str = "a1b20000") -> AgentSession:
    """Your turn: it asks nothing and takes more."""
    return direct(
        State.WAITING, tag, state_reason="ready-for-input", last_activity=now - MINUTE,
        capabilities=RUNNING | {Can.CONTINUE},
    )  # fmt: skip


def finished(now: int, tag: str = "a1b20000") -> AgentSession:
    """Done, with two texts and a file in memory."""
    made = (Artifact("letter.txt", 5), Artifact("numbers.json", 38), Artifact("sample.png", 72))
    session = direct(
        State.DONE, tag, reply=Reply.HELD, activity=Activity(6, made, "Painted"),
        last_activity=now - 2 * MINUTE, started_at=now - 5 * MINUTE,
        capabilities=ALWAYS | {Can.READ_REPLY, Can.SEND_AGAIN},
        trail=(TrailEntry(now - 5 * MINUTE, "state.working", "working"),
               TrailEntry(now - 4 * MINUTE, "call.continued", "0199c3f2-77aa"),
               TrailEntry(now - 2 * MINUTE, "state.done", "completed")),
    )  # fmt: skip
    assert session.task is not None
    return replace(session, task=replace(session.task, terminal=True, task_state="completed"))
