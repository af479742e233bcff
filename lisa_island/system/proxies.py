"""The proxy that the owner's environment names for an address, after the convention of curl.

`https_proxy` before `all_proxy`, lower case before upper; `no_proxy` names hosts, domains, addresses and
networks, each perhaps with a port, or everything with `*`. This machine itself is never reached by a proxy.
A proxy's own name and password stay in what `proxy_for` answers; `shown` is for people.
"""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from lisa_island.core.text import clean

SHOWN_LIMIT = 120
SUPPORTED = ("http", "https")
_PORTS = {"http": 80, "https": 443}


def proxy_for(origin: str, environ: Mapping[str, str]) -> str:
    """The proxy's address, its credentials included; "" for a direct way."""
    parts = urlsplit(origin)
    host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    if not host or _is_here(host) or _is_excepted(host, port, _value("no_proxy", environ)):
        return ""
    named = _value(f"{parts.scheme}_proxy", environ) or _value("all_proxy", environ)
    return named if not named or "://" in named else f"http://{named}"


def shown(proxy: str) -> str:
    """Scheme, host and port of a proxy; nothing that stands before the host or after the port."""
    parts = _split(proxy)
    host = parts.hostname if parts else None
    if parts is None or not host:
        return "?"
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return clean(f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}", SHOWN_LIMIT)


def is_supported(proxy: str) -> bool:
    """Whether requests can go through it."""
    parts = _split(proxy)
    try:
        return parts is not None and parts.scheme in SUPPORTED and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _split(proxy: str) -> SplitResult | None:
    try:
        return urlsplit(proxy)
    except ValueError:
        return None


def _value(name: str, environ: Mapping[str, str]) -> str:
    return environ.get(name, environ.get(name.upper(), "")).strip()


def _is_here(host: str) -> bool:
    address = _address(host)
    if address is not None:
        return address.is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _is_excepted(host: str, port: int, exceptions: str) -> bool:
    return any(_matches(host, port, word) for word in exceptions.replace(",", " ").split())


def _matches(host: str, port: int, word: str) -> bool:
    if word == "*":
        return True
    if (address := _address(host)) is not None:
        return _is_within(address, word) or _is_within(address, _bare(word, port))
    domain = _bare(word, port).lower().lstrip("*").lstrip(".").rstrip(".")
    host = host.lower().rstrip(".")
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))


def _bare(word: str, port: int) -> str:
    """Without its port; "" where that is another one."""
    host, colon, its_port = word.rpartition(":")
    if not colon or not its_port.isdecimal():
        return word
    return host.strip("[]") if int(its_port) == port else ""


def _is_within(address: IPv4Address | IPv6Address, word: str) -> bool:
    try:
        return address in ip_network(word.strip("[]"), strict=False)
    except (ValueError, TypeError):
        return False


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
