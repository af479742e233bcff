"""Where our own remarks go when nobody watches a terminal: one small, private, rotating file.

Nothing foreign is meant to reach a log; a key that did all the same is cut to its first characters.
"""

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

import platformdirs

from lisa_island.core.text import redact

NAME = "lisa-island.log"
SIZE = 256 * 1024
OLD_FILES = 1
LINE_LIMIT = 2000


def folder() -> Path:
    """The platform's place for logs (on Linux below XDG_STATE_HOME). Nothing is created."""
    return Path(platformdirs.user_log_path("lisa-island", appauthor=False))


def files() -> list[Path]:
    """What is there, for `erase`."""
    return sorted(p for p in folder().glob(f"{NAME}*") if p.is_file() and not p.is_symlink())


class Scrubbed(logging.Formatter):
    """One bounded line a record, without a key; a traceback follows without the values of its frames."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))[:LINE_LIMIT]


class _PrivateFile(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        # Owner-only from its first byte, whatever the umask.
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, self.mode, encoding=self.encoding)  # type: ignore[return-value]


def begin(*, to_file: bool) -> None:
    """Send warnings and worse of this process to the file, or to standard error alone.

    A place that cannot be written is no reason not to run.
    """
    handler: logging.Handler = logging.StreamHandler()
    if to_file:
        try:
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            handler = _PrivateFile(folder() / NAME, maxBytes=SIZE, backupCount=OLD_FILES, encoding="utf-8")
        except OSError:
            pass  # Standard error it is.
    handler.setFormatter(Scrubbed("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
