"""Requests to an agent, in the words of its dialect: A2A 1.0 or 0.3, over JSON-RPC or HTTP+JSON. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lisa_island.agents._a2a_card import Endpoint


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of the owner. `metadata` goes into the message as it is (loop guards)."""

    text: str = field(repr=False)
    message_id: str
    task_id: str = ""
    context_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request without credentials. `body` None sends none."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    params: Mapping[str, str] = field(default_factory=dict)
