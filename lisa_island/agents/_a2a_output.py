"""What a task puts out: artifacts by name and size, the newest words, and the reply as a text. Bounded.

`append` extends the artifact of the same id, anything else replaces it, and a snapshot that brings
artifacts wins over what was put together before: some agents repeat all, some double their pieces.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lisa_island.agents import _replies as replies
from lisa_island.agents._a2a_wire import Artifact as WireArtifact
from lisa_island.agents._a2a_wire import ArtifactUpdate
from lisa_island.core.agent import Activity, Artifact
from lisa_island.core.text import clean, name

STATUS_LIMIT = 300
MOST_SHOWN = 50
MOST_KEPT = 100


@dataclass(slots=True)
class _Made:
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    size: int | None = None
    held: int = 0


@dataclass(slots=True)
class Output:
    """Grows with the frames of a task."""

    updates: int = 0
    noise: bool = False
    status_text: str = ""
    _said: str = ""
    _made: dict[str, _Made] = field(default_factory=dict)
    _kept: int = 0

    def say(self, words: str) -> None:
        """The agent's newest words; silence keeps the old ones."""
        if words:
            self._said = replies.cut_bytes(words, replies.EACH)
            self.status_text = clean(words, STATUS_LIMIT)

    def add(self, update: ArtifactUpdate) -> None:
        """An artifact, or a piece of one."""
        artifact = update.artifact or WireArtifact.model_validate({})
        if not update.append:
            self._drop(artifact.artifact_id)
        self._extend(artifact, artifact.artifact_id)

    def replace(self, artifacts: Iterable[WireArtifact]) -> None:
        """The artifacts of a snapshot, if it has any."""
        whole = tuple(artifacts)
        if whole:
            self._made.clear()
            self._kept = 0
        for number, artifact in enumerate(whole):
            self._extend(artifact, artifact.artifact_id or f"#{number}")

    def activity(self) -> Activity:
        """Structure only, for the roster."""
        shown = [Artifact(made.name, made.size) for made in list(self._made.values())[:MOST_SHOWN]]
        return Activity(self.updates, tuple(shown), self.status_text)

    def newest_text(self) -> str:
        """The text of the last artifact: some agents put their question there."""
        made = next(reversed(self._made.values()), None)
        return "".join(made.pieces) if made else ""

    def fingerprint(self) -> tuple[object, ...]:
        """Equal as long as nothing new was put out or said."""
        return (self._said, *((key, made.name, made.size) for key, made in self._made.items()))

    def artifact_texts(self) -> tuple[str, ...]:
        """The text of each artifact, in the order of `activity`."""
        return tuple("".join(made.pieces) for made in list(self._made.values())[:MOST_SHOWN])

    @property
    def has_artifact_text(self) -> bool:
        """Whether any artifact has a text."""
        return self._kept > 0

    @property
    def has_text(self) -> bool:
        """Whether there is a reply to read."""
        return self._kept > 0 or bool(self._said)

    def release(self) -> None:
        """Let go of the texts; names and sizes stay."""
        self._said, self._kept = "", 0
        for made in self._made.values():
            made.pieces, made.held = [], 0

    def reply(self) -> str:
        """The reply as the gateway's own shim would read it: artifacts, else the agent's words."""
        texts = ["".join(made.pieces) for made in self._made.values()]
        return "\n\n".join(text for text in texts if text) or self._said

    def _drop(self, artifact_id: str) -> None:
        made = self._made.pop(artifact_id, None)
        self._kept -= made.held if made else 0

    def _extend(self, artifact: WireArtifact, key: str) -> None:
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= MOST_KEPT:
                return
            made = self._made[key] = _Made()
        files = (part.file_name for part in artifact.parts)
        found = artifact.name or next((f for f in files if f), "") or artifact.artifact_id
        made.name = made.name or name(found)
        for part in artifact.parts:
            if (size := part.size) is not None:
                made.size = (made.size or 0) + size
            self._hold(made, part.text or _value(part.data))

    def _hold(self, made: _Made, text: str) -> None:
        piece = replies.cut_bytes(text, max(0, replies.EACH - self._kept))
        if piece:
            size = replies.size_of(piece)
            made.pieces.append(piece)
            made.held += size
            self._kept += size


def _value(data: Any) -> str:
    """The words of an object that carries a question as LangGraph's interrupts do."""
    value = data.get("value") if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""
