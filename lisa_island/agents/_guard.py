"""Keeps requests that a remote card sends us on away from this machine and its networks (SSRF)."""

from collections.abc import Awaitable, Callable

import httpx

Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]


def guarded(
    transport: httpx.AsyncBaseTransport, is_proxied: bool, resolve: Resolve | None = None
) -> httpx.AsyncBaseTransport:
    """For `Http(wrap=guarded)`: https only, to public addresses that were checked.

    Requests that it stops raise NotSentError("outcome.private-address") or ("outcome.not-https").
    """
    raise NotImplementedError
