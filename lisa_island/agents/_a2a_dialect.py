"""Requests to an agent, in the words of its dialect: A2A 1.0 or 0.3, over JSON-RPC or HTTP+JSON. Pure.

An observer never blocks: a send asks for the answer that is there at once. The version header goes with 1.0
alone; without one a server speaks 0.3 (contract a2a.md A2, A7, A8).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import quote, urlsplit, urlunsplit

from lisa_island.agents._a2a_card import REST, Endpoint

OUTPUTS: Final = ("text/plain", "text", "text/markdown", "application/json")
PAGE_SIZE: Final = 50
POST: Final = "POST"
GET: Final = "GET"

# What each operation is called: in 1.0, in 0.3.
_METHODS = {
    "send": ("SendMessage", "message/send"),
    "stream": ("SendStreamingMessage", "message/stream"),
    "get": ("GetTask", "tasks/get"),
    "list": ("ListTasks", ""),
    "cancel": ("CancelTask", "tasks/cancel"),
    "subscribe": ("SubscribeToTask", "tasks/resubscribe"),
}


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of the owner. `metadata` goes into the message as it is (loop guards)."""

    text: str = field(repr=False)
    message_id: str
    task_id: str = ""
    context_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request without credentials. `body` None sends none."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    params: Mapping[str, str] = field(default_factory=dict)


def other(endpoint: Endpoint) -> Endpoint:
    """The same place in the other dialect."""
    return replace(endpoint, version="0.3" if is_1_0(endpoint) else "1.0")


def is_1_0(endpoint: Endpoint) -> bool:
    """Whether it is called in the words of 1.0."""
    return endpoint.version == "1.0"


def send(endpoint: Endpoint, message: Outgoing, number: int, *, stream: bool) -> Request:
    """A message, for one answer or for a stream."""
    blocking = {"returnImmediately": True} if is_1_0(endpoint) else {"blocking": False}
    body = {
        "message": _message(endpoint, message),
        "configuration": {"acceptedOutputModes": list(OUTPUTS), **({} if stream else blocking)},
    }
    operation = "stream" if stream else "send"
    if endpoint.binding == REST:
        return _rest(endpoint, POST, f"/message:{operation}", body, stream=stream)
    return _rpc(endpoint, operation, body, number, stream=stream)


def get(endpoint: Endpoint, task_id: str, number: int, *, history: int = 0) -> Request:
    """A task as it is."""
    if endpoint.binding == REST:
        params = {"historyLength": str(history)}
        return _rest(endpoint, GET, f"/tasks/{_segment(task_id)}", params=params)
    return _rpc(endpoint, "get", {"id": task_id, "historyLength": history}, number)


def list_tasks(
    endpoint: Endpoint, context_id: str, page: str, number: int, *, history: int = 0
) -> Request | None:
    """One page of tasks; None where the dialect has no such call."""
    asked = {"contextId": context_id, "pageToken": page}
    kept = {name: value for name, value in asked.items() if value}
    if endpoint.binding == REST:
        params = {**kept, "pageSize": str(PAGE_SIZE), "historyLength": str(history)}
        return _rest(endpoint, GET, "/tasks", params=params)
    if not is_1_0(endpoint):
        return None
    return _rpc(endpoint, "list", {**kept, "pageSize": PAGE_SIZE, "historyLength": history}, number)


def cancel(endpoint: Endpoint, task_id: str, number: int) -> Request:
    """Ask for a stop."""
    if endpoint.binding == REST:
        return _rest(endpoint, POST, f"/tasks/{_segment(task_id)}:cancel", {})
    return _rpc(endpoint, "cancel", {"id": task_id}, number)


def subscribe(endpoint: Endpoint, task_id: str, number: int, verb: str = POST) -> Request:
    """Attach to a stream again. Over HTTP+JSON the verb is a matter of the server: POST, or GET."""
    if endpoint.binding == REST:
        path = f"/tasks/{_segment(task_id)}:subscribe"
        return _rest(endpoint, verb, path, {} if verb == POST else None, stream=True)
    return _rpc(endpoint, "subscribe", {"id": task_id}, number, stream=True)


def _message(endpoint: Endpoint, message: Outgoing) -> dict[str, Any]:
    part: dict[str, Any] = {"text": message.text}
    body: dict[str, Any] = {"messageId": message.message_id}
    if is_1_0(endpoint):
        body |= {"role": "ROLE_USER", "parts": [part]}
    elif endpoint.binding == REST:
        # 0.3 over HTTP+JSON is spelled as its protocol buffers are.
        body |= {"role": "ROLE_USER", "content": [part]}
    else:
        body |= {"kind": "message", "role": "user", "parts": [{"kind": "text", **part}]}
    ids = {"taskId": message.task_id, "contextId": message.context_id}
    body |= {name: value for name, value in ids.items() if value}
    return body | ({"metadata": dict(message.metadata)} if message.metadata else {})


def _rpc(
    endpoint: Endpoint, operation: str, params: dict[str, Any], number: int, *, stream: bool = False
) -> Request:
    method = _METHODS[operation][0 if is_1_0(endpoint) else 1]
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params | _tenant(endpoint)}
    return Request(POST, endpoint.url, _headers(endpoint, stream), body)


def _rest(
    endpoint: Endpoint,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    *,
    params: Mapping[str, str] | None = None,
    stream: bool = False,
) -> Request:
    parts = urlsplit(endpoint.url)
    tenant = f"/{_segment(endpoint.tenant)}" if endpoint.tenant else ""
    version = "" if is_1_0(endpoint) else "/v1"
    # Some cards of 0.3 name the address with its version, some without.
    base = parts.path.rstrip("/").removesuffix("/v1") if version else parts.path.rstrip("/")
    url = urlunsplit(parts._replace(path=base + version + tenant + path))
    sent = None if body is None else body | _tenant(endpoint)
    return Request(method, url, _headers(endpoint, stream), sent, params or {})


def _tenant(endpoint: Endpoint) -> dict[str, str]:
    return {"tenant": endpoint.tenant} if endpoint.tenant else {}


def _headers(endpoint: Endpoint, stream: bool) -> dict[str, str]:
    accept = "text/event-stream, application/json" if stream else "application/json"
    return {"accept": accept} | ({"A2A-Version": "1.0"} if is_1_0(endpoint) else {})


def _segment(value: str) -> str:
    """One segment of a path: a colon in an id would be read as a verb. Dots alone would be a way up."""
    return quote(value, safe="").replace(".", "%2E") if set(value) <= {"."} else quote(value, safe="")
