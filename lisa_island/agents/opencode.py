"""OpenCode's sessions on this machine: read only, structure only, and only where the owner switched it on.

What runs is told by its processes, what they do by its database (or, before 1.2, its folder of JSON files).
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._local import LocalSource
from lisa_island.agents._opencode_files import OpenCodeFiles
from lisa_island.core.ports import Context

AGENT = "opencode"
NAME = "OpenCode"

__all__ = ["AGENT", "Config", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folder comes from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    chosen = context.variable("OPENCODE_DB").strip()
    return LocalSource(AGENT, NAME, context, lambda: OpenCodeFiles(folder(context), chosen))


def folder(context: Context) -> Path:
    """Its data folder, the same on every system: `$XDG_DATA_HOME/opencode`, else below the home folder."""
    named = context.variable("XDG_DATA_HOME").strip()
    if named and Path(named).is_absolute():
        return Path(named, "opencode")
    home = context.variable("HOME") or context.variable("USERPROFILE")
    return Path(home or "/nonexistent", ".local", "share", "opencode")
