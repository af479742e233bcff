"""What the owner chose, as one value. `system.settings` reads and writes it; faces only see this.

`takoapi_enabled` and `pins` live in LISA's shared `agents.json`, everything else in `island.json`.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

# What the command bar can route to: one word of letters, digits, "_", ".", "-".
AGENT_NAME = re.compile(r"[\w.-]{1,40}")
# Kinds that watch an agent on this machine, in the order of Settings; their words say what each reads.
LOCAL_KINDS = (
    "claude-code",
    "codex",
    "opencode",
    "aider",
    "gemini",
    "pi",
    "git",
    "shell",
    "github-pr",
    "lisa",
)
AUTHS = ("", "bearer", "basic", "header")


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned slug with what the registry said of it when the owner pinned it (`price` as a word)."""

    target: str
    price: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class DirectAgent:
    """An A2A agent that the owner added by its own address.

    `url` is where its card is, or "" with the card itself (JSON) in `card`. `endpoint` replaces what the card
    says, `origins` are those that the owner agreed to talk to. auth: "", bearer, basic, header; `header` is
    the name of that header. The credential itself is in the keyring, by origin.
    """

    name: str
    url: str = ""
    card: str = ""
    endpoint: str = ""
    origins: tuple[str, ...] = ()
    auth: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Every setting. `muted_until` is epoch ms; `positions` are (display name, x, y) in logical px;
    `quiet_from` and `quiet_to` are times of the day, "22:00".

    language: system, en, zh-CN. theme: system, dark, light, contrast. screen: pointer, primary, or the name
    of a display.
    agent_calls: allow, deny. key_source: keyring, run, environment, file. `agent_calls_wanted` is set by no
    face: it is what the file asks for and the owner has not confirmed yet. `agents_on` are the ids of the
    other kinds that the owner switched on; all are off until then. A direct agent is on because it was added.
    `journal_days` is for how long the structure of what happened is kept, 0 for not at all.
    `reporters` are the names under which hosts may report their own sessions.
    `follow_at_agent` are the slugs whose tasks may be followed at the agent's own endpoint.
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
    quiet_hours: bool = False
    quiet_from: str = "22:00"
    quiet_to: str = "08:00"
    agent_calls: str = "deny"
    agent_calls_wanted: str = ""
    key_source: str = "keyring"
    welcomed: bool = False
    base_url: str = "https://takoapi.com"
    takoapi_enabled: bool = False
    agents_on: tuple[str, ...] = ()
    direct_agents: tuple[DirectAgent, ...] = ()
    follow_at_agent: tuple[str, ...] = ()
    journal_days: int = 7
    reporters: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()

    def is_on(self, kind_id: str) -> bool:
        """Whether the owner switched this kind of agent on."""
        match kind_id:
            case "takoapi":
                return self.takoapi_enabled
            case "a2a":
                return bool(self.direct_agents)
            case "generic":
                return bool(self.reporters)
            case _:
                return kind_id in self.agents_on

    def with_(self, **changes: Any) -> "Preferences":
        """A copy with some fields changed."""
        return replace(self, **changes)
