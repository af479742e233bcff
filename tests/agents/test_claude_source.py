"""Claude Code's sessions from its folder to rows: registry, transcripts, processes, time."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lisa_island.agents import _claude_files, _folders, _proc
from lisa_island.agents._claude_files import encoded
from lisa_island.core.agent import Health, RequestKind, State
from lisa_island.core.evidence import Rank
from lisa_island.core.words import has
from tests.agents.claude_rig import (
    LAB_FILE,
    LAB_FOLDER,
    LAB_SESSION,
    NOW,
    OTHER,
    SESSION,
    ClaudeRig,
    call,
    ended,
    prompt,
    record,
    result,
    said,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

PID = os.getpid()


@pytest.fixture
def rig(tmp_path: Path) -> ClaudeRig:
    return ClaudeRig(tmp_path)


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


# --- the registry's word ---


@pytest.mark.parametrize(
    ("status", "records", "expected"),
    [
        ("busy", [prompt()], ("working", "working", "claude-code.busy")),
        ("busy", [prompt(), call(command="npm test")], ("working", "working", "claude-code.busy-tool")),
        (
            "busy",
            [prompt(), said(isApiErrorMessage=True, error="server_error")],
            ("working", "retrying", "claude-code.busy-retrying"),
        ),
        ("shell", [prompt(), said(), ended()], ("waiting", "background-shell", "claude-code.shell")),
        ("idle", [prompt(), said(), ended()], ("waiting", "your-turn", "claude-code.idle")),
        ("idle", [prompt()], ("waiting", "interrupted", "claude-code.idle-interrupted")),
        (
            "idle",
            [prompt(), said(isApiErrorMessage=True, error="rate_limit")],
            ("error", "rate-limit", "claude-code.idle-error"),
        ),
        (
            "idle",
            [prompt(), said(), ended(pendingBackgroundAgentCount=2)],
            ("waiting", "background-agents", "claude-code.idle-background"),
        ),
        ("idle", [], ("idle", "not-started", "claude-code.not-started")),
        ("dreaming", [prompt()], ("unknown", "new-status", "claude-code.new-status")),
    ],
)
async def test_what_the_process_says(
    rig: ClaudeRig, status: str, records: list[dict], expected: tuple[str, str, str]
) -> None:
    rig.register(PID, status=status)
    if records:
        rig.write(*records)
    async with rig.following():
        assert rig.row.fact is not None
        assert (*rig.words, rig.row.fact.rule) == expected
        assert rig.row.fact.rank is Rank.LIVE and not rig.row.requests
        assert rig.row.project == "demo" and rig.row.key.session_id == SESSION


@pytest.mark.parametrize(
    ("waits_for", "tool", "kind", "summary"),
    [
        ("permission prompt", "Bash", RequestKind.PERMISSION, "Bash · npm"),
        ("sandbox request", "Bash", RequestKind.PERMISSION, "Bash · npm"),
        ("worker request", "Bash", RequestKind.PERMISSION, "Bash · npm"),
        ("input needed", "AskUserQuestion", RequestKind.QUESTION, ""),
        ("goal proposal", "Bash", RequestKind.PLAN, ""),
        ("permission prompt", "ExitPlanMode", RequestKind.PLAN, ""),
        ("dialog open", "Bash", RequestKind.EXTERNAL, ""),
        ("some words of a dialog", "Bash", RequestKind.EXTERNAL, ""),
    ],
)
async def test_a_wait_for_a_decision(
    rig: ClaudeRig, waits_for: str, tool: str, kind: RequestKind, summary: str
) -> None:
    rig.register(PID, status="waiting", waitingFor=waits_for)
    rig.write(prompt(), call(tool=tool, command="npm test"))
    async with rig.following():
        (request,) = rig.row.requests
        assert rig.row.state is State.WAITING and rig.row.is_blocked
        assert (request.kind, request.summary, request.since) == (kind, summary, NOW)
        assert rig.row.fact is not None and rig.row.fact.rank is Rank.REQUEST


async def test_a_permission_that_is_answered_in_its_terminal_goes_at_once(rig: ClaudeRig) -> None:
    """CD 216, PI 147: the card remains after the answer."""
    rig.register(PID, status="waiting", waitingFor="permission prompt")
    rig.write(prompt(), call(command="npm test"))
    async with rig.following():
        assert rig.row.requests
        rig.register(PID, status="busy", statusUpdatedAt=NOW + 900)
        await rig.passes(1)
        assert rig.words == ("working", "working") and not rig.row.requests


async def test_the_call_may_be_written_after_the_wait(rig: ClaudeRig) -> None:
    """The request keeps its id, so nothing is announced twice."""
    rig.register(PID, status="waiting", waitingFor="permission prompt")
    rig.write(prompt())
    async with rig.following():
        (early,) = rig.row.requests
        rig.write(call(NOW + 10, command="npm test"))
        await rig.passes(1)
        (late,) = rig.row.requests
        assert early.request_id == late.request_id and (early.summary, late.summary) == ("", "Bash · npm")


async def test_working_to_your_turn_is_told_when_it_has_lasted(rig: ClaudeRig) -> None:
    rig.register(PID, status="busy")
    rig.write(prompt())
    async with rig.following():
        rig.write(said(NOW + 500), ended(NOW + 510))
        rig.register(PID, status="idle", statusUpdatedAt=NOW + 520)
        await rig.passes(1)
        assert rig.words == ("working", "working")  # held
        await rig.passes(2)
        assert rig.words == ("waiting", "your-turn")


async def test_a_turn_that_goes_on_at_once_never_flaps(rig: ClaudeRig) -> None:
    """A Stop hook or a limit that makes it continue: no your-turn in between."""
    rig.register(PID, status="busy")
    rig.write(prompt())
    async with rig.following():
        rig.register(PID, status="idle", statusUpdatedAt=NOW + 500)
        await rig.passes(1)
        rig.register(PID, status="busy", statusUpdatedAt=NOW + 1500)
        await rig.passes(5)
        assert {str(getattr(e, "state", "working")) for e in rig.told} == {"working"}


async def test_half_an_hour_without_a_word_is_idle(rig: ClaudeRig) -> None:
    rig.register(PID, status="idle")
    rig.write(prompt(), said(), ended())
    async with rig.following():
        await rig.passes(30 * 60)
        assert rig.words == ("idle", "quiet")
        assert rig.row.last_activity == NOW  # silence is no activity


# --- life and death ---


async def test_a_dead_process_ends_its_row_in_three_seconds(
    rig: ClaudeRig, child: "subprocess.Popen[bytes]"
) -> None:
    """PI 149: kill -9 in mid-turn leaves `busy` behind for ever."""
    rig.register(child.pid, status="busy")
    rig.write(prompt(), call(command="npm test"))
    async with rig.following():
        assert rig.words == ("working", "working")
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.words == ("done", "ended-mid-turn")
        assert rig.row.fact is not None and rig.row.fact.rule == "claude-code.dead-open"


async def test_a_clean_exit_is_done(rig: ClaudeRig, child: "subprocess.Popen[bytes]") -> None:
    path = rig.register(child.pid, status="idle")
    rig.write(prompt(), said(), ended())
    async with rig.following():
        path.unlink()
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.words == ("done", "exited")
        await rig.passes(3 * 60 * 60 + 10)
        assert rig.rows == []


async def test_a_pid_that_another_process_took_over_is_dead(rig: ClaudeRig) -> None:
    rig.register(PID, procStart="1", status="busy")
    rig.write(prompt())
    async with rig.following():
        assert rig.rows == []  # it did not run when we came: no row at all


async def test_a_resumed_session_works_again(rig: ClaudeRig, child: "subprocess.Popen[bytes]") -> None:
    rig.register(child.pid, status="busy")
    rig.write(prompt())
    async with rig.following():
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.row.state is State.DONE
        rig.register(PID, status="busy", statusUpdatedAt=NOW + 4000)
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_another_machines_process_is_never_called_dead(rig: ClaudeRig) -> None:
    """A container that shares the folder: the transcript alone speaks, at a transcript's rank."""
    rig.write(prompt(), call(command="npm test"))
    rig.register(999_999_9, pidDomain="linux:other:pid:[1]", status="busy", procStart="5")
    async with rig.following():
        assert rig.words == ("working", "working")
        assert rig.row.fact is not None and rig.row.fact.rank is Rank.TRANSCRIPT
        await rig.passes(5 * 60)
        assert rig.words == ("unknown", "quiet")


async def test_clear_swaps_the_session_without_an_end(rig: ClaudeRig) -> None:
    """31, `/clear`: the process goes on under a new id; nothing was finished."""
    rig.register(PID, status="idle")
    rig.write(prompt(), said(), ended())
    async with rig.following():
        rig.register(PID, OTHER, status="idle", statusUpdatedAt=NOW + 500)
        await rig.passes(1)
        assert rig.row.key.session_id == OTHER and rig.words == ("idle", "not-started")
        assert not any(getattr(e, "state", None) is State.DONE for e in rig.told)


async def test_twins_in_one_folder_are_two_rows(rig: ClaudeRig, child: "subprocess.Popen[bytes]") -> None:
    """CD 1.0.5, PI 0.26: two sessions in the same folder were merged."""
    rig.register(PID, status="busy")
    rig.register(child.pid, OTHER, status="idle")
    rig.write(prompt())
    rig.write(prompt(), said(), ended(), session=OTHER)
    async with rig.following():
        states = {r.key.session_id: str(r.state) for r in rig.rows}
        assert states == {SESSION: "working", OTHER: "waiting"}


async def test_two_processes_with_one_session_are_one_row(
    rig: ClaudeRig, child: "subprocess.Popen[bytes]"
) -> None:
    rig.register(PID, status="idle")
    rig.register(child.pid, status="waiting", waitingFor="permission prompt")
    rig.write(prompt(), call(command="ls"))
    async with rig.following():
        assert rig.row.is_blocked
        child.kill()
        child.wait()
        await rig.passes(3)
        assert not rig.row.is_blocked and rig.row.state is State.WAITING


@pytest.mark.parametrize(
    "more", [{"spare": True}, {"kind": "daemon"}, {"pid": 1}, {"sessionId": "x"}], ids=str
)
async def test_what_is_no_session_of_the_owners_has_no_row(rig: ClaudeRig, more: dict) -> None:
    path = rig.register(PID, status="busy")
    path.write_text(json.dumps(json.loads(path.read_text()) | more))
    rig.write(prompt())
    async with rig.following():
        assert rig.rows == []


async def test_a_half_written_record_keeps_what_was_known(rig: ClaudeRig) -> None:
    path = rig.register(PID, status="busy")
    rig.write(prompt())
    async with rig.following():
        whole = path.read_text()
        path.write_text(whole[: len(whole) // 2])
        await rig.passes(1)
        assert rig.words == ("working", "working")


# --- transcripts ---


async def test_a_build_without_status_is_told_by_its_transcript(rig: ClaudeRig) -> None:
    rig.register(PID, statusUpdatedAt=None)
    rig.write(prompt(), said(stop=None))
    async with rig.following():
        assert rig.words == ("working", "working")
        await rig.passes(12)
        assert rig.words == ("waiting", "your-turn-probable")


async def test_a_long_tool_of_a_live_process_stays_working(rig: ClaudeRig) -> None:
    """AoE PR 414: a long call is no idleness, and no claim of a permission either."""
    rig.register(PID)
    rig.write(prompt(), call(command="make"))
    async with rig.following():
        await rig.passes(121)
        assert rig.words == ("working", "long-tool") and not rig.row.requests
        await rig.passes(3600)
        assert rig.words == ("working", "long-tool")


async def test_the_start_of_the_island_restores_no_working(
    rig: ClaudeRig, child: "subprocess.Popen[bytes]"
) -> None:
    """CD 1.0.7: restored sessions were active while nothing ran."""
    rig.register(child.pid, status="busy")
    rig.write(prompt(), call(command="make"))
    child.kill()
    child.wait()
    async with rig.following():
        assert rig.rows == []


async def test_a_moved_transcript_is_found_again(rig: ClaudeRig) -> None:
    rig.register(PID, status="busy")
    path = rig.write(prompt())
    async with rig.following():
        new = rig.root / "projects" / "-elsewhere"
        new.mkdir()
        path.rename(new / path.name)
        rig.write(call(NOW + 10, command="npm test"), folder="-elsewhere")
        await rig.passes(20)
        assert rig.row.activity.work is not None and rig.row.activity.work.tools == ("Bash",)


async def test_a_truncated_transcript_is_read_anew(rig: ClaudeRig) -> None:
    rig.register(PID)
    path = rig.write(prompt(), call(command="make"), result(), said(), ended())
    async with rig.following():
        path.write_bytes(b"")
        rig.write(prompt(NOW + 1000))
        await rig.passes(2)
        assert rig.words == ("working", "working")


async def test_future_times_count_as_now(rig: ClaudeRig) -> None:
    rig.register(PID)
    rig.write(prompt(NOW + 86_400_000))
    async with rig.following():
        assert rig.row.last_activity == NOW
        await rig.passes(5 * 60)
        assert rig.words == ("unknown", "quiet")  # skew keeps nothing alive for ever


async def test_what_was_done_is_counted_once(rig: ClaudeRig) -> None:
    rig.register(PID, status="busy")
    usage = {"input_tokens": 5, "output_tokens": 20}
    first = said(NOW, [{"type": "text", "text": "x"}], "tool_use")
    first["message"]["usage"] = usage
    again = {**call(NOW, tool="Edit", file_path="/w/demo/src/ring.py"), "uuid": "again"}
    again["message"]["usage"] = usage
    rig.write(record("permission-mode", permissionMode="plan"), prompt(), first, again)
    async with rig.following():
        work = rig.row.activity.work
        assert work is not None
        assert (work.turns, work.tokens, work.tools, work.files) == (1, 20, ("Edit",), ("ring.py",))
        assert (work.branch, work.mode, work.version, work.is_partial) == ("main", "plan", "2.1.332", False)
        assert rig.row.activity.status_text == "Edit · ring.py"


async def test_a_subagents_file_is_no_session(rig: ClaudeRig) -> None:
    """IR 1050: subagents appeared as rows; old builds keep them beside the session, with its id."""
    rig.register(PID, status="busy")
    path = rig.write(prompt(), call(tool="Task"))
    path.with_name("agent-0123456.jsonl").write_bytes(path.read_bytes())
    async with rig.following():
        assert len(rig.rows) == 1
        assert rig.row.activity.work is not None and rig.row.activity.work.subagents == 1


async def test_an_old_build_is_found_by_the_folder_it_works_in(
    rig: ClaudeRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No registry: one process in a folder is at most one session's, the newest."""
    process = _proc.Process(PID, _proc.start_ticks(PID), "/w/demo")
    monkeypatch.setattr(_claude_files, "_unclaimed", lambda _claimed: (process,))
    rig.write(prompt(), said())
    older = rig.write(prompt(), session=OTHER)
    os.utime(older, (NOW / 1000 - 60, NOW / 1000 - 60))
    async with rig.following():
        assert rig.row.key.session_id == SESSION and rig.words == ("waiting", "your-turn")


def test_only_folders_that_changed_are_listed_again(rig: ClaudeRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 transcripts were looked at one by one, every fifteen seconds."""
    listed: list[str] = []

    def listing(folder: Path, *rest: object) -> object:
        listed.append(folder.name)
        return _folders.listing(folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(_claude_files, "listing", listing)
    for n in range(3):
        rig.write(prompt(), session=f"{n:08x}{SESSION[8:]}", folder=f"-w-{n}")
        os.utime(rig.root / "projects" / f"-w-{n}", (NOW / 1000 - 60, NOW / 1000 - 60))
    files = _claude_files.ClaudeFiles([rig.root])

    def found(now: int) -> list[str]:
        listed.clear()
        files.look(now)
        return sorted(name for name in listed if name.startswith("-w-"))

    everything = ["-w-0", "-w-1", "-w-2"]
    assert found(NOW) == everything
    assert found(NOW + _claude_files.SWEEP_MS) == []
    rig.write(prompt(), session=OTHER, folder="-w-1")
    assert found(NOW + 2 * _claude_files.SWEEP_MS) == ["-w-1"]
    # For systems that do not keep a folder's time.
    assert found(NOW + _claude_files.FULL_SWEEP_MS) == everything


async def test_the_lab_session_whole(rig: ClaudeRig) -> None:
    folder = rig.root / "projects" / LAB_FOLDER
    folder.mkdir(parents=True)
    (folder / LAB_FILE.name).write_bytes(LAB_FILE.read_bytes())
    rig.register(PID, LAB_SESSION, cwd="/srv/lab/cc/work/demo_app.v2", status="idle")
    async with rig.following():
        assert rig.row.project == "demo_app.v2"
        assert rig.row.activity.work is not None and rig.row.activity.work.turns == 16


# --- what is opened, written, said ---

_opened: list[str] | None = None


def _audit(event: str, args: tuple) -> None:
    if event == "open" and _opened is not None and isinstance(args[0], str | bytes | os.PathLike):
        _opened.append(os.fsdecode(args[0]))


sys.addaudithook(_audit)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


def _full_home(rig: ClaudeRig) -> None:
    rig.write(prompt(), said())
    for name in (
        "history.jsonl", "settings.json", ".credentials.json", f"sessions/{PID}.{'a' * 64}.key",
        "todos/x.json", "jobs/12345678/state.json", "debug/log.txt",
        f"projects/-w-demo/{SESSION}/subagents/agent-1.meta.json",
    ):  # fmt: skip
        path = rig.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


async def test_only_two_kinds_of_files_are_opened(rig: ClaudeRig, opened: list[str]) -> None:
    _full_home(rig)
    rig.register(PID, status="busy")
    opened.clear()
    async with rig.following():
        await rig.passes(40)
    mine = {p for p in opened if p.startswith(str(rig.root))}
    transcript = rig.root / "projects" / "-w-demo" / f"{SESSION}.jsonl"
    assert mine == {str(rig.root / "sessions" / f"{PID}.json"), str(transcript)}


async def test_with_no_agent_alive_no_transcript_is_opened(rig: ClaudeRig, opened: list[str]) -> None:
    _full_home(rig)
    opened.clear()
    async with rig.following():
        await rig.passes(60)
        assert rig.rows == []
    assert not [p for p in opened if p.startswith(str(rig.root))]


async def test_nothing_is_written(rig: ClaudeRig) -> None:
    _full_home(rig)
    rig.register(PID, status="busy")

    def state() -> dict[str, tuple[int, int, int]]:
        found = {p: p.lstat() for p in rig.home.rglob("*")}
        return {str(p): (s.st_ino, s.st_size, s.st_mtime_ns) for p, s in found.items()}

    before = state()
    async with rig.following():
        await rig.passes(40)
    assert state() == before


SECRET = "canary7f3b"


async def test_no_prose_leaves_the_parser(rig: ClaudeRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    rig.register(
        PID, status="waiting", waitingFor=f"{SECRET} dialog", name=SECRET, messagingSocketPath=SECRET
    )
    text = [{"type": "text", "text": SECRET}, {"type": "thinking", "thinking": SECRET}]
    rig.write(
        record("ai-title", title=SECRET), record("last-prompt", prompt=SECRET),
        record("summary", summary=SECRET),
        record("queue-operation", operation="enqueue", content=SECRET), record("attachment", text=SECRET),
        record(f"new {SECRET}"), prompt(text=SECRET), said(content=text, stop=f"why {SECRET}"),
        said(isApiErrorMessage=True, error=f"x {SECRET}", content=text), prompt(text=f"<{SECRET}"),
        call(command=f"TOKEN={SECRET} npm run {SECRET}", description=SECRET),
        call(tool=f"a {SECRET}", id_="toolu_2", file_path=f"/{SECRET}/x"),
        call(tool="Read", id_="toolu_3", file_path=f"/home/{SECRET}/ring.py"),
        result(id_="toolu_9", toolUseResult={"stdout": SECRET}),
    )  # fmt: skip
    async with rig.following():
        await rig.passes(3)
        assert rig.row.activity.work is not None and rig.row.activity.work.program == "npm"
        spoken = [repr(rig.told), repr(rig.rows), repr(rig.source), repr(vars(rig.source)), caplog.text]
        assert not [s for s in spoken if SECRET in s]


async def test_a_folder_that_cannot_be_read_is_a_state_with_a_face(
    rig: ClaudeRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.register(PID, status="busy")
    rig.write(prompt())

    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(_claude_files, "read_small", refuse)
    async with rig.following():
        status = rig.store.roster.sources["claude-code"]
        assert status.enabled and status.detail == "unreadable" and rig.rows == []


async def test_no_folder_is_a_state_with_a_face(rig: ClaudeRig) -> None:
    async with rig.following():
        assert rig.store.roster.sources["claude-code"].health is Health.WAITING


async def test_links_that_lead_back_are_followed_once(rig: ClaudeRig) -> None:
    rig.register(PID, status="busy")
    rig.write(prompt())
    (rig.root / "projects" / "loop").symlink_to(rig.root / "projects")
    (rig.root / "projects" / "again").symlink_to(rig.root / "projects" / "-w-demo")
    async with rig.following():
        assert len(rig.rows) == 1


async def test_its_own_variable_names_the_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    rig = ClaudeRig(home, variables={"CLAUDE_CONFIG_DIR": str(tmp_path / "one")})
    rig.root = tmp_path / "one"
    rig.register(PID, status="busy")
    rig.write(prompt())
    async with rig.following():
        assert rig.words == ("working", "working")


def test_folders_are_encoded_forward_alone() -> None:
    assert encoded("/srv/lab/cc/work/demo_app.v2") == LAB_FOLDER
    assert len(encoded("/x" * 300)) == 200


def test_every_rule_and_reason_has_words() -> None:
    source = Path(_claude_files.__file__).with_name("_claude_state.py").read_text("utf-8")
    rules = set(re.findall(r'"(claude-code\.[a-z-]+)"', source))
    from lisa_island.agents import _claude_state as state
    from lisa_island.agents._claude_registry import Entered
    from lisa_island.agents._claude_turn import Now, Turn
    from lisa_island.agents._proc import Life

    told = [
        state.judge(Turn(now=now, at=NOW, background=background, error="auth"), entered, life, NOW + age)
        for now in Now
        for background in (0, 1)
        for life in Life
        for status in ("", "busy", "idle", "shell", "waiting", "new")
        for entered in (None, Entered(1, SESSION, status=status, since=NOW))
        for age in (0, 20_000, 130_000, 301_000, 1_900_000)
    ]
    rules |= {v.fact.rule for v in told}
    assert len(rules) > 25 and not [r for r in rules if not has(f"why.{r}")]
    assert {v.fact.signal for v in told} == {"registry", "transcript", "process"}
    plain = {"working", "your-turn", "permission", "question", "plan", "dialog"}
    assert not [v.reason for v in told if v.reason not in plain and not has(f"row.local.{v.reason}")]
    assert not [v for v in told if v.requests and v.fact.rank is not Rank.REQUEST]


def test_a_registry_record_of_the_samples(tmp_path: Path) -> None:
    from lisa_island.agents import _claude_registry as registry
    from tests.agents.claude_rig import LAB

    found = {}
    for path in sorted((LAB / "sessions").glob("*.json")):
        data = path.read_bytes()
        read = registry.read(data, json.loads(data)["pid"])
        assert read is not None
        found[path.stem] = (read.status, read.waits_for, read.ticks)
    assert found == {
        "900001": ("", "", "204164"),
        "900002": ("idle", "", "204164"),
        "900003": ("busy", "", "206047"),
        "900004": ("waiting", "permission prompt", "206047"),
        "900005": ("waiting", "input needed", "206047"),
    }
