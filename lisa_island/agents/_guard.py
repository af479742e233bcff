"""Keeps requests that a stranger's card sends us on away from this machine and its networks (SSRF).

For addresses that the owner did not type: https alone, the name resolved once and off the loop, every address
of it checked, and the connection made to the one that was checked, with the name kept for TLS and the Host
header. Each hop of a redirect is a request of its own and passes here again.

Behind a proxy the proxy resolves, and what it may reach is for whoever runs it: only what the address itself
says is checked then, literal addresses and the names of local places.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import httpx

from lisa_island.agents._http import UNREACHABLE, NotSentError

Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]

NOT_HTTPS: Final = "outcome.not-https"
PRIVATE: Final = "outcome.private-address"
RESOLVE_SECONDS: Final = 5.0
MOST_ADDRESSES: Final = 4

# Names that stand for this machine or its network, whatever a resolver says of them.
_LOCAL_NAMES = ("localhost", "local", "internal", "lan", "home", "intranet", "corp", "private", "home.arpa")
# Ranges that `is_global` of an older Python lets through, or that carry another address inside.
_CLOSED = tuple(
    ip_network(net)
    for net in (
        *("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4"),
        *("64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10"),
    )
)
_NAT64 = ip_network("64:ff9b::/96")
_6TO4 = ip_network("2002::/16")


def is_public(address: str) -> bool:
    """Whether a literal address is one of the open internet, whatever it carries inside."""
    try:
        # A zone belongs to a link of this machine.
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        inner = _inside(found)
        if inner is not None:
            return is_public(str(inner))
    if any(found.version == net.version and found in net for net in _CLOSED):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def _inside(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one stands for."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or int(address) >> 32 == 0:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour if address in _6TO4 else None


def is_local_name(host: str) -> bool:
    """Whether a host name is one of this machine or network: without a dot, or below a local suffix."""
    bare = host.lower().rstrip(".")
    return "." not in bare or any(bare == n or bare.endswith(f".{n}") for n in _LOCAL_NAMES)


def literal(host: str) -> str | None:
    """The address that a host is, in any spelling that a resolver would take for one; None for a name.

    127.1, 0x7f000001, 017700000001 and 2130706433 all are 127.0.0.1 to the C library.
    """
    bare = host.strip("[]").rstrip(".")
    try:
        return str(ip_address(bare))
    except ValueError:
        pass
    if bare and all(c in "0123456789abcdefABCDEFxX." for c in bare):
        try:
            return socket.inet_ntoa(socket.inet_aton(bare))
        except (OSError, ValueError):
            return None
    return None


async def resolve(host: str, port: int) -> tuple[str, ...]:
    """Every address of a name, off the loop, within RESOLVE_SECONDS. Raises OSError, TimeoutError."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(RESOLVE_SECONDS):
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def guarded(
    transport: httpx.AsyncBaseTransport, is_proxied: bool, resolve: Resolve = resolve
) -> httpx.AsyncBaseTransport:
    """For `Http(wrap=guarded)`. What it stops raises NotSentError with NOT_HTTPS or PRIVATE."""
    return _Guarded(transport, is_proxied, resolve)


def guarded_by(
    resolve: Resolve,
) -> Callable[[httpx.AsyncBaseTransport, bool], httpx.AsyncBaseTransport]:
    """The same with a resolver of one's own."""
    return partial(guarded, resolve=resolve)


class _Guarded(httpx.AsyncBaseTransport):
    def __init__(self, inner: httpx.AsyncBaseTransport, is_proxied: bool, resolve: Resolve) -> None:
        self._inner = inner
        self._is_proxied = is_proxied
        self._resolve = resolve

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.scheme != "https":
            raise NotSentError(NOT_HTTPS)
        host = request.url.raw_host.decode("ascii")
        known = literal(host)
        if known is not None and not is_public(known):
            raise NotSentError(PRIVATE)
        if known is None and is_local_name(host):
            raise NotSentError(PRIVATE)
        if self._is_proxied or known is not None:
            return await self._inner.handle_async_request(request)
        return await self._to_checked(request, host)

    async def _to_checked(self, request: httpx.Request, host: str) -> httpx.Response:
        addresses = await self._addresses(host, request.url.port or 443)
        error: Exception | None = None
        for address in addresses[:MOST_ADDRESSES]:
            try:
                return await self._inner.handle_async_request(_pinned(request, address, host))
            except (httpx.ConnectError, httpx.ConnectTimeout) as found:
                # Nothing was sent: the next address is no second call.
                error = found
        raise error or NotSentError(UNREACHABLE)

    async def _addresses(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = await self._resolve(host, port)
        except (OSError, TimeoutError, UnicodeError):
            raise NotSentError(UNREACHABLE) from None
        if not all(is_public(address) for address in found):
            raise NotSentError(PRIVATE)
        return found

    async def aclose(self) -> None:
        await self._inner.aclose()


def _pinned(request: httpx.Request, address: str, host: str) -> httpx.Request:
    """The same request to one address; TLS asks for the name and checks the certificate against it."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host},
    )
