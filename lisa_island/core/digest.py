"""SHA-256 alone: `hashlib` would bring the whole of OpenSSL for digests that nobody asks for, 4 MB."""

from contextlib import suppress
from importlib import import_module


def hex_digest(data: bytes) -> str:
    """64 hex digits."""
    # The standard library's own, by the name it has since Python 3.12, and before.
    for name in ("_sha2", "_sha256", "hashlib"):
        with suppress(ImportError):
            found: str = import_module(name).sha256(data).hexdigest()
            return found
    raise AssertionError("hashlib is always there")
