"""Whom a name means: an address, the owner's own name for an agent, a slug, then a name found by asking.

The order of contract pi-a2a.md, G.5 item 11. A name that means several is never guessed: all are named.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import DirectAgent

# What the gateway calls an agent (contract takoapi.md, A4).
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
DIRECT = "a2a"
GATEWAY = "takoapi"


@dataclass(frozen=True, slots=True)
class Named:
    """One agent: its kind and what that kind calls it."""

    agent: str
    target: str


@dataclass(frozen=True, slots=True)
class Several:
    """More than one; `names` are what to type instead, in a stable order."""

    names: tuple[str, ...]


def places(agents: Iterable[DirectAgent]) -> dict[str, str]:
    """The host, with its port, that each agent is called at, by name: the first one the owner agreed to."""
    return {agent.name: host(agent.endpoint or next(iter(agent.origins), agent.url)) for agent in agents}


def host(url: str) -> str:
    """The host of an address as a person reads it, with its port where it names one; "" for none."""
    return origin_of(url).partition("://")[2]


def find(typed: str, own: Mapping[str, Collection[str]], slugs: Collection[str]) -> Named | Several | None:
    """Look among what is known. `own` holds the addresses of each agent that the owner added."""
    if origin_of(typed):
        return _one(name for name, urls in own.items() if any(_same(typed, url) for url in urls))
    if typed in own:
        return Named(DIRECT, typed)
    if typed in slugs:
        return Named(GATEWAY, typed)
    return _one(name for name in own if name.casefold() == typed.casefold())


def among(typed: str, found: Iterable[tuple[str, str, str]]) -> Named | Several | None:
    """Look among what was discovered, as (kind, target, shown name), whatever the case."""
    wanted = typed.casefold()
    fitting = dict.fromkeys(
        Named(agent, target)
        for agent, target, name in found
        if wanted in (target.casefold(), name.casefold())
    )
    if len(fitting) > 1:
        return Several(tuple(sorted(named.target for named in fitting)))
    return next(iter(fitting), None)


def _one(names: Iterable[str]) -> Named | Several | None:
    fitting = sorted(set(names))
    if len(fitting) > 1:
        return Several(tuple(fitting))
    return Named(DIRECT, fitting[0]) if fitting else None


def _same(one: str, other: str) -> bool:
    return bool(other) and one.strip().rstrip("/") == other.strip().rstrip("/")
