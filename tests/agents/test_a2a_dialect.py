"""Requests in both dialects over both bindings, word for word (contract a2a.md A2, A7, A8, E)."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _a2a_dialect as dialect
from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_dialect import OUTPUTS, Outgoing, Request

RPC_1 = Endpoint("https://a.example/rpc", "JSONRPC", "1.0")
RPC_3 = Endpoint("https://a.example/rpc", "JSONRPC", "0.3")
REST_1 = Endpoint("https://a.example/rest/", "HTTP+JSON", "1.0")
REST_3 = Endpoint("https://a.example/rest", "HTTP+JSON", "0.3")
ALL = (RPC_1, RPC_3, REST_1, REST_3)

HELLO = Outgoing("blue", "m1")


def requests(endpoint: Endpoint) -> list[Request]:
    made = [
        dialect.send(endpoint, HELLO, 1, stream=False),
        dialect.send(endpoint, HELLO, 2, stream=True),
        dialect.get(endpoint, "T", 3),
        dialect.list_tasks(endpoint, "C", "", 4),
        dialect.cancel(endpoint, "T", 5),
        dialect.subscribe(endpoint, "T", 6),
        dialect.subscribe(endpoint, "T", 7, dialect.GET),
    ]
    return [request for request in made if request is not None]


def test_a_message_of_1_0():
    request = dialect.send(RPC_1, HELLO, 7, stream=False)
    assert (request.method, request.url) == ("POST", RPC_1.url)
    assert request.body == {"jsonrpc": "2.0", "id": 7, "method": "SendMessage", "params": {
        "message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "blue"}]},
        "configuration": {"acceptedOutputModes": list(OUTPUTS), "returnImmediately": True}}}  # fmt: skip


def test_a_message_of_0_3():
    request = dialect.send(RPC_3, HELLO, 7, stream=False)
    assert request.body == {"jsonrpc": "2.0", "id": 7, "method": "message/send", "params": {
        "message": {"kind": "message", "messageId": "m1", "role": "user",
                    "parts": [{"kind": "text", "text": "blue"}]},
        "configuration": {"acceptedOutputModes": list(OUTPUTS), "blocking": False}}}  # fmt: skip


def test_a_message_of_0_3_over_rest_is_spelled_as_its_protocol_buffers():
    request = dialect.send(REST_3, HELLO, 7, stream=False)
    assert request.url == "https://a.example/rest/v1/message:send"
    assert request.body == {
        "message": {"messageId": "m1", "role": "ROLE_USER", "content": [{"text": "blue"}]},
        "configuration": {"acceptedOutputModes": list(OUTPUTS), "blocking": False}}  # fmt: skip


METHODS = {
    RPC_1: [
        "SendMessage",
        "SendStreamingMessage",
        "GetTask",
        "ListTasks",
        "CancelTask",
        *["SubscribeToTask"] * 2,
    ],
    RPC_3: ["message/send", "message/stream", "tasks/get", "tasks/cancel", *["tasks/resubscribe"] * 2],
}


@pytest.mark.parametrize("endpoint", METHODS)
def test_every_operation_by_name(endpoint):
    assert [r.body["method"] for r in requests(endpoint) if r.body] == METHODS[endpoint]
    assert {r.url for r in requests(endpoint)} == {endpoint.url}


ROUTES = [
    "POST /message:send", "POST /message:stream", "GET /tasks/T", "GET /tasks", "POST /tasks/T:cancel",
    "POST /tasks/T:subscribe", "GET /tasks/T:subscribe",
]  # fmt: skip


@pytest.mark.parametrize(("endpoint", "base"), [(REST_1, "/rest"), (REST_3, "/rest/v1")])
def test_every_operation_by_route(endpoint, base):
    found = [f"{r.method} {urlsplit(r.url).path}" for r in requests(endpoint)]
    assert found == [f"{verb} {base}{path}" for verb, path in (route.split() for route in ROUTES)]
    assert all((r.body is None) == (r.method == "GET") for r in requests(endpoint))


def test_a_card_of_0_3_may_name_its_version_in_the_address():
    request = dialect.get(Endpoint("https://a.example/v1", "HTTP+JSON", "0.3"), "T", 1)
    assert request.url == "https://a.example/v1/tasks/T"


@pytest.mark.parametrize("endpoint", ALL)
def test_e_the_version_goes_with_every_request_of_1_0_and_with_none_of_0_3(endpoint):
    wanted = "1.0" if endpoint.version == "1.0" else None
    assert [r.headers.get("A2A-Version") for r in requests(endpoint)] == [wanted] * len(requests(endpoint))


@pytest.mark.parametrize("endpoint", ALL)
def test_what_is_accepted_is_always_said(endpoint):
    for request in requests(endpoint):
        streams = "stream" in request.url or "subscribe" in request.url
        streams = streams or "tream" in str(request.body) or "ubscribe" in str(request.body)
        assert request.headers["accept"].startswith("text/event-stream") == streams
        assert "application/json" in request.headers["accept"]


@pytest.mark.parametrize("endpoint", [RPC_1, REST_1])
def test_e_a_tenant_goes_into_every_request_and_into_every_path(endpoint):
    with_tenant = Endpoint(endpoint.url, endpoint.binding, endpoint.version, "t/1")
    for request in requests(with_tenant):
        if endpoint.binding == "HTTP+JSON":
            assert "/rest/t%2F1/" in request.url
        if request.body is not None:
            held = request.body.get("params", request.body)
            assert held["tenant"] == "t/1"
    assert "tenant" not in str([r.body for r in requests(endpoint)])


@given(st.text(min_size=1, max_size=30), st.sampled_from([REST_1, REST_3]))
def test_an_id_is_one_segment_of_a_path(task_id, endpoint):
    """LangGraph's ids have a colon in them, which is where a verb begins."""
    task_id = task_id.encode("utf-8", "replace").decode()
    for request in (dialect.get(endpoint, task_id, 1), dialect.cancel(endpoint, task_id, 1)):
        path = urlsplit(request.url).path
        segment = path.split("/tasks/")[1].removesuffix(":cancel")
        assert unquote(segment) == task_id and "/" not in segment and ":" not in segment
        assert segment.strip(".")


@pytest.mark.parametrize("endpoint", ALL)
def test_e_an_answer_carries_both_ids_as_they_came_and_guards(endpoint):
    guards = {"pi:hopCount": 2, "pi:visitedAgents": ["http://localhost:27100"], "pi:budgets": {"maxHops": 10}}
    answer = Outgoing("blue", "m2", "C1:R1", "C1", guards)
    body = dialect.send(endpoint, answer, 1, stream=False).body
    assert body is not None
    message = body["params"]["message"] if "params" in body else body["message"]
    assert (message["taskId"], message["contextId"], message["messageId"]) == ("C1:R1", "C1", "m2")
    assert message["metadata"] == guards


@pytest.mark.parametrize("endpoint", ALL)
def test_e_a_new_task_has_no_id_of_ours(endpoint):
    body = str(dialect.send(endpoint, HELLO, 1, stream=True).body)
    assert "taskId" not in body and "contextId" not in body and "metadata" not in body


def test_a_page_of_a_list():
    request = dialect.list_tasks(RPC_1, "C", "next", 1)
    assert request and request.body
    params = request.body["params"]
    assert (params["contextId"], params["pageToken"]) == ("C", "next") and 1 <= params["pageSize"] <= 100
    assert dialect.list_tasks(RPC_3, "C", "", 1) is None
    rest = dialect.list_tasks(REST_1, "C", "", 1)
    assert rest and rest.params["contextId"] == "C" and "pageToken" not in rest.params


def test_the_other_dialect_is_the_same_place():
    assert dialect.other(RPC_1) == RPC_3 and dialect.other(RPC_3) == RPC_1


def test_no_text_is_in_what_is_shown_of_it():
    assert "blue" not in repr(HELLO) and "blue" not in repr(dialect.send(RPC_1, HELLO, 1, stream=True))
