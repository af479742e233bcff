"""Following a file of lines: only what was appended is read, whatever happens to the file."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents import _jsonl
from lisa_island.agents._jsonl import LINE_LIMIT, Piece, Tail, record

MEBIBYTE = 1024 * 1024


class Follower:
    def __init__(self, path: Path, **more: object) -> None:
        self.path, self.tail = path, Tail(path, **more)  # type: ignore[arg-type]

    def look(self) -> Piece:
        return self.tail.look(self.path.stat())

    @property
    def data(self) -> list[bytes]:
        return [line.data for line in self.look().lines]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Every read of a file: where, how much."""
    seen: list[tuple[int, int]] = []
    real = _jsonl._read

    def read(fd: int, start: int, count: int) -> bytes:
        data = real(fd, start, count)
        seen.append((start, len(data)))
        return data

    monkeypatch.setattr(_jsonl, "_read", read)
    return seen


def test_only_appended_bytes_are_read(path: Path, reads: list[tuple[int, int]]) -> None:
    append(path, b'{"a":1}\n' * 1000)
    follower = Follower(path)
    assert len(follower.data) == 1000
    reads.clear()
    assert follower.data == [] and reads == []  # unchanged: not even opened
    append(path, b'{"b":2}\n')
    assert follower.data == [b'{"b":2}']
    assert sum(n for start, n in reads if start > 0) == 8 and all(
        n <= 256 for start, n in reads if start == 0
    )


def test_the_first_look_reads_the_tail(path: Path, reads: list[tuple[int, int]]) -> None:
    append(path, b"".join(b'{"n":"%07d"}\n' % n for n in range(400_000)))
    piece = Follower(path).look()
    assert piece.partial and record(piece.lines[-1].data) == {"n": "0399999"}
    assert all(record(line.data) for line in piece.lines)
    assert sum(n for _, n in reads) < 70_000


def test_the_tail_grows_until_it_is_enough(path: Path) -> None:
    append(path, b'{"decides":1}\n' + b'{"noise":1}\n' * 100_000)
    seen = Follower(path, enough=lambda lines: any(b"decides" in line.data for line in lines)).look()
    assert seen.lines[0].data == b'{"decides":1}'


def test_a_partial_last_line_waits_for_its_end(path: Path) -> None:
    append(path, b'{"a":1}\n{"b":')
    follower = Follower(path)
    assert follower.data == [b'{"a":1}']
    append(path, b"2}\n")
    assert follower.data == [b'{"b":2}']


def test_a_record_glued_to_a_half_written_one_is_found() -> None:
    assert record(b'{"type":"user","x":{"y"{"parentUuid":null,"type":"z"}') == {
        "parentUuid": None,
        "type": "z",
    }
    assert record(b'{"type":"user","x":') is None


@pytest.mark.parametrize(
    "line",
    [b"null", b"[1]", b"3", b'"x"', b"{", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}", b"\xff\xfe", b"NaN"],
)
def test_what_is_no_object_is_none(line: bytes) -> None:
    assert record(line) is None


def test_odd_but_readable_lines() -> None:
    assert record(b'{"a":NaN,"a":1}') == {"a": 1}
    assert record(b'{"a":"\xff"}') == {"a": "\ufffd"}
    assert record('{"a":"\u2028"}'.encode()) == {"a": "\u2028"}
    assert record(b'{"a":"\\ud800"}') == {"a": "\ud800"}


def test_bom_crlf_nul_and_blank_lines(path: Path) -> None:
    append(path, b'\xef\xbb\xbf{"a":1}\r\n\r\n\0\0\0\0{"b":2}\r\n\n')
    assert Follower(path).data == [b'{"a":1}', b'{"b":2}']


def test_a_shorter_file_is_a_new_one(path: Path) -> None:
    append(path, b'{"a":1}\n{"b":2}\n')
    follower = Follower(path)
    follower.look()
    path.write_bytes(b'{"c":3}\n')
    piece = follower.look()
    assert piece.restarted and [line.data for line in piece.lines] == [b'{"c":3}']


def test_a_replaced_file_is_a_new_one(path: Path, tmp_path: Path) -> None:
    append(path, b'{"a":1}\n')
    follower = Follower(path)
    follower.look()
    other = tmp_path / "other"
    other.write_bytes(b'{"a":1}\n{"b":2}\n')  # the same head, another inode
    other.replace(path)
    piece = follower.look()
    assert piece.restarted and len(piece.lines) == 2


def test_a_file_rewritten_in_place_is_a_new_one(path: Path) -> None:
    append(path, b'{"a":1}\n')
    follower = Follower(path)
    follower.look()
    path.write_bytes(b'{"z":1}\n{"b":2}\n')
    assert follower.look().restarted


def test_a_touched_file_says_nothing_new(path: Path) -> None:
    append(path, b'{"a":1}\n')
    follower = Follower(path)
    follower.look()
    os.utime(path, (1, 1))
    assert follower.look() == Piece()


def test_a_line_of_50_mb_keeps_its_ends_alone(path: Path) -> None:
    append(path, b'{"a":1}\n')
    follower = Follower(path)
    follower.look()
    append(path, b'{"long":"' + b"x" * (20 * MEBIBYTE))
    looks = 0
    while follower.look().more:
        looks += 1
        assert len(follower.tail._carry) <= LINE_LIMIT + _jsonl.CHUNK
    assert looks >= 4  # in portions
    append(path, b"x" * (30 * MEBIBYTE) + b'","type":"assistant"}\n{"b":2}\n')
    found = []
    while True:
        piece = follower.look()
        found += piece.lines
        if not piece.more:
            break
    long, short = found
    assert long.data.startswith(b'{"long":"') and long.tail.endswith(b'"type":"assistant"}')
    assert len(long.data) + len(long.tail) <= 2 * _jsonl.EDGE and short.data == b'{"b":2}'


def test_a_long_line_at_the_end_of_the_first_look(path: Path) -> None:
    append(path, b'{"a":1}\n{"long":"' + b"x" * (50 * MEBIBYTE))
    follower = Follower(path, enough=bool)
    assert follower.look().lines == ()
    assert len(follower.tail._carry) <= LINE_LIMIT + _jsonl.CHUNK
    append(path, b'"}\n{"b":2}\n')
    assert follower.data[-1] == b'{"b":2}'


def test_too_much_at_once_jumps_to_the_tail(path: Path) -> None:
    append(path, b'{"a":1}\n')
    follower = Follower(path)
    follower.look()
    append(path, b'{"n":1}\n' * (5 * MEBIBYTE))
    piece = follower.look()
    assert piece.partial and not piece.more and len(piece.lines) < 10_000


def test_only_regular_files_are_opened(tmp_path: Path, path: Path) -> None:
    real = tmp_path / "real"
    real.write_bytes(b'{"a":1}\n')
    path.symlink_to(real)
    with pytest.raises(OSError):
        Follower(path).look()
    fifo = tmp_path / "b.jsonl"
    os.mkfifo(fifo)
    with pytest.raises(OSError, match="regular"):
        Follower(fifo).look()
    with pytest.raises(OSError):
        _jsonl.read_small(path, 10)
    assert _jsonl.read_small(real, 3) is None


@given(
    st.lists(st.binary(min_size=1, max_size=40).filter(lambda b: b.strip(b"\r\0 \t\n")), max_size=20),
    st.data(),
)
@settings(max_examples=50)
def test_however_it_is_appended_the_lines_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], data: st.DataObject
) -> None:
    whole = b"x\n" + b"".join(p.replace(b"\n", b"_") + b"\n" for p in parts)
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_bytes(b"x\n")
    follower = Follower(path)
    found = follower.data
    cuts = sorted(data.draw(st.lists(st.integers(2, len(whole)), max_size=6)))
    for start, end in zip([2, *cuts], [*cuts, len(whole)], strict=True):
        append(path, whole[start:end])
        found += follower.data
    assert found == [part.strip(b"\r\0 \t") for part in whole.split(b"\n")[:-1]]
