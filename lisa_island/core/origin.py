"""An address's origin in one spelling, and the shape of a key: what every room must agree on."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

HOME_ORIGIN = "https://takoapi.com"
PREVIEW_LENGTH = 16
CREDENTIAL_LIMIT = 8_192

_PORTS = {"http": 80, "https": 443}
_KEY = re.compile(r"tako_live_[A-Za-z0-9_-]{32}", re.ASCII)


def origin_of(url: str) -> str:
    """Scheme, host and port in one spelling; "" for what is no http address or carries credentials."""
    try:
        parts = urlsplit(url.strip())
        scheme, host, port = parts.scheme.lower(), (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    if scheme not in _PORTS or not host or "@" in parts.netloc:
        return ""
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port in (None, _PORTS[scheme]) else f":{port}")


def is_here(url: str) -> bool:
    """Whether an address is one of this machine."""
    try:
        name = urlsplit(url).hostname or ""
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def check_key(value: str) -> str:
    """ "" for a key as the gateway makes them (contract takoapi.md A2), else what is wrong, as a word."""
    if not value:
        return "secrets.empty"
    if _KEY.fullmatch(value):
        return ""
    return "secrets.bad-length" if value.startswith("tako_live_") else "secrets.bad-prefix"


def check_credential(value: str) -> str:
    """ "" for what can be sent as a credential in a header, else what is wrong, as a word."""
    if not value.strip():
        return "secrets.empty"
    return "" if len(value) <= CREDENTIAL_LIMIT and value.isprintable() else "secrets.bad-credential"


def preview(value: str) -> str:
    """What may be shown of a key: its first 16 characters."""
    return value[:PREVIEW_LENGTH]
