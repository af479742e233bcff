"""Which programs run, and which of them has which session."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _running
from lisa_island.agents._running import Candidate, Listing, Program, pair, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names and folders are read from /proc")


@pytest.fixture
def child(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives in a folder of its own until it is told."""
    process = subprocess.Popen(
        [sys.executable, "-c", "input()", "mark-7f3b"], stdin=subprocess.PIPE, cwd=tmp_path
    )
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


@pytest.fixture(autouse=True)
def _anew() -> None:
    _running.LISTING.forget()


def test_a_program_is_found_by_its_words(child: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    found = running(
        lambda name: name.startswith("python"), lambda argv: "mine" if "mark-7f3b" in argv else None
    )
    assert found is not None
    assert [(p.pid, p.cwd, p.role, p.parent) for p in found] == [
        (child.pid, str(tmp_path), "mine", os.getpid())
    ]
    assert found[0].start.isdigit() and found[0].started_at > 10**12
    assert "7f3b" not in repr(found)  # arguments are not kept


def test_what_only_started_another_is_no_second_one(child: "subprocess.Popen[bytes]") -> None:
    found = running(lambda name: name.startswith("python"), lambda _argv: "")
    assert found is not None
    pids = {p.pid for p in found}
    assert child.pid in pids and os.getpid() not in pids  # we are the parent


def test_a_name_that_does_not_fit_is_not_looked_into(child: "subprocess.Popen[bytes]") -> None:
    looked: list[object] = []

    def test(argv: object) -> str | None:
        looked.append(argv)
        return None

    assert running(lambda name: name == "no-such-program", test) == () and looked == []


def test_another_program_is_looked_at_once(child: "subprocess.Popen[bytes]") -> None:
    looked: list[int] = []

    def test(argv: Sequence[str]) -> str | None:
        looked.append("mark-7f3b" in argv)
        return None

    for _ in range(3):
        assert running(lambda name: name.startswith("python"), test) == ()
    assert looked.count(True) == 1
    _running.LISTING.forget()  # its name is read again
    running(lambda name: name.startswith("python"), test)
    assert looked.count(True) == 2


def test_a_listing_serves_for_three_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, names, read = [0.0], {1: "sh", 2: "node"}, []
    monkeypatch.setattr("psutil.pids", lambda: list(names))
    monkeypatch.setattr(_running, "_name", lambda pid: read.append(pid) or names.get(pid))
    listing = Listing(lambda: now[0])
    assert listing.names() == names
    names[1] = "aider"  # the shell became it
    now[0] = 2.9
    assert listing.names()[1] == "sh" and read == [1, 2]
    now[0] = 3.0
    assert listing.names()[1] == "aider"
    read.clear()
    now[0] = 6.0
    assert listing.names() == names and read == []  # settled
    names[2] = "gemini"
    now[0] = 34.0
    assert listing.names() == names
    del names[2]
    now[0] = 40.0
    assert listing.names() == {1: "aider"}


def test_that_nothing_can_be_told_is_no_empty_list(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> list[int]:
        raise OSError

    monkeypatch.setattr("psutil.pids", refuse)
    assert running(lambda _name: True, lambda _argv: "") is None


def program(pid: int, started_at: int) -> Program:
    return Program(pid, str(pid), "/w", started_at)


def test_one_program_has_the_newest_session_that_changed_since_it_began() -> None:
    one = program(1, 10_000)
    old, new, before = Candidate("old", 0, 20_000), Candidate("new", 0, 30_000), Candidate("b", 0, 5_000)
    assert pair([one], [old, new, before], {}) == {"new": one}
    assert pair([one], [before], {}) == {}
    assert pair([], [new], {}) == {}


def test_twins_are_told_apart_by_when_they_began() -> None:
    one, two = program(1, 10_000), program(2, 20_000)
    first, second = Candidate("first", 10_500, 90_000), Candidate("second", 20_500, 80_000)
    assert pair([one, two], [first, second], {}) == {"first": one, "second": two}
    # What was believed stays, though the other grew meanwhile.
    assert pair([one, two], [first, second], {"first": 2}) == {"first": two, "second": one}


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 10**6)), max_size=6, unique_by=lambda p: p[0]),
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=8),
    st.dictionaries(st.sampled_from("012345"), st.integers(0, 6)),
)
def test_no_program_has_two_sessions(
    programs: list[tuple[int, int]], sessions: list[tuple[int, int]], known: dict[str, int]
) -> None:
    found = pair(
        [program(*p) for p in programs], [Candidate(str(i), *s) for i, s in enumerate(sessions)], known
    )
    assert len({p.pid for p in found.values()}) == len(found) <= len(programs)
