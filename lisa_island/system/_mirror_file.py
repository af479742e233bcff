"""The call list on disk, for one lane of the worker: everything in here blocks.

LISA takes no lock and rewrites the file in place. Three things can go wrong between it and us, and each has
its answer: we read while it writes (read again), it writes into the file we have just replaced (the replaced
file keeps a second name and is read again), it writes back what it read before our write (what was seen of
both sides is remembered, so the next sync puts it back).
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from lisa_island.core.ports import LisaRow
from lisa_island.system import _files
from lisa_island.system import _mirror_rows as rows
from lisa_island.system._problem import Problem
from lisa_island.system._task_file import Known

# How long LISA may need for one rewrite before what we read counts as broken.
PAUSES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
WRITES_AT_MOST = 5

_serial = count()


@dataclass(frozen=True, slots=True)
class Old:
    """A file that was replaced: its second name, the bytes we know of it, whether the owner keeps it."""

    path: Path
    known: bytes
    keep: bool = False


@dataclass(slots=True)
class Synced:
    """What one sync found and left behind."""

    lisa: tuple[LisaRow, ...] = ()
    olds: list[Old] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Seen:
    """The file at one moment: no bytes when there is none, and a catalogue key when it must be set aside."""

    data: bytes | None
    rows: list[rows.Raw]
    wrong: str = ""


class MirrorFile:
    """Merges our rows and LISA's into the file. `known` and `remember` reach the database."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], int],
        known: Callable[[], Known],
        remember: Callable[[list[LisaRow], list[tuple[str, int]]], None],
        forget_lisa: Callable[[], None],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._link = path
        self._now = now
        self._known = known
        self._remember = remember
        self._forget_lisa = forget_lisa
        self._pause = pause
        self._existed = False

    def sync(self, extra: list[rows.Raw] | None = None) -> Synced:
        """Bring file and database to the same rows, with `extra` rows from elsewhere.

        Raises OSError and StorageError.
        """
        self._path = _files.real(self._link)
        result = Synced()
        with _files.locked(self._link.with_name("island-mirror.lock")):
            # LISA may create the file in the moment in which we find none: then look again.
            for _ in range(WRITES_AT_MOST):
                if self._once(extra or [], result):
                    break
        return result

    def leftovers(self) -> tuple[list[rows.Raw], list[Path]]:
        """Rows from replaced files that an earlier run had no time to read again, and those files."""
        path = _files.real(self._link)
        olds = list(path.parent.glob(f".{path.name}.*.old"))
        found = [row for old in olds for row in self.reread(Old(old, b""))]
        return found, [*olds, *self._unfinished(path)]

    def _unfinished(self, path: Path) -> list[Path]:
        """What a killed run left half written; under the lock nobody else's can be among them."""
        with _files.locked(self._link.with_name("island-mirror.lock")):
            return list(path.parent.glob(f".{path.name}.*.tmp"))

    def reread(self, old: Old) -> list[rows.Raw]:
        """Rows that were written into a replaced file after we had read it."""
        try:
            data = _files.read_bounded(old.path, rows.FILE_LIMIT)
            return [] if data is None or data == old.known else rows.parse(data)
        except (OSError, ValueError, _files.TooLargeError):
            return []

    def _once(self, extra: list[rows.Raw], result: Synced) -> bool:
        seen = self._read()
        if seen.data is None and self._existed:
            self._forget_lisa()
        known = self._known()
        now = self._now()
        ours = {row.target: rows.wire_of(row) for row in reversed(known.ours)}
        own = known.written | {(row.target, row.updated_at) for row in known.ours}
        ids = frozenset(row.task_id for row in known.ours if row.task_id)
        fresh = self._lisas([*seen.rows, *extra], own, ids, now, known.lisa)
        lisa = {row.target: row for row in (*known.lisa, *fresh)}
        others = [*rows.foreign(extra, own), *map(rows.wire_of_lisa, known.lisa)]
        merged = rows.merge(seen.rows, others, ours, own, now)
        if fresh or not own <= known.written:
            self._remember(fresh, sorted(own - known.written))
        result.lisa = tuple(sorted(lisa.values(), key=lambda row: (-row.updated_at, row.target)))
        if merged == seen.rows and not seen.wrong:
            self._existed = seen.data is not None
            return True
        if not merged and seen.data is None:
            return True
        return self._write(rows.dump(merged), seen, result)

    def _lisas(
        self, found: list[rows.Raw], own: frozenset[tuple[str, int]], ids: frozenset[str], now: int,
        known: tuple[LisaRow, ...],
    ) -> list[LisaRow]:  # fmt: skip
        """LISA's rows that are newer than what is known of them, one per slug."""
        best = {row.target: row for row in known}
        fresh: dict[str, LisaRow] = {}
        for raw in rows.foreign(found, own):
            row = rows.lisa_row(raw, ids, now)
            if row and (row.target not in best or row.updated_at > best[row.target].updated_at):
                best[row.target] = fresh[row.target] = row
        return list(fresh.values())

    def _read(self) -> Seen:
        data: bytes | None = b""
        for pause in (*PAUSES, 0.0):
            try:
                data = _files.read_bounded(self._path, rows.FILE_LIMIT)
                return Seen(data, [] if data is None else rows.parse(data))
            except ValueError:
                self._pause(pause)
            except _files.TooLargeError:
                return Seen(b"", [], "storage.mirror-huge")
        if not (data or b"").strip():
            return Seen(data, [])  # LISA was stopped between emptying and writing: there is nothing to keep
        return Seen(data, [], "storage.mirror-broken")

    def _write(self, data: bytes, seen: Seen, result: Synced) -> bool:
        """Replace the file and keep the old one in reach; False when LISA was there first."""
        mode = _files.mode_of(self._path) or _files.OWNER_ONLY
        temporary = _files.write_temporary(self._path, data, mode)
        try:
            if seen.data is None:
                os.link(temporary, self._path)  # never over a file that LISA has created meanwhile
            else:
                self._keep_old(seen, result)
                temporary.replace(self._path)
        except FileExistsError:
            return False
        finally:
            temporary.unlink(missing_ok=True)
        _files.sync_folder(self._path.parent)
        self._existed = True
        return True

    def _keep_old(self, seen: Seen, result: Synced) -> None:
        known = seen.data or b""
        if seen.wrong:
            aside = _files.keep_aside(self._path, self._now())
            result.olds.append(Old(aside, known, keep=True))
            result.problems.append((seen.wrong, {"file": aside.name}))
            return
        old = self._path.with_name(f".{self._path.name}.{os.getpid()}-{next(_serial)}.old")
        try:
            os.link(self._path, old)
        except OSError:  # no hard links here: what LISA writes in these microseconds is lost
            return
        result.olds.append(Old(old, known))
