"""OpenCode's sessions from its storage to rows: database, processes, time."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _opencode_db
from lisa_island.agents._opencode_files import role
from lisa_island.core.agent import Health, RequestKind, State
from lisa_island.core.evidence import Rank
from lisa_island.core.words import has
from tests.agents.local_rig import NOW, LocalRig
from tests.agents.opencode_rig import CWD, LAB, SESSION, TREE, OpenCodeDb, tree_as_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

PID = os.getpid()


@pytest.fixture
def rig(tmp_path: Path) -> LocalRig:
    return LocalRig("opencode", tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".local" / "share" / "opencode"


@pytest.fixture
def db(folder: Path) -> Iterator[OpenCodeDb]:
    found = OpenCodeDb(folder / "opencode.db").empty()
    yield found
    found.close()


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


async def test_a_session_of_a_running_process(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session(tokens_output=25)
    db.message("user")
    db.tool(db.answer(NOW, None), "edit", filePath="/w/demo/src/ring.py")
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working") and rig.rule == "opencode.tool"
        assert (rig.row.project, rig.row.key.session_id, rig.row.cwd) == ("demo", SESSION, CWD)
        work = rig.row.activity.work
        assert work is not None and rig.row.activity.status_text == "edit · ring.py"
        assert (work.turns, work.tokens, work.files, work.tools) == (1, 25, ("ring.py",), ("edit",))
        assert [(s.tool, s.is_over, s.ok) for s in work.steps] == [("edit", False, None)]


async def test_a_change_is_told_within_three_seconds(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        assert rig.rule == "opencode.prompt"
        db.tool(db.answer(NOW + 10, None), at=NOW + 20, command="CI=1 npm test")
        await rig.passes(3)
        assert rig.rule == "opencode.tool" and rig.row.activity.status_text == "bash · npm"


async def test_the_end_of_a_turn_is_told_when_it_has_lasted(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        db.answer(NOW + 10)
        await rig.passes(2)
        assert rig.words == ("working", "working")
        await rig.passes(3)
        assert rig.words == ("waiting", "your-turn") and not rig.row.requests
        await rig.passes(30 * 60)
        assert rig.words == ("idle", "quiet")


async def test_a_question_needs_you_and_goes_when_it_is_answered(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    message = db.answer(NOW, None)
    db.tool(message, "question", questions=[{"question": "Which?"}])
    rig.starts(CWD)
    async with rig.following():
        (request,) = rig.row.requests
        assert (request.kind, request.summary, request.options) == (RequestKind.QUESTION, "", ())
        assert rig.row.fact is not None and rig.row.fact.rank is Rank.REQUEST
        db.answer(NOW + 3000, "tool-calls", id=message)
        db.db.execute("DELETE FROM part")
        db.answer(NOW + 3010, None)
        await rig.passes(4)
        assert rig.words == ("working", "working") and not rig.row.requests


async def test_a_long_tool_is_no_approval(rig: LocalRig, db: OpenCodeDb) -> None:
    """AoE PR 414. A dialog looks the same in the records: inferred, never counted as needing you."""
    db.session()
    db.tool(db.answer(NOW, None), command="make")
    rig.starts(CWD)
    async with rig.following():
        await rig.passes(121)
        assert rig.words == ("working", "long-tool") and not rig.row.requests
        await rig.passes(3600)
        assert rig.words == ("working", "long-tool")


async def test_silence_makes_an_open_turn_unknown(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        await rig.passes(299)
        assert rig.words == ("working", "working")
        await rig.passes(2)
        assert rig.words == ("unknown", "quiet")


async def test_a_killed_process_ends_its_row(
    rig: LocalRig, db: OpenCodeDb, child: "subprocess.Popen[bytes]"
) -> None:
    """PI 149: SIGKILL leaves the message open for ever."""
    db.session()
    db.tool(db.answer(NOW, None), "question")
    rig.starts(CWD, pid=child.pid, start=_ticks(child.pid))
    async with rig.following():
        assert rig.row.is_blocked
        assert rig.programs is not None
        rig.programs.clear()
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.words == ("done", "ended-mid-turn") and not rig.row.requests
        assert rig.rule == "opencode.dead-open"
        await rig.passes(3 * 60 * 60 + 10)
        assert rig.rows == []


def _ticks(pid: int) -> str:
    from lisa_island.agents import _proc

    return _proc.start_ticks(pid)


async def test_what_was_over_before_a_process_began_is_not_its_own(rig: LocalRig, db: OpenCodeDb) -> None:
    """CD 1.0.7: restored sessions were active while nothing of them ran."""
    db.session(at=NOW - 3_600_000)
    db.tool(db.answer(NOW - 3_600_000, None), at=NOW - 3_600_000)
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_another_folders_session_is_not_its_own(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session(directory="/w/other")
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_one_process_has_one_session_and_leaves_the_last(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.answer(NOW)
    rig.starts(CWD)
    async with rig.following():
        assert rig.row.key.session_id == SESSION
        db.session("ses_two", at=NOW + 1000)
        db.message("user", NOW + 1000, "ses_two")
        await rig.passes(3)
        assert rig.row.key.session_id == "ses_two"
        assert not any(getattr(e, "state", None) is State.DONE for e in rig.told)  # nothing was finished


async def test_a_run_that_was_left_open_beside_a_new_one_stays(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.tool(db.answer(NOW, None), command="make")
    rig.starts(CWD)
    async with rig.following():
        db.session("ses_two", at=NOW + 1000)
        db.message("user", NOW + 1000, "ses_two")
        await rig.passes(3)
        assert {r.key.session_id for r in rig.rows} == {SESSION, "ses_two"}


async def test_twins_in_one_folder_are_two_rows(
    rig: LocalRig, db: OpenCodeDb, child: "subprocess.Popen[bytes]"
) -> None:
    """CD 1.0.5, PI 0.26: two sessions in the same folder were merged."""
    db.session()
    db.message("user")
    db.session("ses_two")
    db.answer(NOW, session="ses_two")
    rig.starts(CWD)
    rig.starts(CWD, pid=child.pid, start=_ticks(child.pid))
    async with rig.following():
        assert {r.key.session_id: str(r.state) for r in rig.rows} == {
            SESSION: "working",
            "ses_two": "waiting",
        }


async def test_a_server_holds_sessions_of_every_folder(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session(directory="/w/other")
    db.message("user")
    db.session("ses_old", directory="/w/more", at=NOW - 3_600_000)
    rig.starts("/", role="serve")
    async with rig.following():
        assert rig.row.key.session_id == SESSION and rig.words == ("working", "working")


async def test_an_archived_session_has_no_row(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session(time_archived=NOW)
    db.answer(NOW)
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_a_linked_folder_is_the_folder(rig: LocalRig, db: OpenCodeDb, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    db.session(directory=str(tmp_path / "link"))
    db.message("user")
    rig.starts(tmp_path / "real")
    async with rig.following():
        assert rig.words == ("working", "working")


async def test_a_listing_that_fails_kills_nothing(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        rig.programs = None
        await rig.passes(10)
        assert rig.words == ("working", "working")  # its process lives still


async def test_future_times_count_as_now(rig: LocalRig, db: OpenCodeDb) -> None:
    db.session(at=NOW + 86_400_000)
    db.message("user", NOW + 86_400_000)
    rig.starts(CWD)
    async with rig.following():
        assert rig.row.last_activity == NOW


# --- storage ---


async def test_the_folder_of_before_the_database(rig: LocalRig, folder: Path) -> None:
    tree_as_of(TREE, folder / "storage", 2**41)
    rig.starts("/srv/repo", started_at=NOW - 60_000)
    rig.clock.jump(1730000004000 - NOW)
    for file in (folder / "storage").rglob("*.json"):
        os.utime(file, (1730000004, 1730000004))
    assert rig.programs is not None
    rig.programs.clear()
    rig.starts("/srv/repo", started_at=1729999990000)
    async with rig.following():
        assert (rig.row.key.session_id, rig.words) == ("s_stage0_small", ("working", "working"))
        assert rig.row.activity.work is not None and rig.row.activity.work.program == "ls"


async def test_a_session_that_moved_into_the_database_is_there_once(
    rig: LocalRig, folder: Path, db: OpenCodeDb
) -> None:
    tree_as_of(TREE, folder / "storage", 2**41)
    db.session("s_stage0_small", directory="/srv/repo")
    db.answer(NOW, session="s_stage0_small")
    rig.starts("/srv/repo")
    async with rig.following():
        assert rig.words == ("waiting", "your-turn")


@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({"XDG_DATA_HOME": "{home}/data"}, "data/opencode/opencode.db"),
        ({"OPENCODE_DB": "{home}/x/own.db"}, "x/own.db"),
        ({"OPENCODE_DB": "own.db"}, ".local/share/opencode/own.db"),
        ({}, ".local/share/opencode/opencode-beta.db"),
    ],
)
async def test_its_own_variables_name_the_place(
    tmp_path: Path, variables: dict[str, str], place: str
) -> None:
    filled = {name: value.format(home=tmp_path) for name, value in variables.items()}
    rig = LocalRig("opencode", tmp_path, variables=filled)
    db = OpenCodeDb(tmp_path / place).empty()
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        assert rig.words == ("working", "working")
    db.close()


async def test_a_database_in_memory_is_nowhere(tmp_path: Path) -> None:
    rig = LocalRig("opencode", tmp_path, variables={"OPENCODE_DB": ":memory:"})
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []


async def test_no_folder_is_a_state_with_a_face(rig: LocalRig) -> None:
    async with rig.following():
        assert rig.store.roster.sources["opencode"].health is Health.WAITING


async def test_a_database_that_cannot_be_read_is_a_state_with_a_face(rig: LocalRig, db: OpenCodeDb) -> None:
    db.close()
    db.path.write_bytes(b"no database at all" * 100)
    rig.starts(CWD)
    async with rig.following():
        status = rig.store.roster.sources["opencode"]
        assert status.enabled and status.detail == "unreadable" and rig.rows == []


async def test_a_locked_database_keeps_what_was_known(
    rig: LocalRig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_opencode_db, "BUSY_SECONDS", 0.0)
    db = OpenCodeDb(folder / "opencode.db", wal=False).empty()
    db.session()
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        db.answer(NOW + 1000)
        db.db.execute("BEGIN EXCLUSIVE")
        await rig.passes(4)
        assert rig.words == ("working", "working")
        assert rig.store.roster.sources["opencode"].detail == "unreadable"
        db.db.execute("COMMIT")
        await rig.passes(6)
        assert rig.words == ("waiting", "your-turn")
        assert rig.store.roster.sources["opencode"].detail == ""
    db.close()


# --- what is opened, written, said ---

_opened: list[str] | None = None


def _audit(event: str, args: tuple[Any, ...]) -> None:
    is_opening = event in ("open", "sqlite3.connect") and _opened is not None and bool(args)
    if is_opening and _opened is not None and isinstance(args[0], str | bytes | os.PathLike):
        _opened.append(os.fsdecode(args[0]))


sys.addaudithook(_audit)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


async def test_only_the_database_is_opened(rig: LocalRig, db: OpenCodeDb, opened: list[str]) -> None:
    db.session()
    db.message("user")
    for name in ("auth.json", "mcp-auth.json", "storage/session/p/ses_1.json", "log/x.log"):
        (db.path.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (db.path.parent / name).write_text("{}")
    rig.starts(CWD)
    opened.clear()
    async with rig.following():
        await rig.passes(20)
    mine = {p for p in opened if str(db.path.parent) in p}
    assert mine == {str(db.path), f"file:{db.path}?mode=ro&readonly_shm=1"}


async def test_with_no_agent_alive_no_file_is_opened(
    rig: LocalRig, db: OpenCodeDb, opened: list[str]
) -> None:
    db.session()
    db.message("user")
    opened.clear()
    async with rig.following():
        await rig.passes(60)
        assert rig.rows == []
    assert not [p for p in opened if str(db.path.parent) in p]


@pytest.mark.parametrize("is_open", [True, False])
async def test_nothing_is_written(rig: LocalRig, db: OpenCodeDb, is_open: bool) -> None:
    """Not even what SQLite keeps beside a database; also when nobody has it open."""
    db.session()
    db.message("user")
    if not is_open:
        db.close()
    rig.starts(CWD)

    def state() -> dict[str, tuple[int, int, int]]:
        found = {p: p.lstat() for p in rig.home.rglob("*")}
        return {str(p): (s.st_ino, s.st_size, s.st_mtime_ns) for p, s in found.items()}

    before = state()
    assert any(name.endswith("-wal") for name in before) == is_open
    async with rig.following():
        await rig.passes(10)
        assert rig.words == ("working", "working")
    assert state() == before


def test_secret_tables_and_columns_are_not_asked_for() -> None:
    asked: list[str] = []
    real = sqlite3.connect

    def connect(*args: Any, **more: Any) -> sqlite3.Connection:
        found = real(*args, **more)
        found.set_trace_callback(asked.append)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        assert _opencode_db.read(LAB, lambda _s, _d: True)
    text = " ".join(asked).lower()
    assert asked and "select" in text and "*" not in text.replace("count(*)", "")
    for name in (
        "title",
        "slug",
        "share",
        "secret",
        "account",
        "credential",
        "revert",
        "prompt",
        "todo",
        "$.text",
    ):
        assert not re.search(rf"\b{re.escape(name)}", text), name


SECRET = "canary7f3b"


async def test_no_prose_leaves_the_reader(
    rig: LocalRig, db: OpenCodeDb, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    db.session(title=SECRET, slug=SECRET, share_url=SECRET, revert=SECRET, metadata=SECRET)
    user = db.message("user", summary={"title": SECRET, "body": SECRET, "diffs": [SECRET]}, system=SECRET)
    db.part(user, type="text", text=SECRET)
    failed = {"name": f"Odd{SECRET}", "data": {"message": SECRET, "responseBody": SECRET}}
    db.answer(NOW + 1, "stop", error=failed, variant=SECRET)
    answer = db.answer(NOW + 2, None, modelID=f"a model {SECRET}", agent=f"an agent {SECRET}")
    db.part(answer, type="reasoning", text=SECRET)
    db.part(answer, type=f"new {SECRET}", text=SECRET)
    db.tool(answer, command=f"TOKEN={SECRET} npm run {SECRET}", description=SECRET)
    db.tool(answer, f"a tool {SECRET}", SECRET, filePath=f"/{SECRET}/x")
    db.tool(answer, "read", "error", filePath=f"/home/{SECRET}/ring.py", error=f"no {SECRET}")
    db.tool(answer, "glob", path=f"/{SECRET}")
    db.tool(answer, "question", "completed", questions=[{"question": SECRET}])
    rig.starts(CWD)
    async with rig.following():
        await rig.passes(3)
        work = rig.row.activity.work
        assert work is not None and work.program == "npm" and work.files == ("ring.py",)
        spoken = [repr(rig.told), repr(rig.rows), repr(rig.source), repr(vars(rig.source)), caplog.text]
        assert not [s for s in spoken if SECRET in s]


async def test_an_unreadable_error_says_nothing_of_its_text(
    rig: LocalRig, db: OpenCodeDb, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    db.session()
    db.db.execute("DROP TABLE part")
    db.db.execute(f"CREATE TABLE part ({SECRET} text)")
    db.message("user")
    rig.starts(CWD)
    async with rig.following():
        await rig.passes(3)
        assert rig.store.roster.sources["opencode"].detail == "unreadable"
        assert SECRET not in caplog.text + repr(rig.told)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["opencode"], ""), (["/usr/lib/opencode", "/w/demo"], ""), (["opencode", "run", "a task"], ""),
        (["opencode", "serve"], "serve"), (["opencode", "web"], "web"),
        (["opencode", "attach", "http"], None),
        (["opencode", "auth", "login"], None), (["opencode", "--version"], None), ([], ""),
    ],
)  # fmt: skip
def test_what_a_process_is_there_for(argv: list[str], expected: str | None) -> None:
    assert role(argv) == expected


def test_every_rule_and_reason_has_words() -> None:
    from lisa_island.agents import _opencode_talk as talk

    source = Path(talk.__file__).read_text("utf-8")
    told = set(re.findall(r'_say\(State\.\w+, [^,]+, "([a-z-]+)"', source))
    told |= {
        "dead-open", "dead-closed", "question", "rejected", "interrupted", "retrying", "thinking",
    }  # fmt: skip
    assert len(told) > 18 and not [rule for rule in told if not has(f"why.opencode.{rule}")]
    assert has("why.signal.records") and has("agent.opencode")
    assert has("settings.local.opencode") and has("settings.local.opencode.hint")
    reasons = set(re.findall(r'State\.\w+, "([a-z-]+)"', source))
    reasons |= {
        talk.failure(n, s) for n in ("", "auth", "outputlength", "context") for s in (0, 400, 429, 500, 529)
    }
    timed = {
        "prompt", "thinking", "retrying", "compacting", "tool", "loop", "closed", "idle", "interrupted",
        "rejected", "probable", "left-open",
    }  # fmt: skip
    assert {rule for rule in told if has(f"would.opencode.{rule}")} == timed
    plain = {"working", "your-turn", "question"}
    assert not [r for r in reasons - plain if not has(f"row.local.{r}")]


async def test_a_pipe_of_its_name_is_not_waited_for(rig: LocalRig, db: OpenCodeDb) -> None:
    db.close()
    db.path.unlink()
    os.mkfifo(db.path)
    rig.starts(CWD)
    async with rig.following():
        assert rig.rows == []
