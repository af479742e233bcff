"""Aider's runs from its history to rows: processes, places, time."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _aider_history as history
from lisa_island.agents import _aider_state as state
from lisa_island.agents import _proc
from lisa_island.agents._branch import root
from lisa_island.agents.aider import HISTORY, is_named, role
from lisa_island.core.words import has
from tests.agents.local_rig import NOW, LocalRig
from tests.agents.test_aider_timelines import ASK, END, HEAD, LAB

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")


@pytest.fixture
def rig(tmp_path: Path) -> LocalRig:
    (tmp_path / "demo" / ".git").mkdir(parents=True)
    (tmp_path / "demo" / "src").mkdir()
    return LocalRig("aider", tmp_path)


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


def write(rig: LocalRig, *lines: str, place: str = f"demo/{HISTORY}", at: int | None = None) -> Path:
    path = rig.home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(line.encode() + b"\n" for line in lines))
    now = (rig.clock.now() if at is None else at) / 1000
    os.utime(path, (now, now))
    return path


async def test_its_branch_is_that_of_the_folder(rig: LocalRig, opened: list[str]) -> None:
    head = rig.home / "demo" / ".git" / "HEAD"
    head.write_text("ref: refs/heads/fix/login\n")
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo" / "src")
    opened.clear()
    async with rig.following():
        assert rig.row.activity.work is not None and rig.row.activity.work.branch == "fix/login"
        await rig.passes(10)
    assert opened.count(str(head)) == 1


async def test_a_running_aider(rig: LocalRig) -> None:
    write(rig, HEAD, "> Aider v0.86.2  ", "> Main model: openai/gpt-4o with diff edit format  ", ASK)
    rig.starts(rig.home / "demo" / "src")  # below the git root
    async with rig.following():
        assert rig.words == ("working", "working") and rig.rule == "aider.prompt"
        assert (rig.row.project, rig.row.cwd) == ("src", "~/demo/src")
        write(rig, "Done.", "> Applied edit to src/ring.py  ", END)
        await rig.passes(3)
        assert rig.words == ("waiting", "your-turn") and not rig.row.requests
        work = rig.row.activity.work
        assert work is not None and not work.is_partial
        assert (work.turns, work.tokens, work.files) == (1, 25, ("ring.py",))
        assert (work.model, work.version) == ("openai/gpt-4o", "0.86.2")


async def test_silence_after_a_prompt_becomes_unknown(rig: LocalRig) -> None:
    """What it waits for (a model, or a yes) is not written: unknown, and never a need of yours."""
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo")
    async with rig.following():
        await rig.passes(299)
        assert rig.words == ("working", "working")
        await rig.passes(2)
        assert rig.words == ("unknown", "quiet") and not rig.row.requests


async def test_a_killed_process_ends_its_row(rig: LocalRig, child: "subprocess.Popen[bytes]") -> None:
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo", pid=child.pid, start=_proc.start_ticks(child.pid))
    async with rig.following():
        assert rig.programs is not None
        rig.programs.clear()
        child.kill()
        child.wait()
        await rig.passes(3)
        assert rig.words == ("done", "ended-mid-turn") and rig.rule == "aider.dead-open"
        await rig.passes(3 * 60 * 60 + 10)
        assert rig.rows == []


async def test_another_runs_history_is_not_its_own(rig: LocalRig) -> None:
    """CD 1.0.7: what an earlier run left open is no work of this one."""
    write(rig, HEAD, ASK, at=NOW - 3_600_000)
    rig.starts(rig.home / "demo", started_at=NOW - 10_000)
    async with rig.following():
        assert rig.words == ("unknown", "nothing-decisive")
        await rig.passes(25)
        assert rig.words == ("unknown", "history-elsewhere")
        write(rig, HEAD)
        await rig.passes(2)
        assert rig.words == ("idle", "not-started")


async def test_two_in_one_repository_are_not_mixed_up(
    rig: LocalRig, child: "subprocess.Popen[bytes]"
) -> None:
    """CD 1.0.5: whose lines these are cannot be told, so neither is called working."""
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo")
    async with rig.following():
        assert rig.words == ("working", "working")
        rig.starts(rig.home / "demo", pid=child.pid, start=_proc.start_ticks(child.pid))
        write(rig, HEAD, ASK)
        await rig.passes(2)
        assert [(str(r.state), r.state_reason) for r in rig.rows] == [("unknown", "history-shared")] * 2
        assert rig.programs is not None
        del rig.programs[1]
        child.kill()
        child.wait()
        await rig.passes(3)
        rows = {str(r.state): r.state_reason for r in rig.rows}
        assert rows == {"unknown": "nothing-decisive", "done": "exited"}  # the last run is the dead one's
        write(rig, ASK)
        await rig.passes(2)
        assert {str(r.state) for r in rig.rows} == {"working", "done"}


async def test_without_a_repository_it_lies_where_it_runs(rig: LocalRig) -> None:
    write(rig, HEAD, ASK, place=f"plain/{HISTORY}")
    rig.starts(rig.home / "plain")
    async with rig.following():
        assert rig.words == ("working", "working")


@pytest.mark.parametrize("chosen", ["{home}/notes/history.md", "history.md"])
async def test_its_own_variable_names_the_history(tmp_path: Path, chosen: str) -> None:
    rig = LocalRig("aider", tmp_path, variables={"AIDER_CHAT_HISTORY_FILE": chosen.format(home=tmp_path)})
    write(rig, HEAD, ASK, place="notes/history.md")
    rig.starts(tmp_path / "notes")
    async with rig.following():
        assert rig.words == ("working", "working")


async def test_years_of_history_are_not_read(rig: LocalRig) -> None:
    old = [HEAD, *([ASK, "prose " * 200, END] * 20)] * 40
    path = write(rig, *old, HEAD, ASK, END)
    rig.starts(rig.home / "demo")
    async with rig.following():
        assert path.stat().st_size > 900_000
        work = rig.row.activity.work
        assert work is not None and (work.turns, work.is_partial) == (1, False)


async def test_a_shorter_history_is_read_anew(rig: LocalRig) -> None:
    path = write(rig, HEAD, ASK, END, ASK)
    rig.starts(rig.home / "demo")
    async with rig.following():
        path.write_bytes(b"")
        write(rig, HEAD)
        await rig.passes(3)
        assert rig.words == ("idle", "not-started")


async def test_lines_with_two_ends_are_lines(rig: LocalRig) -> None:
    write(rig, HEAD + "\r", ASK + "\r", END + "\r")
    rig.starts(rig.home / "demo")
    async with rig.following():
        assert rig.words == ("waiting", "your-turn")


async def test_a_hidden_folder_is_unknown(rig: LocalRig) -> None:
    rig.starts("")
    async with rig.following():
        assert rig.words == ("unknown", "history-elsewhere") and rig.row.project == "aider"


async def test_a_history_that_cannot_be_read_is_a_state_with_a_face(
    rig: LocalRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("lisa_island.agents.aider.Tail.look", refuse)
    async with rig.following():
        assert rig.store.roster.sources["aider"].detail == "unreadable"
        assert rig.words == ("unknown", "nothing-decisive")


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


async def test_only_the_history_is_opened(rig: LocalRig, opened: list[str]) -> None:
    path = write(rig, HEAD, ASK)
    for name in (".aider.input.history", ".aider.conf.yml", ".env", ".aider.llm.history"):
        (path.parent / name).write_text("x")
    opened.clear()
    async with rig.following():
        await rig.passes(10)
        assert not [p for p in opened if str(rig.home) in p]  # with no aider alive, nothing
        rig.starts(rig.home / "demo")
        await rig.passes(10)
    assert {p for p in opened if str(rig.home) in p} == {str(path)}


async def test_nothing_is_written(rig: LocalRig) -> None:
    write(rig, HEAD, ASK)
    rig.starts(rig.home / "demo")

    def files() -> dict[str, tuple[int, int, int]]:
        found = {p: p.lstat() for p in rig.home.rglob("*")}
        return {str(p): (s.st_ino, s.st_size, s.st_mtime_ns) for p, s in found.items()}

    before = files()
    async with rig.following():
        await rig.passes(10)
    assert files() == before


SECRET = "canary7f3b"


async def test_no_prose_leaves_the_reader(rig: LocalRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    write(
        rig, HEAD, f'> /venv/bin/aider --message "{SECRET}" --openai-api-key {SECRET} --model x  ',
        f"> Aider v0.86.2 {SECRET}  ", f"> Main model: m with {SECRET}  ", f"#### {SECRET}  ", SECRET,
        f"> Commit abc {SECRET}  ", f"> Added {SECRET} to the chat.  ",
        f"> Applied edit to {SECRET}/ring.py  ",
        f"> Tokens: 1k sent, 2 received. Cost: {SECRET}  ", f"#### /ask {SECRET}  ",
        f"> litellm.{SECRET}Error: {SECRET}  ",
    )  # fmt: skip
    rig.starts(rig.home / "demo")
    async with rig.following():
        await rig.passes(3)
        work = rig.row.activity.work
        assert work is not None and work.files == ("ring.py",) and rig.words == ("error", "api-error")
        spoken = [repr(rig.told), repr(rig.rows), repr(rig.source), repr(vars(rig.source)), caplog.text]
        assert not [s for s in spoken if SECRET in s]


# --- which process is one ---


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["/venv/bin/python3", "/venv/bin/aider", "--model", "x"], ""), (["aider"], ""),
        (["python", "-m", "aider", "a.py"], ""), (["python3", "-u", "/x/aider"], ""),
        (["python", "-m", "pip", "aider"], None), (["python", "server.py", "aider"], None),
        (["vim", "aider"], None), (["python", "-c", "aider"], None), ([], None), (["python"], None),
    ],
)  # fmt: skip
def test_what_a_process_is(argv: list[str], expected: str | None) -> None:
    assert role(argv) == expected


def test_names_that_are_looked_into() -> None:
    named = ("aider", "python3.11", "Python", "bash", "node")
    assert [is_named(n) for n in named] == [True, True, True, False, False]


def test_a_worktree_is_a_root(tmp_path: Path) -> None:
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / ".git").write_text("gitdir: /elsewhere")
    assert root(tmp_path / "tree" / "deep") == tmp_path / "tree"


def test_every_rule_and_reason_has_words() -> None:
    runs = [
        history.Run(now=now, at=NOW, is_headed=headed, error="auth")
        for now in history.Now
        for headed in (0, 1)
    ]
    told = [
        state.judge(run, trouble, life, NOW + age, NOW)
        for run in runs
        for trouble in ("", "elsewhere", "shared")
        for life in _proc.Life
        for age in (0, 301_000, 1_900_000)
    ]
    assert not [v for v in told if not has(f"why.{v.fact.rule}") or not has(f"why.signal.{v.fact.signal}")]
    timed = {v.fact.rule for v in told if v.until is not None}
    assert {v.fact.rule for v in told if has(f"would.{v.fact.rule}")} == timed
    plain = {"working", "your-turn"}
    assert not [v.reason for v in told if v.reason not in plain and not has(f"row.local.{v.reason}")]
    classes = {found for _, found in history._CLASSES} | {"api-error"}
    assert not [c for c in classes if not has(f"row.local.{c}")]
    assert re.match(r"# aider", LAB.read_text().strip())
    assert has("agent.aider") and has("settings.local.aider") and has("settings.local.aider.hint")
