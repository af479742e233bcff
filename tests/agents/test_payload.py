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
    monkeypatch.setattr(_payload.json, "loads", lambda _text: pytest.fail("parsed"))
    with pytest.raises(BadPayloadError, match="too many"):
        await decode("[" + unit * 400_000 + "1]")


@given(VALUES, st.sampled_from([",", "[", "{"]))
async def test_strings_do_not_count(value, mark):
    text = json.dumps([value, mark * 500, '"' * 9 + "\\" * 7])
    outside = json.dumps(value).count(",") + 10_000
    _payload.MOST_VALUES, kept = outside, _payload.MOST_VALUES
    try:
        assert not await _payload._is_dense(text)
    finally:
        _payload.MOST_VALUES = kept
