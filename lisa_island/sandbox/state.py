"""Everything the sandbox remembers while it runs: one object, made once, reset by the admin endpoint."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .steps import Agent, Json

WINDOW = 60.0


class Gates:
    """Named gates: a waiting step passes when the gate is opened; an opening may come before the waiter."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.waiting: dict[str, int] = defaultdict(int)
        self._doors: dict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(0))

    async def wait(self, name: str) -> None:
        self.waiting[name] += 1
        try:
            await self._doors[name].acquire()
        finally:
            self.waiting[name] -= 1

    def open(self, name: str, times: int = 1) -> None:
        for _ in range(times):
            self._doors[name].release()

    def release(self, name: str) -> None:
        """Let go of a held agent: all that wait pass, and later pauses are time again."""
        self.held.discard(name)
        self.open(name, self.waiting[name])


class Limiter:
    """One fixed window of 60 s per bucket; calls over the limit count but do not move its end (A3)."""

    def __init__(self, limit: int = 120) -> None:
        self.limit = limit
        self._windows: dict[str, tuple[float, int]] = {}

    def retry_after(self, bucket: str, now: float) -> int | None:
        """Seconds to wait, rounded up, or None when the call may pass."""
        end, count = self._windows.get(bucket, (now + WINDOW, 0))
        if now >= end:
            end, count = now + WINDOW, 0
        self._windows[bucket] = (end, count + 1)
        return max(1, math.ceil(end - now)) if count + 1 > self.limit else None


@dataclass(slots=True)
class Memory:
    """What an agent remembers of a task."""

    state: str
    context_id: str


@dataclass(slots=True)
class State:
    key: str
    agents: dict[str, Agent]
    generation: str = "G1"
    speed: float = 1.0
    balance: Decimal = Decimal("10.00")
    limiter: Limiter = field(default_factory=Limiter)
    relays: dict[str, str] = field(default_factory=dict)
    key_valid: bool = True
    down_until: float = 0.0
    open_requests: int = 0
    gates: Gates = field(default_factory=Gates)
    requests: list[Json] = field(default_factory=list)
    calls: list[Json] = field(default_factory=list)
    charges: list[Json] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    fronts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    tasks: dict[tuple[str, str], Memory] = field(default_factory=dict)

    def is_down(self) -> bool:
        return time.monotonic() < self.down_until

    def charge(self, agent: Agent) -> None:
        if agent.price > 0:
            self.balance -= agent.price
            self.charges.append({"slug": agent.slug, "usd": str(agent.price)})

    def summary(self) -> dict[str, Any]:
        return {
            "generation": self.generation,
            "speed": self.speed,
            "balanceUsd": str(self.balance),
            "charges": self.charges,
            "keyValid": self.key_valid,
            "down": self.is_down(),
            "openRequests": self.open_requests,
            "held": sorted(self.gates.held),
            "waiting": {name: count for name, count in self.gates.waiting.items() if count},
            "calls": dict(self.counts),
        }
