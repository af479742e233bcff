"""What a host may report: the kinds of events of a live session, without a text. Validated where it arrives.

A member that is not named here is dropped unread, so a prompt that comes along goes no further.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from lisa_island.core.agent import RequestKind

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:@/#-]{1,128}$")]
Count = Annotated[int, Field(ge=0, le=2**53)]
Session = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:@-]{1,64}$")]
Action = Literal["type", "archive", "server", "whiteboard", "phone", "delegate", "coffee"]
State = Literal["idle", "thinking", "working", "waiting", "talking", "done", "error", "unknown"]


class _Event(BaseModel):
    """`at` is epoch ms of the host's clock; without it the moment of its coming counts."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    session: Session = "main"
    at: Count | None = None


class SessionEvent(_Event):
    """`pid` is the host's process, as this machine counts; its end is the session's."""

    type: Literal["session"]
    busy: bool | None = None
    turns: Count | None = None
    cwd: Annotated[str, Field(max_length=1024)] = ""
    pid: Annotated[int, Field(ge=2, le=2**22)] | None = None


class JoinEvent(_Event):
    type: Literal["agent_join"]
    id: Id
    parent: Id | None = None


class LeaveEvent(_Event):
    type: Literal["agent_leave"]
    id: Id
    ok: bool | None = None


class StateEvent(_Event):
    """`waits` says what the owner has to decide; without it a wait is a turn of the owner's."""

    type: Literal["agent_state"]
    id: Id = "main"
    state: State
    waits: Annotated[RequestKind | None, Field(strict=False)] = None
    request: Id | None = None


class ActionEvent(_Event):
    type: Literal["action"]
    id: Id = "main"
    action: Action
    call: Id = Field(alias="toolCallId")


class EndEvent(_Event):
    type: Literal["action_end"]
    id: Id = "main"
    call: Id = Field(alias="toolCallId")
    ok: bool | None = None


class DelegateEvent(_Event):
    type: Literal["delegate"]
    giver: Id = Field(alias="from")
    taker: Id = Field(alias="to")


class UsageEvent(_Event):
    type: Literal["usage"]
    id: Id = "main"
    tokens: Count


Wire = (
    SessionEvent | JoinEvent | LeaveEvent | StateEvent | ActionEvent | EndEvent | DelegateEvent | UsageEvent
)
_ADAPTER: TypeAdapter[Wire] = TypeAdapter(Annotated[Wire, Field(discriminator="type")])


def read(found: Any) -> Wire | None:
    """The event of a JSON object; None for what is none. What was wrong is not told: it may quote a text."""
    try:
        return _ADAPTER.validate_python(found)
    except (ValidationError, RecursionError):
        return None
