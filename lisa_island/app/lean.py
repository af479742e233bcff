"""Reads what the standard library has for all programs without what it brings along for some of them.

asyncio brings TLS, for loops that make such connections themselves. Ours never does: HTTP is httpx's, and
that has its own TLS on top of plain streams and imports `ssl` when it comes. hashlib brings OpenSSL's
digests, while Python has its own of all that are used here. Until something is switched on, it saves 9 MB.
"""

import sys
from importlib import import_module


def read_lean() -> None:
    """Import both, and leave `ssl` and OpenSSL for whoever needs them."""
    _read("asyncio", without="ssl")
    _read("hashlib", without="_hashlib")


def _read(name: str, without: str) -> None:
    if name in sys.modules or without in sys.modules:
        return
    sys.modules[without] = None  # type: ignore[assignment]  # What is None there cannot be imported.
    try:
        import_module(name)
    finally:
        del sys.modules[without]
