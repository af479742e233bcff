"""How a stream may be framed: legal ways that break weak parsers, and broken ones that must be survived.

One unlisted agent `wire-<case>` each. The names are those of the fault matrix that Python clients were
measured with; shapes are A2A 1.0 unless the name says `v03`. On `/message` all of them simply finish.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .faults import HTML, done
from .steps import Agent, Body, Call, Cut, Gate, Json, Pause, Raw, Step

BOM = b"\xef\xbb\xbf"
STAMP = "2026-10-01T10:00:00Z"


def doc(result: Any, **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "1", "result": result, **more}, ensure_ascii=False).encode()


def event(data: bytes, end: bytes = b"\n") -> bytes:
    return b"data: " + data + end + end


def opened(call: Call, state: Any = "TASK_STATE_WORKING", **more: Any) -> bytes:
    word = {"state": state, "timestamp": STAMP}
    return doc({"task": {"id": call.task_id, "contextId": call.context_id, "status": word, **more}})


def update(call: Call, state: Any = "TASK_STATE_COMPLETED", text: str = "fin", **word: Any) -> bytes:
    said = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": text}]}
    inner = {"state": state, "message": said, "timestamp": STAMP, **word}
    return doc({"statusUpdate": {"taskId": call.task_id, "contextId": call.context_id, "status": inner}})


def old(call: Call, state: str = "completed", *, kind: str | None = "status-update", **more: Any) -> bytes:
    """A status update in 0.3 dress."""
    said = {"messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": "fin"}]}
    result: Json = {"taskId": call.task_id, "contextId": call.context_id}
    result["status"] = {"state": state, "message": said, "timestamp": STAMP}
    return doc({**result, **({"kind": kind} if kind else {}), **more})


def old_task(call: Call, **more: Any) -> bytes:
    ids = {"id": call.task_id, "contextId": call.context_id}
    return doc({**ids, "status": {"state": "working", "timestamp": STAMP}, "kind": "task", **more})


def error(code: int, text: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "1", "error": {"code": code, "message": text}}).encode()


def _good(call: Call, end: bytes = b"\n") -> bytes:
    return event(opened(call), end) + event(update(call), end)


def _with(call: Call, between: bytes) -> bytes:
    return event(opened(call)) + between + event(update(call))


def _lines(data: bytes) -> bytes:
    """The same document over several `data:` lines; they join with a line feed, which JSON allows there."""
    head, tail = data.split(b", ", 1)
    return b"data: " + head + b",\ndata: " + tail + b"\n\n"


def _nulls(call: Call) -> bytes:
    nothing = {"artifacts": None, "history": None, "metadata": None}
    return event(opened(call, **nothing)) + event(update(call, metadata=None))


def _unknown_part(call: Call) -> bytes:
    said = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"hologram": {"x": 1}}, {"text": "seen"}]}
    return event(update(call, "TASK_STATE_WORKING", message=said)) + event(update(call))


def _no_kind(call: Call) -> bytes:
    ids = {"taskId": call.task_id, "contextId": call.context_id}
    out = {**ids, "artifact": {"artifactId": "a", "parts": [{"text": "seen"}]}}
    first = doc({"id": call.task_id, "contextId": call.context_id, "status": {"state": "working"}})
    return event(first) + event(doc(out)) + event(old(call, kind=None, final=True))


def _old_part(call: Call) -> bytes:
    said = {"messageId": "m", "role": "agent", "parts": [{"type": "text", "text": "old part"}]}
    word = {"state": "completed", "message": said, "timestamp": STAMP}
    return event(old_task(call)) + event(old(call, final=True, status=word))


def _undated(call: Call) -> bytes:
    return doc({"task": {"id": call.task_id, "contextId": call.context_id, "status": {"state": "working"}}})


def _of_other(call: Call) -> bytes:
    return update(call).replace(call.task_id.encode(), b"OTHER")


def _big(call: Call) -> bytes:
    out = {"artifactId": "a", "parts": [{"text": "x" * 6_000_000}]}
    return event(
        doc({"artifactUpdate": {"taskId": call.task_id, "contextId": call.context_id, "artifact": out}})
    )


def _said(call: Call, text: str) -> bytes:
    return _with(call, event(update(call, "TASK_STATE_WORKING", text)))


def _v03(call: Call, *frames: bytes) -> bytes:
    return b"".join(map(event, (old_task(call), *frames)))


BYTES: dict[str, Callable[[Call], bytes]] = {
    "plain": _good,
    "u2028": lambda call: _said(call, "one\u2028two"),
    "u0085": lambda call: _said(call, "one\x85two"),
    "crlf": lambda call: _good(call, b"\r\n"),
    "cr": lambda call: _good(call, b"\r"),
    "comments": lambda call: b": hello\n\n" + _with(call, b": ping\n\n:\n"),
    "retryid": lambda call: b"id: 7\nretry: 10\n" + _good(call),
    "eventname": lambda call: b"event: message\n" + event(opened(call)) + b"event: x\n" + event(update(call)),
    "multiline": lambda call: _lines(opened(call)) + _lines(update(call)),
    "nospace": lambda call: _good(call).replace(b"data: ", b"data:"),
    "bom": lambda call: BOM + _good(call),
    "noblank": lambda call: _good(call).rstrip(b"\n"),
    "noterm": lambda call: event(opened(call)),
    "empty": lambda _call: b"",
    "emptydata": lambda call: b"data:\n\n" + _with(call, b"data: \n\n"),
    "html200": lambda _call: HTML,
    "json200": lambda call: opened(call, "TASK_STATE_COMPLETED"),
    "err200": lambda _call: error(-32001, "Task not found"),
    "errnull": lambda call: opened(call)[:-1] + b', "error": null}',
    "errsse": lambda call: event(opened(call)) + event(error(-32603, "boom")),
    "errevent": lambda call: event(opened(call)) + b"event: error\n" + event(error(-32603, "boom")),
    "errtext": lambda call: event(opened(call)) + b"event: error\ndata: upstream timeout\n\n",
    "badjson": lambda call: _with(call, b"data: {oops\n\n"),
    "doneword": lambda call: _good(call) + b"data: [DONE]\n\n",
    "oldenum": lambda call: event(opened(call, "working")) + event(update(call, "input-required", "q")),
    "newenum": lambda call: _with(call, event(update(call, "TASK_STATE_PAUSED", "q"))),
    "shortenum": lambda call: event(opened(call, "WORKING")) + event(update(call, "INPUT_REQUIRED", "q")),
    "numenum": lambda call: event(opened(call, 2)) + event(update(call, 6, "q")),
    "kind10": lambda call: _v03(call, old(call, final=True)),
    "unkwrap": lambda call: _with(call, event(doc({"progressUpdate": {"percent": 5}}))),
    "unkpart": _unknown_part,
    "badts": lambda call: _with(call, event(update(call, "TASK_STATE_WORKING", timestamp="2026-11"))),
    "nots": lambda call: event(_undated(call)) + event(update(call, timestamp="")),
    "idchange": lambda call: event(opened(call)) + event(_of_other(call)),
    "afterfinal": lambda call: _good(call) + event(update(call, "TASK_STATE_WORKING", "zombie")),
    "nullfields": _nulls,
    "v03": lambda call: _v03(call, old(call, final=True)),
    "v03nofinal": lambda call: _v03(call, old(call)),
    "v03nokind": _no_kind,
    "v03newenum": lambda call: _v03(call, old(call, "paused", final=False), old(call, final=True)),
    "v03cancelled": lambda call: _v03(call, old(call, "cancelled", final=True)),
    "v03type": _old_part,
    "big": lambda call: _with(call, _big(call)),
}
"""The whole stream of a case, for the cases that end cleanly."""


def _split_crlf(call: Call) -> Iterable[Step]:
    """CR and LF of one line end arrive apart."""
    first, last = event(opened(call), b"\r"), event(update(call), b"\r\n")
    yield Raw(first.removesuffix(b"\r\r") + b"\r")
    for piece in (b"\n\r", b"\n" + last[:-1], last[-1:]):
        yield Pause(0.2)
        yield Raw(piece)


def _silent(call: Call) -> Iterable[Step]:
    return (Raw(event(opened(call))), Pause(8), Raw(event(update(call))))


STEPS: dict[str, Callable[[Call], Iterable[Step]]] = {
    "splitcrlf": _split_crlf,
    "cut": lambda call: (Raw(event(opened(call))), Cut()),
    "cutmid": lambda call: (Raw(event(opened(call)) + event(update(call))[:60]), Cut()),
    "silent8": _silent,
    "noclose": lambda call: (Raw(_good(call)), Gate()),
    "s401": lambda _call: (Body(b'{"error":"unauthorised"}', 401),),
    "s429": lambda _call: (Body(b'{"error":"slow down"}', 429),),
    "s503": lambda _call: (Body(b'{"error":"resting"}', 503),),
}


def _agent(name: str, steps: Callable[[Call], Iterable[Step]]) -> Agent:
    def scenario(call: Call) -> Iterator[Step]:
        yield from done(call) if call.route == "message" else steps(call)

    title = f"Wire {name}"
    return Agent(f"wire-{name}", title, "One way to frame a stream.", scenario, "wire", listed=False)


def _whole(make: Callable[[Call], bytes]) -> Callable[[Call], Iterable[Step]]:
    return lambda call: (Raw(make(call)),)


AGENTS: list[Agent] = [_agent(name, steps) for name, steps in STEPS.items()] + [
    _agent(name, _whole(make)) for name, make in BYTES.items()
]
