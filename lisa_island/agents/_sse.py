"""Our byte stream around httpx-sse's decoder: it guards and sniffs, and parses nothing itself.

It drops a byte order mark, ends the last event, caps the bytes, and lets the loop run between small
pieces, so that a megabyte in one read stalls nothing. A body that is JSON or HTML is handed over whole,
whatever its content type says: the gateway calls everything a stream.
"""

import asyncio
import re
import sys
from codecs import getincrementaldecoder
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import NamedTuple

import httpx
from httpx_sse import EventSource

STREAM_LIMIT = 8 * 1024 * 1024
DOCUMENT_LIMIT = 2 * 1024 * 1024
# One wide letter makes every letter of a text wide, and the decoder copies a line four times.
WIDE_LINE_LIMIT = 3 * 1024 * 1024
PIECE = 16 * 1024
EMPTY_EVENTS_A_TURN = 500

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_NULL = b"null"
_LINE_END = re.compile(rb"[\r\n]")


class TooLargeError(Exception):
    """The peer sent more bytes than we are willing to read."""


@dataclass(frozen=True, slots=True)
class Document:
    """A body that is no event stream: all its bytes, without leading space."""

    data: bytes

    @property
    def is_html(self) -> bool:
        """Whether it starts as a page would."""
        return self.data.startswith(b"<")


@dataclass(frozen=True, slots=True)
class Dropped:
    """An event that was larger than one may be; nothing of it was kept, and the stream goes on."""


class Event(NamedTuple):
    """One server-sent event; `name` is "" where the peer gave none."""

    name: str
    data: str


async def read_document(chunks: AsyncIterator[bytes], limit: int = DOCUMENT_LIMIT) -> bytes:
    """The whole body. Raises TooLargeError."""
    parts = []
    async with aclosing(_pieces(chunks, limit)) as pieces:
        async for piece in pieces:
            parts.append(piece)
    return b"".join(parts)


async def read_events(
    chunks: AsyncIterator[bytes], limit: int = STREAM_LIMIT, document_limit: int = DOCUMENT_LIMIT
) -> AsyncGenerator[Document | Event, None]:
    """Yield the events of a stream, or the one document that came in its place.

    What `chunks` raises passes through, and an event that was not ended by then is lost.
    Raises TooLargeError; what came before it was yielded.
    """
    async with aclosing(_pieces(chunks, limit)) as pieces:
        head, more = await _head(pieces)
        if _is_document(head):
            yield Document(await _rest(head, pieces if more else None, document_limit))
            return
        async with aclosing(_decoded(_Ended(head, pieces))) as events:
            async for event in events:
                yield event


async def read_long_stream(
    chunks: AsyncIterator[bytes], event_limit: int, skip_limit: int, document_limit: int
) -> AsyncGenerator[Document | Event | Dropped, None]:
    """As `read_events`, of a stream that may go on for days: each event has a limit, all together have none.

    `event_limit` is at least PIECE.
    An event that is larger is skipped to its end, unless that takes more than `skip_limit` bytes: then
    TooLargeError is raised.
    """
    async with aclosing(_pieces(chunks, None)) as pieces:
        head, more = await _head(pieces)
        if _is_document(head):
            yield Document(await _rest(head, pieces if more else None, document_limit))
            return
        while True:
            stream = _Ended(head, pieces, event_limit)
            try:
                async with aclosing(_decoded(stream)) as events:
                    async for event in events:
                        yield event
                return
            except _TooLongEventError:
                yield Dropped()
            head = await _after_event(stream.tail, pieces, skip_limit)


async def _decoded(stream: "_Ended") -> AsyncGenerator[Event, None]:
    async with aclosing(EventSource(_Answer(stream)).aiter_sse()) as events:
        empty = 0
        async for event in events:
            # After an id, the decoder makes an event of every blank line.
            if event.data:
                yield Event("" if event.event == "message" else event.event, event.data)
                continue
            empty += 1
            if empty % EMPTY_EVENTS_A_TURN == 0:
                await asyncio.sleep(0)


class _Answer(httpx.Response):
    """What the decoder reads. httpx's own way from bytes to text is half the cost of a small event."""

    def __init__(self, stream: "_Ended") -> None:
        super().__init__(200, headers={"content-type": "text/event-stream"})
        self._ended = stream

    async def aiter_text(self, chunk_size: int | None = None) -> AsyncIterator[str]:
        """The stream as text; a byte that is no text becomes U+FFFD."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        async with aclosing(self._ended.pieces()) as pieces:
            async for piece in pieces:
                if shown := decode(piece):
                    yield shown


_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n|\r\n\r|\r\n\n")


async def _after_event(tail: bytes, pieces: AsyncIterator[bytes], limit: int) -> bytes:
    """What follows the end of the event that is being skipped; `tail` may hold a part of that end."""
    skipped = 0
    while True:
        if found := _EVENT_END.search(tail):
            return tail[found.end() :]
        kept = tail[-3:]
        piece = await anext(pieces, b"")
        if not piece:
            return b""
        skipped += len(piece)
        if skipped > limit:
            raise TooLargeError
        tail = kept + piece


async def _pieces(chunks: AsyncIterator[bytes], most: int | None) -> AsyncGenerator[bytes, None]:
    """Small pieces of at most so many bytes in all, without a byte order mark."""
    limit = sys.maxsize if most is None else most
    count, since, start = 0, 0, b""
    at_start = True
    async for chunk in chunks:
        count += len(chunk)
        allowed = chunk if count <= limit else chunk[: max(0, limit - (count - len(chunk)))]
        if at_start:
            start += allowed
            if len(start) < len(_BOM) and _BOM.startswith(start) and count <= limit:
                continue
            allowed, at_start = start.removeprefix(_BOM), False
        for offset in range(0, len(allowed), PIECE):
            piece = allowed[offset : offset + PIECE]
            yield piece
            since += len(piece)
            if since >= PIECE:
                since = 0
                await asyncio.sleep(0)
        if count > limit:
            raise TooLargeError
    if at_start and start and start != _BOM:
        yield start


async def _head(pieces: AsyncIterator[bytes]) -> tuple[bytes, bool]:
    """Enough of the start to tell what it is, without leading space, and whether more may follow."""
    head = b""
    async for piece in pieces:
        head = (head + piece).lstrip(_SPACE)
        if head and (len(head) > len(_NULL) or not _NULL.startswith(head[: len(_NULL)])):
            return head, True
    return head, False


def _is_document(head: bytes) -> bool:
    is_null = head.startswith(_NULL) and not head[len(_NULL) : len(_NULL) + 1].strip(_SPACE)
    return head[:1] in (b"{", b"[", b"<") or is_null


async def _rest(head: bytes, pieces: AsyncIterator[bytes] | None, limit: int) -> bytes:
    parts, count = [head], len(head)
    if pieces is not None:
        async for piece in pieces:
            count += len(piece)
            if count > limit:
                break
            parts.append(piece)
    if count > limit:
        raise TooLargeError
    return b"".join(parts)


class _TooLongEventError(Exception):
    """An event passed its limit; the decoder that holds its beginning is thrown away."""


class _Ended:
    """A stream that ends its last event: an agent may close right after it.

    With `event_limit`, an event that passes it raises _TooLongEventError; `tail` is the piece it did so in.
    """

    def __init__(self, head: bytes, more: AsyncIterator[bytes], event_limit: int | None = None) -> None:
        self._head = head
        self._more = more
        self._line = 0
        self._is_wide = False
        self._limit = event_limit
        self._event = 0
        self.tail = b""

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """All of it, each piece weighed."""
        if self._head:
            self._weigh(self._head)
            yield self._head
        async for piece in self._more:
            self._weigh(piece)
            yield piece
        yield b"\n\n"

    def _weigh(self, piece: bytes) -> None:
        last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        if self._limit is not None:
            self._weigh_event(piece, last >= 0)
        if last < 0:
            self._grow(piece)
            return
        # One piece is far below the limit of a line: what matters is a line that goes on from one to another.
        if self._line:
            self._grow(_LINE_END.split(piece, 1)[0])
        self._line, self._is_wide = 0, False
        self._grow(piece[last + 1 :])

    def _weigh_event(self, piece: bytes, is_whole: bool) -> None:
        """Count the bytes since the last blank line; `is_whole`: a line ends in the piece."""
        self._event += len(piece)
        if is_whole:
            seam = self.tail[-1:] + piece
            blank = seam.rfind(b"\n\n")
            if b"\r" in seam:
                blank = max(blank, seam.rfind(b"\r\r"), seam.rfind(b"\n\r"))
            if blank >= 0:
                self._event = len(seam) - blank - 2
        self.tail = piece
        if self._limit is not None and self._event > self._limit:
            raise _TooLongEventError

    def _grow(self, part: bytes) -> None:
        self._line += len(part)
        self._is_wide = self._is_wide or not part.isascii()
        if self._is_wide and self._line > WIDE_LINE_LIMIT:
            raise TooLargeError if self._limit is None else _TooLongEventError
