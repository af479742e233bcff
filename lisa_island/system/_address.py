"""Which base address may be used for remote calls. Pure."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from lisa_island.core.errors import StorageError
from lisa_island.core.text import clean

SHOWN = 200
# No part of an address holds them, and what stands there is shown as it was typed.
_ODD = re.compile(r"[\s\\\"<>^`{|}]")


def base_address(raw: str) -> str:
    """The address without its trailing slash. Raises StorageError: unencrypted, or no address at all.

    http is for this machine alone: everywhere else the key and every text would travel readable.
    """
    text = raw.strip().rstrip("/")
    shown = clean(text, SHOWN)
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise StorageError("settings-file.bad-url", url=shown) from error
    is_plain = not (parts.username or parts.password or "@" in parts.netloc or parts.query or parts.fragment)
    if (
        shown != text
        or not host
        or not is_plain
        or _ODD.search(text)
        or parts.scheme not in ("http", "https")
    ):
        raise StorageError("settings-file.bad-url", url="" if not is_plain else shown)
    if parts.scheme == "http" and not _is_loopback(host):
        raise StorageError("settings-file.insecure-url", url=shown)
    return text


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
