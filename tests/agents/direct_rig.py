"""The A2A source in the house it lives in, before an agent that the test plays. No network, no time."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from lisa_island.core.events import SessionRemoved
from tests.agents.rig import Feed, Rig, Sent, envelope, fault, stream

ORIGIN = "https://box.example"
Answer = Callable[[Sent], "httpx.Response | Awaitable[httpx.Response]"]

WORDS = {
    "SendMessage": "send", "message/send": "send", "SendStreamingMessage": "stream",
    "message/stream": "stream", "GetTask": "get", "tasks/get": "get", "CancelTask": "cancel",
    "tasks/cancel": "cancel", "SubscribeToTask": "subscribe", "tasks/resubscribe": "subscribe",
    "ListTasks": "list",
}  # fmt: skip


def card(**more: Any) -> dict[str, Any]:
    """A card of A2A 1.0 with one JSON-RPC interface."""
    return {
        "name": "Box", "description": "Builds.", "version": "1", "capabilities": {"streaming": True},
        "supportedInterfaces": [
            {"url": f"{ORIGIN}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        ],
        "skills": [{"id": "b", "name": "Build", "tags": ["ci"]}], **more,
    }  # fmt: skip


@dataclass
class PlayedAgent:
    """Answers as the test says, one list a method; the last answer stays. What is not said is -32601."""

    card: Any = field(default_factory=card)
    answers: dict[str, list[Any]] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    is_down: bool = False
    answers_card: Callable[[httpx.Request], Awaitable[httpx.Response]] | None = None

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.is_down:
            raise httpx.ConnectError("refused", request=request)
        body = json.loads(request.content) if request.content else None
        sent = Sent(request.method, request.url.path, dict(request.url.params), body, request.headers)
        self.sent.append(sent)
        if body is None and self.answers_card is not None:
            return await self.answers_card(request)
        if body is None:
            known = request.url.path == "/.well-known/agent-card.json"
            return httpx.Response(200, json=self.card) if known else httpx.Response(404)
        return await self._answer(sent)

    async def _answer(self, sent: Sent) -> httpx.Response:
        queue = self.answers.get(WORDS.get(sent.body.get("method"), ""))
        if not queue:
            return httpx.Response(200, json=fault(-32601, "Method not found"))
        found = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(found, Feed):
            return stream(found)
        if isinstance(found, dict):
            return httpx.Response(200, json=found if "error" in found else envelope(found))
        if isinstance(found, httpx.Response):
            return httpx.Response(found.status_code, headers=found.headers, content=found.content)
        answered = found(sent)
        return answered if isinstance(answered, httpx.Response) else await answered

    def plays(self, word: str, *answers: Any) -> None:
        """What a method answers, call by call."""
        self.answers[word] = list(answers)

    def calls(self, *words: str) -> list[Sent]:
        """The calls of these methods, in order."""
        return [s for s in self.sent if s.body and WORDS.get(s.body.get("method"), "") in words]


class DirectRig(Rig):
    """The source with one agent, "box"."""

    kind = "a2a"

    def __init__(self, *rows: Any, agent: PlayedAgent | None = None, keys: Any = None, **more: Any) -> None:
        self.agent = agent or PlayedAgent()
        settings = {"agents": [{"name": "box", "url": ORIGIN, "origins": [ORIGIN], **more}]}
        super().__init__(*rows, gateway=self.agent, settings=settings, keys=keys or {})

    def forget(self, key: Any) -> None:
        """The row leaves, as rows do by age."""
        self.store.dispatch(SessionRemoved(key, self.clock.now()))
