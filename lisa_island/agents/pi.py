"""pi's sessions on this machine: read only, structure only, and only where the owner switched it on.

What runs is told by its processes, what they do by the newest sessions of the folders that they work in.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._local import LocalSource
from lisa_island.agents._pi_files import PiFiles
from lisa_island.core.ports import Context

AGENT = "pi"
NAME = "pi"

__all__ = ["AGENT", "Config", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folder comes from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    return LocalSource(AGENT, NAME, context, lambda: PiFiles(folder(context)))


def folder(context: Context) -> Path:
    """Where its sessions are: its own variables, else `.pi/agent/sessions` below the home folder."""
    home = Path(context.variable("HOME") or context.variable("USERPROFILE") or "/nonexistent")
    sessions = _named(context.variable("PI_CODING_AGENT_SESSION_DIR"), home)
    root = _named(context.variable("PI_CODING_AGENT_DIR"), home)
    return sessions or (root or home / ".pi" / "agent") / "sessions"


def _named(variable: str, home: Path) -> Path | None:
    named = variable.strip()
    if named == "~" or named.startswith("~/"):
        return home / named[2:]
    return Path(named) if Path(named).is_absolute() else None
