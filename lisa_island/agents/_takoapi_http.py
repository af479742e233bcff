"""Requests to one gateway: its routes, its patience, and its key, which goes with calls alone."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Any

import httpx

from lisa_island.agents._http import CONNECT, POOL, WRITE, Http, Patience, bytes_of
from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import TooLargeError, read_document
from lisa_island.core.origin import origin_of

REGISTRY_READ = 30.0
# Slightly more than the gateway's own limits of 30 s and 120 s, so that its answer wins (contract A11).
MESSAGE_READ = 35.0
STREAM_READ = 125.0
# A stream has no limit as a whole: the gateway ends it.
HEAD_SECONDS = CONNECT + POOL + WRITE
DOCUMENT_SECONDS = 60.0
REFUSAL_LIMIT = 64 * 1024


class Gateway:
    """One address. Redirects are not followed; of the environment only the proxy it was given is used."""

    def __init__(
        self,
        base_url: str,
        transport: httpx.AsyncBaseTransport | None,
        proxy: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.base_url = base_url.strip().rstrip("/")
        self.origin = origin_of(self.base_url)
        self._http = Http(transport, proxy)

    async def get(self, path: str, params: Mapping[str, str] | None = None) -> tuple[int, object]:
        """Status and JSON of a public route (None where it is no JSON); no key is sent.

        Raises NotSentError, CutError.
        """
        request = self._http.open(
            "GET",
            self.base_url + path,
            headers={"accept": "application/json"},
            patience=_patience(REGISTRY_READ),
            params=params,
        )
        async with request as response:
            try:
                async with aclosing(bytes_of(response)) as chunks:
                    return response.status_code, await decode(await read_document(chunks))
            except (TooLargeError, BadPayloadError):
                return response.status_code, None

    def post(
        self, path: str, body: dict[str, Any], key: str, *, stream: bool = False
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Open a call; leaving the context closes its connection. Raises NotSentError, CutError."""
        headers = {"accept": "text/event-stream, application/json" if stream else "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        return self._http.open(
            "POST",
            self.base_url + path,
            headers=headers,
            patience=_patience(STREAM_READ if stream else MESSAGE_READ),
            body=body,
            stream=stream,
        )

    def begin(self) -> None:
        """Calls may go out, at first or again after a close."""
        self._http.begin()

    async def close(self) -> None:
        """Close every connection."""
        await self._http.close()


def _patience(read: float) -> Patience:
    return Patience(read, HEAD_SECONDS + read, DOCUMENT_SECONDS)
