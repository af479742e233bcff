"""The one door: the commands, the hooks and a second start talk to the running island through it.

A unix socket of one user. A client sends one line and keeps its side open; the answer is one line or more,
the last with `"end": true`. Whoever hangs up ends its request. UNTESTED on macOS; on Windows there is no door
yet: `open` and `ask` say so.
"""

import asyncio
import contextlib
import functools
import logging
import os
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from pathlib import Path

from lisa_island.core.errors import IslandError, NotRunningError
from lisa_island.system import door_place
from lisa_island.system._lock import FileLock
from lisa_island.system.door_connection import Connection
from lisa_island.system.door_line import ANSWER_LIMIT, LineError, Message, decode, encode
from lisa_island.system.peer import Peer, peer_of

log = logging.getLogger(__name__)

REQUEST_SECONDS = 10.0
ANSWER_SECONDS = 30.0
CONNECT_SECONDS = 5.0
RETRY_SECONDS = 0.05
MOST_CLIENTS = 64

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Handler = Callable[[Message, Peer], AsyncIterator[Message]]


class Endpoint:
    """The server's side. `words` is the closed list of what `do` may say."""

    def __init__(self, home: Path, environ: Mapping[str, str], words: frozenset[str]) -> None:
        self._home = home
        self._environ = environ
        self._words = words
        self._lock: FileLock | None = None
        self._server: asyncio.Server | None = None
        self._clients: set[Connection] = set()
        self._path: Path | None = None
        self._inode = (0, 0)

    @property
    def path(self) -> Path | None:
        """Where the socket is while the door is open."""
        return self._path

    async def open(self, handler: Handler) -> None:
        """Take the lock and listen. Raises AlreadyRunningError, or StorageError when no place can be had."""
        _need_unix()
        self._lock = door_place.lock(self._home)
        try:
            listening = self._listen(door_place.choose(self._home, self._environ))
            self._server = await asyncio.get_running_loop().create_unix_server(
                lambda: Connection(self._clients, functools.partial(self._converse, handler)), sock=listening
            )
            assert self._path is not None
            door_place.point(self._home, self._path)
        except OSError as error:
            await self.close()
            raise door_place.no_place(self._home, error) from None
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Hang up on everyone, wait for their handlers, leave the place as it was found."""
        if self._server is not None:
            await _stop_accepting(self._server)
        await asyncio.gather(*(client.end() for client in tuple(self._clients)))
        self._leave()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _listen(self, path: Path) -> socket.socket:
        """Bind beside the place and move in: whoever held it before is dead, since the lock is ours."""
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | getattr(socket, "SOCK_CLOEXEC", 0))
        try:
            listening.bind(os.fspath(fresh))
            fresh.chmod(0o600)
            listening.listen(MOST_CLIENTS)
            listening.setblocking(False)
            found = fresh.stat()
            fresh.replace(path)
        except BaseException:
            listening.close()
            raise
        self._path, self._inode = path, (found.st_dev, found.st_ino)
        return listening

    def _leave(self) -> None:
        if self._path is None:
            return
        try:
            found = self._path.lstat()
            if (found.st_dev, found.st_ino) == self._inode:
                self._path.unlink()
            if door_place.pointed(self._home) == self._path:
                (self._home / door_place.POINTER).unlink()
        except OSError:
            pass  # Somebody tidied up before us.
        self._path = None

    async def _converse(
        self, handler: Handler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        peer = peer_of(writer.get_extra_info("socket"))
        if not peer.is_same_user or len(self._clients) > MOST_CLIENTS:
            log.warning("refused a client of the door")
            return
        try:
            request = await self._request(reader)
        except LineError as error:
            await _tell(writer, encode(_usage(error.word), end=True))
            return
        try:
            async with aclosing(_generator(handler(request, peer))) as answers:
                async for answer in answers:
                    await _tell(writer, encode(answer, is_answer=True))
            await _tell(writer, encode({}, end=True))
        except _ClientLostError:
            raise
        except Exception as error:
            # The type alone: a message may carry foreign text.
            log.error("a request of the door failed: %s", type(error).__name__)
            await _tell(writer, encode(_failure(error), end=True, is_answer=True))

    async def _request(self, reader: asyncio.StreamReader) -> Message:
        async with asyncio.timeout(REQUEST_SECONDS):
            try:
                line = await reader.readuntil(b"\n")
            except asyncio.LimitOverrunError:
                raise LineError("door.too-long") from None
            except asyncio.IncompleteReadError as cut:
                raise ConnectionResetError from cut
        request = decode(line)
        if not isinstance(do := request.get("do"), str) or do not in self._words:
            raise LineError("door.unknown-word")
        return request


async def _stop_accepting(server: asyncio.Server) -> None:
    # WORKAROUND asyncio 3.11: a client that was accepted just before `close` is never announced, and leaks.
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    await asyncio.sleep(0)
    server.close()


async def ask(home: Path, request: Message, patience: float = 0.0) -> AsyncGenerator[Message, None]:
    """Send one request and yield its answers.

    `patience` is how many seconds another start may take to open its door. Raises NotRunningError when
    nobody listens, IslandError when the answer was cut off.
    """
    reader, writer = await _dial_patiently(home, patience)
    try:
        try:
            await _send(writer, encode(request))
        except (ConnectionError, TimeoutError):
            pass  # It may have been refused before it was read whole; then the answer says so.
        end = False
        while not end:
            message = await _answer(reader)
            end = bool(message.pop("end", False))
            if message:
                yield message
    finally:
        if not writer.is_closing():
            writer.transport.abort()
        try:
            await writer.wait_closed()
        except ConnectionError:
            pass  # The server was faster.


async def _answer(reader: asyncio.StreamReader) -> Message:
    try:
        return decode(await reader.readuntil(b"\n"))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise IslandError("door.cut") from None
    except (asyncio.LimitOverrunError, LineError):
        raise IslandError("door.bad-answer") from None


async def _dial_patiently(home: Path, patience: float) -> Streams:
    _need_unix()
    clock = asyncio.get_running_loop().time
    until = clock() + patience
    while True:
        try:
            return await _dial(home)
        except NotRunningError:
            if clock() >= until:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def _dial(home: Path) -> Streams:
    """To where the line points, else to where the door would be: the line may be lost, the island is not."""
    for path in (door_place.pointed(home), door_place.usual(home, os.environ)):
        if path is not None:
            with contextlib.suppress(NotRunningError):
                return await _dial_at(path)
    raise NotRunningError("door.not-running")


async def _dial_at(path: Path) -> Streams:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_unix_connection(path, limit=ANSWER_LIMIT)
    except (OSError, TimeoutError):
        raise NotRunningError("door.not-running") from None
    if not peer_of(writer.get_extra_info("socket")).is_same_user:
        writer.close()
        raise NotRunningError("door.not-running")
    return reader, writer


class _ClientLostError(ConnectionError):
    """The client went away or does not read; no failure of the handler."""


async def _tell(writer: asyncio.StreamWriter, line: bytes) -> None:
    try:
        await _send(writer, line)
    except (OSError, TimeoutError):
        raise _ClientLostError from None


async def _send(writer: asyncio.StreamWriter, line: bytes) -> None:
    writer.write(line)
    async with asyncio.timeout(ANSWER_SECONDS):
        await writer.drain()


async def _generator(answers: AsyncIterator[Message]) -> AsyncGenerator[Message, None]:
    try:
        async for answer in answers:
            yield answer
    finally:
        if isinstance(answers, AsyncGenerator):
            await answers.aclose()


def _usage(word: str) -> Message:
    return {"error": "usage", "word": word, "values": {}}


def _failure(error: Exception) -> Message:
    if isinstance(error, IslandError):
        return {"error": "failed", "word": error.word, "values": {k: str(v) for k, v in error.values.items()}}
    return {"error": "failed", "word": "door.failed", "values": {}}


def _need_unix() -> None:
    if sys.platform == "win32":
        raise IslandError("door.no-windows")
