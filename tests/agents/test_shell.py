"""Shells by their histories: names of installed programs and times, and nothing that was typed besides."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import shell
from lisa_island.agents._jsonl import Line
from lisa_island.agents._shell_history import SHELLS, Command
from lisa_island.core.agent import Health
from lisa_island.core.evidence import Rank
from lisa_island.core.row_words import line
from tests.agents.kind_rig import KindRig
from tests.fakes.clock import START

SECRET = "canary-9f3b1c"
S = START // 1000


@pytest.fixture
def rig(tmp_path: Path) -> KindRig:
    programs = tmp_path / ".bin"
    programs.mkdir()
    for name in ("npm", "cargo", "pytest"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    return KindRig("shell", tmp_path, {"PATH": str(programs)})


def write(rig: KindRig, name: str, text: str) -> Path:
    path = rig.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
    os.utime(path, (rig.clock.now() / 1000, rig.clock.now() / 1000))
    return path


def read(shell_name: str, text: str | bytes) -> list[Command]:
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    lines: Iterable[Line] = (Line(part.strip(b"\r\0 \t")) for part in data.split(b"\n") if part.strip())
    return list(SHELLS[shell_name]().read(lines))


# --- what a history says ---


def test_bash_with_times() -> None:
    text = f"#{S}\nnpm test\n#{S + 5}\ncat <<E\n{SECRET}\nE\n#{S + 9}\nFOO={SECRET} cargo build\n"
    assert read("bash", text) == [
        Command(S * 1000, "npm"),
        Command((S + 5) * 1000, "cat"),
        Command((S + 9) * 1000, "cargo"),
    ]


def test_bash_without_times() -> None:
    assert read("bash", "npm test\ncd x && cargo b\n") == [Command(0, "npm"), Command(0, "cargo")]


def test_zsh_with_times_and_a_command_of_several_lines() -> None:
    text = f": {S}:0;npm test\n: {S + 1}:12;cat <<E\\\n{SECRET}\\\nE\n: {S + 2}:0;cargo b\n"
    assert [c.program for c in read("zsh", text)] == ["npm", "cat", "cargo"]
    assert read("zsh", text)[1].at == (S + 1) * 1000


def test_zsh_without_times() -> None:
    assert [c.program for c in read("zsh", "npm test\necho a\\\nb\ncargo b\n")] == ["npm", "echo", "cargo"]


def test_zsh_marks_bytes() -> None:
    """A byte above 0x82 is written as 0x83 and the byte with one bit turned: a name stays a name."""
    name = "é".encode()  # c3 a9: both may be marked
    marked = bytes([0x83, name[0] ^ 32, 0x83, name[1] ^ 32])
    assert read("zsh", b": %d:0;FOO=" % S + marked + b" npm") == [Command(S * 1000, "npm")]


def test_fish() -> None:
    text = f"- cmd: npm test\n  when: {S}\n  paths:\n    - x\n"
    text += f"- cmd: for i in 1\\necho {SECRET}\\nend\n  when: {S + 1}\n"
    assert read("fish", text) == [Command(S * 1000, "npm"), Command((S + 1) * 1000, "for")]


def test_powershell() -> None:
    assert [c.program for c in read("powershell", "npm test\nGet-Item `\n x\n& cargo\n")] == [
        "npm", "Get-Item", "cargo",
    ]  # fmt: skip


@given(st.sampled_from(sorted(SHELLS)), st.lists(st.binary(max_size=80), max_size=20), st.integers(0, 20))
def test_any_bytes_are_read_whole_or_in_parts(name: str, data: list[bytes], at: int) -> None:
    lines = [Line(part) for part in data if part]
    whole = list(SHELLS[name]().read(lines))
    reader = SHELLS[name]()
    parts = [*reader.read(lines[:at]), *reader.read(lines[at:])]
    assert all(len(c.program) <= 40 and c.at >= 0 for c in (*whole, *parts))
    if name in ("fish", "powershell"):
        assert whole == parts


# --- rows ---


async def test_the_newest_program_and_its_time(rig: KindRig) -> None:
    write(rig, ".zsh_history", f": {S - 60}:0;cargo test {SECRET}\n: {S - 30}:0;npm run {SECRET}\n")
    async with rig.following():
        assert rig.words == ("idle", "history") and rig.row.project == "zsh"
        assert rig.row.last_activity == START - 30_000 and rig.rule == "shell.timed"
        assert rig.row.fact is not None and rig.row.fact.rank is Rank.TRANSCRIPT
        work = rig.row.activity.work
        assert work is not None and (work.program, work.tools) == ("npm", ("cargo", "npm"))
        assert line(rig.row, "en", rig.clock.now()) == "Last command · npm"


async def test_a_new_command_is_seen(rig: KindRig) -> None:
    write(rig, ".bash_history", f"#{S}\nnpm test\n")
    async with rig.following():
        await rig.passes(10)
        write(rig, ".bash_history", f"#{S + 9}\ncargo test\n")
        await rig.passes(6)
        work = rig.row.activity.work
        assert work is not None and work.program == "cargo" and rig.row.last_activity == START + 9000


async def test_without_times_that_of_the_file_is_said_to_be_one(rig: KindRig) -> None:
    write(rig, ".bash_history", "npm test\n")
    async with rig.following():
        assert rig.rule == "shell.untimed" and rig.row.last_activity == START


async def test_a_password_typed_at_the_prompt_is_no_program(rig: KindRig) -> None:
    write(rig, ".bash_history", f"npm test\n{SECRET}\n")
    async with rig.following():
        work = rig.row.activity.work
        assert work is not None and (work.program, work.tools) == ("", ("npm",))
        assert SECRET not in repr(rig.told)


async def test_nothing_but_names_leaves(rig: KindRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    write(rig, ".zsh_history", f": {S}:0;TOKEN={SECRET} npm {SECRET} # {SECRET}\n")
    write(rig, ".bash_history", f"curl -H {SECRET} x\n./{SECRET}/npm\ncat <<E\n{SECRET}\n")
    write(rig, ".local/share/fish/fish_history", f"- cmd: echo {SECRET}\n  when: {S}\n")
    async with rig.following():
        assert {row.project for row in rig.rows} == {"zsh", "bash", "fish"}
        assert SECRET not in repr(rig.told) + repr(vars(rig.source)) + caplog.text


async def test_after_half_an_hour_it_leaves(rig: KindRig) -> None:
    write(rig, ".bash_history", f"#{S}\nnpm test\n")
    async with rig.following():
        await rig.passes(31 * 60)
        assert not rig.rows


async def test_a_history_that_rests_is_not_opened(rig: KindRig, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(rig, ".bash_history", "npm test\n")
    os.utime(path, (S - 3600, S - 3600))
    monkeypatch.setattr(shell, "Tail", None)
    async with rig.following():
        assert not rig.rows and rig.face.health is Health.OK


async def test_none_at_all_is_a_state(rig: KindRig) -> None:
    async with rig.following():
        assert rig.face.health is Health.WAITING


async def test_one_that_cannot_be_opened_has_a_face(rig: KindRig) -> None:
    """A pipe in its place is not waited for."""
    os.mkfifo(rig.home / ".bash_history")
    os.utime(rig.home / ".bash_history", (S, S))
    async with rig.following():
        assert rig.face.detail == "unreadable" and not rig.rows


async def test_a_rewritten_history_is_read_anew(rig: KindRig) -> None:
    path = write(rig, ".zsh_history", f": {S}:0;npm test\n" * 20)
    async with rig.following():
        path.unlink()
        write(rig, ".zsh_history", f": {S + 1}:0;cargo test\n")
        await rig.passes(6)
        work = rig.row.activity.work
        assert work is not None and work.program == "cargo"


async def test_a_linked_history_is_followed(rig: KindRig) -> None:
    write(rig, "kept/history", f"#{S}\nnpm test\n")
    (rig.home / ".bash_history").symlink_to(rig.home / "kept" / "history")
    async with rig.following():
        assert rig.row.project == "bash"


async def test_nothing_is_written(rig: KindRig) -> None:
    path = write(rig, ".bash_history", f"#{S}\nnpm test\n")
    before = (path.stat(), sorted(rig.home.rglob("*")))
    async with rig.following():
        await rig.passes(10)
    now = path.stat()
    assert (now.st_mtime_ns, now.st_size, stat.S_IMODE(now.st_mode)) == (
        before[0].st_mtime_ns, before[0].st_size, stat.S_IMODE(before[0].st_mode),
    )  # fmt: skip
    assert sorted(rig.home.rglob("*")) == before[1]


def test_where_it_looks() -> None:
    told = {"HOME": "/h", "SHELL": "/bin/zsh", "HISTFILE": "/k/hist", "XDG_DATA_HOME": "/d"}
    found = shell.histories(lambda name: told.get(name, ""))
    assert found == (
        ("bash", Path("/h/.bash_history")),
        ("zsh", Path("/k/hist")),
        ("zsh", Path("/h/.zhistory")),
        ("fish", Path("/d/fish/fish_history")),
        ("powershell", Path("/d/powershell/PSReadLine/ConsoleHost_history.txt")),
    )
    assert shell.histories(lambda _name: "") == ()
