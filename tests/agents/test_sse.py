"""The byte stream before the SSE decoder: framing, sniffing, caps, and manners towards the loop."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._sse import (
    WIDE_LINE_LIMIT,
    Document,
    Event,
    TooLargeError,
    read_document,
    read_events,
)


async def chunked(*chunks: bytes):
    for chunk in chunks:
        yield chunk


async def items(*chunks: bytes, **limits: int) -> list[Document | Event]:
    return [item async for item in read_events(chunked(*chunks), **limits)]


def events(*data: str, name: str = "") -> list[Event]:
    return [Event(name, d) for d in data]


CASES = {
    "lf": (b'data: {"a":1}\n\ndata: {"b":2}\n\n', ['{"a":1}', '{"b":2}']),
    "crlf": (b"data: 1\r\n\r\ndata: 2\r\n\r\n", ["1", "2"]),
    "cr": (b"data: 1\r\rdata: 2\r\r", ["1", "2"]),
    "comments": (b": ping\n\ndata: 1\n: ping\n\n", ["1"]),
    "multi-line": (b"data: {\ndata:  1\ndata: }\n\n", ["{\n 1\n}"]),
    "no space": (b"data:1\n\n", ["1"]),
    "mark": (b"\xef\xbb\xbfdata: 1\n\ndata: 2\n\n", ["1", "2"]),
    "mark and space": (b"\xef\xbb\xbf \n\r\n data: 1\n\n", ["1"]),
    "not ended": (b"data: 1\n\ndata: 2", ["1", "2"]),
    "ended by one cr": (b"data: 1\r", ["1"]),
    "separators in text": (
        "data: a\u2028b\u2029c\u0085d\x0b\x0ce\n\n".encode(),
        ["a\u2028b\u2029c\u0085d\x0b\x0ce"],
    ),
    "ids and retries": (b"id: 7\nretry: 5\ndata: 1\n\n", ["1"]),
    "bad utf-8": (b"data: \xff\n\n", ["\ufffd"]),
    "empty": (b"", []),
    "only space": (b" \n\n\r\n", []),
    "only a mark": (b"\xef\xbb\xbf", []),
    "a field that starts like null": (b"nully: 1\n\ndata: 1\n\n", ["1"]),
    "a short field": (b"nu", []),
}


@pytest.mark.parametrize("case", CASES)
async def test_framing(case):
    raw, data = CASES[case]
    assert await items(raw) == events(*data)


@pytest.mark.parametrize("case", CASES)
async def test_framing_byte_by_byte(case):
    raw, data = CASES[case]
    assert await items(*(raw[i : i + 1] for i in range(len(raw)))) == events(*data)


async def test_an_event_has_its_name():
    assert await items(b"event: error\ndata: x\n\n") == events("x", name="error")


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n\x00", codec="utf-8"), max_size=20), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(1, 9), max_size=40),
)
async def test_chunks_never_matter(texts, end, sizes):
    raw = "".join(f"data: x{text}{end}{end}" for text in texts).encode()
    cuts, at = [], 0
    for size in sizes:
        cuts.append(raw[at : at + size])
        at += size
    assert await items(*cuts, raw[at:]) == events(*(f"x{text}" for text in texts))


DOCUMENTS = {
    "object": (b' \n{"a": 1}', b'{"a": 1}'),
    "array": (b"[1]", b"[1]"),
    "page": (b"<!DOCTYPE html>", b"<!DOCTYPE html>"),
    "null": (b"null", b"null"),
    "null and space": (b" null \n", b"null \n"),
    "mark and object": (b"\xef\xbb\xbf{}", b"{}"),
}


@pytest.mark.parametrize("case", DOCUMENTS)
@pytest.mark.parametrize("single", [True, False])
async def test_documents_are_handed_over_whole(case, single):
    raw, data = DOCUMENTS[case]
    chunks = [raw] if not single else [raw[i : i + 1] for i in range(len(raw))]
    assert await items(*chunks) == [Document(data)]


async def test_a_stream_is_cut_at_its_cap_after_what_came_before():
    seen = []
    with pytest.raises(TooLargeError):
        async for item in read_events(chunked(b"data: 1\n\n", b"x" * 2000), 1000):
            seen.append(item)
    assert seen == events("1")


async def test_an_endless_line_ends_at_the_cap():
    async def endless():
        while True:
            yield b"x" * 4096

    with pytest.raises(TooLargeError):
        async for _ in read_events(endless(), 100_000):
            pass


@pytest.mark.parametrize("wide", ["\U0001f600", "中", "\ufffd"])
@pytest.mark.parametrize("end", [b"\n\n", b"\r\r", b""])
async def test_a_line_whose_letters_are_wide_has_a_smaller_cap(wide, end):
    """One wide letter makes every letter of a text wide, and a copy of it slow."""
    line = b"data: " + b"x" * WIDE_LINE_LIMIT + wide.encode() + end
    seen = []
    with pytest.raises(TooLargeError):
        async for item in read_events(chunked(b"data: 1\n\n", line)):
            seen.append(item)
    assert seen == events("1")
    many = (b"data: " + b"x" * 1_000_000 + wide.encode() + b"\n\n") * 6
    assert len(await items(many)) == 6


async def test_documents_have_a_cap_of_their_own():
    with pytest.raises(TooLargeError):
        await items(b"{" + b" " * 3000, limit=10_000, document_limit=1000)
    with pytest.raises(TooLargeError):
        await read_document(chunked(b"x" * 600, b"x" * 600), 1000)
    assert await read_document(chunked(b"x" * 600, b"x" * 400), 1000) == b"x" * 1000


async def test_what_breaks_off_passes_through_and_its_half_event_is_lost():
    async def broken():
        yield b"data: 1\n\ndata: 2"
        raise ConnectionResetError

    seen = []
    with pytest.raises(ConnectionResetError):
        async for item in read_events(broken()):
            seen.append(item)
    assert seen == events("1")


async def turns_of_the_loop(*chunks):
    """What was read, and how often others had a turn meanwhile."""
    turns = 0
    is_over = asyncio.Event()

    async def count():
        nonlocal turns
        while not is_over.is_set():
            turns += 1
            await asyncio.sleep(0)

    async def read():
        found = await items(*chunks)
        is_over.set()
        return found

    _, found = await asyncio.gather(count(), read())
    return found, turns


async def test_megabytes_in_one_read_let_the_loop_run():
    found, turns = await turns_of_the_loop(b"data: " + b"x" * 6_000_000 + b"\n\n")
    assert len(found) == 1 and len(found[0].data) == 6_000_000
    assert turns > 300


async def test_events_of_nothing_let_the_loop_run():
    """After an id every blank line is an event for the decoder, and none for us."""
    found, turns = await turns_of_the_loop(b"id:1\n" + b"\n" * 160_000)
    assert found == []
    assert turns > 300
