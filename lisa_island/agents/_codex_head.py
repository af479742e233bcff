"""The first record of a Codex rollout: whose thread it is. Its instructions are prose and are dropped."""

from dataclasses import dataclass

from lisa_island.agents import _fields
from lisa_island.agents._fields import ident, mapping, moment, path, word
from lisa_island.agents._jsonl import record

# Where a record of its own can begin in a line that a crash left half written.
STARTS = (b'{"timestamp"',)


@dataclass(frozen=True, slots=True)
class Head:
    """A rollout's first record. `parent` is the thread that a subagent works for; `is_hidden`: it is none of
    the owner's own.
    """

    thread: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""
    parent: str = ""
    is_hidden: bool = False
    at: int | None = None


_OWN = frozenset({"", "user", "cli", "exec", "vscode", "mcp"})


def read_head(data: bytes) -> Head | None:
    """What a file's first line says of it, or None for what is no such record."""
    found = record(data.removeprefix(b"\xef\xbb\xbf"), STARTS)
    if found is None:
        return None
    meta = mapping(found.get("payload")) if found.get("type") == "session_meta" else found
    if not ident(meta.get("id")):
        return None
    source, spawned = (
        meta.get("source"),
        mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn")),
    )
    kept = meta.get("thread_source")
    return Head(
        ident(meta.get("id")), path(meta.get("cwd")), _fields.name(mapping(meta.get("git")).get("branch")),
        word(meta.get("cli_version")), ident(spawned.get("parent_thread_id")),
        isinstance(source, dict) or (isinstance(kept, str) and kept not in _OWN),
        moment(meta.get("timestamp")),
    )  # fmt: skip
