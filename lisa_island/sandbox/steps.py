"""What a scripted agent may do with a call, as values.

A scenario is a pure generator: a `Call` in, `Step`s out. It knows no clock, no socket and no gateway, so
that a test can read it with `list(...)`. `agent_side` plays the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Route = Literal["message", "stream"]
Json = dict[str, Any]

NOW = "{now}"
"""Stands in for a timestamp; replaced by the time of sending (ISO 8601, UTC)."""


@dataclass(frozen=True, slots=True)
class Call:
    """One A2A message as it reaches the agent behind the gateway."""

    slug: str
    route: Route
    text: str
    message: Mapping[str, Any]
    task_id: str
    context_id: str
    resumed: bool = False
    """The message named a waiting task of this agent."""
    count: int = 1
    """How many calls this agent has had, this one included."""


@dataclass(frozen=True, slots=True)
class Event:
    """One JSON-RPC result. A frame of `/stream`; `/message` answers with what the events add up to."""

    result: Any


@dataclass(frozen=True, slots=True)
class Fault:
    """A JSON-RPC error; before any event it is the whole answer, as `application/json`."""

    code: int
    message: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds before the next step, times the sandbox's speed; a held agent waits to be opened instead."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Gate:
    """Wait until `POST /_sandbox/open` names this gate; None is the agent's own slug."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes of the stream as they are."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Body:
    """A whole HTTP answer."""

    data: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection breaks here."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The gateway never gets an answer."""


Step = Event | Fault | Pause | Gate | Raw | Body | Cut | Unreachable
Scenario = Callable[[Call], Iterator[Step]]
Front = Callable[[int], Body | None]
"""What the gateway itself says to the n-th call (from 1) before the agent is asked; None lets it through."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One row of the sandbox's registry."""

    slug: str
    name: str
    description: str
    scenario: Scenario
    category: str = "lab"
    streams: bool = True
    price: Decimal = Decimal(0)
    skills: tuple[str, ...] = ()
    strict: int = 0
    """The JSON-RPC code with which it refuses a message without `messageId`; 0 takes any."""
    front: Front | None = None
    hosted: bool = True
    listed: bool = True
    stars: int | None = None
    health: str | None = "ok"
    featured: bool = False
