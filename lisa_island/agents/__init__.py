"""One file per kind of agent: bytes in, core events out; intents in, bytes out. Knows no Qt, no other kind.

A new kind is one file with `Config` and `open_source`, one line in `KINDS`, one recorded tape with its
contract test. Importing this package imports no kind: a kind's own libraries come with `warm` or `open`.
"""

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lisa_island.core.ports import Context, Source

Container = Literal["square", "hexagon", "circle", "tab"]


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One kind of agent. `badge` is the container that tells its place: local, watcher, remote, protocol.

    `file` is the module in this package. A kind that is `demo_only` is opened by `demo` and nowhere else.
    """

    id: str
    label: str
    badge: Container
    file: str
    demo_only: bool = False

    def warm(self) -> None:
        """Import what the kind needs; takes a tenth of a second, so call it off the loop, before `open`."""
        module = self._module()
        if hasattr(module, "warm"):
            module.warm()

    def open(self, settings: Mapping[str, Any], context: Context) -> Source:
        """A source that is ready to be followed. It asks nobody before the owner does.

        `settings` are the kind's own as a plain dict; a member of the wrong type takes its default.
        """
        module = self._module()
        source: Source = module.open_source(module.Config.model_validate(dict(settings)), context)
        return source

    def _module(self) -> Any:
        # WORKAROUND httpx 0.28: it reads its command line's tool along, where its parts are installed: 5 MB.
        sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
        return importlib.import_module(f"{__name__}.{self.file}")


KINDS: tuple[AgentKind, ...] = (
    AgentKind("takoapi", "TakoAPI", "circle", "takoapi"),
    AgentKind("a2a", "A2A", "circle", "a2a"),
    AgentKind("claude-code", "Claude Code", "square", "claude_code"),
    AgentKind("codex", "Codex", "square", "codex"),
    AgentKind("git", "git", "hexagon", "git"),
    AgentKind("opencode", "OpenCode", "square", "opencode"),
    AgentKind("aider", "aider", "square", "aider"),
    AgentKind("gemini", "Gemini CLI", "square", "gemini"),
    AgentKind("pi", "pi", "square", "pi"),
    AgentKind("shell", "Shell", "hexagon", "shell"),
    AgentKind("generic", "Reported", "square", "generic"),
    AgentKind("github-pr", "GitHub", "hexagon", "github_pr"),
    AgentKind("lisa", "LISA", "square", "lisa"),
    AgentKind("scripted", "Demo", "square", "scripted", demo_only=True),
)


def kind(agent_id: str) -> AgentKind:
    """The kind with this id. Raises KeyError."""
    return {k.id: k for k in KINDS}[agent_id]
