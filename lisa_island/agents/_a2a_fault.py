"""Errors of A2A in all their bodies, as one Fault with one code (contract a2a.md A6).

JSON-RPC envelopes, the google.rpc.Status form of HTTP+JSON, problem+json of the drafts, and the bare objects
that servers make up. The word of an error counts before its HTTP status: versions disagree on the latter.
"""

from typing import Any, Final

from lisa_island.agents._a2a_wire import Fault

TASK_NOT_FOUND: Final = -32001
NOT_CANCELABLE: Final = -32002
UNSUPPORTED: Final = -32004
NO_METHOD: Final = -32601
BAD_VERSION: Final = -32009
INVALID_REQUEST: Final = -32600

CODES: Final = {
    "TASK_NOT_FOUND": -32001,
    "TASK_NOT_CANCELABLE": -32002,
    "PUSH_NOTIFICATION_NOT_SUPPORTED": -32003,
    "UNSUPPORTED_OPERATION": -32004,
    "CONTENT_TYPE_NOT_SUPPORTED": -32005,
    "INVALID_AGENT_RESPONSE": -32006,
    "EXTENDED_AGENT_CARD_NOT_CONFIGURED": -32007,
    "AUTHENTICATED_EXTENDED_CARD_NOT_CONFIGURED": -32007,
    "EXTENSION_SUPPORT_REQUIRED": -32008,
    "VERSION_NOT_SUPPORTED": -32009,
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
}
# What an HTTP status alone says, where the body that came with it is an error object without a word.
_STATUSES: Final = {409: -32002, 415: -32005}


def coded(fault: Fault, http_status: int = 0) -> Fault:
    """The fault with the code that its reason stands for; HTTP codes are no codes of the protocol."""
    code = fault.code if fault.code < 0 else CODES.get(fault.reason, 0)
    return fault.model_copy(update={"code": code, "http_status": http_status})


def made(code: int, message: str, reason: str = "", http_status: int = 0) -> Fault:
    """A fault of these members."""
    update = {"reason": reason, "http_status": http_status}
    return Fault.model_validate({"code": code, "message": message}).model_copy(update=update)


def read_error(body: object, http_status: int = 0) -> Fault | None:
    """The error in a JSON body, None where there is none. Never raises."""
    if not isinstance(body, dict):
        return None
    inner = body.get("error")
    if isinstance(inner, dict):
        return coded(Fault.model_validate(inner), http_status)
    if type(body.get("code")) is int and isinstance(body.get("message"), str) and "result" not in body:
        return coded(Fault.model_validate(body), http_status)
    if _is_problem(body) and (http_status >= 400 or "/errors/" in body["type"]):
        return _problem(body, http_status)
    words = _words(body)
    if http_status < 400 or not words:
        return None
    is_lost = http_status == 404 and "task" in words.lower() and "not found" in words.lower()
    code = TASK_NOT_FOUND if is_lost else _STATUSES.get(http_status, 0)
    return made(code, words, http_status=http_status) if code else None


def said_in(body: object) -> str:
    """The words of any error body, for whoever reads them; foreign, "" where it has none."""
    fault = read_error(body)
    return fault.message if fault and fault.message else _words(body)


def _words(body: object) -> str:
    if not isinstance(body, dict):
        return ""
    for name in ("message", "detail", "error", "title", "error_description"):
        if isinstance(body.get(name), str):
            return str(body[name])
    return ""


def _is_problem(body: dict[str, Any]) -> bool:
    return isinstance(body.get("type"), str) and ("title" in body or "status" in body) and "kind" not in body


def _problem(body: dict[str, Any], http_status: int) -> Fault:
    """problem+json names the error at the end of its type's address: …/errors/task-not-found."""
    reason = str(body["type"])[:200].rstrip("/").rpartition("/")[2].replace("-", "_").upper()
    reason = reason.removesuffix("_ERROR")
    words = next((body[n] for n in ("detail", "title") if isinstance(body.get(n), str)), "")
    known = reason if reason in CODES else ""
    return made(CODES.get(known, 0), words, known, http_status)
