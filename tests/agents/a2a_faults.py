# ruff: noqa: E501  (one case a line reads best)
"""The 53 stream faults of the matrix at an agent's own endpoint, with what GetTask then says, and what is right.

The streams are those of `fault_streams`; here the task can be asked after, so each case also has the answers
to GetTask (the last one stays) and the row it has to leave. `FaultAgent` plays a case in-process as an
`httpx.MockTransport` does; `served` puts it on loopback.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.agents.fault_streams import CASES as STREAMS
from tests.agents.fault_streams import Case, frames, status

ORIGIN = "https://agent.example"
CARD = "/.well-known/agent-card.json"
OLD_CARD = "/.well-known/agent.json"
TASK = {"id": "T1", "contextId": "C1"}

Answer = dict[str, Any] | tuple[int, dict[str, str], bytes]


def task(state: str, text: str = "", *, artifacts: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A task of A2A 1.0 as GetTask answers it."""
    inner: dict[str, Any] = {"state": f"TASK_STATE_{state}", "timestamp": "2026-11-30T10:00:00.000Z"}
    if text:
        inner["message"] = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": text}]}
    return {**TASK, "status": inner, **({"artifacts": artifacts} if artifacts else {})}


def old_task(state: str, text: str = "") -> dict[str, Any]:
    """The same in the words of 0.3."""
    inner: dict[str, Any] = {"state": state, "timestamp": "2026-11-30T10:00:00+00:00"}
    if text:
        parts = [{"kind": "text", "text": text}]
        inner["message"] = {"kind": "message", "messageId": "m", "role": "agent", "parts": parts}
    return {"kind": "task", **TASK, "status": inner}


GONE = {"error": {"code": -32001, "message": "Task not found"}}
NO_STREAM = {"error": {"code": -32004, "message": "No stream of this task"}}


@dataclass(frozen=True)
class Fault:
    """One case.

    stream: what the call that sends answers. get: what GetTask answers, one after the other; the last stays.
    again: what attaching anew answers, None that it cannot be attached to.
    state, reason: the row that has to stand in the end; a state of "" is no row, with the outcome's word as
    reason. words: what the row must show. is_noted: something unreadable came by, and the history says so.
    """

    stream: Case
    state: str
    reason: str
    get: tuple[Answer, ...] = (task("COMPLETED", "fin"),)
    again: Case | None = None
    words: str = ""
    is_noted: bool = False
    version: str = "1.0"


def _same(name: str, **more: Any) -> Fault:
    """The stream alone says what is right."""
    case = STREAMS[name]
    return Fault(case, case.state, case.reason, **more)


def _asked(name: str, state: str, reason: str, *get: Answer, **more: Any) -> Fault:
    """GetTask decides."""
    return Fault(STREAMS[name], state, reason, get, **more)


DONE, WORKING = task("COMPLETED", "fin"), task("WORKING")
OLD = {"version": "0.3", "get": (old_task("completed", "fin"),)}
ASKS = (task("INPUT_REQUIRED", "q"),)
ONLY_WORKING = Case("", "", (frames({"task": WORKING}),))
BIG = {"artifactId": "a", "name": "big.txt", "parts": [{"text": "x" * 6_000_000}]}

CASES: dict[str, Fault] = {
    # --- framing: nothing is lost ---
    **{name: _same(name) for name in (
        "plain", "u2028", "u0085", "crlf", "cr", "splitcrlf", "comments", "retryid", "eventname", "multiline",
        "nospace", "bom", "noblank", "emptydata", "silent8", "noclose", "json200")},
    # --- ends that prove nothing ---
    "cut": _asked("cut", "done", "completed", DONE, words="fin"),
    "cutmid": _asked("cutmid", "error", "failed", task("FAILED", "no paint"), words="no paint"),
    "noterm": _asked("noterm", "working", "stalled", WORKING, again=ONLY_WORKING),
    "empty": _asked("empty", "unknown", "outcome-unknown", GONE),
    # --- bodies that are no stream ---
    "html200": _asked("html200", "unknown", "outcome-unknown", GONE),
    "err200": _asked("err200", "error", "agent-error", GONE, words="Task not found"),
    "errnull": _asked("errnull", "done", "completed", WORKING, DONE),
    # --- errors inside: GetTask says what became of the task ---
    "errsse": _asked("errsse", "error", "failed", task("FAILED"), words="boom"),
    "errevent": _asked("errevent", "error", "failed", task("FAILED"), words="boom"),
    "errtext": _asked("errtext", "done", "completed", WORKING, DONE),
    "badjson": _same("badjson", is_noted=True),
    "doneword": _same("doneword"),
    # --- states ---
    "oldenum": _same("oldenum", get=ASKS, words="q"),
    "newenum": _same("newenum"),
    "shortenum": _same("shortenum", get=ASKS, words="q"),
    "numenum": _same("numenum", get=ASKS, words="q"),
    # --- shapes ---
    "kind10": _same("kind10"),
    "unkwrap": _same("unkwrap", is_noted=True),
    "unkpart": _same("unkpart"),
    "badts": _same("badts"),
    "nots": _same("nots"),
    "idchange": _asked("idchange", "error", "failed", task("FAILED", "no paint"), words="no paint"),
    "afterfinal": _same("afterfinal"),
    "nullfields": _same("nullfields"),
    "v03": _same("v03", **OLD),
    "v03nofinal": _same("v03nofinal", **OLD),
    "v03nokind": _same("v03nokind", **OLD),
    "v03newenum": _same("v03newenum", **OLD),
    "v03cancelled": _same("v03cancelled", version="0.3", get=(old_task("cancelled"),)),
    "v03type": _same("v03type", **OLD),
    "v025card": _same("v025card", version="0.2.5", get=OLD["get"]),
    # --- statuses: nothing was done ---
    "s401": _asked("s401", "waiting", "sign-in", GONE),
    "s429": _asked("s429", "", "outcome.agent-busy", GONE),
    "s503": _asked("s503", "", "outcome.agent-busy", GONE),
    "s302": _asked("s302", "error", "agent-error", GONE, words="302"),
    # --- size ---
    "big": _same("big", get=(task("COMPLETED", "fin", artifacts=[BIG]),)),
}  # fmt: skip

# Beyond the matrix: what GetTask may say after a cut, and sizes.
MORE: dict[str, Fault] = {
    "cut-asks": _asked("cut", "waiting", "input-required", task("INPUT_REQUIRED", "q"), words="q"),
    "cut-works": _asked("cut", "done", "completed", WORKING, WORKING, DONE, words="fin"),
    "cut-again": _asked("cut", "done", "completed", WORKING, again=STREAMS["plain"], words="fin"),
    "cut-lost": _asked("cut", "unknown", "lost-by-server", GONE),
    "cut-404": _asked("cut", "unknown", "lost-by-server", (404, {}, b'{"message":"Task not found"}')),
    "cut-back": _asked("cut", "done", "completed", (502, {}, b"<html>bad gateway</html>"), DONE, words="fin"),
    "cut-busy": _asked("cut", "done", "completed", (503, {"retry-after": "7"}, b"{}"), DONE, words="fin"),
    "cut-401": _asked("cut", "waiting", "sign-in", (401, {}, b"{}")),
    "cut-newword": _asked("cut", "unknown", "TASK_STATE_PAUSED", task("PAUSED")),
    "missed-artifact": Fault(Case("", "", (frames({"task": WORKING}, status("TASK_STATE_WORKING", "step")),), cut=True),
        "done", "completed", (task("COMPLETED", "fin", artifacts=[{"artifactId": "a", "name": "out.txt", "parts": [{"text": "all"}]}]),), words="fin"),
    # A 503 that says when to come back was no beginning; one of a gateway may stand for an agent that was at it.
    "s503-gateway": Fault(Case("", "", (b"<html>upstream went away</html>",), code=503), "unknown", "outcome-unknown"),
    "s503-agent": Fault(Case("", "", (b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"full"}}',), code=503),
        "", "outcome.agent-busy"),
    "toobig": _asked("toobig", "done", "completed", DONE, words="fin"),
    "dense": _same("dense"),
}  # fmt: skip


def card(fault: Fault, origin: str = ORIGIN) -> dict[str, Any]:
    """The card of the agent that plays a case."""
    about = {
        "name": "Faulty", "description": "", "version": "1", "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [],
    }  # fmt: skip
    if fault.version == "1.0":
        offered = {"url": f"{origin}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        return {**about, "supportedInterfaces": [offered]}
    return {**about, "protocolVersion": fault.version, "url": f"{origin}/rpc"}


@dataclass(eq=False)
class FaultAgent:
    """Plays one case: card, stream, GetTask, cancel, list. `asked` has the methods in order."""

    fault: Fault
    origin: str = ORIGIN
    asked: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    _gets: int = 0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            place = OLD_CARD if self.fault.version.startswith("0.2") else CARD
            is_card = request.url.path == place
            return httpx.Response(200, json=card(self.fault, self.origin)) if is_card else httpx.Response(404)
        body = json.loads(request.content)
        self.asked.append(body["method"])
        self.bodies.append(body)
        return self._answer(body["method"], body.get("id"))

    @property
    def sends(self) -> int:
        """How often a message was sent."""
        return sum(m.lower().removeprefix("message/").startswith(("send", "stream")) for m in self.asked)

    def _answer(self, method: str, number: object) -> httpx.Response:
        match method:
            case "SendStreamingMessage" | "message/stream" | "SendMessage" | "message/send":
                return self.fault.stream.response()
            case "SubscribeToTask" | "tasks/resubscribe" if self.fault.again is not None:
                return self.fault.again.response()
            case "SubscribeToTask" | "tasks/resubscribe":
                return _reply(NO_STREAM, number)
            case "GetTask" | "tasks/get":
                answer = self.fault.get[min(self._gets, len(self.fault.get) - 1)]
                self._gets += 1
                return _reply(answer, number)
            case "CancelTask":
                return _reply(task("CANCELED"), number)
            case "tasks/cancel":
                return _reply(old_task("canceled"), number)
            case "ListTasks":
                return _reply({"tasks": [], "nextPageToken": ""}, number)
            case _:
                return _reply({"error": {"code": -32601, "message": "Method not found"}}, number)


def _reply(answer: Answer, number: object) -> httpx.Response:
    if isinstance(answer, tuple):
        code, headers, content = answer
        return httpx.Response(code, headers=headers, content=content)
    inner = answer if "error" in answer else {"result": answer}
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": number, **inner})


@asynccontextmanager
async def served(fault: Fault) -> AsyncIterator[FaultAgent]:
    """The same agent on loopback; its `origin` says where."""
    agent = FaultAgent(fault)
    answering: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        answering.add(task)
        try:
            response = await agent(await _request(reader))
            await _until_either(_write(writer, response), reader.read())
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            answering.discard(task)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    agent.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield agent
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*answering)


async def _until_either(writing: Coroutine[Any, Any, None], leaving: Coroutine[Any, Any, bytes]) -> None:
    """Write to the end, to where the case breaks off, or until the client leaves."""
    both = [asyncio.ensure_future(writing), asyncio.ensure_future(leaving)]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    for one in both:
        one.cancel()
    await asyncio.gather(*both, return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> httpx.Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = [tuple(line.split(": ", 1)) for line in lines]
    length = int({k.lower(): v for k, v in headers}.get("content-length", "0"))
    return httpx.Request(method, ORIGIN + path, headers=headers, content=await reader.readexactly(length))


async def _write(writer: asyncio.StreamWriter, response: httpx.Response) -> None:
    """Every piece is a chunk of its own; a piece that never comes leaves the body open."""
    kept = [
        (k, v) for k, v in response.headers.multi_items() if k not in ("content-length", "transfer-encoding")
    ]
    lines = [
        f"HTTP/1.1 {response.status_code} -",
        *(f"{k}: {v}" for k, v in kept),
        "transfer-encoding: chunked",
        "connection: close",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    async for piece in response.stream:
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()
