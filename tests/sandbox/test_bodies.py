"""What goes upstream for each body, and which bodies the gateway refuses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.sandbox.bodies import EMPTY, Refused, message_for

HELLO = [{"kind": "text", "text": "hello"}]
INVALID = "Invalid request body"
IDS = {"taskId": "t1", "contextId": "c1"}
SAFE = {"text": "hello", **IDS, "message": {"messageId": "m1"}}


def made(body: Any, generation: str = "G1", route: Any = "message") -> Any:
    return message_for(route, generation, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("body", "parts", "more"),
    [
        ({"text": "hello"}, HELLO, {}),
        ({"message": "hello"}, HELLO, {}),
        ({"text": "hello", "message": "other"}, HELLO, {}),
        (SAFE, HELLO, {"messageId": "m1", **IDS}),
        ({"message": {"role": "agent", "parts": [{"text": "hello"}]}}, HELLO, {"role": "agent"}),
        ({"taskId": "outer", "message": {"parts": HELLO, "taskId": "t1"}}, HELLO, {"taskId": "t1"}),
        ({"message": {"parts": HELLO, "metadata": {"a": 1}}}, HELLO, {"metadata": {"a": 1}}),
        ({"message": {"parts": [{"kind": "data", "data": {}}]}}, [{"kind": "data", "data": {}}], {}),
        ({"text": "x", "message": {"parts": HELLO}}, HELLO, {}),
    ],
)
def test_bodies_that_pass(body: Any, parts: list[Any], more: dict[str, Any]) -> None:
    message = made(body)
    assert message["parts"] == parts
    assert message.items() >= {"kind": "message", "role": "user", **more}.items()
    assert message["messageId"]


def test_top_level_fields_that_nobody_reads_are_dropped() -> None:
    assert "configuration" not in made({"text": "hello", "configuration": {"blocking": False}})


@pytest.mark.parametrize(
    ("body", "error", "detail"),
    [
        ({"text": None}, INVALID, "text: Invalid input: expected string, received null"),
        ({"text": "a", "taskId": None}, INVALID, "taskId: "),
        ({"text": "a", "contextId": 3}, INVALID, "contextId: "),
        (
            {"message": {"role": "ROLE_USER", "parts": HELLO}},
            INVALID,
            "message: Invalid input",
        ),
        ({"message": {"messageId": None}, "text": "a"}, INVALID, "message: Invalid input"),
        ({"message": {"parts": "x"}}, INVALID, "message: Invalid input"),
        ({"message": 3}, INVALID, "message: Invalid input"),
        ([], INVALID, "body: "),
        ({}, "Empty message", EMPTY),
        ({"text": ""}, "Empty message", EMPTY),
        ({"text": "hi", "message": {"parts": []}}, "Empty message", EMPTY),
        ({"message": {"parts": [{"url": "https://files.example/1"}]}}, "Empty message", EMPTY),
    ],
)
def test_bodies_that_are_refused(body: Any, error: str, detail: str) -> None:
    refusal = made(body)
    assert isinstance(refusal, Refused)
    assert (refusal.error, refusal.detail.startswith(detail)) == (error, True)


def test_bytes_that_are_no_json_are_an_empty_message() -> None:
    assert message_for("message", "G1", b"\xff{") == Refused("Empty message", EMPTY)
    assert message_for("stream", "G1", b"\xff{")["parts"] == [{"kind": "text", "text": ""}]  # type: ignore[index]


@pytest.mark.parametrize(("generation", "route"), [("G0", "message"), ("G0", "stream"), ("G1", "stream")])
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (SAFE, "hello"),
        ({"message": "hello"}, "hello"),
        ({"message": {"parts": HELLO}}, ""),
        ({"text": None}, ""),
    ],
)
def test_only_text_survives(generation: str, route: str, body: Any, text: str) -> None:
    assert made(body, generation, route) == {"role": "user", "parts": [{"kind": "text", "text": text}]}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*SAFE, "parts", "kind", "role"]), inner),
)


@given(json_values, st.sampled_from(["G0", "G1"]), st.sampled_from(["message", "stream"]))
def test_any_body_is_refused_or_a_message(body: Any, generation: str, route: Any) -> None:
    message = made(body, generation, route)
    if isinstance(message, Refused):
        assert (generation, route) == ("G1", "message")
        return
    assert message["role"] in ("user", "agent")
    assert all(isinstance(part, dict) for part in message["parts"])
    assert ("messageId" in message) == ((generation, route) == ("G1", "message"))
