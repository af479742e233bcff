"""SHA-256 alone: `hashlib` would bring the whole of OpenSSL for digests that nobody asks for, 4 MB."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any


def hex_digest(data: bytes) -> str:
    """64 hex digits."""
    found: str = _sha256()(data).hexdigest()
    return found


@cache
def _sha256() -> Callable[[bytes], Any]:
    # The standard library's own, by the name it has since Python 3.12, and before. Looked for once: a name
    # that is not there is looked for in every folder of the path.
    for name in ("_sha2", "_sha256", "hashlib"):
        with suppress(ImportError):
            found: Callable[[bytes], Any] = import_module(name).sha256
            return found
    raise AssertionError("hashlib is always there")
