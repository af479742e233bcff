"""Codex's threads from its folder to rows: locks that real processes hold, rollouts, time."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lisa_island.agents import _codex_locks, _running
from lisa_island.core.agent import Health, RequestKind, State
from lisa_island.core.evidence import Rank
from lisa_island.core.words import has
from tests.agents.codex_rig import (
    BELOW,
    NOW,
    OLD_LS,
    OTHER,
    THREAD,
    Codex,
    CodexRig,
    call,
    codex,
    context,
    dumped,
    ended,
    event,
    meta,
    prompt,
    result,
    said,
    settings,
    started,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel lists locks on Linux alone")

OPEN = [meta(), started(), context(), prompt()]
CLOSED = [*OPEN, said(NOW + 20), ended(NOW + 30)]


@pytest.fixture
def rig(tmp_path: Path) -> CodexRig:
    return CodexRig(tmp_path / "home")


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Codex]:
    with codex(tmp_path) as found:
        yield found


def rule(rig: CodexRig) -> str:
    return rig.row.fact.rule if rig.row.fact else ""


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], ("idle", "not-started", "codex.not-started")),
        (OPEN, ("working", "working", "codex.thinking")),
        ([*OPEN, call(cmd="npm test")], ("working", "working", "codex.tool")),
        (CLOSED, ("waiting", "your-turn", "codex.closed")),
        (
            [*OPEN, ended(error={"codex_error_info": "usage_limit_exceeded"})],
            ("error", "usage-limit", "codex.error"),
        ),
        (
            [*OPEN, event("turn_aborted", reason="interrupted")],
            ("waiting", "interrupted", "codex.interrupted"),
        ),
    ],
    ids=lambda found: found[1] if isinstance(found, tuple) else None,
)
async def test_a_thread_that_is_open(
    rig: CodexRig, process: Codex, records: list[dict], expected: tuple[str, str, str]
) -> None:
    process.holds("lock", rig.lock())
    if records:
        rig.write(*records)
    async with rig.following():
        assert (*rig.words, rule(rig)) == expected
        assert not rig.row.requests and rig.row.key.session_id == THREAD
        assert rig.row.project == ("demo" if records else "Codex")  # never the daemon's own folder
        assert has(f"row.local.{rig.row.state_reason}") or rig.row.state_reason in ("working", "your-turn")
        assert has(f"why.{rule(rig)}")


async def test_work_is_told_as_names_and_counts(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN, call(cmd="cd x && TOKEN=s3cret npm test s3cret"))
    async with rig.following():
        work = rig.row.activity.work
        assert work is not None and rig.row.activity.status_text == "exec_command · npm"
        assert (work.turns, work.tools, work.program, work.branch) == (1, ("exec_command",), "npm", "main")
        assert (work.model, work.mode, work.version) == ("m-1", "on-request", "0.171.0")
        assert [(s.id, s.is_over) for s in work.steps] == [("c1", False)]


async def test_a_question_needs_you_until_it_is_answered(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN, call(name="request_user_input", questions=[{"question": "s3cret?"}]))
    async with rig.following():
        (request,) = rig.row.requests
        assert (request.kind, request.request_id, request.summary) == (RequestKind.QUESTION, "c1", "")
        assert rig.row.is_blocked and rig.row.fact is not None and rig.row.fact.rank is Rank.REQUEST
        assert "s3cret" not in repr(rig.told)
        rig.write(result(NOW + 900))
        await rig.passes(2)
        assert rig.words == ("working", "working") and not rig.row.requests


async def test_an_approval_is_maybe_and_needs_nobody(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN, call(cmd="touch x", sandbox_permissions="require_escalated"))
    async with rig.following():
        assert rig.words == ("working", "working")
        await rig.passes(8)
        assert rig.words == ("waiting", "maybe-approval")
        assert not rig.row.requests and not rig.row.is_blocked and not rig.row.unread
        rig.write(result(NOW + 9_000))
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_kill_9_ends_its_row_in_three_seconds(rig: CodexRig, process: Codex) -> None:
    """The lock file stays behind, with nobody who holds it."""
    process.holds("lock", rig.lock())
    rig.write(*OPEN, call(cmd="npm test"))
    async with rig.following():
        assert rig.words == ("working", "working")
        process.kill()
        await rig.passes(3)
        assert rig.words == ("done", "ended-mid-turn") and rule(rig) == "codex.dead-open"
        assert rig.lock().exists()


async def test_a_daemon_that_lets_go_of_a_thread_ends_it(rig: CodexRig, process: Codex) -> None:
    """It lives on, for other threads: it is the lock that tells."""
    for thread in (THREAD, OTHER):
        process.holds("lock", rig.lock(thread))
        rig.write(meta(thread=thread), started(), ended(), thread=thread)
    async with rig.following():
        assert len(rig.rows) == 2
        process.drops(rig.lock())
        rig.lock().unlink()
        await rig.passes(4)
        states = {r.key.session_id: (str(r.state), r.state_reason) for r in rig.rows}
        assert states == {THREAD: ("done", "exited"), OTHER: ("waiting", "your-turn")}
        await rig.passes(3 * 60 * 60 + 10)
        assert [r.key.session_id for r in rig.rows] == [OTHER]


async def test_a_lock_that_was_left_behind_is_no_session(rig: CodexRig, process: Codex) -> None:
    """The start of the island restores no working."""
    process.holds("lock", rig.lock())
    rig.write(*OPEN)
    process.kill()
    async with rig.following():
        assert rig.rows == []


async def test_a_resumed_thread_works_again(rig: CodexRig, process: Codex, tmp_path: Path) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN)
    async with rig.following():
        process.kill()
        await rig.passes(3)
        assert rig.row.state is State.DONE
        with codex(tmp_path) as again:
            again.holds("lock", rig.lock())
            rig.write(settings(NOW + 4_000), started(NOW + 4_010, "t2"))
            await rig.passes(2)
            assert rig.words == ("working", "working")


async def test_a_turn_from_before_its_process_was_cut_off(tmp_path: Path, process: Codex) -> None:
    """Resumed after a crash: the old turn is open for ever, and nobody works at it."""
    long_ago = 1_600_000_000_000
    rig = CodexRig(tmp_path / "home", now=long_ago + 60_000)
    process.holds("lock", rig.lock())
    rig.write(meta(long_ago), started(long_ago), prompt(long_ago), call(long_ago))
    async with rig.following():
        assert rig.words == ("waiting", "interrupted") and rule(rig) == "codex.crashed"
        assert not rig.row.requests


async def test_subagents_count_on_their_parent(rig: CodexRig, process: Codex) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "agent_nickname": "s3cret"}}}
    for thread in (THREAD, BELOW):
        process.holds("lock", rig.lock(thread))
    rig.write(*CLOSED)
    rig.write(meta(thread=BELOW, source=spawned, thread_source="subagent"), started(turn="b"), thread=BELOW)
    async with rig.following():
        assert rig.row.key.session_id == THREAD and rig.words == ("waiting", "background-agents")
        assert rig.row.activity.work is not None and rig.row.activity.work.subagents == 1
        rig.write(ended(NOW + 40, "b"), thread=BELOW)
        await rig.passes(3)
        assert rig.words == ("waiting", "your-turn")
        assert rig.row.activity.work is not None and rig.row.activity.work.subagents == 0
        assert "s3cret" not in repr(rig.told)


@pytest.mark.parametrize("more", [{"source": {"subagent": "review"}}, {"thread_source": "memory"}], ids=str)
async def test_threads_that_the_tool_keeps_for_itself_have_no_row(
    rig: CodexRig, process: Codex, more: dict
) -> None:
    process.holds("lock", rig.lock())
    rig.write(meta(**more), started())
    async with rig.following():
        assert rig.rows == []


async def test_twins_in_one_folder_are_two_rows(rig: CodexRig, process: Codex) -> None:
    for thread in (THREAD, OTHER):
        process.holds("lock", rig.lock(thread))
    rig.write(*OPEN)
    rig.write(meta(thread=OTHER), started(), ended(), thread=OTHER)
    async with rig.following():
        assert {r.key.session_id: str(r.state) for r in rig.rows} == {THREAD: "working", OTHER: "waiting"}


async def test_a_first_prompt_is_found_where_its_file_appears(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    async with rig.following():
        assert rig.words == ("idle", "not-started")
        rig.write(*OPEN)
        await rig.passes(2)
        assert rig.words == ("working", "working") and rig.row.project == "Codex"
        assert rig.row.activity.work is not None and rig.row.activity.work.turns == 1


async def test_an_archived_thread_is_done(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    path = rig.write(*CLOSED)
    async with rig.following():
        (rig.root / "archived_sessions").mkdir()
        path.rename(rig.root / "archived_sessions" / path.name)
        await rig.passes(3)
        assert rig.words == ("done", "archived")


async def test_a_deleted_thread_leaves(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    path = rig.write(*CLOSED)
    async with rig.following():
        rig.lock().unlink()
        path.unlink()
        await rig.passes(3)
        assert rig.rows == []


async def test_a_build_without_locks_is_told_by_the_file_it_has_open(rig: CodexRig, process: Codex) -> None:
    """0.20: bare items, no folder, no times, no end of a turn."""
    path = rig.path()
    path.parent.mkdir(parents=True)
    path.write_bytes(OLD_LS.read_bytes())
    os.utime(path, (NOW / 1000, NOW / 1000))
    process.holds("file", path)
    async with rig.following():
        assert rig.words == ("working", "working") and rule(rig) == "codex.text-open"
        await rig.passes(12)
        assert rig.words == ("waiting", "your-turn-probable")
        process.kill()
        await rig.passes(4)
        assert rig.words == ("done", "exited")


async def test_a_lock_of_another_namespace_is_unknown_not_dead(
    rig: CodexRig, process: Codex, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN)
    place = rig.lock().stat()
    listed = tmp_path / "locks"
    major, minor = os.major(place.st_dev), os.minor(place.st_dev)
    listed.write_text(f"1: FLOCK  ADVISORY  WRITE 0 {major:02x}:{minor:02x}:{place.st_ino} 0 EOF\n")
    monkeypatch.setattr(_codex_locks, "KERNEL_LOCKS", listed)
    async with rig.following():
        assert rig.words == ("working", "working")
        await rig.passes(5 * 60)
        assert rig.words == ("unknown", "quiet")  # nothing says that it runs


async def test_working_to_your_turn_is_told_when_it_has_lasted(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*OPEN)
    async with rig.following():
        rig.write(said(NOW + 500), ended(NOW + 510))
        await rig.passes(1)
        assert rig.words == ("working", "working")  # held
        await rig.passes(2)
        assert rig.words == ("waiting", "your-turn")


async def test_a_truncated_rollout_is_read_anew(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    path = rig.write(*CLOSED)
    async with rig.following():
        path.write_bytes(b"")
        rig.write(meta(), started(NOW + 1_000, "t9"))
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_a_huge_rollout_is_read_from_its_end(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    path = rig.write(meta())
    with path.open("ab") as file:
        file.write(dumped(result(NOW - 5, id_="x")) * 50_000)
    rig.write(*OPEN[1:], call(cmd="make"))
    async with rig.following():
        assert rig.words == ("working", "working") and rig.row.project == "demo"
        assert rig.row.activity.work is not None
        assert rig.row.activity.work.is_partial and rig.row.activity.work.branch == "main"


# --- what is opened ---


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every path that the process opens or lists, by Python's own audit."""
    found: list[str] = []
    is_on = [True]

    def hook(name: str, args: tuple) -> None:
        if is_on[0] and name == "open" and isinstance(args[0], str):
            found.append(args[0])

    sys.addaudithook(hook)
    yield found
    is_on[0] = False


async def test_without_a_process_no_file_is_opened(rig: CodexRig, opened: list[str]) -> None:
    rig.write(*OPEN)
    rig.lock().parent.mkdir()
    rig.lock().touch()
    opened.clear()
    async with rig.following():
        await rig.passes(30)
    assert not [p for p in opened if p.startswith(str(rig.root))]


async def test_only_rollouts_of_open_threads_are_opened(
    rig: CodexRig, process: Codex, opened: list[str]
) -> None:
    process.holds("lock", rig.lock())
    mine = rig.write(*OPEN)
    rig.write(meta(thread=OTHER), thread=OTHER)
    for name in ("auth.json", "history.jsonl", "session_index.jsonl", "state_5.sqlite", "config.toml"):
        (rig.root / name).write_text("PLANTED-CANARY")
    opened.clear()
    async with rig.following():
        await rig.passes(30)
        assert rig.row.key.session_id == THREAD
        assert "PLANTED-CANARY" not in repr(rig.told)
    assert {p for p in opened if p.startswith(str(rig.root))} == {str(mine)}


async def test_nothing_is_written_and_no_lock_is_tried(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*CLOSED)

    def shape() -> dict[str, tuple[int, int]]:
        return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in rig.root.rglob("*")}

    before = shape()
    async with rig.following():
        await rig.passes(30)
    assert shape() == before


async def test_its_folder_comes_from_the_environment(tmp_path: Path, process: Codex) -> None:
    rig = CodexRig(tmp_path / "home", variables={"CODEX_HOME": str(tmp_path / "elsewhere")})
    process.holds("lock", rig.lock())
    rig.write(*CLOSED)
    assert rig.root == tmp_path / "elsewhere"
    async with rig.following():
        assert rig.words == ("waiting", "your-turn")
        assert rig.face.health is Health.OK


async def test_a_version_that_nothing_proves_is_named_and_its_strange_kinds_counted(
    rig: CodexRig, process: Codex
) -> None:
    process.holds("lock", rig.lock())
    rig.write(meta(cli_version="9.9.9"), started(), event("s3cret_one"), event("s3cret_two"))
    async with rig.following():
        assert rig.face.unverified == ("9.9.9",)
        assert rig.face.unknown == (("9.9.9", 2),)
        assert "s3cret" not in repr(rig.face)


async def test_of_a_proven_version_nothing_is_said(rig: CodexRig, process: Codex) -> None:
    process.holds("lock", rig.lock())
    rig.write(*CLOSED)
    async with rig.following():
        assert (rig.face.unverified, rig.face.unknown) == ((), ())


async def test_a_folder_that_cannot_be_read_has_a_face(
    rig: CodexRig, process: Codex, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lisa_island.agents import _codex_files

    def closed(*_: object) -> bytes:
        raise PermissionError("s3cret")

    monkeypatch.setattr(_codex_files, "read_start", closed)
    process.holds("lock", rig.lock())
    rig.write(*OPEN)
    async with rig.following():
        assert rig.face.detail == "unreadable"
        assert "s3cret" not in repr(rig.told)


def test_the_sandbox_of_a_command_is_no_codex(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {1: "codex", 2: "codex-linux-san", 3: "codex-x86_64-un", 4: "code", 5: "node"}
    monkeypatch.setattr(_running.LISTING, "names", lambda: names)
    assert _codex_locks._programs() == {1: "codex", 3: "codex-x86_64-un"}
