"""Git repositories from their files and a real `git status` to rows."""

import contextlib
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _git_head as heads
from lisa_island.agents import _git_repos, git
from lisa_island.agents import _git_status as statuses
from lisa_island.agents._git_head import Head
from lisa_island.agents._git_repos import find, roots
from lisa_island.agents._jsonl import Line
from lisa_island.core.agent import Health, State
from lisa_island.core.words import has
from tests.agents.git_rig import SECRET, commit, repository, run
from tests.agents.kind_rig import KindRig
from tests.fakes.clock import START

MINUTE = 60


@pytest.fixture
def rig(tmp_path: Path) -> KindRig:
    return KindRig("git", tmp_path)


def conflict(tree: Path) -> None:
    """Two branches that say another thing in one line, and a merge of them."""
    run(tree, "checkout", "-q", "-b", "side")
    (tree / "a.txt").write_text("side\n")
    commit(tree)
    run(tree, "checkout", "-q", "main")
    (tree / "a.txt").write_text("main\n")
    commit(tree)
    run(tree, "merge", "side", check=False)


# --- states ---


async def test_a_clean_repository(rig: KindRig) -> None:
    repository(rig.home)
    async with rig.following():
        assert rig.words == ("idle", "clean") and rig.rule == "git.clean"
        assert rig.row.project == "demo" and rig.row.cwd == "~/demo" and rig.row.last_activity == START
        work = rig.row.activity.work
        assert work is not None and (work.branch, work.tools, work.files) == ("main", ("commit",), ())


async def test_changes_are_counted_and_named(rig: KindRig) -> None:
    tree = repository(rig.home)
    (tree / "a.txt").write_text("two\n")
    (tree / "new\n file.txt").write_text("x")
    async with rig.following():
        assert rig.words == ("idle", "changes")
        work = rig.row.activity.work
        assert work is not None and work.changed == 2 and set(work.files) == {"a.txt", "new file.txt"}


async def test_a_change_is_seen_without_a_word_of_git(rig: KindRig) -> None:
    tree = repository(rig.home)
    async with rig.following():
        (tree / "a.txt").write_text("two\n")
        await rig.passes(36)
        assert rig.words == ("idle", "changes") and rig.row.last_activity == START + 30_000


async def test_a_commit_is_seen_at_once(rig: KindRig) -> None:
    tree = repository(rig.home)
    async with rig.following():
        run(tree, "checkout", "-q", "-b", "feature/x", at=START + 1000)
        await rig.passes(6)
        work = rig.row.activity.work
        assert work is not None and work.branch == "feature/x" and work.tools == ("commit", "checkout")


async def test_a_conflict_is_your_turn_and_no_request(rig: KindRig) -> None:
    conflict(repository(rig.home))
    async with rig.following():
        assert rig.words == ("waiting", "conflicts") and not rig.row.requests


async def test_a_merge_that_stays_is_told_after_a_moment(rig: KindRig) -> None:
    tree = repository(rig.home)
    conflict(tree)
    run(tree, "add", "-A")  # resolved and not finished
    marker = tree / ".git" / "MERGE_HEAD"
    os.utime(marker, (START / 1000, START / 1000))
    async with rig.following():
        assert rig.words == ("idle", "changes")
        await rig.passes(16)
        assert rig.words == ("waiting", "merging") and rig.rule == "git.under-way"
        run(tree, "commit", "-q", "-m", "done", at=rig.clock.now())
        await rig.passes(6)
        assert rig.words == ("idle", "clean")


@pytest.mark.parametrize(
    ("ahead", "behind", "reason"), [(1, 0, "ahead"), (0, 1, "behind"), (1, 1, "diverged")]
)
async def test_against_its_upstream(rig: KindRig, ahead: int, behind: int, reason: str) -> None:
    far = repository(rig.home / ".hidden", "far")
    run(rig.home, "clone", "-q", str(far), "near")
    if behind:
        (far / "b.txt").write_text("b")
        commit(far)
        run(rig.home / "near", "fetch", "-q")
    if ahead:
        (rig.home / "near" / "c.txt").write_text("c")
        commit(rig.home / "near")
    async with rig.following():
        assert rig.words == ("idle", reason)
        work = rig.row.activity.work
        assert work is not None and (work.ahead, work.behind) == (ahead, behind)


async def test_a_detached_head_and_a_worktree_are_told_apart(rig: KindRig) -> None:
    tree = repository(rig.home)
    run(tree, "worktree", "add", "-q", "-b", "side", str(rig.home / "beside"))
    run(tree, "checkout", "-q", "--detach")
    async with rig.following():
        branches = {row.project: row.activity.work.branch for row in rig.rows if row.activity.work}
        assert branches["beside"] == "side" and len(branches["demo"]) == 7


async def test_after_an_hour_of_rest_it_leaves(rig: KindRig) -> None:
    repository(rig.home)
    async with rig.following():
        assert rig.rows
        await rig.passes(61 * MINUTE)
        assert not rig.rows


async def test_an_old_repository_is_not_shown(rig: KindRig) -> None:
    repository(rig.home, at=START - 2 * 60 * MINUTE * 1000)
    async with rig.following():
        assert not rig.rows and rig.face.health is Health.OK


async def test_none_at_all_is_a_state(rig: KindRig) -> None:
    async with rig.following():
        assert not rig.rows and rig.face.health is Health.WAITING


# --- what can go wrong with git ---


async def test_without_git_its_files_are_told(tmp_path: Path) -> None:
    rig = KindRig("git", tmp_path, {"PATH": str(tmp_path)})
    repository(tmp_path)
    async with rig.following():
        assert rig.words == ("idle", "seen") and rig.rule == "git.absent"
        assert rig.face.detail == "absent" and has("fact.local.git.absent")


def fake(folder: Path, script: str) -> dict[str, str]:
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!{sys.executable}\n{script}")
    program.chmod(0o755)
    return {"PATH": str(folder)}


async def test_a_git_that_hangs_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statuses, "LIMIT", 0.3)
    rig = KindRig("git", tmp_path, fake(tmp_path / ".bin", "import time; time.sleep(3600)"))
    repository(tmp_path)
    async with rig.following():
        assert rig.words == ("unknown", "git-late")


@pytest.mark.parametrize("share", [0, 10_000])
async def test_a_git_that_takes_long_is_asked_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int
) -> None:
    monkeypatch.setattr(git, "REST", share)
    mark = tmp_path / "asked"
    script = f"open({str(mark)!r}, 'a').write('x')\nraise SystemExit(128)"
    rig = KindRig("git", tmp_path, fake(tmp_path / ".bin", script))
    repository(tmp_path)
    async with rig.following():
        await rig.passes(100)
        assert len(mark.read_text()) == (1 if share else 4)


@pytest.mark.parametrize("under_way", ["", "merging", "rebasing", "cherry-picking", "reverting", "bisecting"])
@pytest.mark.parametrize("why", ["", "refused", "late", "absent", "not-asked"])
@pytest.mark.parametrize(
    "counts", [(), (1,), (0, 1), (0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 0, 1), (0, 0, 0, 1, 1)]
)
def test_whatever_it_is_has_words(under_way: str, why: str, counts: tuple[int, ...]) -> None:
    head = Head(under_way=under_way, under_way_since=1)
    found = git.judge(head, None if why else statuses.Status("main", *counts), why, START, START)
    assert has(f"why.{found.fact.rule}") and has(f"row.local.{found.reason}") and not found.requests
    assert found.state is not State.WORKING  # a repository never claims that somebody works


async def test_a_git_that_refuses_is_said(tmp_path: Path) -> None:
    """safe.directory, a broken index: no state is made up."""
    rig = KindRig("git", tmp_path, fake(tmp_path / ".bin", "raise SystemExit(128)"))
    repository(tmp_path)
    async with rig.following():
        assert rig.words == ("unknown", "git-refused")


@pytest.mark.parametrize(
    "setting",
    [
        ("filter.x.clean", "touch {}"),
        ("include.path", "x"),
        ("core.fsmonitor", "touch {}"),
        # A status that misses an object would fetch it.
        ("extensions.partialClone", "o"),
        ("remote.o.promisor", "true"),
        ("remote.o.uploadpack", "touch {}"),
        ("protocol.ext.allow", "always"),
        # It would look at a folder that nobody named.
        ("core.worktree", "{}"),
    ],
)
async def test_a_repository_cannot_make_us_run_its_program(rig: KindRig, setting: tuple[str, str]) -> None:
    tree, mark = repository(rig.home), rig.home / "ran"
    (tree / ".gitattributes").write_text("* filter=x\n")
    run(tree, "config", setting[0], setting[1].format(mark))
    os.utime(tree / "a.txt")
    async with rig.following():
        assert rig.words == ("idle", "seen") and rig.rule == "git.not-asked"
    assert not mark.exists()


async def test_nothing_is_written(rig: KindRig) -> None:
    tree = repository(rig.home)
    os.utime(tree / "a.txt", (1, 1))  # an ordinary status would refresh the index now

    def state() -> dict[Path, tuple[int, int]]:
        return {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in sorted(rig.home.rglob("*"))}

    before = state()
    async with rig.following():
        await rig.passes(65)
    assert state() == before


async def test_no_message_author_or_path_leaves(rig: KindRig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    tree = repository(rig.home)
    (tree / SECRET).mkdir()
    (tree / SECRET / "plain.txt").write_text(SECRET)
    commit(tree)
    (tree / SECRET / "plain.txt").write_text(f"{SECRET} again")
    async with rig.following():
        work = rig.row.activity.work
        assert work is not None and work.files == ("plain.txt",)
        assert SECRET not in repr(rig.told) + repr(vars(rig.source)) + caplog.text


# --- finding ---


def test_folders_of_tools_links_and_deep_places_are_left_out(tmp_path: Path) -> None:
    for name in ("code/one", "code/node_modules/two", ".cache/three", "a/b/c/d/e/four", "code/one/inner"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "code")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert find((tmp_path,)).repositories == (tmp_path / "code" / "one",)


def test_a_home_that_is_one_itself_holds_others(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "code" / ".git").mkdir(parents=True)
    assert set(find((tmp_path,)).repositories) == {tmp_path, tmp_path / "code"}


async def test_a_home_with_too_many_folders_has_a_face(rig: KindRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Near ones are found first, and it is said that there may be more."""
    monkeypatch.setattr(_git_repos, "MOST_ENTRIES", 30)
    repository(rig.home, "zz")
    for n in range(10):
        (rig.home / f"a{n}" / "deep" / "deeper" / ".git").mkdir(parents=True)
    async with rig.following():
        assert rig.row.project == "zz" and rig.face.detail == "cut" and has("fact.local.git.cut")


def test_a_folder_that_cannot_be_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    listed = os.scandir

    def refuses(where: Any) -> Any:
        """As the kernel does to whoever is not root."""
        if Path(where) == closed:
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(where)

    monkeypatch.setattr(os, "scandir", refuses)
    assert find((tmp_path,)).unreadable == 1


def test_where_it_looks() -> None:
    told = {"HOME": "/h", "LISA_ISLAND_FOLDERS": os.pathsep.join(("~/code", "/w", "relative", ""))}
    assert roots(lambda name: told.get(name, "")) == (Path("/h/code"), Path("/w"))
    assert roots(lambda name: {"HOME": "/h"}.get(name, "")) == (Path("/h"),)
    assert roots(lambda _name: "") == ()


@pytest.mark.parametrize(
    "points_to", ["gitdir: /nowhere", "not a link", "gitdir:", "gitdir: \0x", "x" * 9000]
)
def test_a_git_file_that_points_nowhere_is_none(tmp_path: Path, points_to: str) -> None:
    (tmp_path / ".git").write_text(points_to)
    found = heads.places(tmp_path)
    assert found is None or found.own == tmp_path  # an empty one names its own folder


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feature/x", "feature/x"),
        ("ref: refs/heads/.invalid\n", ""),
        ("a" * 40 + "\n", "aaaaaaa"),
        ("b" * 64, "bbbbbbb"),
        ("ref: refs/heads/\x1b[31mred\u202e\n", "red"),
        ("garbage", ""),
    ],
)
def test_what_a_head_says(tmp_path: Path, head: str, expected: str) -> None:
    (tmp_path / "HEAD").write_text(head)
    assert heads.branch(tmp_path / "HEAD") == expected


@given(st.binary(max_size=400))
def test_a_line_of_the_log_of_actions_gives_a_time_and_a_word_of_ours(data: bytes) -> None:
    at, word = heads.action(Line(data))
    assert at >= 0 and (word == "" or word in heads._WORDS)


@given(st.binary(max_size=2000), st.booleans())
def test_any_answer_of_git_is_read(data: bytes, is_cut: bool) -> None:
    found = statuses.read(data, is_cut)
    assert all(len(n) <= 80 and n.isprintable() for n in found.names) and len(found.names) <= 10
    assert min(found.changed, found.unmerged, found.untracked, found.ahead, found.behind) >= 0


@given(st.lists(st.sampled_from("abu"), max_size=20), st.integers(0, 400))
def test_a_cut_answer_counts_no_more_than_the_whole(kinds: list[str], at: int) -> None:
    lines = {
        "a": b"1 .M N... 100644 100644 100644 " + b"0" * 40 + b" " + b"0" * 40 + b" a b.txt",
        "b": b"? new.txt",
        "u": b"u UU N... 1 2 3 4 " + b" ".join([b"0" * 40] * 3) + b" c.txt",
    }
    whole = b"# branch.head main\0" + b"".join(lines[k] + b"\0" for k in kinds)
    found, part = statuses.read(whole), statuses.read(whole[:at])
    assert (found.changed, found.untracked, found.unmerged) == tuple(kinds.count(k) for k in "abu")
    assert part.changed <= found.changed and part.unmerged <= found.unmerged
    assert set(part.names) <= {"a b.txt", "new.txt", "c.txt"}


def test_a_quitting_island_leaves_no_git_behind(tmp_path: Path) -> None:
    """What hangs is ended with the source, not by its own limit."""
    import threading

    mark = tmp_path / "pid"
    script = f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(3600)"
    environ = fake(tmp_path / ".bin", script)
    program = statuses.git(lambda name: environ.get(name, ""))
    done = threading.Event()
    found: list[object] = []

    def ask() -> None:
        found.append(statuses.ask(program, tmp_path))
        done.set()

    threading.Thread(target=ask, daemon=True).start()
    while not (mark.exists() and mark.read_text()):
        assert not done.wait(0.01)
    program.stop()
    assert done.wait(30) and found == ["refused"]
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
        raise AssertionError("it lives")


def test_a_run_gets_none_of_our_variables(tmp_path: Path) -> None:
    script = "import os; print(sorted(os.environ))"
    environ = {**fake(tmp_path / ".bin", script), "TAKO_KEY": SECRET, "GIT_DIR": "/x", "GH_TOKEN": SECRET}
    program = statuses.git(lambda name: environ.get(name, ""))
    said = program.run(limit=30).output
    assert b"PATH" in said and b"TAKO_KEY" not in said and b"GIT_DIR" not in said and b"GH_TOKEN" not in said


def test_what_prints_without_end_is_cut(tmp_path: Path) -> None:
    environ = fake(tmp_path / ".bin", "import os\nwhile True: os.write(1, b'? x\\0' * 9000)")
    program = statuses.git(lambda name: environ.get(name, ""))
    ran = program.run(limit=60)
    assert ran.is_cut and len(ran.output) <= 2 * 1024 * 1024 and ran.is_good
    assert isinstance(statuses.ask(program, tmp_path), statuses.Status)


def test_this_test_needs_git() -> None:
    assert subprocess.run(["git", "--version"], capture_output=True, check=True, timeout=60).stdout
