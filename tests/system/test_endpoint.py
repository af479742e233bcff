"""The door over real sockets."""

import asyncio
import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import words
from lisa_island.core.errors import IslandError, NotAllowedError, NotRunningError, StorageError
from lisa_island.system import door_place, endpoint
from lisa_island.system.door_line import REQUEST_LIMIT, LineError, Message, decode, encode
from lisa_island.system.door_place import AlreadyRunningError
from lisa_island.system.endpoint import MOST_CLIENTS, Endpoint, ask
from lisa_island.system.peer import Peer, peer_of
from tests.fakes.clock import settle

WORDS = frozenset({"status", "send", "watch"})


@pytest.fixture
def place() -> Iterator[Path]:
    """LISA_HOME and runtime folder with short names: a socket's path has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        (Path(folder) / "run").mkdir(mode=0o700)
        yield Path(folder)


@asynccontextmanager
async def opened(place: Path, handler: endpoint.Handler, **environ: str) -> AsyncIterator[Endpoint]:
    door = Endpoint(place / "home", {"XDG_RUNTIME_DIR": str(place / "run"), **environ}, WORDS)
    await door.open(handler)
    try:
        yield door
    finally:
        await door.close()


async def echo(request: Message, peer: Peer) -> AsyncIterator[Message]:
    yield {"heard": request, "pid": peer.pid, "uid": peer.uid}


async def answers(place: Path, request: Message, patience: float = 0.0) -> list[Message]:
    return [message async for message in ask(place / "home", request, patience)]


async def raw(door: Endpoint, data: bytes) -> Message:
    """Send bytes as they are; the answer's one line."""
    reader, writer = await asyncio.open_unix_connection(door.path, limit=2 * REQUEST_LIMIT)
    writer.write(data)
    try:
        line = await reader.readline()
    except ConnectionResetError:  # refused before it was read
        line = b""
    finally:
        writer.close()
        await drained(writer)
    return json.loads(line) if line else {}


# --- conversation ---


async def test_a_word_goes_in_and_answers_come_out(place: Path) -> None:
    async with opened(place, echo):
        [answer] = await answers(place, {"do": "send", "text": "héllo\n世界"})
    assert answer["heard"] == {"do": "send", "text": "héllo\n世界"}
    assert (answer["pid"], answer["uid"]) == (os.getpid(), os.getuid())


async def test_many_lines_then_the_end(place: Path) -> None:
    async def counting(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        for n in range(300):
            yield {"n": n}

    async with opened(place, counting):
        assert [a["n"] for a in await answers(place, {"do": "watch"})] == list(range(300))


async def test_each_line_is_told_when_it_happens(place: Path) -> None:
    more = asyncio.Event()

    async def waiting(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        yield {"n": 1}
        await more.wait()
        yield {"n": 2}

    async with opened(place, waiting):
        heard = ask(place / "home", {"do": "watch"})
        assert await anext(heard) == {"n": 1}
        more.set()
        assert [m async for m in heard] == [{"n": 2}]


async def test_clients_do_not_wait_for_one_another(place: Path) -> None:
    both = asyncio.Barrier(2)

    async def meeting(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        await both.wait()
        yield {}

    async with opened(place, meeting):
        await asyncio.gather(answers(place, {"do": "status"}), answers(place, {"do": "status"}))


async def test_the_whole_length_fits(place: Path) -> None:
    text = "x" * (REQUEST_LIMIT - 100)
    async with opened(place, echo):
        [answer] = await answers(place, {"do": "send", "text": text})
    assert answer["heard"]["text"] == text


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\n", "door.bad-line"),
        (b"\xff\xfe\n", "door.bad-line"),
        (b"GET / HTTP/1.1\r\n", "door.bad-line"),
        (b'{"v":1,"do":\n', "door.bad-line"),
        (b'[{"v":1,"do":"status"}]\n', "door.bad-line"),
        (b'{"do":"status"}\n', "door.bad-line"),
        (b'{"v":true,"do":"status"}\n', "door.bad-line"),
        (b'{"v":1,"do":"send","text":NaN}\n', "door.bad-line"),
        (b'{"v":1,"do":"send","text":"\\ud800"}\n', "door.bad-line"),
        (b"[" * 200_000 + b"\n", "door.bad-line"),
        (b'{"v":2,"do":"status"}\n', "door.other-version"),
        (b'{"v":1,"do":"erase-disk"}\n', "door.unknown-word"),
        (b'{"v":1,"do":["status"]}\n', "door.unknown-word"),
        (b'{"v":1}\n', "door.unknown-word"),
        (b'{"v":1,"do":"send","text":"' + b"x" * REQUEST_LIMIT + b'"}\n', "door.too-long"),
    ],
    ids=lambda value: value[:24] if isinstance(value, bytes) else value,
)
async def test_what_is_no_request_is_named(place: Path, data: bytes, word: str) -> None:
    async with opened(place, echo) as door:
        assert await raw(door, data) == {"v": 1, "error": "usage", "word": word, "values": {}, "end": True}
        assert await answers(place, {"do": "status"}), "the door still serves others"
    assert words.has(word)


async def test_a_torn_line_is_no_request(place: Path) -> None:
    called = []

    async def noting(request: Message, _peer: Peer) -> AsyncIterator[Message]:
        called.append(request)
        yield {}

    async with opened(place, noting) as door:
        reader, writer = await asyncio.open_unix_connection(door.path)
        writer.write(b'{"v":1,"do":"send"}')
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()
        await drained(writer)
        assert called == []


async def test_a_client_that_says_nothing_is_sent_away(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "REQUEST_SECONDS", 0.0)
    async with opened(place, echo) as door:
        reader, writer = await asyncio.open_unix_connection(door.path)
        assert await reader.read() == b""
        writer.close()
        await drained(writer)


async def test_who_hangs_up_ends_the_request(place: Path) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def long(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        try:
            yield {"begun": True}
            started.set()
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with opened(place, long):
        async with aclosing(ask(place / "home", {"do": "watch"})) as heard:
            await anext(heard)
            await started.wait()
        await ended.wait()


async def test_closing_ends_every_request(place: Path) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def long(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        yield {}

    async with opened(place, long) as door:
        asking = asyncio.gather(answers(place, {"do": "watch"}), return_exceptions=True)
        await started.wait()
        await door.close()
        assert ended.is_set()
        [error] = await asking
    assert isinstance(error, IslandError) and error.word == "door.cut"


async def test_a_handler_that_fails_does_not_end_the_door(
    place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(request: Message, _peer: Peer) -> AsyncIterator[Message]:
        if request["do"] == "send":
            raise NotAllowedError("door.no-window", agent="claude")
        if request["do"] == "watch":
            raise TimeoutError
        raise RuntimeError("what a peer wrote")
        yield {}

    async with opened(place, failing):
        assert await answers(place, {"do": "send"}) == [
            {"error": "failed", "word": "door.no-window", "values": {"agent": "claude"}}
        ]
        assert (await answers(place, {"do": "status"}))[0]["word"] == "door.failed"
        assert (await answers(place, {"do": "watch"}))[0]["word"] == "door.failed"
    assert "what a peer wrote" not in caplog.text


# --- who may come in ---


async def test_another_user_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(place, echo) as door:
        monkeypatch.setattr(endpoint, "peer_of", lambda _: Peer(1, os.getuid() + 1))
        assert await raw(door, b'{"v":1,"do":"status"}\n') == {}


async def test_a_server_of_another_user_is_not_believed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(place, echo):
        monkeypatch.setattr(endpoint, "peer_of", lambda _: Peer(1, os.getuid() + 1))
        with pytest.raises(NotRunningError):
            await answers(place, {"do": "status"})


def test_the_kernel_names_the_peer() -> None:
    here, there = socket.socketpair()
    with here, there:
        assert peer_of(here) == Peer(os.getpid(), os.getuid())
        assert peer_of(here).is_same_user


async def test_a_crowd_is_sent_away_and_the_door_stays_open(place: Path) -> None:
    async with opened(place, echo) as door:
        crowd = [await asyncio.open_unix_connection(door.path) for _ in range(MOST_CLIENTS)]
        assert await raw(door, b'{"v":1,"do":"status"}\n') == {}
        for _, writer in crowd:
            writer.close()
            await drained(writer)
        await settle()
        assert await answers(place, {"do": "status"})


async def test_an_answer_with_half_a_letter_arrives(place: Path) -> None:
    """A path need not be text; what is said of it must all the same reach whoever asked."""

    async def odd(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        yield {"place": "/home/\udcff\udcfe"}
        raise StorageError("storage.full", place="/home/\udcff")

    async with opened(place, odd):
        first, last = await answers(place, {"do": "status"})
        assert first == {"place": "/home/??"}
        assert (last["word"], last["values"]) == ("storage.full", {"place": "/home/?"})


# --- where it is ---


async def test_the_socket_and_its_line_are_ours_alone(place: Path) -> None:
    async with opened(place, echo) as door:
        path = place / "run" / f"lisa-island-{door_place.fingerprint(place / 'home')}.sock"
        assert door.path == path and modes(path, place / "home" / "endpoint") == [0o600, 0o600]
        assert (place / "home" / "endpoint").read_text() == f"{path}\n"
    assert names(place / "run") == []
    assert names(place / "home") == ["island.lock"]


async def test_nobody_listens(place: Path) -> None:
    with pytest.raises(NotRunningError):
        await answers(place, {"do": "status"})


async def test_a_second_start_is_told(place: Path) -> None:
    async with opened(place, echo):
        with pytest.raises(AlreadyRunningError):
            async with opened(place, echo):
                pass
        assert await answers(place, {"do": "status"}), "the first one was not disturbed"
    async with opened(place, echo):
        assert await answers(place, {"do": "status"})


async def test_a_folder_that_cannot_be_used_is_said(place: Path) -> None:
    (place / "home").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match=r"door\.no-place"):
        async with opened(place, echo):
            pass


async def test_a_place_that_cannot_be_had_leaves_no_lock(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(door_place, "choose", lambda *_: place / "nowhere" / "x.sock")
        with pytest.raises(StorageError):
            async with opened(place, echo):
                pass
    async with opened(place, echo):
        assert await answers(place, {"do": "status"})


async def test_a_start_waits_for_the_other_one(place: Path) -> None:
    asking = asyncio.gather(answers(place, {"do": "status"}, patience=10.0))
    await asyncio.sleep(0)
    async with opened(place, echo):
        assert await asking


async def test_another_home_has_a_door_of_its_own(place: Path) -> None:
    (place / "other").mkdir()
    (place / "other" / "run").symlink_to(place / "run")
    async with opened(place, echo) as first:
        second = Endpoint(place / "other" / "home", {"XDG_RUNTIME_DIR": str(place / "run")}, WORDS)
        await second.open(echo)
        assert first.path != second.path
        await second.close()


@pytest.mark.parametrize("runtime", ["", "relative", "/nonexistent", "/tmp", "LONG", "OPEN"])
async def test_without_a_runtime_folder_there_is_another(
    place: Path, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    chosen = {"LONG": place / ("x" * 100), "OPEN": place / "open"}.get(runtime, Path(runtime))
    make(chosen, 0o755 if runtime == "OPEN" else 0o700)
    async with opened(place, echo, XDG_RUNTIME_DIR=str(chosen) if runtime else "") as door:
        assert door.path is not None and door.path.parent == place / f"lisa-island-{os.getuid()}"
        assert modes(door.path.parent) == [0o700]
        assert await answers(place, {"do": "status"})


async def test_a_taken_folder_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    trap = place / "trap"
    make(trap, 0o700)
    (place / f"lisa-island-{os.getuid()}").symlink_to(trap)
    async with opened(place, echo, XDG_RUNTIME_DIR="") as door:
        assert door.path is not None and door.path.parent.name.startswith("lisa-")
        assert names(trap) == [] and await answers(place, {"do": "status"})


@pytest.mark.parametrize("line", ["", "relative.sock\n", "/" + "x" * 200 + "\n", "/a\0b\n", "/nonexistent\n"])
async def test_a_strange_line_means_not_running(place: Path, line: str) -> None:
    make(place / "home", 0o700)
    (place / "home" / "endpoint").write_text(line)
    with pytest.raises(NotRunningError):
        await answers(place, {"do": "status"})


@pytest.mark.parametrize("runtime", ["run", ""])
@pytest.mark.parametrize("line", [None, "", "/nonexistent\n", "garbage"])
async def test_a_running_island_is_found_where_it_would_be_when_its_line_is_lost(
    place: Path, line: str | None, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(place / runtime) if runtime else ""
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
    async with opened(place, echo, XDG_RUNTIME_DIR=folder):
        (place / "home" / "endpoint").unlink()
        if line is not None:
            (place / "home" / "endpoint").write_text(line)
        assert await answers(place, {"do": "status"})
    assert not any(name.startswith("lisa-") for name in names(place)) or not runtime


async def test_a_full_disk_is_called_so(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for broken in (door_place.FileLock, door_place):
        with monkeypatch.context() as patched:
            patched.setattr(broken, "acquire" if broken is door_place.FileLock else "point", full)
            with pytest.raises(StorageError, match=r"storage\.full"):
                async with opened(place, echo):
                    pass
    async with opened(place, echo):
        assert await answers(place, {"do": "status"})


async def test_a_line_that_others_may_write_is_not_followed(place: Path) -> None:
    async with opened(place, echo):
        (place / "home" / "endpoint").chmod(0o622)
        with pytest.raises(NotRunningError):
            await answers(place, {"do": "status"})


# --- other processes ---

SERVER = """
import asyncio, os, sys
from pathlib import Path
from lisa_island.system.door_place import AlreadyRunningError
from lisa_island.system.endpoint import Endpoint

async def handler(request, peer):
    yield {"pid": os.getpid()}

async def main():
    door = Endpoint(Path(sys.argv[1]), {"XDG_RUNTIME_DIR": sys.argv[2]}, frozenset({"status"}))
    try:
        await door.open(handler)
    except AlreadyRunningError:
        print("taken", flush=True)
        return
    print("open", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await door.close()

asyncio.run(main())
"""


def server(place: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", SERVER, str(place / "home"), str(place / "run")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_of_many_starters_one_opens(place: Path) -> None:
    starters = [server(place) for _ in range(5)]
    try:
        heard = [said(s) for s in starters]
        assert sorted(heard) == ["open", "taken", "taken", "taken", "taken"]
        winner = starters[heard.index("open")]
        [answer] = asyncio.run(answers(place, {"do": "status"}))
        assert answer == {"pid": winner.pid}
    finally:
        end(*starters)


def test_what_a_killed_server_left_is_replaced(place: Path) -> None:
    first = server(place)
    assert said(first) == "open"
    end(first)
    left = names(place / "run")
    assert left, "the dead socket is still there"
    with pytest.raises(NotRunningError):
        asyncio.run(answers(place, {"do": "status"}))
    second = server(place)
    try:
        assert said(second) == "open"
        assert asyncio.run(answers(place, {"do": "status"})) == [{"pid": second.pid}]
        assert names(place / "run") == left
    finally:
        end(second)


def test_a_server_that_goes_away_cuts_its_answer(place: Path) -> None:
    async def cut() -> None:
        async with opened(place, hanging) as door:
            heard = ask(place / "home", {"do": "watch"})
            await anext(heard)
            await door.close()
            with pytest.raises(IslandError, match=r"door\.cut"):
                await anext(heard)

    async def hanging(_request: Message, _peer: Peer) -> AsyncIterator[Message]:
        yield {"n": 1}
        await asyncio.Event().wait()

    asyncio.run(cut())


# --- lines ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=2), JSON))
def test_what_goes_in_comes_out(message: dict[str, Any]) -> None:
    line = encode(message)
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert decode(line) == message


@given(st.binary())
def test_no_bytes_break_the_reader(data: bytes) -> None:
    try:
        assert isinstance(decode(data), dict)
    except LineError as error:
        assert words.has(error.word)


async def drained(writer: asyncio.StreamWriter) -> None:
    try:
        await writer.wait_closed()
    except ConnectionError:
        pass


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def modes(*paths: Path) -> list[int]:
    return [p.stat().st_mode & 0o777 for p in paths]


def make(folder: Path, mode: int) -> None:
    if folder.is_absolute() and not folder.exists() and folder.parts[1] != "nonexistent":
        folder.mkdir()
        folder.chmod(mode)


def end(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        process.kill()
        process.communicate()
