"""Asks a running LISA: her sessions whole, and her events as they come. Questions only; nothing is changed.

The token goes in a header, to the address that the owner named and to no other, and never in the clear over a
network. Routes are asked exactly as they are: with a query behind them LISA does not know them.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import httpx

from lisa_island.agents._http import CutError, Http, NotSentError, Patience, bytes_of, is_private
from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import Document, Dropped, TooLargeError, read_document, read_long_stream
from lisa_island.core.origin import origin_of
from lisa_island.core.ports import Context

HERE = "http://127.0.0.1:5757"
VERSION = 1
SESSIONS = "/api/agents/sessions"
EVENTS = "/events"

ASKING = Patience(read=5.0, head=5.0, whole=10.0)
# She sends no sign of life: how long nothing may come is decided by the questions beside it.
LISTENING = Patience(read=None, head=5.0, whole=10.0)
EVENT_LIMIT = 256 * 1024
SKIP_LIMIT = 8 * 1024 * 1024
DOCUMENT_LIMIT = 64 * 1024


class NoAnswerError(Exception):
    """No usable answer came; `word` says why, `is_final` that asking soon again is of no use."""

    def __init__(self, word: str, *, is_final: bool = False) -> None:
        super().__init__(word)
        self.word = word
        self.is_final = is_final


class LisaClient:
    """One LISA, at `LISA_URL` or where she is by default."""

    def __init__(self, context: Context) -> None:
        self._variable = context.variable
        named = self._variable("LISA_URL").strip()
        self.origin = origin_of(named or HERE)
        self._is_named = bool(named)
        self._http = Http(context.transport, context.proxy, most=4)

    def begin(self) -> None:
        """Connections may be opened."""
        self._http.begin()

    async def close(self) -> None:
        """Close every connection."""
        await self._http.close()

    async def sessions(self) -> list[object]:
        """What she watches and runs now. Raises NoAnswerError."""
        try:
            async with self._http.open(
                "GET", self._url(SESSIONS), headers=self._headers(), patience=ASKING, is_question=True
            ) as response:
                _check(response)
                found = await decode(await read_document(bytes_of(response)))
        except (NotSentError, CutError, TimeoutError, TooLargeError, BadPayloadError) as error:
            raise _why(error) from None
        listed = found.get("sessions") if isinstance(found, dict) else None
        if not isinstance(listed, list):
            raise NoAnswerError("no-lisa")
        return listed

    async def listen(self, opened: Callable[[], None]) -> AsyncGenerator[object, None]:
        """Her events until she ends them; `opened` is called once they flow. Raises NoAnswerError."""
        try:
            async with self._http.open(
                "GET", self._url(EVENTS), headers=self._headers(), patience=LISTENING, stream=True
            ) as response:
                _check(response)
                opened()
                items = read_long_stream(bytes_of(response), EVENT_LIMIT, SKIP_LIMIT, DOCUMENT_LIMIT)
                async with aclosing(items) as events:
                    async for event in events:
                        if isinstance(event, Document):
                            raise NoAnswerError("no-lisa")
                        if (
                            not isinstance(event, Dropped)
                            and (found := await _decoded(event.data)) is not None
                        ):
                            yield found
        except (NotSentError, CutError, TimeoutError, TooLargeError) as error:
            raise _why(error) from None

    def _url(self, route: str) -> str:
        if not self.origin:
            raise NoAnswerError("bad-address", is_final=True)
        return self.origin + route

    def _headers(self) -> dict[str, str]:
        # Where nobody named an address, whoever listens at the usual one is not told a secret.
        token = self._variable("LISA_WEB_TOKEN") if self._is_named else ""
        if not token:
            return {}
        if not is_private(self.origin):
            raise NoAnswerError("in-the-clear", is_final=True)
        if not (token.isascii() and token.isprintable()):
            raise NoAnswerError("bad-token", is_final=True)
        return {"authorization": f"Bearer {token}"}


async def _decoded(data: str) -> object | None:
    try:
        return await decode(data)
    except BadPayloadError:
        return None


def _check(response: httpx.Response) -> None:
    """Raises NoAnswerError for what is no answer of a LISA that we understand."""
    version = response.headers.get("x-lisa-api-version", "").strip()
    if version.isascii() and version.isdigit() and len(version) < 9 and int(version) > VERSION:
        raise NoAnswerError("newer", is_final=True)
    match response.status_code:
        case 200:
            return
        case 401:
            raise NoAnswerError("unauthorized", is_final=True)
        case 403:
            raise NoAnswerError("not-offered", is_final=True)
        case _:
            raise NoAnswerError("no-lisa")


def _why(error: Exception) -> NoAnswerError:
    return NoAnswerError("absent" if isinstance(error, NotSentError) else "cut")
