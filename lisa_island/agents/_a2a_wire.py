"""What A2A agents answer, decoded by shape: every dialect from A2A 0.1 to 1.0 and their mixes.

A member of the wrong type counts as absent, an unknown one is ignored. What is no known shape is `Noise`.
Order of the tests: contract a2a.md, end of A9. Texts in here are still foreign; ids are usable or "".
Errors are read in `_a2a_fault`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from lisa_island.agents._replies import size_of
from lisa_island.core import text

# Of one list and of one frame: a final task may hold its reply in a part for each word that was streamed.
MOST_PARTS = 2_000
MOST_ARTIFACTS = 100
ID_LIMIT = 256
ERROR_LIMIT = 4_000
# Some services end a stream of theirs with this word in place of an event.
DONE_WORD = "[DONE]"

_WRAPPERS = {
    "task": "task",
    "message": "message",
    "statusUpdate": "status-update",
    "status_update": "status-update",
    "artifactUpdate": "artifact-update",
    "artifact_update": "artifact-update",
}


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _id(value: object) -> str:
    """An id that can be sent back as it came; one that would have to be cleaned is none."""
    shown = str(value) if isinstance(value, int) and not isinstance(value, bool) else _str(value)
    return shown if len(shown) <= ID_LIMIT and text.clean(shown, ID_LIMIT) == shown else ""


def _object(value: object) -> object:
    return value if isinstance(value, dict) else None


def _objects(limit: int) -> BeforeValidator:
    return BeforeValidator(
        lambda value: [v for v in value[:limit] if isinstance(v, dict)] if isinstance(value, list) else []
    )


def _artifacts(value: object) -> list[object]:
    """The first artifacts; the parts of all together are as many as one list may have."""
    kept: list[object] = []
    left = MOST_PARTS
    for made in value[:MOST_ARTIFACTS] if isinstance(value, list) else ():
        if not isinstance(made, dict):
            continue
        parts = made.get("parts")
        if isinstance(parts, list):
            made = made | {"parts": parts[:left]}
            left -= min(left, len(parts))
        kept.append(made)
    return kept


@dataclass(frozen=True, slots=True)
class _As:
    """A type whose checks run in pydantic's core: a call of ours for each member is what costs most."""

    schema: CoreSchema

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return self.schema


def _usually(quick: CoreSchema, read: Callable[[object], object]) -> _As:
    """`read` decides of what `quick` does not take."""
    other = core_schema.no_info_plain_validator_function(read)
    return _As(core_schema.union_schema([quick, other], mode="left_to_right"))


# pydantic refuses a text with half a surrogate pair. Nearly every id is of characters that cleaning, which is
# slow, leaves as they are.
Text = Annotated[str, _usually(core_schema.str_schema(strict=True), _str)]
_PLAIN_ID = core_schema.str_schema(strict=True, pattern=rf"^[!-~]{{1,{ID_LIMIT}}}$")
Id = Annotated[str, _usually(_PLAIN_ID, _id)]
Flag = Annotated[bool, BeforeValidator(lambda value: value is True)]
Object = Annotated[dict[str, Any] | None, _usually(core_schema.is_instance_schema(dict), _object)]


class Wire(BaseModel):
    """Base of the shapes: unknown members are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Part(Wire):
    """A piece of content: text, a file by value or address, or an object."""

    text: Text = ""
    file: Object = None
    raw: Text = ""
    address: Text = Field("", alias="url")
    filename: Text = ""
    declared_type: Text = Field("", alias="mediaType")
    data: Any = None

    @property
    def kind(self) -> str:
        """What it is: text, file (its bytes are here), link (they are elsewhere), data or unsupported."""
        if self.text:
            return "text"
        if self.raw or self._in_file("bytes", "fileWithBytes"):
            return "file"
        if self.url:
            return "link"
        if self.data is not None:
            return "data"
        # An empty text is a text; what has no member that we know is shown as such, never left out.
        return "text" if "text" in self.model_fields_set else "unsupported"

    @property
    def url(self) -> str:
        """Where its bytes are; foreign, never fetched by itself."""
        return self.address or self._in_file("uri", "fileWithUri")

    @property
    def media_type(self) -> str:
        """What the peer calls its content."""
        return self.declared_type or self._in_file("mimeType", "mediaType")

    @property
    def value(self) -> Any:
        """The JSON value of a data part; 0.3 over HTTP+JSON wraps it once more."""
        if isinstance(self.data, dict) and set(self.data) == {"data"} and isinstance(self.data["data"], dict):
            return self.data["data"]
        return self.data

    def _in_file(self, *names: str) -> str:
        return next((found for n in names if (found := _str((self.file or {}).get(n)))), "")

    @property
    def size(self) -> int | None:
        """Bytes, as far as they are here."""
        if self.text:
            return size_of(self.text)
        held = self.raw or self._in_file("bytes", "fileWithBytes")
        return len(held) * 3 // 4 - held[-2:].count("=") if held else None

    @property
    def file_name(self) -> str:
        """The name that the peer gave a file."""
        return self.filename or self._in_file("name")


Parts = Annotated[tuple[Part, ...], _objects(MOST_PARTS)]


class Message(Wire):
    """A message of the agent: the answer of a stateless one, or the words beside a state."""

    message_id: Id = Field("", alias="messageId")
    task_id: Id = Field("", alias="taskId")
    context_id: Id = Field("", alias="contextId")
    parts: Parts = Field((), validation_alias=AliasChoices("parts", "content"))
    metadata: Object = None

    @property
    def text(self) -> str:
        """Its text parts, one below the other."""
        return "\n".join(part.text for part in self.parts if part.text)


class Status(Wire):
    """A task's state with the agent's words about it. Times of peers are compared, never trusted."""

    state: Any = None
    message: Annotated[Message | None, BeforeValidator(_object)] = None
    timestamp: Text = ""
    metadata: Object = None

    @property
    def text(self) -> str:
        """What the agent says about it."""
        return self.message.text if self.message else ""


class Artifact(Wire):
    """An output, or a piece of one."""

    artifact_id: Id = Field("", alias="artifactId")
    name: Text = ""
    parts: Parts = ()

    @property
    def text(self) -> str:
        """Its text parts without a seam: agents stream words in halves."""
        return "".join(part.text for part in self.parts)


class Snapshot(Wire):
    """A task as it is. Its history is not read: no version promises that it is whole."""

    task_id: Id = Field("", alias="id")
    context_id: Id = Field("", validation_alias=AliasChoices("contextId", "sessionId"))
    status: Annotated[Status | None, BeforeValidator(_object)] = None
    artifacts: Annotated[tuple[Artifact, ...], BeforeValidator(_artifacts)] = ()
    metadata: Object = None

    @property
    def error(self) -> str:
        """What failed, where an agent says so beside a state that does not."""
        return _error_in(self.metadata, self.status)


class StatusUpdate(Wire):
    """A change of state. `final`: the stream ends here; it says nothing of the task."""

    task_id: Id = Field("", validation_alias=AliasChoices("taskId", "id"))
    context_id: Id = Field("", alias="contextId")
    status: Annotated[Status | None, BeforeValidator(_object)] = None
    final: Flag = False
    metadata: Object = None

    @property
    def error(self) -> str:
        """What failed, where an agent says so beside a state that does not."""
        return _error_in(self.metadata, self.status)


class ArtifactUpdate(Wire):
    """A new, changed or growing output."""

    task_id: Id = Field("", validation_alias=AliasChoices("taskId", "id"))
    context_id: Id = Field("", alias="contextId")
    artifact: Annotated[Artifact | None, BeforeValidator(_object)] = None
    append: Flag = False
    last_chunk: Flag = Field(False, alias="lastChunk")


def _error_in(metadata: dict[str, Any] | None, status: Status | None) -> str:
    """The words of `metadata.error`, wherever it hangs: a text, or an object with a message."""
    message = status.message if status else None
    for held in (metadata, status.metadata if status else None, message.metadata if message else None):
        said = (held or {}).get("error")
        words = said.get("message") if isinstance(said, dict) else said
        if isinstance(words, str) and words.strip():
            return words[:ERROR_LIMIT]
    return ""


def _reason(value: object) -> str:
    """The `reason` of the first ErrorInfo in an error's details."""
    for item in value[:MOST_ARTIFACTS] if isinstance(value, list) else ():
        if isinstance(item, dict) and (found := _str(item.get("reason"))):
            return found[:ID_LIMIT]
    return ""


def _names_message_id(value: object) -> bool:
    """Whether an error's free-form data says that the request's message id is what it lacks."""
    return "messageId" in str(value)[:4096]


class Fault(Wire):
    """An error of the protocol. Code 0: it has none of a known meaning.

    `reason` is the word of 1.0 (TASK_NOT_FOUND). `http_status` is what it came with, 0 inside a stream.
    `lacks_message_id`: its data blames the message id; no more of it was read.
    """

    code: Annotated[int, BeforeValidator(lambda v: v if type(v) is int and abs(v) < 1 << 31 else 0)] = 0
    message: Text = ""
    lacks_message_id: Annotated[bool, BeforeValidator(_names_message_id)] = Field(False, alias="data")
    reason: Annotated[str, BeforeValidator(_reason)] = Field(
        "", validation_alias=AliasChoices("data", "details")
    )
    http_status: Annotated[int, BeforeValidator(lambda _: 0)] = 0


class Noise(Wire):
    """Nothing that any version of the protocol would say; `what` is a short word of ours."""

    what: str = ""


Frame = Snapshot | StatusUpdate | ArtifactUpdate | Message | Fault | Noise

_KINDS: dict[str, type[Snapshot | StatusUpdate | ArtifactUpdate | Message]] = {
    "task": Snapshot,
    "status-update": StatusUpdate,
    "artifact-update": ArtifactUpdate,
    "message": Message,
}


def read_frame(payload: object) -> Frame:
    """What one JSON document or one stream event says. Never raises."""
    if not isinstance(payload, dict):
        return Noise(what="no object")
    if isinstance(payload.get("error"), dict):
        return Fault.model_validate(payload["error"])
    result = payload.get("result", payload)
    if not isinstance(result, dict):
        return Noise(what="no result")
    kind, body = _shape(result)
    return _with_ids(_KINDS[kind].model_validate(body)) if kind else Noise(what="no known shape")


def read_frames(payload: object) -> tuple[Frame, ...]:
    """What one document says: a list of answers, of which the first count, or one."""
    if isinstance(payload, list):
        return tuple(read_frame(each) for each in payload[:MOST_ARTIFACTS])
    return (read_frame(payload),)


def _with_ids(
    frame: Snapshot | StatusUpdate | ArtifactUpdate | Message,
) -> Snapshot | StatusUpdate | ArtifactUpdate | Message:
    """A message inside a status belongs to the task around it, whether it says so or not."""
    if not isinstance(frame, Snapshot | StatusUpdate) or not frame.status or not frame.status.message:
        return frame
    said = frame.status.message
    ids = {"task_id": said.task_id or frame.task_id, "context_id": said.context_id or frame.context_id}
    if ids == {"task_id": said.task_id, "context_id": said.context_id}:
        return frame
    status = frame.status.model_copy(update={"message": said.model_copy(update=ids)})
    return frame.model_copy(update={"status": status})


def _shape(result: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    for name in _WRAPPERS if _WRAPPERS.keys() & result.keys() else ():
        if isinstance(result.get(name), dict):
            return _WRAPPERS[name], result[name]
    if (kind := _str(result.get("kind"))) in _KINDS:
        return kind, result
    return _bare(result), result


def _bare(result: dict[str, Any]) -> str:
    """The kind of an object that does not name it."""
    has_status = isinstance(result.get("status"), dict)
    if isinstance(result.get("artifact"), dict):
        return "artifact-update"
    if has_status and "taskId" in result:
        return "status-update"
    if has_status and "id" in result:
        # A2A 0.1: a whole task and its updates look alike but for `final`.
        return "status-update" if "final" in result else "task"
    has_parts = isinstance(result.get("parts"), list) or isinstance(result.get("content"), list)
    return "message" if has_parts and ("messageId" in result or "role" in result) else ""


def all_text(artifacts: Iterable[Artifact]) -> str:
    """The texts of artifacts, one below the other."""
    return "\n\n".join(a.text for a in artifacts if a.text)


_SPACED = re.compile(
    r"^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$", re.I
)


def read_time(stamp: str) -> int | None:
    """Epoch ms of a peer's time, for a tooltip; without a zone it is UTC. None for what is no time."""
    found = _SPACED.match(stamp.strip()[:64])
    if not found:
        return None
    day, time, fraction, zone = found.groups()
    try:
        at = datetime.fromisoformat(f"{day}T{time}{_zone(zone)}")
        return round((at - _EPOCH).total_seconds()) * 1000 + int(((fraction or "") + "000")[:3])
    except (ValueError, OverflowError):
        return None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _zone(zone: str | None) -> str:
    if zone in (None, "Z", "z"):
        return "+00:00"
    assert zone
    return zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
