"""JSON from a peer: read, or refused before it can stall the loop."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _payload
from lisa_island.agents._payload import BadPayloadError, decode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(VALUES)
async def test_what_is_json_is_read(value):
    assert await decode(json.dumps(value)) == value
    assert await decode(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) is not decode


@pytest.mark.parametrize("text", ["", "{", "nul", "[" * 100_000, b"\xff\xfe", "[1,]"])
async def test_what_is_none_is_refused(text):
    with pytest.raises(BadPayloadError):
        await decode(text)


async def test_a_long_text_in_one_string_is_read():
    prose = 'He said: "a,b,[c]", {d}\\ ' * 100_000
    assert await decode(json.dumps({"text": prose})) == {"text": prose}


@pytest.mark.parametrize("unit", ['{"a":[1,2]},', "[],", "1,", '"",', '"\\\\",1,'])
async def test_a_dense_text_is_refused_unparsed(unit, monkeypatch):
    monkeypatch.setattr(_payload.json, "loads", lambda *_, **__: pytest.fail("parsed"))
    with pytest.raises(BadPayloadError, match="too many"):
        await decode("[" + unit * 400_000 + "1]")


@pytest.mark.parametrize(
    "text",
    [
        '"' + "\\n" * 4_000_000 + '"',
        '["' + "\\\\" * 4_000_000 + '"]',
        '"' + "\\u4e2d" * 1_400_000 + '"',
        "{" + ",".join(f'"{"k" * 150}{n}":0' for n in range(48_000)) + "}",
        '"' + "中" * 8_000_000 + '"',
    ],
)
async def test_what_takes_long_for_its_length_is_refused_unparsed(text, monkeypatch):
    monkeypatch.setattr(_payload.json, "loads", lambda *_, **__: pytest.fail("parsed"))
    with pytest.raises(BadPayloadError, match="too many"):
        await decode(text)


@pytest.mark.parametrize("ascii_only", [True, False])
async def test_the_longest_reply_that_is_kept_is_read_however_it_is_spelt(ascii_only):
    for letter in ("中", "я", "\n", '"', "x"):
        reply = {"text": letter * (2 * 1024 * 1024 // len(letter.encode()) // (2 if letter in '\n"' else 1))}
        assert await decode(json.dumps(reply, ensure_ascii=ascii_only)) == reply


@pytest.mark.parametrize("digits", [41, 4_300, 5_000, 1_000_000])
async def test_a_number_that_is_no_amount_and_no_id_counts_as_absent(digits):
    found = await decode(f'{{"id":{"9" * digits},"less":[-{"9" * digits}],"kept":{"9" * 19}}}')
    assert found == {"id": None, "less": [None], "kept": int("9" * 19)}


@given(VALUES, st.sampled_from([",", "[", "{"]))
async def test_strings_do_not_count(value, mark):
    text = json.dumps([value, mark * 500, '"' * 9 + "\\" * 7])
    outside = json.dumps(value).count(",") + 10_000
    _payload.MOST_VALUES, kept = outside, _payload.MOST_VALUES
    try:
        assert not await _payload._is_dense(text)
    finally:
        _payload.MOST_VALUES = kept
