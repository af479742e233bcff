"""A TakoAPI source in the house it lives in, before a gateway that the test plays. No network, no time."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from lisa_island import agents
from lisa_island.core.agent import AgentSession, SessionKey, SourceStatus
from lisa_island.core.intents import Intent, Outcome, Send
from lisa_island.core.ports import Context, TaskRow
from lisa_island.core.roster import Roster
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import KEY, FakeSecrets
from tests.fakes.tasks import FakeTasks

ORIGIN = "https://takoapi.com"

Answer = Callable[["Sent"], "httpx.Response | Awaitable[httpx.Response]"]


@dataclass(frozen=True)
class Sent:
    """One request as the gateway got it."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: httpx.Headers


class Feed(httpx.AsyncByteStream):
    """A body that the test sends piece by piece; `is_closed` once the client let go of it."""

    def __init__(self, *pieces: bytes) -> None:
        self._queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.is_closed = False
        self.send(*pieces)

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._queue.put_nowait(piece)

    def frame(self, result: object) -> None:
        self.send(sse(result))

    def end(self) -> None:
        self._queue.put_nowait(None)

    def cut(self, error: Exception | None = None) -> None:
        self._queue.put_nowait(error or httpx.RemoteProtocolError("peer closed connection"))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            piece = await self._queue.get()
            if piece is None:
                return
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def aclose(self) -> None:
        self.is_closed = True


def envelope(result: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "g", "result": result}


def fault(code: int, message: str = "no") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "g", "error": {"code": code, "message": message}}


def sse(result: object) -> bytes:
    return b"data: " + json.dumps(envelope(result)).encode() + b"\n\n"


def task(state: str, text: str = "", *, mid: str = "", id: str = "T1", **more: Any) -> dict[str, Any]:
    status: dict[str, Any] = {"state": state}
    if text:
        status["message"] = {"role": "agent", "parts": [{"kind": "text", "text": text}], "messageId": mid}
    return {"kind": "task", "id": id, "contextId": "C1", "status": status, **more}


def update(state: str, text: str = "", *, mid: str = "", id: str = "T1") -> dict[str, Any]:
    whole = task(state, text, mid=mid, id=id)
    return {"kind": "status-update", "taskId": id, "contextId": "C1", "status": whole["status"]}


def artifact(text: str, *, id: str = "a1", name: str = "out.txt", append: bool = False) -> dict[str, Any]:
    made = {"artifactId": id, "name": name, "parts": [{"kind": "text", "text": text}]}
    return {"kind": "artifact-update", "taskId": "T1", "artifact": made, "append": append}


def streamed(*pieces: bytes, status: int = 200) -> httpx.Response:
    feed = Feed(*pieces)
    feed.end()
    return stream(feed, status)


def stream(feed: Feed, status: int = 200) -> httpx.Response:
    return httpx.Response(status, headers={"content-type": "text/event-stream"}, stream=feed)


@dataclass
class PlayedGateway:
    """Answers as the test says; agents that it knows nothing of complete at once."""

    generation: str = "G1"
    prices: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    registry: list[dict[str, Any]] | None = None
    sent: list[Sent] = field(default_factory=list)
    is_down: bool = False

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.is_down:
            raise httpx.ConnectError("refused", request=request)
        body = json.loads(request.content) if request.content else None
        path = request.url.path.removeprefix("/tako")
        sent = Sent(request.method, path, dict(request.url.params), body, request.headers)
        self.sent.append(sent)
        if sent.path == "/api/registry":
            return httpx.Response(200, json=self._listing())
        if sent.path.startswith("/api/agents/"):
            return httpx.Response(200, json=self._detail(sent.path.rpartition("/")[2]))
        return await self._call(sent)

    async def _call(self, sent: Sent) -> httpx.Response:
        slug, route = sent.path.split("/")[3:5]
        queue = self.answers.get(slug)
        if queue:
            found = (queue.pop(0) if len(queue) > 1 else queue[0])(sent)
            return found if isinstance(found, httpx.Response) else await found
        if slug.startswith("no-such-agent-"):
            return httpx.Response(404, json={"error": "Agent not found"})
        done = task("completed", "Done")
        if route == "stream":
            return streamed(sse(task("working")), sse(done))
        return httpx.Response(200, json=envelope(done))

    def _listing(self) -> dict[str, Any]:
        rows = self.registry if self.registry is not None else []
        if self.generation == "G0":
            old = [{k: v for k, v in row.items() if k != "invokable"} for row in rows]
            return {"name": "r", "count": len(old), "agents": old}
        return {"name": "r", "totalHosted": len(rows), "truncated": False, "agents": rows}

    def _detail(self, slug: str) -> dict[str, Any]:
        price = self.prices.get(slug)
        unit: Any = price if self.generation == "G0" else (float(price) if price else None)
        return {
            "slug": slug, "name": slug.title(), "kind": "HOSTED", "endpointUrl": "https://agent.example/",
            "streaming": slug not in self.silent, "pricingModel": "PER_CALL" if price else "FREE",
            "unitPriceUsd": unit,
        }  # fmt: skip

    def calls(self, route: str = "") -> list[Sent]:
        """The calls that could cost money, in order."""
        return [s for s in self.sent if s.path.startswith("/v1/") and s.path.endswith(route)]

    def plays(self, slug: str, *answers: Answer | httpx.Response | Feed | dict[str, Any]) -> None:
        """What this agent answers, call by call; the last stays."""
        self.answers[slug] = [_answer(a) for a in answers]


def _answer(given: Answer | httpx.Response | Feed | dict[str, Any]) -> Answer:
    if isinstance(given, Feed):
        return lambda _sent: stream(given)
    if isinstance(given, dict):
        return lambda _sent: httpx.Response(200, json=given)
    if isinstance(given, httpx.Response):
        content, status, headers = given.content, given.status_code, given.headers
        return lambda _sent: httpx.Response(status, headers=headers, content=content)
    return given


class Rig:
    """The source with everything around it. Use as `async with Rig() as rig`."""

    kind = "takoapi"

    def __init__(
        self,
        *rows: TaskRow,
        gateway: Any = None,
        settings: dict[str, Any] | None = None,
        keys: dict[str, str] | None = None,
        clock: Any = None,
        is_played: bool = True,
    ) -> None:
        self.gateway = gateway or self.played()
        self.clock = clock or FakeClock()
        self.tasks = FakeTasks(*rows)
        self.secrets = FakeSecrets({ORIGIN: KEY} if keys is None else keys)
        self.settings: dict[str, Any] = {"enabled": True, **(settings or {})}
        self.failures: list[str] = []
        self.nursery = Nursery(lambda name, error: self.failures.append(f"{name}: {error!r}"))
        self.store = Store(self.clock)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        self._listeners: list[Callable[[], None]] = []
        ids = itertools.count(0xA0000001)
        self.source = agents.kind(self.kind).open(
            self.settings,
            Context(
                tasks=self.tasks,
                secrets=self.secrets,
                clock=self.clock,
                new_id=lambda: f"{next(ids):08x}-0000-4000-8000-000000000000",
                start=self.nursery.start,
                transport=httpx.MockTransport(self.gateway) if is_played else None,
                settings=lambda: self.settings,
                on_settings=self._on_settings,
            ),
        )

    @staticmethod
    def played() -> Any:
        """The peer, if the test brings none."""
        return PlayedGateway()

    def _on_settings(self, call: Callable[[], None]) -> Callable[[], None]:
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def set(self, **changes: Any) -> None:
        """The owner changed settings."""
        self.settings = {**self.settings, **changes}
        for call in tuple(self._listeners):
            call()

    async def __aenter__(self) -> "Rig":
        self.supervisor.open(self.source)
        await settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.supervisor.shut()
        await self.nursery.close()
        self.store.close()
        assert not self.failures

    @property
    def roster(self) -> Roster:
        return self.store.roster

    @property
    def status(self) -> SourceStatus:
        return self.store.roster.sources[self.kind]

    @property
    def rows(self) -> list[AgentSession]:
        return sorted(self.roster.sessions.values(), key=lambda s: s.key)

    @property
    def row(self) -> AgentSession:
        (row,) = self.roster.sessions.values()
        return row

    def get(self, key: SessionKey | None) -> AgentSession:
        assert key is not None
        return self.roster.sessions[key]

    async def perform(self, intent: Intent) -> Outcome:
        """Carry out an intent to its outcome and let its echo settle."""
        outcome = await self.supervisor.perform(intent)
        await settle()
        return outcome

    def begin(self, intent: Intent) -> "asyncio.Future[Outcome]":
        """Start an intent that waits for something the test will do."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            future.set_result(await self.supervisor.perform(intent))

        self.nursery.start(run(), "asked")
        return future

    async def until(self, is_so: Callable[[Roster], bool]) -> None:
        """Wait for the roster to become so."""
        found = asyncio.Event()
        stop = self.store.subscribe(lambda _old, new: found.set() if is_so(new) else None)
        if not is_so(self.roster):
            await found.wait()
        stop()

    async def send(self, slug: str = "acme", text: str = "hello", **more: Any) -> Outcome:
        return await self.perform(Send(self.kind, slug, text, **more))

    def begin_send(self, slug: str = "acme", text: str = "hello", **more: Any) -> "asyncio.Future[Outcome]":
        return self.begin(Send(self.kind, slug, text, **more))
