"""Gemini CLI's sessions on this machine: read only, structure only, and only where the owner switched it on.

What runs is told by its processes, what they do by the chats of the projects that they work in.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._gemini_files import GeminiFiles
from lisa_island.agents._local import LocalSource
from lisa_island.core.ports import Context

AGENT = "gemini"
NAME = "Gemini CLI"

__all__ = ["AGENT", "Config", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folder comes from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    return LocalSource(AGENT, NAME, context, lambda: GeminiFiles(folder(context)))


def folder(context: Context) -> Path:
    """`.gemini` below its own variable, else below the home folder."""
    named = context.variable("GEMINI_CLI_HOME").strip()
    home = named if Path(named).is_absolute() else context.variable("HOME") or context.variable("USERPROFILE")
    return Path(home or "/nonexistent", ".gemini")
