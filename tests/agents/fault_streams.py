# ruff: noqa: E501  (one case a line reads best)
"""The stream faults that were tried on three clients, written anew to their names, and what is right.

Each case is what a gateway may relay on `/stream`, and the row it has to leave: state and reason.
"""

import json
from dataclasses import dataclass
from typing import Any

import httpx

from tests.agents.rig import Feed, stream

WORKING = {"task": {"id": "T1", "contextId": "C1", "status": {"state": "TASK_STATE_WORKING"}}}


def status(state: Any, text: str = "", id: str = "T1", **more: Any) -> dict[str, Any]:
    inner: dict[str, Any] = {"state": state, **more}
    if text:
        inner["message"] = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": text}]}
    return {"statusUpdate": {"taskId": id, "contextId": "C1", "status": inner}}


FIN = status("TASK_STATE_COMPLETED", "fin")


def rpc(result: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}, ensure_ascii=False)


def rpc_error(code: int, message: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}})


def frames(*results: Any, end: str = "\n") -> bytes:
    return "".join(f"data: {rpc(r)}{end}{end}" for r in results).encode()


PLAIN = frames(WORKING, FIN)


@dataclass(frozen=True)
class Case:
    """`pieces` are the reads of one body; `cut` breaks it off, `mute` leaves it open for ever."""

    state: str
    reason: str
    pieces: tuple[bytes, ...] = ()
    cut: bool = False
    mute: bool = False
    code: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def response(self) -> httpx.Response:
        feed = Feed(*self.pieces)
        if self.cut:
            feed.cut()
        elif not self.mute:
            feed.end()
        made = stream(feed, self.code)
        made.headers.update(dict(self.headers))
        return made


def done(*pieces: bytes, **more: Any) -> Case:
    return Case("done", "completed", pieces, **more)


def v03(result: dict[str, Any]) -> dict[str, Any]:
    return {"id": "T1", "contextId": "C1", **result}


V03_TASK = v03({"kind": "task", "status": {"state": "working"}})


def v03_status(state: str, **more: Any) -> dict[str, Any]:
    return {"kind": "status-update", "taskId": "T1", "contextId": "C1", "status": {"state": state}, **more}


_LONG = "x" * 6_000_000

CASES: dict[str, Case] = {
    # --- framing ---
    "plain": done(PLAIN),
    "u2028": done(frames(WORKING, status("TASK_STATE_WORKING", "a\u2028b"), FIN)),
    "u0085": done(frames(WORKING, status("TASK_STATE_WORKING", "a\u0085b"), FIN)),
    "crlf": done(frames(WORKING, FIN, end="\r\n")),
    "cr": done(frames(WORKING, FIN, end="\r")),
    "splitcrlf": done(*(p for part in frames(WORKING, FIN, end="\r\n").split(b"\n") for p in (part, b"\n"))),
    "comments": done(b": ping - 1\n\n" + frames(WORKING) + b": ping - 2\n\n: x\n" + frames(FIN)),
    "retryid": done(b"retry: 3000\nid: 1\n" + frames(WORKING) + b"id: \n" + frames(FIN)),
    "eventname": done(b"event: message\n" + frames(WORKING) + b"event: complete\n" + frames(FIN)),
    "multiline": done(
        "".join(
            "".join(f"data: {line}\n" for line in json.dumps(json.loads(rpc(r)), indent=1).split("\n")) + "\n"
            for r in (WORKING, FIN)
        ).encode()
    ),
    "nospace": done(PLAIN.replace(b"data: ", b"data:")),
    "bom": done(b"\xef\xbb\xbf" + PLAIN),
    "noblank": done(PLAIN.rstrip(b"\n")),
    "emptydata": done(b"data:\n\n" + frames(WORKING) + b"data: \n\n" + frames(FIN)),
    # --- ends ---
    "cut": Case("unknown", "outcome-unknown", (frames(WORKING),), cut=True),
    "cutmid": Case("unknown", "outcome-unknown", (frames(WORKING), frames(FIN)[:40]), cut=True),
    "noterm": Case("working", "working", (frames(WORKING),)),
    "empty": Case("unknown", "outcome-unknown"),
    "silent8": done(frames(WORKING), frames(FIN)),
    "noclose": done(PLAIN, mute=True),
    # --- bodies that are no stream ---
    "html200": Case("unknown", "outcome-unknown", (b"<html><body>Sign in</body></html>",)),
    "json200": done(rpc(v03({"status": {"state": "TASK_STATE_COMPLETED"}})).encode()),
    "err200": Case("error", "agent-error", (rpc_error(-32001, "Task not found").encode(),)),
    "errnull": Case(
        "working", "working", (json.dumps({"jsonrpc": "2.0", "id": 1, "result": WORKING, "error": None}).encode(),)
    ),
    # --- errors inside ---
    "errsse": Case("error", "agent-error", (frames(WORKING), f"data: {rpc_error(-32603, 'boom')}\n\n".encode())),
    "errevent": Case(
        "error", "agent-error", (frames(WORKING), f"event: error\ndata: {rpc_error(-32603, 'boom')}\n\n".encode())
    ),
    "errtext": Case("working", "working", (frames(WORKING), b"event: error\ndata: upstream timeout\n\n")),
    "badjson": done(frames(WORKING), b"data: {oops\n\n", frames(FIN)),
    "doneword": done(PLAIN, b"data: [DONE]\n\n"),
    # --- states ---
    "oldenum": Case("waiting", "input-required", (frames(
        {"task": {"id": "T1", "status": {"state": "working"}}}, status("input-required", "q")),)),
    "newenum": done(frames(WORKING, status("TASK_STATE_PAUSED", "q"), FIN)),
    "shortenum": Case("waiting", "input-required", (frames(
        {"task": {"id": "T1", "status": {"state": "WORKING"}}}, status("INPUT_REQUIRED", "q")),)),
    "numenum": Case("waiting", "input-required", (frames(
        {"task": {"id": "T1", "status": {"state": 2}}}, status(6, "q")),)),
    # --- shapes ---
    "kind10": done(frames(
        {"kind": "task", "id": "T1", "status": {"state": "TASK_STATE_WORKING"}},
        {"kind": "status-update", "taskId": "T1", "status": {"state": "TASK_STATE_COMPLETED"}, "final": True})),
    "unkwrap": done(frames(WORKING, {"progressUpdate": {"percent": 40}}, FIN)),
    "unkpart": done(frames(
        {"statusUpdate": {"taskId": "T1", "status": {
            "state": "TASK_STATE_WORKING", "message": {"messageId": "m", "parts": [{"video": {}}, 7]}}}}, FIN)),
    "badts": done(frames(WORKING, status("TASK_STATE_WORKING", timestamp="yesterday"), FIN)),
    "nots": done(frames({"task": {"id": "T1", "status": {"state": "TASK_STATE_WORKING", "timestamp": "2026-11"}}}, FIN)),
    "idchange": Case("working", "working", (frames(WORKING, status("TASK_STATE_COMPLETED", id="OTHER")),)),
    "afterfinal": done(frames(WORKING, FIN, status("TASK_STATE_WORKING", "zombie"))),
    "nullfields": done(frames(
        {"task": {"id": "T1", "contextId": None, "artifacts": None, "history": None, "metadata": None,
                  "status": {"state": "TASK_STATE_WORKING", "message": None}}}, FIN)),
    "v03": done(frames(V03_TASK, v03_status("completed", final=True))),
    "v03nofinal": done(frames(V03_TASK, v03_status("completed"))),
    "v03nokind": done(frames(
        v03({"status": {"state": "working"}}),
        {"taskId": "T1", "artifact": {"artifactId": "a", "parts": [{"text": "x"}]}},
        {"taskId": "T1", "status": {"state": "completed"}, "final": True})),
    "v03newenum": done(frames(V03_TASK, v03_status("paused"), v03_status("completed"))),
    "v03cancelled": Case("done", "canceled", (frames(V03_TASK, v03_status("cancelled")),)),
    "v03type": done(frames(V03_TASK, v03_status("completed") | {"status": {
        "state": "completed", "message": {"role": "agent", "parts": [{"type": "text", "text": "old part"}]}}})),
    "v025card": done(frames(V03_TASK, v03_status("completed", final=True))),
    # --- statuses ---
    "s401": Case("error", "agent-error", (b'{"detail":"token missing"}',), code=401),
    "s429": Case("error", "agent-error", (b'{"detail":"slow down"}',), code=429, headers=(("retry-after", "7"),)),
    "s503": Case("unknown", "outcome-unknown", (b'{"detail":"later"}',), code=503, headers=(("retry-after", "3"),)),
    "s302": Case("", "outcome.redirect", (b"{}",), code=302, headers=(("location", "https://elsewhere.example/"),)),
    # --- size ---
    "big": done(frames(WORKING), frames({"artifactUpdate": {"taskId": "T1", "artifact": {
        "artifactId": "a", "name": "big.txt", "parts": [{"text": _LONG}]}}}), frames(FIN)),
    "toobig": Case("unknown", "outcome-unknown", (frames(WORKING), *(b"data: " + b"y" * 1_000_000 for _ in range(9)))),
    "dense": done(frames(WORKING), b'data: {"result":[' + b"1," * 200_000 + b"1]}\n\n", frames(FIN)),
}  # fmt: skip
