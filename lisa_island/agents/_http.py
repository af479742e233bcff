"""Requests to peers: what was not sent, what broke off, and nothing of a credential in between.

Exceptions of the HTTP client carry the request with its headers; none leaves this file. No cookies, no
redirects that are followed unseen; of the environment only the proxy that it was given. Connections are kept
for questions alone, which may be asked twice: on a kept one that has died, a call would look like a lost one.
"""

import asyncio
import json
import ssl
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import truststore

from lisa_island.agents._sse import TooLargeError
from lisa_island.core.origin import origin_of

CONNECT = WRITE = 10.0
POOL = 5.0

# Questions to one origin at once; the others wait for their turn, which is no fault of the peer's.
ASKED_AT_ONCE = KEPT_CONNECTIONS = 8
# Shorter than what usual servers and proxies on the way allow, but for those that close at once.
KEPT_SECONDS = 30.0

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
    """No byte of the request reached the peer; `word` is the sentence that says why."""

    def __init__(self, word: str = UNREACHABLE) -> None:
        super().__init__()
        self.word = word


class CutError(Exception):
    """Bytes may have gone out, and no whole answer came back."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: for one read, for the head of the answer, for a whole body. None waits for ever.

    No single read is late while bytes drip in; so the head and a body that is no stream have a limit as a
    whole.
    """

    read: float | None
    head: float | None
    whole: float | None


@dataclass(frozen=True, slots=True)
class _Request:
    """One request, with credentials in its headers."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    patience: Patience
    params: Mapping[str, str] | None
    body: object = field(repr=False)
    stream: bool


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


def warm() -> None:
    """Read the certificates, and import what a first request would import on the loop. Slow, so off it."""
    tls()
    # httpx brings its transport, and anyio its backend, where they are first used.
    httpx.AsyncHTTPTransport(verify=False, trust_env=False)
    for name in ("httpcore._async.http11", "httpcore._backends.anyio", "anyio._backends._asyncio"):
        import_module(name)


def _has_usual_store() -> bool:
    """Whether OpenSSL was built for where this system keeps certificates, or was told (SSL_CERT_FILE)."""
    paths = ssl.get_default_verify_paths()
    return bool(paths.cafile) or (paths.capath is not None and any(Path(paths.capath).glob("????????.0")))


class Http:
    """Connections of one source, a pool of its own for each origin.

    `transport` takes the place of the network (a test's). `wrap(transport, is_proxied)` puts a guard before
    the network.
    """

    def __init__(
        self,
        transport: httpx.AsyncBaseTransport | None = None,
        proxy: Callable[[str], str] = lambda _: "",
        *,
        most: int = 16,
        wrap: Callable[[httpx.AsyncBaseTransport, bool], httpx.AsyncBaseTransport] | None = None,
    ) -> None:
        self.transport = transport
        self._proxy = proxy
        self._most = most
        self._wrap = wrap
        self._clients: dict[tuple[str, bool], httpx.AsyncClient] = {}
        self._is_closed = False
        self._gates: dict[str, asyncio.Semaphore] = {}

    def open(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        patience: Patience,
        params: Mapping[str, str] | None = None,
        body: object = None,
        stream: bool = False,
        is_question: bool = False,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Open a request; leaving the context closes its connection. `body` goes out as JSON.

        With `stream` a successful body may take for ever. `is_question`: it has no effect and may be sent
        twice; its connection may be kept. Raises NotSentError, CutError.
        """
        sent = {"accept-encoding": "identity", "user-agent": "lisa-island", **headers}
        if body is not None:
            sent["content-type"] = "application/json"
        request = _Request(method, url, sent, patience, params, body, stream)
        return self._ask(request) if is_question else self._open(request)

    async def close(self) -> None:
        """Close every connection; until `begin` nothing is opened any more."""
        self._is_closed = True
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()

    def begin(self) -> None:
        """Connections may be opened: at first, and again after a close."""
        self._is_closed = False

    @asynccontextmanager
    async def _ask(self, request: "_Request") -> AsyncIterator[httpx.Response]:
        """On a kept connection, and where that one broke without an answer, once on a fresh one."""
        origin = origin_of(request.url)
        gate = self._gates.setdefault(origin, asyncio.Semaphore(ASKED_AT_ONCE))
        async with gate, AsyncExitStack() as stack:
            may_be_dead = (origin, True) in self._clients
            try:
                response = await stack.enter_async_context(self._open(request, is_kept=True))
            except CutError:
                if not may_be_dead:
                    raise
                response = await stack.enter_async_context(self._open(request))
            yield response

    @asynccontextmanager
    async def _open(self, request: "_Request", *, is_kept: bool = False) -> AsyncIterator[httpx.Response]:
        patience = request.patience
        timeout = httpx.Timeout(patience.read, connect=CONNECT, write=WRITE, pool=POOL)
        entered = False
        try:
            async with (
                asyncio.timeout(patience.head) as limit,
                self._client(request.url, is_kept).stream(
                    request.method,
                    request.url,
                    params=request.params,
                    content=_json(request.body),
                    headers=request.headers,
                    timeout=timeout,
                ) as response,
            ):
                is_endless = patience.whole is None or (request.stream and response.is_success)
                limit.reschedule(None if is_endless else _loop_time() + (patience.whole or 0))
                entered = True
                yield response
        except _NOT_SENT as error:
            raise (CutError() if entered else NotSentError(_why(error))) from None
        except (httpx.HTTPError, httpx.StreamError, OSError, UnicodeError):
            raise CutError from None

    def _client(self, url: str, is_kept: bool = False) -> httpx.AsyncClient:
        origin = origin_of(url)
        if not origin or self._is_closed:
            raise NotSentError
        if (origin, is_kept) not in self._clients:
            self._clients[origin, is_kept] = self._made(origin, is_kept)
        return self._clients[origin, is_kept]

    def _made(self, origin: str, is_kept: bool) -> httpx.AsyncClient:
        # Certificates are not even read where the address is plain http.
        needs_tls = self.transport is None and not origin.startswith("http:")
        verify: ssl.SSLContext | bool = tls() if needs_tls else False
        proxy = self._through(origin) if needs_tls else None
        limits = httpx.Limits(
            max_connections=self._most,
            max_keepalive_connections=KEPT_CONNECTIONS if is_kept else 0,
            keepalive_expiry=KEPT_SECONDS,
        )
        transport = self.transport or httpx.AsyncHTTPTransport(
            verify=verify, proxy=proxy, limits=limits, trust_env=False, http2=False
        )
        return httpx.AsyncClient(
            transport=self._wrap(transport, proxy is not None) if self._wrap else transport,
            # No cookie is ever taken: one would tie what is asked without a key to who has one.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
            follow_redirects=False,
        )

    def _through(self, origin: str) -> httpx.Proxy | None:
        """Raises NotSentError for a proxy that cannot be used: going around it is not ours to decide."""
        named = self._proxy(origin)
        try:
            scheme = httpx.URL(named).scheme
            if named and scheme not in ("http", "https"):
                raise NotSentError
            return httpx.Proxy(named, ssl_context=tls() if scheme == "https" else None) if named else None
        except (httpx.InvalidURL, ValueError):
            raise NotSentError from None


def _why(error: BaseException | None) -> str:
    """Whether the peer is not there, or could not prove that it is itself."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return UNTRUSTED
        error = error.__cause__ or error.__context__
    return UNREACHABLE


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _json(body: Any) -> bytes | None:
    # Half a surrogate pair is no text; the owner's other words go out all the same.
    return None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


async def bytes_of(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it came. We ask for no compression, and what is compressed all the same is not read."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise TooLargeError
    # What was read whole before (a test's) is there as bytes alone.
    raw = response.aiter_bytes() if response.is_stream_consumed else response.aiter_raw()
    async with aclosing(raw) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            yield chunk
