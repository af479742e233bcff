"""One JSON file of settings as it is on disk, good or not. Blocks: the worker's lane runs it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lisa_island.core.errors import StorageError
from lisa_island.system import _files, _json_edit
from lisa_island.system._problem import Problem

LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """`text` is None when there is no file; `wrong` is a catalogue key when its content cannot be used."""

    path: Path
    text: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    wrong: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether there is content that must not be written over."""
        return bool(self.wrong)

    @property
    def problem(self) -> Problem:
        """What to say about a document that is broken."""
        return (self.wrong, {"file": self.path.name})


def read(path: Path) -> Document:
    """The file now; never raises for what is in it or for what keeps it from us."""
    try:
        raw = _files.read_bounded(path, LIMIT)
    except _files.TooLargeError:
        return Document(path, "", wrong="settings-file.broken")
    except OSError:
        return Document(path, "", wrong="settings-file.unreadable")
    if raw is None:
        return Document(path)
    try:
        text = raw.decode()
        return Document(path, text, _json_edit.load(text))
    except ValueError:
        return Document(path, "", wrong="settings-file.broken")


def write(document: Document, text: str, now: int, *, keep: bool = False) -> Problem | None:
    """Replace the file whole; a broken one (or with `keep`) is set aside first, and that is the answer.

    Raises StorageError; then the file is as it was.
    """
    path = document.path
    if document.wrong == "settings-file.unreadable":
        raise StorageError("storage.read-only", place=str(path))
    aside: Path | None = None
    try:
        mode = _files.mode_of(path) if path.name == "agents.json" else None
        if document.is_broken or keep:
            aside = _files.keep_aside(_files.real(path), now)
        _files.replace_file(path, text.encode(), mode or _files.OWNER_ONLY)
    except OSError as error:
        raise _files.storage_error(error, path) from error
    return ("settings-file.set-aside", {"file": path.name, "kept": aside.name}) if aside else None
