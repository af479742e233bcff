"""A model on this machine that says what the test decided, over four makers' interfaces, streaming.

What a request is answered with is the last of the words that stands in its talk: `do-text`, `do-tool` (a
call, then a text), `do-slow` (a text, when the test lets go), `do-fail` (429). Requests without tools, for
titles and the like, get a text, unless the agent has no tools (`is_toolless`).
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

_WORD = re.compile(r"\bdo-(text|tool|slow|fail)\b")
_RESULTS = ('"tool_result"', '"role": "tool"', "function_call_output", '"functionResponse"')
_SHELLS = ("Bash", "exec_command", "shell_command", "shell", "bash", "run_shell_command")
TEXT = "Said by nobody."
COMMAND = "touch made.txt"
FAILURE = {"type": "rate_limit_error", "code": 429, "message": "too many", "status": "RESOURCE_EXHAUSTED"}


@dataclass
class Model:
    """Its address is `url`; `asked` are the answers it gave or holds, oldest first."""

    is_toolless: bool = False
    command: str = COMMAND
    url: str = ""
    asked: list[str] = field(default_factory=list)
    held: asyncio.Event = field(default_factory=asyncio.Event)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    paths: list[str] = field(default_factory=list)

    def let_go(self) -> None:
        """Answer all that is held."""
        self.held.set()
        self.held = asyncio.Event()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Model"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self.let_go()
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, path, _ = head.split(" ", 2)
            self.paths.append(f"{method} {path}")
            size = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
            body = await reader.readexactly(int(size[1])) if size else b""
            if "chunked" in head.lower():
                body = await _chunked(reader)
            if method == "POST":
                await self._answer(path, body, writer)
            else:
                _whole(writer, 404, {"error": {"message": "nothing here", "type": "not_found"}})
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # whoever asked is gone, or the test is over
        finally:
            writer.close()

    async def _answer(self, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        asked = json.loads(body or b"{}")
        if "count_tokens" in path or "countTokens" in path:
            return _whole(writer, 200, {"input_tokens": 7, "totalTokens": 7})
        talk = asked.get("messages") or asked.get("input") or asked.get("contents")
        if talk is None:
            return _whole(writer, 200, {})
        text = json.dumps(talk)
        names = _tools(asked)
        word = self._word(text, bool(names))
        self.asked.append(word)
        self.came.set()
        if word == "fail":
            return _whole(writer, 429, {"type": "error", "error": FAILURE})
        call = next((n for n in _SHELLS if n in names), "") if word == "tool" else ""
        if word == "slow":
            await self.held.wait()
        events = _speak(path, call, _arguments(call, self.command), bool(asked.get("stream")))
        if events is None:
            return _whole(writer, 404, {"error": {"message": path}})
        if isinstance(events, dict):
            return _whole(writer, 200, events)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        for name, data in events:
            line = data if isinstance(data, str) else json.dumps(data)
            writer.write((f"event: {name}\n" if name else "").encode() + f"data: {line}\n\n".encode())
        return None

    def _word(self, text: str, has_tools: bool) -> str:
        words = list(_WORD.finditer(text))
        if not words or not (has_tools or self.is_toolless):
            return "text"
        last = words[-1]
        if last[1] == "tool" and any(text.rfind(mark) > last.end() for mark in _RESULTS):
            return "text"
        return last[1]


async def _chunked(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int((await reader.readline()).split(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


def _whole(writer: asyncio.StreamWriter, status: int, found: dict[str, Any]) -> None:
    data = json.dumps(found).encode()
    head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n"
    writer.write(head.encode() + b"connection: close\r\n\r\n" + data)


def _tools(asked: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for tool in asked.get("tools") or ():
        found.add(str(tool.get("name") or (tool.get("function") or {}).get("name")))
        found |= {str(one.get("name")) for one in tool.get("functionDeclarations") or ()}
    return found


def _arguments(call: str, command: str) -> dict[str, Any]:
    match call:
        case "exec_command":
            return {"cmd": command}
        case "shell":
            return {"command": ["bash", "-lc", command]}
        case _:
            return {"command": command, "description": "Make a file"}


Events = list[tuple[str, Any]]


def _speak(path: str, call: str, args: dict[str, Any], streams: bool) -> Events | dict[str, Any] | None:
    if "/messages" in path:
        return _anthropic(call, args)
    if "/chat/completions" in path:
        return _chat(call, args, streams)
    if "/responses" in path:
        return _responses(call, args)
    if "enerateContent" in path:
        return _google(call, args, "stream" in path)
    return None


def _anthropic(call: str, args: dict[str, Any]) -> Events:
    usage = {"input_tokens": 7, "output_tokens": 3}
    begin = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
             "stop_reason": None, "stop_sequence": None, "usage": usage}  # fmt: skip
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": TEXT}
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(args)}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": begin},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": usage},
        {"type": "message_stop"},
    ]
    return [(one["type"], one) for one in told]


def _chat(call: str, args: dict[str, Any], streams: bool) -> Events | dict[str, Any]:
    said: dict[str, Any] = {"role": "assistant", "content": TEXT}
    if call:
        function = {"name": call, "arguments": json.dumps(args)}
        said = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}],
        }
    base = {"id": "x", "created": 1, "model": "m"}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    stop = "tool_calls" if call else "stop"
    if not streams:
        choice = {"index": 0, "message": said, "finish_reason": stop}
        return {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
    base["object"] = "chat.completion.chunk"
    return [
        ("", {**base, "choices": [{"index": 0, "delta": said, "finish_reason": None}]}),
        ("", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": usage}),
        ("", "[DONE]"),
    ]


def _responses(call: str, args: dict[str, Any]) -> Events:
    said = [{"type": "output_text", "text": TEXT, "annotations": []}]
    item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": said}
    if call:
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": "call_1",
            "name": call,
            "arguments": json.dumps(args),
        }
    usage = {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 3,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 10}  # fmt: skip
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": usage, "output": [item]}},
    ]
    return [(one["type"], one) for one in told]


def _google(call: str, args: dict[str, Any], streams: bool) -> Events | dict[str, Any]:
    part = {"functionCall": {"name": call, "args": args}} if call else {"text": TEXT}
    counts = {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}
    said = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    found = {"candidates": [said], "usageMetadata": counts, "modelVersion": "m"}
    return [("", found)] if streams else found
