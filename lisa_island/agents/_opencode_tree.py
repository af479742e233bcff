"""OpenCode's storage before 1.2: a folder of small JSON files, each rewritten whole. Blocking.

Left in place when a database took over, so a session of both is the database's.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lisa_island.agents import _fields
from lisa_island.agents._command import program
from lisa_island.agents._jsonl import read_small
from lisa_island.agents._opencode_talk import Call, Talk, failure

SIZE_LIMIT = 256 * 1024
MOST_FOLDERS = 200
MOST_FILES = 2_000
MOST_MESSAGES = 8
MOST_PARTS = 32
FILE_TOOLS = frozenset({"read", "write", "edit", "multiedit", "patch"})


def read(storage: Path, since: int, is_wanted: Callable[[str, str], bool]) -> tuple[Talk, ...]:
    """The sessions whose files changed since then (epoch ms). Raises OSError for what cannot be read."""
    found = []
    for project in _listing(storage / "session", MOST_FOLDERS):
        for file, modified in _newest(project, MOST_MESSAGES * 8):
            session = _object(file) if modified >= since or _grew(storage, file, since) else {}
            talk = _session(session)
            if talk.session and is_wanted(talk.session, talk.directory):
                found.append(_told(storage, talk))
    return tuple(found)


def _grew(storage: Path, file: Path, since: int) -> bool:
    """Whether messages were written, though the session's own file was not."""
    try:
        at = (storage / "message" / file.stem).stat().st_mtime_ns // 1_000_000
    except OSError:
        return False
    return at >= since


def _session(found: dict[str, Any]) -> Talk:
    return Talk(
        _fields.ident(found.get("id")), _fields.path(found.get("directory")),
        _time(found, "created"), _time(found, "updated"),
        _fields.word(found.get("version")), _fields.ident(found.get("parentID")),
        _time(found, "archived"), _time(found, "compacting"),
    )  # fmt: skip


def _told(storage: Path, talk: Talk) -> Talk:
    files = _newest(storage / "message" / talk.session, MOST_FILES)
    heads = [message for file, _ in files[:MOST_MESSAGES] if (message := _object(file))]
    heads.sort(key=lambda m: (_time(m, "created"), _fields.ident(m.get("id"))), reverse=True)
    if not heads:
        return talk
    said = heads[0]
    parts = [_parts(storage, _fields.ident(message.get("id"))) for message in heads]
    at = max(_time(said, "created"), _time(said, "completed"), parts[0][0])
    error = _fields.mapping(said.get("error"))
    name, status = error.get("name"), _fields.mapping(error.get("data")).get("statusCode")
    role = said.get("role")
    return replace(
        talk, role=role if role in ("user", "assistant") else "", at=at, updated=max(talk.updated, at),
        is_completed=_fields.mapping(said.get("time")).get("completed") is not None,
        finish=_fields.word(said.get("finish")),
        error=failure(name, status) if isinstance(name, str) else "",
        calls=parts[0][1], past=tuple(c for _, calls in reversed(parts[1:]) for c in calls),
        turns=sum(message.get("role") == "user" for message in heads),
        tokens=sum(_output(message) for message in heads), is_partial=len(files) > MOST_MESSAGES,
        model=next((w for m in heads if (w := _fields.word(m.get("modelID")))), ""),
        mode=_fields.word(said.get("agent")) or _fields.word(said.get("mode")),
    )  # fmt: skip


def _time(found: dict[str, Any], name: str) -> int:
    return _fields.count(_fields.mapping(found.get("time")).get(name)) or 0


def _output(message: dict[str, Any]) -> int:
    return _fields.count(_fields.mapping(message.get("tokens")).get("output")) or 0


def _parts(storage: Path, message: str) -> tuple[int, tuple[Call, ...]]:
    """Of one message: the time of its newest part, and its calls."""
    files = _newest(storage / "part" / message, MOST_PARTS) if message else []
    parts = [part for file, _ in sorted(files, key=lambda f: f[0].name) if (part := _object(file))]
    holders = [holder for part in parts for holder in (part, _fields.mapping(part.get("state")))]
    at = max((_time(holder, name) for holder in holders for name in ("start", "end")), default=0)
    return at, tuple(_call(part) for part in parts if part.get("type") == "tool")


def _call(part: dict[str, Any]) -> Call:
    state = _fields.mapping(part.get("state"))
    asked, tool, error = (
        _fields.mapping(state.get("input")),
        _fields.tool(part.get("tool")),
        state.get("error"),
    )
    file = _fields.basename(asked.get("filePath") or asked.get("path")) if tool in FILE_TOOLS else ""
    refused = isinstance(error, str) and "rejected permission" in error
    return Call(
        _fields.ident(part.get("callID")), tool, _fields.word(state.get("status")),
        program(asked.get("command")), file, refused,
    )  # fmt: skip


def _object(file: Path) -> dict[str, Any]:
    try:
        data = read_small(file, SIZE_LIMIT)
    except FileNotFoundError:
        return {}
    if data is None:
        return {}
    try:
        return _fields.mapping(json.loads(data.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return {}  # half written: the next look has it


def _listing(folder: Path, limit: int) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry, _ in zip(found, range(limit), strict=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def _newest(folder: Path, limit: int) -> list[tuple[Path, int]]:
    """JSON files with their times, newest first."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry, _ in zip(entries, range(MOST_FILES), strict=False):
                if entry.name.endswith(".json"):
                    found.append(
                        (Path(entry.path), entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000)
                    )
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(found, key=lambda f: (-f[1], f[0].name))[:limit]
