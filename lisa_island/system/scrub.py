"""What may be shown of our own logs and crashes: no key, no folder of the owner, no control character."""

import os
import re
from pathlib import Path

from lisa_island.core.text import clean, redact

_PACKAGE = str(Path(__file__).parents[1])
# A frame as Python writes one, in a traceback and in a fatal dump.
_FRAME = re.compile(r'File "([^"\n]*)"')
_LIBRARY = re.compile(r"^.*[/\\](?:site|dist)-packages[/\\]|^.*[/\\]python3\.\d+[/\\]")


def scrub(text: str, limit: int) -> str:
    """`text` of at most `limit` characters, its lines kept, fit to be shown to somebody else."""
    text = _FRAME.sub(lambda found: f'File "{source(found[1])}"', text)
    for folder in _homes():
        # Only whole folders: /home/ann is not the beginning of /home/anna.
        text = re.sub(re.escape(folder) + r"(?![\w.-])", "~", text)
    return clean(redact(text), limit, newlines=True)


def source(path: str) -> str:
    """A source file as it is named in the project or in its library; where that is stays out."""
    if path.startswith(_PACKAGE):
        return "lisa_island" + path[len(_PACKAGE) :].replace("\\", "/")
    return _LIBRARY.sub("", path)


def _homes() -> list[str]:
    """The owner's home as it is named, and as it is; longest first. A home that is / hides nothing."""
    named = {os.environ.get("HOME", ""), str(Path("~").expanduser())}
    found = {
        folder.rstrip("/\\") for name in named for folder in (name, os.path.realpath(name) if name else "")
    }
    return sorted((folder for folder in found if len(folder) > 1), key=len, reverse=True)
