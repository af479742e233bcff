"""Gemini CLI's sessions from its folder to rows: projects, chats, processes, time."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _gemini_record as records
from lisa_island.agents import _gemini_turn as turns
from lisa_island.agents import _proc
from lisa_island.agents._gemini_files import role
from lisa_island.core.agent import Health, State
from lisa_island.core.words import has
from tests.agents.local_rig import NOW, LocalRig
from tests.agents.test_gemini_timelines import LAB, call, dumped, note, said, user

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

CWD = "/w/demo"
CHAT = "session-2030-01-02T03-04-3d0fe70a"


@pytest.fixture
def rig(tmp_path: Path) -> LocalRig:
    return LocalRig("gemini", tmp_path)


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


def listed(rig: LocalRig, cwd: str = CWD, slug: str = "demo") -> None:
    root = rig.home / ".gemini"
    root.mkdir(exist_ok=True)
    (root / "projects.json").write_text(json.dumps({"projects": {cwd: slug}}))


def write(
    rig: LocalRig, *found: dict[str, Any], chat: str = CHAT, project: str = "demo", root: str = ".gemini"
) -> Path:
    path = rig.home / root / "tmp" / project / "chats" / f"{chat}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in dumped(*found)))
    touch(rig, path)
    return path


def touch(rig: LocalRig, path: Path, late: float = 0) -> None:
    os.utime(path, (rig.clock.now() / 1000 + late, rig.clock.now() / 1000 + late))


def after(seconds: float) -> str:
    return f"2030-01-02T03:04:{5 + seconds:06.3f}Z"


async def test_a_session_of_a_running_process(rig: LocalRig) -> None:
    listed(rig)
    edit = call(file_path="/w/demo/src/ring.py")
    write(rig, user(), said("", toolCalls=[edit], tokens={"output": 20, "thoughts": 5}))
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working") and rig.rule == "gemini.result"
        assert (rig.row.project, rig.row.key.session_id, rig.row.cwd) == ("demo", CHAT, CWD)
        work = rig.row.activity.work
        assert work is not None and (work.turns, work.tokens, work.files) == (1, 25, ("ring.py",))
        write(rig, said(at=after(1), id_="g2"))
        await rig.passes(3)
        assert rig.words == ("waiting", "your-turn") and not rig.row.requests


async def test_an_approval_is_a_maybe_and_never_a_need(rig: LocalRig) -> None:
    listed(rig)
    write(rig, user(), said(""))
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")
        await rig.passes(11)
        assert rig.words == ("working", "long-tool") and not rig.row.requests
        assert rig.rule == "gemini.tool-maybe"
        await rig.passes(3600)
        assert rig.words == ("working", "long-tool")


async def test_a_killed_process_ends_its_row(rig: LocalRig, child: "subprocess.Popen[bytes]") -> None:
    listed(rig)
    write(rig, user(), said(""))
    rig.starts(CWD, pid=child.pid, start=_proc.start_ticks(child.pid))
    async with rig.following():
        assert rig.programs is not None
        rig.programs.clear()
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.words == ("done", "ended-mid-turn") and rig.rule == "gemini.dead-open"
        await rig.passes(3 * 60 * 60 + 10)
        assert rig.rows == []


async def test_what_was_over_before_a_process_began_is_not_its_own(rig: LocalRig) -> None:
    """CD 1.0.7: restored sessions were active while nothing of them ran."""
    listed(rig)
    touch(rig, write(rig, user()), -3600)
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_a_killed_session_that_is_resumed_waits_for_you(rig: LocalRig) -> None:
    """What SIGKILL left open stands in the file for ever; the new process is at its prompt."""
    listed(rig)
    write(rig, user(at="2030-01-02T02:00:00.000Z"), {"$set": {"lastUpdated": after(0)}})
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []  # nothing was said since it began
        write(rig, user(id_="u2", at=after(1)))
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_one_resumed_at_once_after_a_kill_does_not_work(
    rig: LocalRig, child: "subprocess.Popen[bytes]"
) -> None:
    """Its open turn is the dead process's, also where the new one began within the slack of clocks."""
    listed(rig)
    write(rig, user(), said(""))
    rig.starts(CWD, pid=child.pid, start=_proc.start_ticks(child.pid))
    async with rig.following():
        assert str(rig.rows[0].state) == "working"
        assert rig.programs is not None
        rig.programs.clear()
        child.kill()
        child.wait()
        rig.starts(CWD)
        await rig.passes(2)
        assert rig.words == ("waiting", "interrupted")


async def test_a_chat_of_before_that_is_only_touched_is_not_its_own(rig: LocalRig) -> None:
    """Gemini CLI writes a summary into the last chat when it starts."""
    listed(rig)
    write(rig, {"sessionId": "s", "startTime": after(0)})
    old = "session-2030-01-02T02-00-ffffffff"
    long_ago = "2030-01-02T02:00:10.000Z"
    touch(rig, write(rig, user(at=long_ago), said(at=long_ago), chat=old), -3600)
    rig.starts(CWD)
    async with rig.following():
        assert rig.row.key.session_id == CHAT
        rig.clock.jump(2000)
        write(rig, {"$set": {"summary": "x"}}, chat=old)
        await rig.passes(3)
        assert rig.row.key.session_id == CHAT and rig.words == ("idle", "not-started")
        write(rig, user(id_="u2", at=after(9)), chat=old)  # it was taken up again
        rig.clock.jump(9000)
        await rig.passes(2)
        assert rig.row.key.session_id == old and rig.words == ("working", "working")


async def test_clear_leaves_the_last_chat_without_an_end(rig: LocalRig) -> None:
    listed(rig)
    write(rig, user(), said())
    rig.starts(CWD)
    async with rig.following():
        rig.clock.jump(1000)
        write(rig, user(at=after(1)), chat=CHAT.replace("3d0f", "ffff"))
        await rig.passes(3)
        assert rig.row.key.session_id == CHAT.replace("3d0f", "ffff")
        assert not any(getattr(e, "state", None) is State.DONE for e in rig.told)


async def test_twins_in_one_folder_are_two_rows(rig: LocalRig, child: "subprocess.Popen[bytes]") -> None:
    """CD 1.0.5, PI 0.26: two sessions in the same folder were merged."""
    listed(rig)
    other = CHAT.replace("3d0f", "ffff")
    write(rig, user())
    write(rig, user(), said(), chat=other)
    rig.starts(CWD)
    rig.starts(CWD, pid=child.pid, start=_proc.start_ticks(child.pid))
    async with rig.following():
        assert {r.key.session_id: str(r.state) for r in rig.rows} == {CHAT: "working", other: "waiting"}


# --- where a project's chats are ---


async def test_a_project_is_found_by_its_mark(rig: LocalRig) -> None:
    write(rig, user(), project="demo-1")
    (rig.home / ".gemini" / "tmp" / "demo-1" / ".project_root").write_text(CWD + "\n")
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")


async def test_a_project_is_found_by_the_hash_of_before(rig: LocalRig) -> None:
    write(rig, user(), project=hashlib.sha256(CWD.encode()).hexdigest())
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")


async def test_a_project_that_comes_later_is_found(rig: LocalRig, opened: list[str]) -> None:
    (rig.home / ".gemini" / "tmp" / "other").mkdir(parents=True)
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []
        opened.clear()
        await rig.passes(20)
        assert not [p for p in opened if str(rig.home) in p]  # looked for once
        listed(rig)
        write(rig, user())
        await rig.passes(3)
        assert rig.words == ("working", "working")


@pytest.mark.parametrize("slug", ["../../outside", "..", "", 7, None, "no-such"])
async def test_a_list_that_leads_elsewhere_is_not_followed(rig: LocalRig, slug: Any) -> None:
    listed(rig, slug=slug)
    write(rig, user(), root="outside", project="x")
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_its_own_variable_names_the_place(tmp_path: Path) -> None:
    rig = LocalRig("gemini", tmp_path, variables={"GEMINI_CLI_HOME": str(tmp_path / "own")})
    write(rig, user(), root="own/.gemini", project=hashlib.sha256(CWD.encode()).hexdigest())
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")


async def test_a_chat_of_before_is_one_object(rig: LocalRig) -> None:
    listed(rig)
    path = write(rig).with_suffix(".json")
    path.with_suffix(".jsonl").unlink()

    def rewrite(*messages: dict[str, Any]) -> None:
        whole = {"sessionId": "s", "startTime": after(0), "messages": list(messages)}
        path.write_text(json.dumps(whole, indent=2))
        touch(rig, path)

    rewrite(user())
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")
        path.write_text('{"sessionId": "s", "messages": [{"id"')  # half written: what was known holds
        touch(rig, path)
        await rig.passes(1)
        assert rig.words == ("working", "working")
        rewrite(user(), said(at=after(1)))
        await rig.passes(4)
        assert rig.words == ("waiting", "your-turn")
        # It goes on as lines, and both lie there: the same row, nothing counted twice.
        write(
            rig,
            {"sessionId": "s", "startTime": after(0)},
            user(),
            said(at=after(1)),
            user(id_="u2", at=after(2)),
        )
        await rig.passes(2)
        assert rig.words == ("working", "working")
        work = rig.row.activity.work
        assert work is not None and work.turns == 2


async def test_subagents_are_counted_and_are_no_rows(rig: LocalRig, opened: list[str]) -> None:
    listed(rig)
    path = write(rig, user(), said(""))
    inner = path.parent / "3d0fe70a-db56-4a69-9a61-6adb15bd743b" / "other.jsonl"
    inner.parent.mkdir()
    inner.write_text("{}")
    touch(rig, inner)
    rig.starts(CWD)
    opened.clear()
    async with rig.following():
        work = rig.row.activity.work
        assert work is not None and work.subagents == 1
    assert str(inner) not in opened


async def test_a_truncated_chat_is_read_anew(rig: LocalRig) -> None:
    listed(rig)
    path = write(rig, user(), said(""), said("done", "g2"))
    rig.starts(CWD)
    async with rig.following():
        path.write_bytes(b"")
        write(rig, user(at=after(1)))
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_an_empty_session_that_took_its_file_along(rig: LocalRig) -> None:
    listed(rig)
    path = write(rig, {"sessionId": "s", "startTime": after(0)})
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("idle", "not-started")
        path.unlink()
        await rig.passes(3)
        assert rig.words == ("idle", "not-started")


async def test_future_times_count_as_now(rig: LocalRig) -> None:
    listed(rig)
    write(rig, user(at="2031-01-01T00:00:00.000Z"))
    rig.starts(CWD)
    async with rig.following():
        assert rig.row.last_activity == NOW
        await rig.passes(5 * 60)
        assert rig.words == ("unknown", "quiet")


async def test_a_listing_that_fails_kills_nothing(rig: LocalRig) -> None:
    listed(rig)
    write(rig, user())
    rig.starts(CWD)
    async with rig.following():
        rig.programs = None
        await rig.passes(10)
        assert rig.words == ("working", "working")


async def test_no_folder_is_a_state_with_a_face(rig: LocalRig) -> None:
    async with rig.following():
        assert rig.store.roster.sources["gemini"].health is Health.WAITING


async def test_a_chat_that_cannot_be_read_is_a_state_with_a_face(
    rig: LocalRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed(rig)
    write(rig, user())
    rig.starts(CWD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("lisa_island.agents._gemini_files.Tail.look", refuse)
    async with rig.following():
        assert rig.store.roster.sources["gemini"].detail == "unreadable"


async def test_the_lab_session_whole(rig: LocalRig) -> None:
    shutil.copytree(LAB.parents[3], rig.home / ".gemini")
    rig.clock.jump((records._fields.moment("2026-11-30T17:42:00Z") or 0) - NOW)
    touch(rig, rig.home / ".gemini" / LAB.relative_to(LAB.parents[3]))
    rig.starts("/srv/lab/gem/work/demo", started_at=rig.clock.now() - 30_000)
    async with rig.following():
        assert (rig.row.project, rig.words) == ("demo", ("waiting", "your-turn"))


# --- what is opened, written, said ---

_opened: list[str] | None = None


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and _opened is not None and isinstance(args[0], str | bytes | os.PathLike):
        _opened.append(os.fsdecode(args[0]))


sys.addaudithook(_audit)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


def full_home(rig: LocalRig) -> Path:
    listed(rig)
    path = write(rig, user())
    root = rig.home / ".gemini"
    (root / "tmp" / "demo" / ".project_root").write_text(CWD)
    for name in (
        "oauth_creds.json", "google_accounts.json", "mcp-oauth-tokens.json", "settings.json", ".env",
        "tmp/demo/logs.json", "tmp/demo/shell_history", "tmp/demo/chats/other.jsonl", "GEMINI.md",
    ):  # fmt: skip
        (root / name).write_text("{}")
    return path


async def test_only_lists_and_chats_are_opened(rig: LocalRig, opened: list[str]) -> None:
    path = full_home(rig)
    opened.clear()
    async with rig.following():
        await rig.passes(20)
        assert not [p for p in opened if str(rig.home) in p]  # with no agent alive, nothing
        rig.starts(CWD)
        await rig.passes(20)
    mine = {p for p in opened if str(rig.home) in p}
    assert mine == {str(path), str(rig.home / ".gemini" / "projects.json")}


async def test_nothing_is_written(rig: LocalRig) -> None:
    full_home(rig)
    rig.starts(CWD)

    def files() -> dict[str, tuple[int, int, int]]:
        found = {p: p.lstat() for p in rig.home.rglob("*")}
        return {str(p): (s.st_ino, s.st_size, s.st_mtime_ns) for p, s in found.items()}

    before = files()
    async with rig.following():
        await rig.passes(20)
    assert files() == before


SECRET = "canary7f3b"


async def test_no_prose_leaves_the_reader(rig: LocalRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    listed(rig)
    shell = call(tool="run_shell_command", command=f"TOKEN={SECRET} npm run {SECRET}", description=SECRET)
    shell |= {"resultDisplay": SECRET, "result": [{"functionResponse": {"response": {"output": SECRET}}}]}
    odd = call(status=SECRET, tool=f"a tool {SECRET}", file_path=f"/{SECRET}") | {"id": f"c {SECRET}"}
    file = call(file_path=f"/home/{SECRET}/ring.py", old_string=SECRET) | {"id": "c3"}
    write(
        rig, {"sessionId": f"s {SECRET}", "projectHash": SECRET, "summary": SECRET},
        {"$set": {"summary": SECRET, "memoryScratchpad": SECRET, "messages": [user(SECRET)]}}, user(SECRET),
        said(SECRET, thoughts=[{"subject": SECRET, "description": SECRET}], model=f"m {SECRET}"),
        said("", "g2", toolCalls=[shell, odd, file]), note("warning", SECRET),
        note(f"new {SECRET}", SECRET, "n2"), user(SECRET, "u2"), note("error", f"401 {SECRET}", "n3"),
    )  # fmt: skip
    rig.starts(CWD)
    async with rig.following():
        await rig.passes(3)
        work = rig.row.activity.work
        assert work is not None and (work.program, work.files) == ("npm", ("ring.py",))
        assert rig.words == ("error", "auth")
        spoken = [repr(rig.told), repr(rig.rows), repr(rig.source), repr(vars(rig.source)), caplog.text]
        assert not [s for s in spoken if SECRET in s]


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["node", "/usr/bin/gemini"], ""),
        (["node", "--no-warnings=DEP0040", "--max-old-space-size=8", "/x/bundle/gemini.js", "-p", "x"], ""),
        (["/usr/bin/node", "/x/node_modules/@google/gemini-cli/dist/index.js"], ""),
        (["gemini"], ""), (["node", "/usr/bin/gemini", "mcp", "list"], None),
        (["node", "/usr/bin/gemini", "--version"], None), (["node", "server.js", "gemini"], None),
        (["node"], None), ([], None),
    ],
)  # fmt: skip
def test_what_a_process_is_there_for(argv: list[str], expected: str | None) -> None:
    assert role(argv) == expected


def test_every_rule_and_reason_has_words() -> None:
    told = [
        turns.judge(
            turns.Turn(now=now, at=NOW, heard=NOW, error="auth", is_partial=partial), life, NOW + age, NOW
        )
        for now in turns.Now
        for partial in (False, True)
        for life in _proc.Life
        for age in (0, 11_000, 301_000, 1_900_000)
    ]
    assert not [v for v in told if not has(f"why.{v.fact.rule}") or not has(f"why.signal.{v.fact.signal}")]
    timed = {v.fact.rule for v in told if v.until is not None}
    every = {v.fact.rule for v in told}
    assert {rule for rule in every if has(f"would.{rule}")} == timed
    plain = {"working", "your-turn"}
    assert not [v.reason for v in told if v.reason not in plain and not has(f"row.local.{v.reason}")]
    classes = {name for _, name in records._CLASSES} | {"api-error"}
    assert not [c for c in classes if not has(f"row.local.{c}")]
    assert has("why.gemini.left-open") and has("why.gemini.talked-probable")
    assert has("agent.gemini") and has("settings.local.gemini") and has("settings.local.gemini.hint")
    assert re.fullmatch(r"session-.*", LAB.stem)
