"""One endpoint with its client, before a peer that answers as the test says. No network, no time."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import Client, Outgoing
from lisa_island.agents._a2a_wire import Frame
from lisa_island.agents._http import Http
from tests.agents.rig import envelope, fault, task
from tests.fakes.clock import FakeClock

RPC = "https://a.example/rpc"
RPC_1 = Endpoint(RPC, "JSONRPC", "1.0")
RPC_3 = Endpoint(RPC, "JSONRPC", "0.3")
REST_1 = Endpoint("https://a.example/rest", "HTTP+JSON", "1.0")
REST_3 = Endpoint("https://a.example/rest", "HTTP+JSON", "0.3")
SECRET = "sesame-0123456789"
HELLO = Outgoing("hello", "m1")

REST_LOST = {"error": {"code": 404, "message": "Task not found", "details": [{"reason": "TASK_NOT_FOUND"}]}}

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


@dataclass
class Peer:
    """Answers in order, the last for ever."""

    answers: list[Answer]
    asked: list[httpx.Request] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, httpx.Response) else found(request)

    @property
    def methods(self) -> list[str]:
        """What was called, by JSON-RPC name or by route."""
        return [_name(request) for request in self.asked]


def _name(request: httpx.Request) -> str:
    body = json.loads(request.content) if request.content else {}
    return body.get("method") or f"{request.method} {request.url.path}"


@dataclass
class Bench:
    peer: Peer
    client: Client
    clock: FakeClock
    raw: list[str]

    async def send(self, *, stream: bool = False, message: Outgoing = HELLO) -> list[Frame]:
        return [frame async for frame in self.client.send(message, stream=stream)]

    async def subscribe(self, task_id: str = "T1") -> list[Frame]:
        return [frame async for frame in self.client.subscribe(task_id)]


def bench(*answers: Answer, to: Endpoint = RPC_1, headers: dict[str, str] | None = None) -> Bench:
    peer, clock, raw = Peer(list(answers)), FakeClock(), []

    async def credentials() -> dict[str, str]:
        return headers or {}

    http = Http(httpx.MockTransport(peer))
    return Bench(peer, Client(http, to, credentials, keep_raw=raw.append, clock=clock), clock, raw)


def ok(result: object) -> httpx.Response:
    return httpx.Response(200, json=envelope(result))


def error(code: int, message: str = "no", status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=fault(code, message))


def no_route(status: int = 404) -> httpx.Response:
    return httpx.Response(status, text="Not Found")


DONE = task("completed", "Done")
