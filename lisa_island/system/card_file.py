"""Reads a file that the owner chose as an agent card. Blocks: call it in the worker."""

from pathlib import Path

from lisa_island.core.errors import StorageError
from lisa_island.system import _files


def read(path: Path, limit: int) -> str:
    """Its text. Raises StorageError for what cannot be read or is longer than `limit` bytes."""
    try:
        data = _files.read_bounded(path, limit)
    except _files.TooLargeError:
        raise StorageError("agent.file-too-large", file=path.name) from None
    except OSError:
        data = None
    if data is None:
        raise StorageError("agent.file-unreadable", file=path.name)
    return data.decode("utf-8", "replace")
