"""The recorded exchanges of `tests/data/wire`, byte for byte, and a server that says them again.

A recording shows each read of the socket as `[+SECONDS BYTESB]` and its bytes as text, a CR LF pair as
`<CRLF>` and a new line. The count of bytes proves that a read is whole: what a recording shortened fits no
count and is left out (`shortened` says which).
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import httpcore
import httpx

WIRE = Path(__file__).parents[1] / "data" / "wire"
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_EXCHANGE = re.compile(r"^={16} (.*)\n>>>> request\n", re.M)
_READ = re.compile(r"^\[\+[0-9.]+s ([0-9]+)B\]\n", re.M)
_END = re.compile(r"^\[(server closed|client gave up) .*\]\n", re.M)
_PUSH = re.compile(r"^### webhook POST (\S+)\n.*?\n\n(.*?)\n(?=\n|\Z)", re.M | re.S)


class ShortenedError(Exception):
    """A recording shows less than was sent."""


@dataclass(frozen=True)
class Exchange:
    """One request and all that came back; `is_closed` unless the client left first."""

    capture: str
    title: str
    request: bytes
    reads: tuple[bytes, ...]
    is_closed: bool

    @property
    def id(self) -> str:
        return f"{self.capture[:2]}: {self.title}"

    @property
    def response(self) -> bytes:
        return b"".join(self.reads)

    @property
    def method(self) -> str:
        return self.request.split(b" ", 1)[0].decode()

    @property
    def path(self) -> str:
        return self.request.split(b" ", 2)[1].decode()

    @property
    def request_body(self) -> bytes:
        return self.request.partition(b"\r\n\r\n")[2]

    @property
    def status(self) -> int:
        return int(self.response.split(b" ", 2)[1])

    @property
    def head(self) -> bytes:
        """The response up to its body."""
        return self.response.partition(b"\r\n\r\n")[0]

    @property
    def is_chunked(self) -> bool:
        return b"transfer-encoding: chunked" in self.head.lower()

    @property
    def is_stream(self) -> bool:
        return b"text/event-stream" in self.head.lower()

    @property
    def body(self) -> bytes:
        """The response's body without the framing of HTTP."""
        body = self.response[len(self.head) + 4 :]
        return b"".join(_unchunked(body)) if self.is_chunked else body

    def cut(self, sizes: Iterable[int]) -> list[bytes]:
        """The response in pieces of these sizes, the rest in one."""
        pieces, rest = [], self.response
        for size in sizes:
            if not rest:
                break
            pieces.append(rest[:size])
            rest = rest[size:]
        return [p for p in (*pieces, rest) if p]


@dataclass(frozen=True)
class Push:
    """One call of a webhook: where, and its JSON."""

    path: str
    body: bytes


def names() -> list[str]:
    """The captures that hold exchanges."""
    return [p.stem for p in sorted(WIRE.glob("*.txt")) if _EXCHANGE.search(_read(p.stem))]


@cache
def exchanges(capture: str = "") -> tuple[Exchange, ...]:
    """The complete exchanges of one capture, or of all."""
    if not capture:
        return tuple(e for name in names() for e in exchanges(name))
    return tuple(found for _title, found in _exchanges(capture) if found)


def exchange(capture: str, title: str) -> Exchange:
    """The one exchange of a capture (by the start of its name) whose title starts so."""
    [found] = [e for e in exchanges() if e.capture.startswith(capture) and e.title.startswith(title)]
    return found


def shortened() -> list[str]:
    """What was recorded in part, and is no exchange for that."""
    return [f"{n[:2]}: {title}" for n in names() for title, found in _exchanges(n) if found is None]


def pushes(capture: str = "18-js-push-notifications") -> list[Push]:
    """What agents told a webhook."""
    return [Push(m[1], m[2].encode()) for m in _PUSH.finditer(_read(capture))]


# --- reading ---


def _read(capture: str) -> str:
    return (WIRE / f"{capture}.txt").read_bytes().decode("utf-8")


def _exchanges(capture: str) -> list[tuple[str, Exchange | None]]:
    pieces = _EXCHANGE.split(_read(capture))[1:]
    found: list[tuple[str, Exchange | None]] = []
    for title, text in zip(pieces[::2], pieces[1::2], strict=True):
        try:
            found.append((title, _exchange(capture, title, text)))
        except ShortenedError:
            found.append((title, None))
    return found


def _exchange(capture: str, title: str, text: str) -> Exchange:
    request, _, answer = text.partition("\n<<<< response\n")
    end = _END.search(answer)
    if end is None:
        raise ShortenedError
    pieces = _READ.split(answer[: end.start()])[1:]
    reads = tuple(_bytes(t, int(n)) for n, t in zip(pieces[::2], pieces[1::2], strict=True))
    return Exchange(capture, title, _plain(request), reads, end[1] == "server closed")


def _plain(text: str) -> bytes:
    return text.replace("<CRLF>\n", "\r\n").encode()


def _bytes(text: str, count: int) -> bytes:
    """One read; the recorder ended the last line where the peer had not."""
    data = _plain(text)
    if len(data) == count + 1 and data.endswith(b"\n"):
        data = data[:-1]
    if len(data) != count:
        raise ShortenedError
    return data


def _unchunked(body: bytes) -> Iterable[bytes]:
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size, 16)
        yield body[:count]
        body = body[count + 2 :]


# --- saying it again ---


def recorded(
    found: Exchange, cuts: Sequence[int] | None = None, *, stop_after: int | None = None
) -> httpx.AsyncHTTPTransport:
    """A transport that answers with one recorded response, without a socket: the client reads these pieces.

    cuts: the sizes of the pieces; None gives those of the recording.
    stop_after: the connection ends after so many bytes, as it does where the recorded client left first.
    """
    # Its own would read all authorities of the system, for a connection that has none.
    transport = httpx.AsyncHTTPTransport(verify=_NO_TLS)
    backend = httpcore.AsyncMockBackend(_pieces(found, cuts, stop_after))
    transport._pool = httpcore.AsyncConnectionPool(network_backend=backend)
    return transport


def _pieces(found: Exchange, cuts: Sequence[int] | None, stop_after: int | None) -> list[bytes]:
    if stop_after is not None:
        return [whole] if (whole := found.response[:stop_after]) else []
    return list(found.reads) if cuts is None else found.cut(cuts)


@dataclass(eq=False)
class Replay:
    """A server on loopback that answers every request with one recorded response.

    `url` is its root without a slash; `asked` holds the requests as they came.
    """

    url: str
    asked: list[bytes]


@asynccontextmanager
async def replay(
    found: Exchange, cuts: Sequence[int] | None = None, *, stop_after: int | None = None
) -> AsyncIterator[Replay]:
    """Serve one exchange.

    cuts: sizes of the pieces as they are written; None writes those of the recording.
    stop_after: break off after so many bytes, without the end that HTTP asks for.
    The system may join two pieces on their way; `recorded` never does.
    """
    pieces = _pieces(found, cuts, stop_after)
    made = Replay("", [])
    answering: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        answering.add(task)
        try:
            made.asked.append(await _request(reader))
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                # The client reads before the next piece comes.
                await asyncio.sleep(0)
            if not found.is_closed and stop_after is None:
                # The recorded client left first: so does this one.
                await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            answering.discard(task)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    made.url = f"http://{host}:{port}"
    try:
        yield made
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*answering)


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"^content-length: *([0-9]+)", head, re.M | re.I)
    return head + (await reader.readexactly(int(length[1])) if length else b"")
