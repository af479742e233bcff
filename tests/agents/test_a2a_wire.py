# ruff: noqa: E501  (one case a line reads best)
"""What A2A agents answer, read by shape. Numbers: contract a2a.md, D differences, F reports, AT tests."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._a2a_answer import Heard, read_answer
from lisa_island.agents._a2a_fault import coded, read_error, said_in
from lisa_island.agents._a2a_wire import (
    MOST_ARTIFACTS,
    ArtifactUpdate,
    Fault,
    Frame,
    Message,
    Noise,
    Snapshot,
    StatusUpdate,
    read_frame,
    read_frames,
    read_time,
)
from lisa_island.core.task_state import read_task_state
from tests.agents.rig import streamed

# --- states (B) ---

SPELLINGS = {
    "submitted": ["submitted", "TASK_STATE_SUBMITTED", 1, "Submitted", "SUBMITTED"],
    "working": ["working", "TASK_STATE_WORKING", 2, "WORKING", "waiting"],
    "input-required": [
        *("input-required", "TASK_STATE_INPUT_REQUIRED", "INPUT_REQUIRED", "input_required", 6),
        *("inputRequired", "Input Required"),
    ],
    "auth-required": ["auth-required", "TASK_STATE_AUTH_REQUIRED", 8, "authRequired"],
    "completed": ["completed", "TASK_STATE_COMPLETED", 3],
    "failed": ["failed", "TASK_STATE_FAILED", 4],
    "canceled": ["canceled", "TASK_STATE_CANCELED", 5, "TASK_STATE_CANCELLED", "cancelled"],
    "rejected": ["rejected", "TASK_STATE_REJECTED", 7],
    "unknown": ["unknown", "TASK_STATE_UNSPECIFIED", 0, None, True, [], {}],
}
TERMINAL = {"completed", "failed", "canceled", "rejected"}


@pytest.mark.parametrize(("meant", "raw"), [(m, raw) for m, found in SPELLINGS.items() for raw in found])
def test_at1_every_spelling_of_a_state(meant, raw):
    frame = read_frame({"statusUpdate": {"taskId": "T", "status": {"state": raw}}})
    assert isinstance(frame, StatusUpdate) and frame.status
    read = read_task_state(frame.status.state)
    assert (read.word, read.terminal) == (meant, meant in TERMINAL)


def test_at1_an_unknown_word_is_kept_and_ends_nothing():
    frame = read_frame({"kind": "task", "id": "T", "status": {"state": "TASK_STATE_PAUSED"}})
    assert isinstance(frame, Snapshot) and frame.status
    read = read_task_state(frame.status.state)
    assert (str(read.state), read.reason, read.terminal) == ("unknown", "TASK_STATE_PAUSED", False)


# --- one event in every dialect (A9) ---

ASKED = {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "Q?"}]}
FIXTURES = {
    "0.1": {
        "id": "T1",
        "status": {
            "state": "input-required",
            "message": {"role": "agent", "parts": [{"type": "text", "text": "Q?"}]},
        },
        "final": True,
    },
    "0.3": {
        "jsonrpc": "2.0", "id": 1, "result": {
            "kind": "status-update", "taskId": "T1", "contextId": "C1", "final": False,
            "status": {"state": "input-required", "timestamp": "2026-11-30T10:00:00+00:00", "message": {
                "kind": "message", "messageId": "m1", "role": "agent",
                "parts": [{"kind": "text", "text": "Q?"}]}}}},
    "0.3 REST": {"statusUpdate": {"taskId": "T1", "contextId": "C1", "status": {
        "state": "TASK_STATE_INPUT_REQUIRED",
        "message": {"messageId": "m1", "role": "ROLE_AGENT", "content": [{"text": "Q?"}]}}}},
    "1.0 RPC": {"jsonrpc": "2.0", "id": 1, "result": {"statusUpdate": {
        "taskId": "T1", "contextId": "C1", "status": {
            "state": "TASK_STATE_INPUT_REQUIRED", "timestamp": "2026-11-30T10:00:00.000Z", "message": ASKED}}}},
    "1.0 REST": {"statusUpdate": {"taskId": "T1", "contextId": "C1", "status": {
        "state": "TASK_STATE_INPUT_REQUIRED", "timestamp": "2026-11-30T10:00:00.000Z", "message": ASKED}}},
    "LangGraph": {"jsonrpc": "2.0", "id": 1, "result": {
        "taskId": "C1:R1", "contextId": "C1", "kind": "status-update", "final": True,
        "status": {"state": "TASK_STATE_INPUT_REQUIRED", "timestamp": "2026-11-30T10:00:00.1+00:00"}}},
    "fasta2a": {"jsonrpc": "2.0", "id": 1, "result": {"statusUpdate": {
        "taskId": "T1", "contextId": "C1", "status": {"state": "input-required"}}}},
}  # fmt: skip


def view(frame: Frame) -> tuple[object, ...]:
    """What a row makes of it."""
    assert isinstance(frame, StatusUpdate) and frame.status
    read = read_task_state(frame.status.state)
    return (frame.task_id, frame.context_id, read, frame.status.text)


async def heard(*pieces: bytes) -> list[Heard]:
    return [item async for item in read_answer(streamed(*pieces), lambda _: None)]


@pytest.mark.parametrize("dialect", FIXTURES)
async def test_at2_alone_streamed_and_listed_are_one_view(dialect):
    payload = FIXTURES[dialect]
    text = json.dumps(payload)
    alone = (await heard(text.encode()))[0].frame
    event = (await heard(f"data: {text}\n\n".encode()))[0].frame
    (listed,) = read_frames([payload])
    assert alone == event == listed == read_frame(payload)
    assert view(alone)[2].word == "input-required"


def test_at2_all_dialects_of_the_same_words_are_one_view():
    told = {view(read_frame(FIXTURES[d])) for d in ("0.3", "0.3 REST", "1.0 RPC", "1.0 REST")}
    assert told == {("T1", "C1", read_task_state(6), "Q?")}
    assert view(read_frame(FIXTURES["0.1"]))[3] == "Q?"


# --- the differences of D that are matters of reading ---


def test_d01_langgraph_mixes_wrappers_and_kinds():
    first = read_frame({"result": {"task": {"kind": "task", "id": "C:R", "status": {"state": "submitted"}}}})
    last = read_frame({"result": {
        "taskId": "C:R", "kind": "status-update", "status": {"state": "TASK_STATE_COMPLETED"}, "final": True}})  # fmt: skip
    assert isinstance(first, Snapshot) and isinstance(last, StatusUpdate) and last.status
    assert first.task_id == last.task_id == "C:R"
    assert read_task_state(last.status.state).word == "completed"


def test_d02_a_question_in_an_artifact_of_data():
    frame = read_frame({"result": {"taskId": "T", "kind": "artifact-update", "artifact": {
        "artifactId": "a", "name": "Interrupt", "parts": [
            {"kind": "data", "data": {"id": "i", "value": "Which?"}}]}}})  # fmt: skip
    assert isinstance(frame, ArtifactUpdate) and frame.artifact
    (part,) = frame.artifact.parts
    assert part.kind == "data" and part.value == {"id": "i", "value": "Which?"}


def test_d03_wrappers_around_old_words_without_a_kind():
    frame = read_frame({"result": {"statusUpdate": {"taskId": "T", "status": {"state": "working"}}}})
    assert isinstance(frame, StatusUpdate)


def test_d04_another_id_in_the_answer_is_seen():
    frame = read_frame({"result": {"kind": "task", "id": "NEW", "status": {"state": "submitted"}}})
    assert isinstance(frame, Snapshot) and frame.task_id == "NEW"


def test_d05_append_false_is_not_append():
    told = [{"append": True}, {"append": False, "lastChunk": True}, {}, {"append": "true"}]
    frames = [
        read_frame({"artifactUpdate": {"taskId": "T", "artifact": {"artifactId": "a"}, **t}}) for t in told
    ]
    assert [f.append for f in frames] == [True, False, False, False]
    assert [f.last_chunk for f in frames] == [False, True, False, False]


STAMPS = {
    "2026-11-30T10:00:00Z": 1796032800000,
    "2026-11-30T10:00:00.123456Z": 1796032800123,
    "2026-11-30T10:00:00.1+00:00": 1796032800100,
    "2026-11-30T10:00:00": 1796032800000,
    "2026-11-30 10:00:00.5": 1796032800500,
    "2026-11-30T12:00:00+0200": 1796032800000,
    "2026-11-30T10:00Z": 1796032800000,
    "yesterday": None, "2026-11": None, "": None, "2026-13-40T99:99:99Z": None, "9" * 5000: None,
    "9999-12-31T23:59:59Z": 253402300799000,
    "0001-01-01T00:00:00+14:00": -62135647200000,
}  # fmt: skip


@pytest.mark.parametrize("stamp", STAMPS)
def test_d06_times_are_read_leniently_and_without_a_zone_are_utc(stamp):
    assert read_time(stamp) == STAMPS[stamp]
    frame = read_frame({"statusUpdate": {"taskId": "T", "status": {"state": "working", "timestamp": stamp}}})
    assert isinstance(frame, StatusUpdate)


async def test_d07_one_event_over_twenty_lines():
    lines = json.dumps(FIXTURES["0.3 REST"], indent=2).split("\n")
    assert len(lines) >= 15
    event = "".join(f"data: {line}\r\n" for line in lines) + "\r\n"
    (item,) = await heard(event.encode())
    assert view(item.frame)[3] == "Q?"


def test_d08_content_in_place_of_parts():
    frame = read_frame({"message": {"messageId": "m", "role": "ROLE_AGENT", "content": [{"text": "hi"}]}})
    assert isinstance(frame, Message) and frame.text == "hi"


def test_d13_final_says_that_the_stream_ends_and_nothing_of_the_task():
    frame = read_frame(FIXTURES["LangGraph"])
    assert isinstance(frame, StatusUpdate) and frame.final and frame.status
    assert not read_task_state(frame.status.state).terminal


def test_d17_ready_for_input_has_no_words():
    frame = read_frame(
        {"kind": "status-update", "taskId": "T", "status": {"state": "input-required"}, "final": True}
    )
    assert isinstance(frame, StatusUpdate) and frame.status and frame.status.text == ""


@pytest.mark.parametrize(
    "place",
    [
        lambda e: {"metadata": {"error": e}, "status": {"state": "working"}},
        lambda e: {"status": {"state": "working", "metadata": {"error": e}}},
        lambda e: {"status": {"state": "working", "message": {"parts": [], "metadata": {"error": e}}}},
    ],
)
@pytest.mark.parametrize("error", ["model is gone", {"message": "model is gone", "code": 3}])
def test_d18_an_error_hidden_in_metadata_is_words(place, error):
    for whole in ({"kind": "status-update", "taskId": "T"}, {"kind": "task", "id": "T"}):
        frame = read_frame(whole | place(error))
        assert isinstance(frame, Snapshot | StatusUpdate)
        assert frame.error == "model is gone"


@pytest.mark.parametrize(
    "metadata", [None, [], {}, {"error": None}, {"error": {"message": 5}}, {"error": " "}]
)
def test_d18_no_error_is_no_words(metadata):
    frame = read_frame({"kind": "task", "id": "T", "status": {"state": "working"}, "metadata": metadata})
    assert isinstance(frame, Snapshot) and frame.error == ""


def test_d19_a_status_message_inherits_the_ids_around_it():
    frame = read_frame({"statusUpdate": {"taskId": "T", "contextId": "C", "status": {
        "state": "working", "message": {"messageId": "m", "parts": [{"text": "x"}]}}}})  # fmt: skip
    assert isinstance(frame, StatusUpdate) and frame.status and frame.status.message
    assert (frame.status.message.task_id, frame.status.message.context_id) == ("T", "C")


def test_d19_ids_of_its_own_stay():
    frame = read_frame({"task": {"id": "T", "status": {"message": {"taskId": "X", "parts": []}}}})
    assert isinstance(frame, Snapshot) and frame.status and frame.status.message
    assert frame.status.message.task_id == "X"


# --- parts (A3) ---

PARTS = {
    "0.1 text": ({"type": "text", "text": "x"}, "text"),
    "0.3 text": ({"kind": "text", "text": "x"}, "text"),
    "empty text": ({"text": ""}, "text"),
    "0.3 bytes": ({"kind": "file", "file": {"bytes": "QUJD", "mimeType": "a/b", "name": "n"}}, "file"),
    "0.3 address": ({"kind": "file", "file": {"uri": "https://x.example/f", "name": "n"}}, "link"),
    "0.3 REST bytes": ({"file": {"fileWithBytes": "QUJD", "mimeType": "a/b"}}, "file"),
    "0.3 REST address": ({"file": {"fileWithUri": "https://x.example/f"}}, "link"),
    "1.0 raw": ({"raw": "QUJD", "mediaType": "a/b", "filename": "n"}, "file"),
    "1.0 url": ({"url": "https://x.example/f", "filename": "n"}, "link"),
    "0.3 data": ({"kind": "data", "data": {"a": 1}}, "data"),
    "1.0 data": ({"data": [1, 2]}, "data"),
    "1.0 zero": ({"data": 0}, "data"),
    "video": ({"video": {"url": "x"}}, "unsupported"),
    "nothing": ({}, "unsupported"),
    "null": ({"text": None}, "text"),
    "wrong types": ({"file": "x", "raw": 7}, "unsupported"),
}


@pytest.mark.parametrize("case", PARTS)
def test_every_part_has_a_kind(case):
    raw, kind = PARTS[case]
    frame = read_frame({"message": {"messageId": "m", "parts": [raw, "no part", None]}})
    assert isinstance(frame, Message)
    (part,) = frame.parts
    assert part.kind == kind
    if kind == "file":
        assert part.size == 3
    if kind == "link":
        assert part.url == "https://x.example/f" and part.size is None


def test_data_of_rest_0_3_is_wrapped_once_more():
    frame = read_frame(
        {"message": {"messageId": "m", "parts": [{"data": {"data": {"a": 1}}}, {"data": {"data": 1}}]}}
    )
    assert isinstance(frame, Message)
    assert [part.value for part in frame.parts] == [{"a": 1}, {"data": 1}]


@pytest.mark.parametrize("odd", [1.2345678901234567e19, 3.0, True, [], {}, None, "a\u202eb", "x" * 300])
def test_what_is_no_usable_id_is_none(odd):
    """Struct numbers become floats: as an id, one would be another."""
    frame = read_frame({"kind": "task", "id": odd, "contextId": odd, "status": {"state": "working"}})
    assert isinstance(frame, Snapshot) and (frame.task_id, frame.context_id) == ("", "")


def test_a_whole_number_is_the_id_that_it_shows():
    frame = read_frame({"kind": "task", "id": 7, "status": {"state": "working"}})
    assert isinstance(frame, Snapshot) and frame.task_id == "7"


NULLS = {"contextId": None, "artifacts": None, "history": None, "metadata": None}


def test_nulls_and_a_history_of_anything_count_for_nothing():
    task = {"id": "T", **NULLS, "status": {"state": "working", "message": None, "timestamp": None}}
    odd = task | {"history": [1, None, {"parts": "x"}, [[]]]}
    assert read_frame({"task": task}) == read_frame({"task": odd}) != Noise(what="no known shape")


# --- errors (A6) ---

STATUS_FORM = {"error": {"code": 404, "status": "NOT_FOUND", "message": "Task not found", "details": [
    {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND"}]}}  # fmt: skip
ERRORS = {
    "rpc 1.0": ({"jsonrpc": "2.0", "error": {"code": -32001, "message": "no", "data": [
        {"reason": "TASK_NOT_FOUND"}]}}, 200, -32001),
    "rpc 0.3": ({"jsonrpc": "2.0", "error": {"code": -32002, "message": "no", "data": None}}, 200, -32002),
    "status form": (STATUS_FORM, 404, -32001),
    "word before status": ({"error": {"code": 400, "message": "x", "details": [
        {"reason": "TASK_NOT_CANCELABLE"}]}}, 409, -32002),
    "problem": ({"type": "https://a2a-protocol.org/errors/task-not-found", "title": "t", "status": 404}, 404, -32001),
    "problem of nothing": ({"type": "about:blank", "title": "Bad", "status": 400}, 400, 0),
    "bare, js": ({"code": -32602, "message": "Invalid role: -1"}, 400, -32602),
    "bare, a2akit": ({"code": -32009, "message": "version"}, 400, -32009),
    "py 0.3 REST": ({"message": "Task not found"}, 404, -32001),
    "conflict": ({"message": "done already"}, 409, -32002),
    "media": ({"detail": "no"}, 415, -32005),
    "an unknown reason": ({"error": {"code": 400, "message": "x", "details": [{"reason": "MOOD"}]}}, 400, 0),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_every_error_body_has_one_code(case):
    body, status, code = ERRORS[case]
    fault = read_error(body, status)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.http_status) == (code, status) and fault.message


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 500), ("Internal Server Error", 500), ([], 404), ({}, 404), ({"message": "Not Found"}, 404),
        ({"error": "Accept header must include application/json"}, 400),
        ({"result": {"code": 1, "message": "x"}}, 200), ({"code": 5, "message": "x", "result": 1}, 200),
    ],
)  # fmt: skip
def test_what_is_no_error_of_the_protocol_is_none(body, status):
    assert read_error(body, status) is None


def test_its_words_are_found_all_the_same():
    assert said_in({"error": "Accept header"}) == "Accept header"
    assert said_in(STATUS_FORM) == "Task not found"
    assert said_in([]) == said_in({"error": 5}) == ""


CODES = [-32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32009]


@pytest.mark.parametrize("code", CODES)
def test_each_listed_code_is_kept(code):
    fault = read_frame({"error": {"code": code, "message": "m"}})
    assert isinstance(fault, Fault) and coded(fault).code == code


# --- reports of F ---


def test_f27_kinds_where_wrappers_were_promised():
    frame = read_frame({"kind": "status-update", "taskId": "T", "status": {"state": "TASK_STATE_WORKING"}})
    assert isinstance(frame, StatusUpdate)


@pytest.mark.parametrize("envelope", [{}, {"jsonrpc": "1.0"}, {"id": "other"}, {"id": None, "error": None}])
def test_f32_an_odd_envelope_is_opened(envelope):
    frame = read_frame({**envelope, "result": {"task": {"id": "T", "status": {"state": "working"}}}})
    assert isinstance(frame, Snapshot) and frame.task_id == "T"


async def test_f29_a_first_task_that_is_only_submitted_is_no_end():
    frame = read_frame({"task": {"id": "T", "status": {"state": "TASK_STATE_SUBMITTED"}}})
    assert isinstance(frame, Snapshot) and frame.status
    assert not read_task_state(frame.status.state).terminal


async def test_a_done_word_is_no_frame():
    assert await heard(b"data: [DONE]\n\n") == []


# --- anything at all ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([
        "result", "error", "task", "message", "statusUpdate", "artifactUpdate", "kind", "id", "taskId", "status",
        "state", "parts", "content", "artifact", "artifacts", "file", "data", "metadata", "code", "details",
        "reason", "type", "title", "text", "role", "messageId", "final", "append", "url", "x",
    ]), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@given(JSON)
def test_whatever_comes_is_a_frame(payload):
    for frame in read_frames(payload):
        if isinstance(frame, Snapshot | StatusUpdate):
            assert isinstance(frame.error, str)
            assert read_task_state(frame.status.state if frame.status else None).word
        if isinstance(frame, Message):
            assert all(part.kind and part.size != -1 for part in frame.parts)
    assert len(read_frames([payload] * 500)) == MOST_ARTIFACTS
    assert isinstance(said_in(payload), str)
    for status in (0, 200, 404, 500):
        assert read_error(payload, status) is None or isinstance(read_error(payload, status), Fault)


@given(st.sampled_from(sorted(FIXTURES)), st.dictionaries(st.text(min_size=9, max_size=12), JSON, max_size=3))
def test_unknown_members_lose_nothing(dialect, extra):
    def grown(value):
        if isinstance(value, dict):
            return {**extra, **{k: grown(v) for k, v in value.items()}}
        return [grown(v) for v in value] if isinstance(value, list) else value

    extra = {
        name: value for name, value in extra.items() if name not in ("sessionId", "timestamp", "artifacts")
    }
    assert read_frame(grown(FIXTURES[dialect])) == read_frame(FIXTURES[dialect])


@given(st.text(max_size=40))
def test_no_stamp_is_too_odd(stamp):
    assert read_time(stamp) is None or isinstance(read_time(stamp), int)


def test_half_a_letter_is_no_reason_to_lose_a_text():
    parts = [{"text": "fin \ud83d"}]
    frame = read_frame({"messageId": "m\n", "taskId": "T1", "role": "agent", "parts": parts})
    assert (frame.text, frame.task_id, frame.message_id) == ("fin \ud83d", "T1", "")
