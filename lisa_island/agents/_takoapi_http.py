"""Requests to one gateway: what was not sent, what broke off, and nothing of a key in between.

Exceptions of the HTTP client carry the request with its headers; none leaves this file.
"""

import asyncio
import json
import ssl
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import truststore

from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import TooLargeError, read_document
from lisa_island.core.origin import origin_of

CONNECT = WRITE = 10.0
POOL = 5.0
REGISTRY_READ = 30.0
# Slightly more than the gateway's own limits of 30 s and 120 s, so that its answer wins (contract A11).
MESSAGE_READ = 35.0
STREAM_READ = 125.0
# No single read is late while bytes drip in; so the head (beyond its read) and a body that is no stream have
# a limit as a whole. A stream has none: the gateway ends it.
HEAD_SECONDS = CONNECT + POOL + WRITE
DOCUMENT_SECONDS = 60.0
REFUSAL_LIMIT = 64 * 1024

UNREACHABLE = "outcome.unreachable"
UNTRUSTED = "outcome.untrusted"

_NOT_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)


class NotSentError(Exception):
    """No byte of the request reached the gateway; `word` is the sentence that says why."""

    def __init__(self, word: str = UNREACHABLE) -> None:
        super().__init__()
        self.word = word


class CutError(Exception):
    """Bytes may have gone out, and no whole answer came back."""


def is_private(url: str) -> bool:
    """Whether what is sent there stays unread on the way: TLS, or this machine."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return True
    host = parts.hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@cache
def tls() -> ssl.SSLContext:
    """What this system trusts, read once; takes a tenth of a second, so `warm` calls it off the loop."""
    if sys.platform in ("win32", "darwin") or not _has_usual_store():
        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # OpenSSL's own places are the store here, and truststore would read them anew, on the loop, for each
    # connection. Names are checked and certificates required by this protocol's defaults.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    return context


def _has_usual_store() -> bool:
    """Whether OpenSSL was built for where this system keeps certificates, or was told (SSL_CERT_FILE)."""
    paths = ssl.get_default_verify_paths()
    return bool(paths.cafile) or (paths.capath is not None and any(Path(paths.capath).glob("????????.0")))


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
        self._transport = transport
        self._proxy = proxy
        self._client: httpx.AsyncClient | None = None

    async def get(self, path: str, params: Mapping[str, str] | None = None) -> tuple[int, object]:
        """Status and JSON of a public route (None where it is no JSON); no key is sent.

        Raises NotSentError, CutError.
        """
        request = self._open("GET", path, read=REGISTRY_READ, accept="application/json", params=params)
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
        accept = "text/event-stream, application/json" if stream else "application/json"
        read = STREAM_READ if stream else MESSAGE_READ
        return self._open("POST", path, read=read, accept=accept, body=body, key=key, stream=stream)

    async def close(self) -> None:
        """Close every connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    @asynccontextmanager
    async def _open(
        self,
        method: str,
        path: str,
        *,
        read: float,
        accept: str,
        params: Mapping[str, str] | None = None,
        body: dict[str, Any] | None = None,
        key: str = "",
        stream: bool = False,
    ) -> AsyncIterator[httpx.Response]:
        headers = {"accept": accept, "accept-encoding": "identity", "user-agent": "lisa-island"}
        if body is not None:
            headers["content-type"] = "application/json"
        if key:
            headers["authorization"] = f"Bearer {key}"
        timeout = httpx.Timeout(read, connect=CONNECT, write=WRITE, pool=POOL)
        entered = False
        try:
            async with (
                asyncio.timeout(HEAD_SECONDS + read) as limit,
                self._http().stream(
                    method,
                    self.base_url + path,
                    params=params,
                    content=_json(body),
                    headers=headers,
                    timeout=timeout,
                ) as response,
            ):
                is_endless = stream and response.is_success
                limit.reschedule(None if is_endless else _loop_time() + DOCUMENT_SECONDS)
                entered = True
                yield response
        except _NOT_SENT as error:
            raise (CutError() if entered else NotSentError(_why(error))) from None
        except (httpx.HTTPError, httpx.StreamError, OSError, UnicodeError):
            raise CutError from None

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            # A kept connection may be dead after sleep, and a call that breaks on it looks like a lost one.
            limits = httpx.Limits(max_connections=16, max_keepalive_connections=0)
            # Certificates are not even read where the address is plain http to this machine.
            needs_tls = self._transport is None and not self.origin.startswith("http:")
            self._client = httpx.AsyncClient(
                transport=self._transport,
                verify=tls() if needs_tls else False,
                proxy=self._through() if needs_tls else None,
                limits=limits,
                # No cookie is ever taken: one would tie what is asked without a key to who has one.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                trust_env=False,
                follow_redirects=False,
                http2=False,
            )
        return self._client

    def _through(self) -> httpx.Proxy | None:
        """Raises NotSentError for a proxy that cannot be used: going around it is not ours to decide."""
        named = self._proxy(self.origin)
        try:
            scheme = httpx.URL(named).scheme
            if named and scheme not in ("http", "https"):
                raise NotSentError
            return httpx.Proxy(named, ssl_context=tls() if scheme == "https" else None) if named else None
        except (httpx.InvalidURL, ValueError):
            raise NotSentError from None


def _why(error: BaseException | None) -> str:
    """Whether the gateway is not there, or could not prove that it is itself."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return UNTRUSTED
        error = error.__cause__ or error.__context__
    return UNREACHABLE


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _json(body: dict[str, Any] | None) -> bytes | None:
    # Half a surrogate pair is no text; the owner's other words go out all the same.
    return None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


async def bytes_of(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it came. We ask for no compression, and what is compressed all the same is not read."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise TooLargeError
    async with aclosing(response.aiter_bytes()) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            yield chunk
