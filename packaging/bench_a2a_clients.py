"""A2A clients that are measured, driven line by line through standard input.

    bench_a2a_clients.py ours|sdk URL
One word a line, each answered by one JSON line: `read PATH TIMES` reads what is streamed there so often and
tells {events, cpu: seconds of this process}. `ours` also knows `big` and `idle STREAMS POLLED SECONDS`, in
the whole source (`bench_a2a_house.py`). `sdk` needs a2a-sdk and nothing of ours.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def spent() -> float:
    """CPU of this process so far, s: what the scheduler counted for each of its threads."""
    threads = Path("/proc/self/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


class Ours:
    """Our client, as the source uses it: credentials looked up, frames kept for "show JSON"."""

    def __init__(self, url: str) -> None:
        from lisa_island.agents._http import Http

        self.url = url
        self._http = Http(most=64)

    async def read(self, path: str) -> AsyncIterator[object]:
        from lisa_island.agents._a2a_card import Endpoint
        from lisa_island.agents._a2a_client import Client, Outgoing
        from lisa_island.agents._a2a_raw import Ring
        from lisa_island.system.clock import SystemClock

        async def headers() -> dict[str, str]:
            return {"authorization": "Bearer abcdefgh12345678"}

        endpoint, ring = Endpoint(self.url + path), Ring()
        client = Client(self._http, endpoint, headers, keep_raw=ring.keep, clock=SystemClock())
        async for frame in client.send(Outgoing("go", "m1"), stream=True):
            yield frame


class Sdk:
    """The official client, with its defaults but for the time limit that would end quiet streams."""

    def __init__(self, url: str) -> None:
        import httpx

        self.url = url
        self._http = httpx.AsyncClient(
            timeout=None, trust_env=False, headers={"authorization": "Bearer abcdefgh12345678"}
        )

    async def read(self, path: str) -> AsyncIterator[object]:
        from a2a.client import ClientConfig, ClientFactory
        from a2a.types import (
            AgentCapabilities,
            AgentCard,
            AgentInterface,
            Message,
            Part,
            Role,
            SendMessageRequest,
        )

        interface = AgentInterface(url=self.url + path, protocol_binding="JSONRPC", protocol_version="1.0")
        card = AgentCard(
            name="Box", supported_interfaces=[interface], capabilities=AgentCapabilities(streaming=True)
        )
        client = ClientFactory(ClientConfig(streaming=True, httpx_client=self._http)).create(card)
        message = Message(message_id="m1", role=Role.ROLE_USER, parts=[Part(text="go")])
        async for frame in client.send_message(SendMessageRequest(message=message)):
            yield frame


async def read(client: Ours | Sdk, path: str, times: int) -> dict[str, float]:
    """Events and CPU of reading so often."""
    events = 0
    async for _ in client.read(path):
        pass
    before = spent()
    for _ in range(times):
        async for _ in client.read(path):
            events += 1
    return {"events": events, "cpu": spent() - before}


async def main() -> None:
    who, url = sys.argv[1:]
    client = Ours(url) if who == "ours" else Sdk(url)
    say("ready")
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while words := (await reader.readline()).decode().split():
        match words:
            case ["read", path, times]:
                say(await read(client, path, int(times)))
            case ["big"]:
                from bench_a2a_house import big

                say(await big(url + "/big"))
            case ["idle", streams, polled, seconds]:
                from bench_a2a_house import idle

                say(await idle(url + "/idle", int(streams), int(polled), float(seconds)))
            case _:
                break


def say(found: object) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        from bench_a2a_house import Loop

        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.run(main())
    else:
        asyncio.run(main())
