"""What the owner chose, as one value. `system.settings` reads and writes it; faces only see this.

`takoapi_enabled` and `pins` live in LISA's shared `agents.json`, everything else in `island.json`.
"""

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned slug with what the registry said of it when the owner pinned it (`price` as a word)."""

    target: str
    price: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Every setting. `muted_until` is epoch ms; `positions` are (display name, x, y) in logical px.

    language: system, en, zh-CN. theme: system, dark, light, contrast. screen: pointer, primary.
    agent_calls: allow, deny. key_source: keyring, run, environment, file. `agent_calls_wanted` is set by no
    face: it is what the file asks for and the owner has not confirmed yet. `agents_on` are the ids of the
    other kinds that the owner switched on; all are off until then.
    """

    language: str = "system"
    theme: str = "system"
    screen: str = "pointer"
    open_on_hover: bool = True
    shrink_when_quiet: bool = False
    compact_rows: bool = False
    reduced_motion: bool = False
    positions: tuple[tuple[str, int, int], ...] = ()
    presenting: bool = False
    notify_input: bool = True
    notify_auth: bool = True
    notify_failed: bool = True
    notify_finished: bool = False
    muted_until: int = 0
    agent_calls: str = "deny"
    agent_calls_wanted: str = ""
    key_source: str = "keyring"
    welcomed: bool = False
    base_url: str = "https://takoapi.com"
    takoapi_enabled: bool = False
    agents_on: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()

    def is_on(self, kind_id: str) -> bool:
        """Whether the owner switched this kind of agent on."""
        return self.takoapi_enabled if kind_id == "takoapi" else kind_id in self.agents_on

    def with_(self, **changes: Any) -> "Preferences":
        """A copy with some fields changed."""
        return replace(self, **changes)
