"""Agents and a gateway that misbehave, one fault each: every row of the status matrix, every odd outcome."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from .shapes import artifact, parts, status, task
from .steps import NOW, Agent, Body, Call, Cut, Event, Fault, Front, Gate, Json, Pause, Raw, Step, Unreachable

HTML = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body>Sign in to this network</body></html>"
MIB = 1024 * 1024


def done(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(0.5)
    yield status(call, "working", "On it")
    yield Pause(0.5)
    yield status(call, "completed", "Done", final=True)


def rpc_error(_call: Call) -> Iterator[Step]:
    """A JSON-RPC failure over HTTP 200."""
    yield Fault(-32603, "The model behind this agent is out of order")


def late_error(call: Call) -> Iterator[Step]:
    """A failure frame after good ones."""
    yield task(call)
    yield Pause(0.5)
    yield status(call, "working", "On it")
    yield Fault(-32603, "Broke half way")


def null_body(_call: Call) -> Iterator[Step]:
    yield Body(b"null")


def html_body(_call: Call) -> Iterator[Step]:
    yield Body(HTML, content_type="text/html")


def empty_body(_call: Call) -> Iterator[Step]:
    yield Body(b"", content_type="text/event-stream")


def no_envelope(_call: Call) -> Iterator[Step]:
    yield Body(b'{"status":"ok"}')


def no_stream(call: Call) -> Iterator[Step]:
    """`/stream` gets no body at all."""
    if call.route == "stream":
        yield Body(b"", status=204)
    else:
        yield from done(call)


def not_sse(call: Call) -> Iterator[Step]:
    """One JSON document, which `/stream` labels as an event stream."""
    words: Json = {"state": "completed", "timestamp": NOW}
    snapshot = {"kind": "task", "id": call.task_id, "contextId": call.context_id, "status": words}
    if call.route == "message":
        yield Event(snapshot)
        return
    words["timestamp"] = "2026-10-01T10:00:00Z"
    yield Body(json.dumps({"jsonrpc": "2.0", "id": "1", "result": snapshot}).encode())


def cut_mid(call: Call) -> Iterator[Step]:
    """The connection breaks in the middle of a frame."""
    yield task(call)
    yield Pause(0.5)
    yield status(call, "working", "Half way")
    yield Raw(b'data: {"jsonrpc":"2.0","id":"1","result":{"kind":"status-upd')
    yield Cut()


def goes_silent(call: Call) -> Iterator[Step]:
    """Two frames, then nothing, and the line stays open until the gateway's limit."""
    yield task(call)
    yield status(call, "working", "Listening")
    yield Gate()
    yield status(call, "completed", "Done at last", final=True)


def slow_30s(_call: Call) -> Iterator[Step]:
    """The gateway stops waiting; the agent may go on. `--speed` sets how long that takes."""
    yield Pause(30)
    yield Unreachable()


def ends_active(call: Call) -> Iterator[Step]:
    """A clean end while the task still works; nobody can ask for more."""
    yield task(call)
    yield Pause(0.5)
    yield status(call, "working", "This will take until tonight")


def weird_state(call: Call) -> Iterator[Step]:
    yield task(call)
    yield Pause(0.5)
    yield status(call, "paused-for-review", "A state that no table has")


def v10_shapes(call: Call) -> Iterator[Step]:
    """A2A 1.0 results: wrapped, upper-case states, no kind, no final."""
    ids = {"taskId": call.task_id, "contextId": call.context_id}
    if call.route == "message":
        yield Event({"task": _v10_task(call, "TASK_STATE_COMPLETED")})
        return
    yield Event({"task": _v10_task(call, "TASK_STATE_SUBMITTED")})
    yield Pause(0.5)
    said = {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "Working on it"}]}
    working = {"state": "TASK_STATE_WORKING", "message": said, "timestamp": NOW}
    yield Event({"statusUpdate": {**ids, "status": working}})
    out = {"artifactId": "a1", "name": "answer.txt", "parts": [{"text": "Forty-two"}]}
    yield Event({"artifactUpdate": {**ids, "artifact": out, "lastChunk": True}})
    yield Event({"statusUpdate": {**ids, "status": {"state": "TASK_STATE_COMPLETED", "timestamp": NOW}}})


def _v10_task(call: Call, state: str) -> Json:
    out = {"artifactId": "a1", "name": "answer.txt", "parts": [{"text": "Forty-two"}]}
    ended = state == "TASK_STATE_COMPLETED"
    return {
        "id": call.task_id,
        "contextId": call.context_id,
        "status": {"state": state, "timestamp": NOW},
        "artifacts": [out] if ended else [],
    }


def huge_artifact(call: Call) -> Iterator[Step]:
    """One artifact of 3 MiB, or of as many MiB as the text's last word says."""
    last = call.text.split()[-1:] or [""]
    size = int(last[0]) if last[0].isdigit() and len(last[0]) < 3 else 3
    yield task(call)
    yield artifact(call, "big", "dump.txt", "0123456789abcdef" * (size * MIB // 16))
    yield status(call, "completed", f"{size} MiB", final=True)


def flood(call: Call) -> Iterator[Step]:
    """More than 16 MiB of small updates."""
    yield task(call)
    for number in range(300):
        yield status(call, "working", f"{number} " + "x" * 60_000)
    yield status(call, "completed", "Enough", final=True)


def file_and_data(call: Call) -> Iterator[Step]:
    """Parts that are no text: a file by value, a file by address, an object."""
    yield task(call)
    made = artifact(call, "mixed", "chart", "See the file")
    made.result["artifact"]["parts"] += [
        {"kind": "file", "file": {"name": "chart.png", "mimeType": "image/png", "bytes": "iVBORw0KGgo="}},
        {
            "kind": "file",
            "file": {"name": "raw.csv", "mimeType": "text/csv", "uri": "https://files.example/1"},
        },
        {"kind": "data", "data": {"rows": 3}},
    ]
    yield made
    yield status(call, "completed", "Three parts", final=True)


def double_snapshot(call: Call) -> Iterator[Step]:
    """The final frame is a task that repeats what the stream already said."""
    yield task(call)
    yield artifact(call, "a", "answer.txt", "Once. ", last=False)
    yield artifact(call, "a", "answer.txt", "Only once.", append=True)
    whole = task(call, "completed").result
    whole["artifacts"] = [{"artifactId": "a", "name": "answer.txt", "parts": parts("Once. Only once.")}]
    yield Event(whole)


def after_final(call: Call) -> Iterator[Step]:
    """Keeps talking after it has finished."""
    yield from done(call)
    yield status(call, "working", "Still here")


def own(status_code: int, body: bytes) -> Agent:
    """An agent whose server answers with a status of its own."""

    def refuse(_call: Call) -> Iterator[Step]:
        yield Body(body, status=status_code)

    slug = f"own-{status_code}"
    return Agent(slug, f"Own {status_code}", f"Its server answers {status_code}.", refuse)


def always(body: Body) -> Front:
    return lambda _count: body


def once(body: Body) -> Front:
    return lambda count: body if count == 1 else None


BUSY = Body(b'{"error":"Too many requests"}', 429, headers={"retry-after": "1"})
ELSEWHERE = Body(b"", 302, headers={"location": "/api/registry?format=json&redirected=1"})
PORTAL = Body(HTML, 200, "text/html")
CRASH = Body(b"<!DOCTYPE html><h1>500: Internal Server Error</h1>", 500, "text/html")
TIMEOUT = Body(b"", 504, "text/plain")

AGENTS: list[Agent] = [
    Agent("rpc-error", "Out of Order", "Answers with a JSON-RPC error.", rpc_error),
    Agent("late-error", "Late Error", "Fails half way through a stream.", late_error),
    Agent("late-paid", "Late and Paid", "Fails half way.", late_error, price=Decimal("0.01")),
    Agent("null-body", "Nothing", "Answers null.", null_body),
    Agent("html-body", "Web Page", "Answers with a web page.", html_body),
    Agent("empty-body", "Empty", "Answers with no bytes.", empty_body),
    Agent("no-envelope", "No Envelope", "Answers with JSON that is no JSON-RPC.", no_envelope),
    Agent("no-stream", "No Stream", "Gives /stream no body.", no_stream),
    Agent("not-sse", "Not a Stream", "One JSON document labelled as a stream.", not_sse),
    Agent("strict-stream", "Strict", "Refuses a message without an id.", done, strict=-32602),
    Agent("strict-1x", "Strict and New", "Refuses it with another code.", done, strict=-32600),
    Agent("strict-paid", "Strict Paid", "Strict, and not free.", done, strict=-32602, price=Decimal("0.01")),
    Agent("cut-mid", "Cut", "The line breaks in mid-frame.", cut_mid),
    Agent("goes-silent", "Silent", "Stops talking and stays on the line.", goes_silent),
    Agent("slow-30s", "Too Slow", "Needs longer than the gateway waits.", slow_30s, price=Decimal("0.01")),
    own(401, b'{"error":"This agent wants its own token"}'),
    own(403, b'{"error":"Members only"}'),
    own(404, b'{"error":"No such notebook"}'),
    own(429, b'{"error":"Model quota used up"}'),
    own(500, b'{"error":"Stack overflow in the agent"}'),
    Agent("busy-429", "Busy Once", "The gateway is busy once.", done, front=once(BUSY)),
    Agent("always-busy", "Always Busy", "The gateway stays busy.", done, front=always(BUSY)),
    Agent("redirect", "Elsewhere", "The gateway points elsewhere.", done, front=always(ELSEWHERE)),
    Agent("captive-portal", "Portal", "A network in between answers.", done, front=always(PORTAL)),
    Agent("platform-500", "Crash", "The platform breaks.", done, front=always(CRASH)),
    Agent("platform-504", "Platform Time-out", "The platform gives up.", done, front=always(TIMEOUT)),
    Agent("broke", "Too Dear", "Costs more than the balance.", done, price=Decimal("500.00")),
    Agent("ends-active", "Until Tonight", "Ends while it works.", ends_active),
    Agent("weird-state", "Odd Word", "Says a state that is in no table.", weird_state),
    Agent("v10-shapes", "Version 1.0", "Speaks the newer dialect.", v10_shapes),
    Agent("huge-artifact", "Huge", "Sends megabytes.", huge_artifact),
    Agent("flood", "Flood", "Sends too many updates.", flood),
    Agent("file-and-data", "Mixed Parts", "Files and objects.", file_and_data),
    Agent("double-snapshot", "Twice Told", "Repeats all in its last frame.", double_snapshot),
    Agent("after-final", "Zombie", "Talks after its end.", after_final),
]
