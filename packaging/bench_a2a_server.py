"""The agent that the A2A figures are taken against, a process of its own so that its CPU is not counted.

Says its address in one JSON line. The path of a request says what is played:
    /stream/TIMES   the recorded stream, its middle repeated so often, each event as it was recorded
    /short          the recorded stream as it is
    /big            a task whose artifact is 6 MB of text in one event
    /idle           streams that stay open and say something every 10 s; tasks that keep working
"""

import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.agents.captures import exchange  # noqa: E402

BIG = 6_000_000
ARTIFACT = {"artifactId": "a", "name": "big.txt", "parts": [{"text": "x" * BIG}]}
SAYS_SECONDS = 10.0
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\n"
STREAM = HEAD % b"text/event-stream" + b"transfer-encoding: chunked\r\n\r\n"


def recorded() -> list[bytes]:
    """The events of one recorded stream of the official server, byte for byte."""
    body = exchange("01", "SendStreamingMessage -> working").body
    events = [event for event in body.split(b"\r\n\r\n") if event.strip()]
    return [event + b"\r\n\r\n" for event in events]


def repeated(times: int) -> list[bytes]:
    """First and last as recorded; what is between, so often."""
    first, *middle, last = recorded()
    return [first, *middle * times, last]


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def task(kind: str, task_id: str) -> dict[str, object]:
    """What GetTask answers."""
    found = status(task_id, "TASK_STATE_COMPLETED" if kind == "big" else "TASK_STATE_WORKING")
    return found | ({"artifacts": [ARTIFACT]} if kind == "big" else {})


def status(task_id: str, state: str) -> dict[str, object]:
    return {"id": task_id, "contextId": "c", "status": {"state": state}}


def big() -> list[bytes]:
    return [
        event({"task": status("big", "TASK_STATE_WORKING")}),
        event({"artifactUpdate": {"taskId": "big", "contextId": "c", "artifact": ARTIFACT}}),
        event({"task": status("big", "TASK_STATE_COMPLETED")}),
    ]


def event(result: object) -> bytes:
    return b"data: " + json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode() + b"\n\n"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Requests of one connection, one after the other."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = next((int(v[15:]) for v in head.split("\r\n") if v.startswith("content-length:")), 0)
            body = json.loads(await reader.readexactly(length) or b"null")
            await play(head.split(" ", 2)[1], body, writer)
            if "connection: close" in head:
                break
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def play(path: str, body: dict, writer: asyncio.StreamWriter) -> None:
    """Answer one request."""
    kind, _, times = path.strip("/").partition("/")
    if body is None:
        document({}, writer)
    elif kind == "short":
        await say(writer, recorded())
    elif kind == "stream":
        await say(writer, repeated(int(times)))
    elif body["method"] == "GetTask":
        document({"jsonrpc": "2.0", "id": body["id"], "result": task(kind, body["params"]["id"])}, writer)
    elif kind == "big":
        await say(writer, big())
    elif body["method"] == "SendMessage":
        task_id = body["params"]["message"]["messageId"]
        document(
            {"jsonrpc": "2.0", "id": 1, "result": {"task": status(task_id, "TASK_STATE_WORKING")}}, writer
        )
    else:
        await talk(body["params"].get("id") or body["params"]["message"]["messageId"], writer)


async def talk(task_id: str, writer: asyncio.StreamWriter) -> None:
    """A stream that goes on until the client leaves."""
    writer.write(STREAM + chunk(event({"task": status(task_id, "TASK_STATE_WORKING")})))
    turn = 0
    while True:
        turn += 1
        await asyncio.sleep(SAYS_SECONDS)
        parts = [{"text": f"Step {turn}"}]
        told = {
            "state": "TASK_STATE_WORKING",
            "message": {"messageId": f"m{turn}", "role": "ROLE_AGENT", "parts": parts},
        }
        writer.write(chunk(event({"statusUpdate": {"taskId": task_id, "contextId": "c", "status": told}})))
        await writer.drain()


async def say(writer: asyncio.StreamWriter, events: Iterable[bytes]) -> None:
    writer.write(STREAM)
    for data in events:
        writer.write(chunk(data))
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def document(body: object, writer: asyncio.StreamWriter) -> None:
    data = json.dumps(body).encode()
    writer.write(HEAD % b"application/json" + b"content-length: %d\r\n\r\n%s" % (len(data), data))


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_024)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"url": f"http://127.0.0.1:{port}"}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
