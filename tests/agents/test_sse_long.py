"""Streams that go on for days: the framing of all streams, a cap for each event, none for all of them."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._sse import (
    PIECE,
    WIDE_LINE_LIMIT,
    Document,
    Dropped,
    Event,
    TooLargeError,
    read_long_stream,
)
from tests.agents.test_sse import CASES, DOCUMENTS, chunked, events

EVENT, SKIP, DOCUMENT = 64 * 1024, 512 * 1024, 4096
ENDS = ("\n", "\r\n", "\r")


async def items(*chunks: bytes) -> list[Document | Event | Dropped]:
    return [item async for item in read_long_stream(chunked(*chunks), EVENT, SKIP, DOCUMENT)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("single", [True, False])
async def test_at3_framing_is_that_of_every_stream(case, single):
    raw, data = CASES[case]
    assert await items(*([raw] if not single else [raw[i : i + 1] for i in range(len(raw))])) == events(*data)


SEPARATORS = "a\u2028b\u2029c\u0085d\x0b\x0c\x1c\x1d\x1ee"


@pytest.mark.parametrize("end", ENDS)
async def test_f04_f05_f06_at3_only_three_line_ends_end_a_line(end):
    raw = f"data: {SEPARATORS}{end}{end}data: 2{end}{end}".encode()
    assert (
        await items(raw) == await items(*(raw[i : i + 1] for i in range(len(raw)))) == events(SEPARATORS, "2")
    )


async def test_f01_f03_f07_comments_an_event_without_end_and_many_lines():
    lines = b"".join(b"data: %d\n" % n for n in range(20))
    assert await items(b": keep-alive\n\n" + lines + b"\n: x\ndata: last") == events(
        "\n".join(map(str, range(20))), "last"
    )


@pytest.mark.parametrize("case", DOCUMENTS)
async def test_documents_are_handed_over_whole(case):
    raw, data = DOCUMENTS[case]
    assert await items(raw) == [Document(data)]


async def test_a_document_has_a_cap_of_its_own():
    with pytest.raises(TooLargeError):
        await items(b"{" + b"x" * DOCUMENT)


# --- sizes ---


@pytest.mark.parametrize("end", [e.encode() for e in ENDS])
@pytest.mark.parametrize("many_lines", [False, True])
@pytest.mark.parametrize("step", [1000, PIECE, 10**9])
async def test_at4_f18_what_is_too_large_is_dropped_and_its_neighbours_are_not(end, many_lines, step):
    big = (b"data: " + b"y" * 1000 + end) * 100 if many_lines else b"data: " + b"y" * 100_000 + end
    raw = b"data: 1" + end + end + big + end + b"data: 2" + end + end + big + end + b"data: 3"
    found = await items(*(raw[at : at + step] for at in range(0, len(raw), step)))
    assert found == [Event("", "1"), Dropped(), Event("", "2"), Dropped(), Event("", "3")]


@pytest.mark.parametrize("end", [e.encode() for e in ENDS])
async def test_an_end_that_is_split_over_reads_is_an_end(end):
    small = [b"data: " + b"x" * 1000 + end, end]
    assert await items(*small * 100) == events(*["x" * 1000] * 100)
    big = [b"data: " + b"y" * 100_000 + end, end, b"data: 2" + end, end]
    assert await items(*big) == [Dropped(), Event("", "2")]


async def test_what_is_just_small_enough_is_kept():
    assert await items(b"data: " + b"y" * (EVENT - 8) + b"\n\n") == events("y" * (EVENT - 8))


async def test_an_event_that_is_too_large_may_be_the_last():
    assert await items(b"data: 1\n\ndata: " + b"y" * 100_000) == [Event("", "1"), Dropped()]


async def test_at4_a_line_without_end_ends_the_stream_and_is_kept_nowhere():
    read = 0

    async def endless():
        nonlocal read
        while True:
            read += PIECE
            yield b"x" * PIECE

    found = []
    with pytest.raises(TooLargeError):
        async for item in read_long_stream(endless(), EVENT, SKIP, DOCUMENT):
            found.append(item)
    assert found == [Dropped()] and read <= EVENT + SKIP + 2 * PIECE


async def test_all_together_have_no_cap():
    small = b"data: " + b"x" * 1000 + b"\n\n"
    assert len(await items(*[small] * 2000)) == 2000


async def test_wide_letters_make_an_event_too_large_and_no_end_of_the_stream():
    line = b"data: " + b"x" * WIDE_LINE_LIMIT + "中".encode() + b"\n\n"
    found = [
        i async for i in read_long_stream(chunked(line, b"data: 2\n\n"), 4 * WIDE_LINE_LIMIT, SKIP, DOCUMENT)
    ]
    assert found == [Dropped(), Event("", "2")]


@given(
    st.lists(st.sampled_from([1, 30, 100_000]), max_size=6),
    st.sampled_from(ENDS),
    st.lists(st.integers(1, 50_000), max_size=20),
)
async def test_chunks_never_matter(lengths, end, sizes):
    raw = "".join(f"data: {'x' * length}{end}{end}" for length in lengths).encode()
    cuts, at = [], 0
    for size in sizes:
        cuts.append(raw[at : at + size])
        at += size
    wanted = [Event("", "x" * length) if length < EVENT else Dropped() for length in lengths]
    assert await items(*cuts, raw[at:]) == wanted


async def test_what_is_skipped_lets_the_loop_run():
    turns, is_over = 0, asyncio.Event()

    async def count():
        nonlocal turns
        while not is_over.is_set():
            turns += 1
            await asyncio.sleep(0)

    async def read():
        with pytest.raises(TooLargeError):
            await items(b"data: " + b"y" * 2_000_000)
        is_over.set()

    await asyncio.gather(count(), read())
    assert turns > 20
