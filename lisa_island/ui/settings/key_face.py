"""What the key line shows for each place a key can be: one pure table, no widget.

key_face(state, detail, preview, source, origin) -> KeyFace
"""

from __future__ import annotations

from dataclasses import dataclass

from lisa_island.core.agent import KeyState
from lisa_island.core.origin import HOME_ORIGIN, PREVIEW_LENGTH
from lisa_island.core.words import has

# Always the same number: how long a key is, is nobody's business.
DOTS = "•" * 8
SOURCES = ("keyring", "run", "environment", "file")
_READ_AT_START = ("environment", "file")


@dataclass(frozen=True, slots=True)
class KeyFace:
    """`box`: text of the closed box, "" where a key may be typed. `word`/`values`: the sentence below it.

    `icon`: a state's shape or an action icon. `sources`: the places offered, () for no choice.
    """

    word: str
    icon: str = ""
    values: tuple[tuple[str, str], ...] = ()
    box: str = ""
    box_word: str = ""
    can_type: bool = False
    can_replace: bool = False
    can_remove: bool = False
    can_import: bool = False
    unlock_word: str = ""
    sources: tuple[str, ...] = ()


def masked(preview: str) -> str:
    """The first 16 characters and dots; nothing else of a key ever reaches a widget."""
    return preview[:PREVIEW_LENGTH] + DOTS


def key_face(state: KeyState | None, detail: str, preview: str, source: str, origin: str) -> KeyFace:
    """`state` None: nobody looked yet. `detail`: a backend that does not count, or why no file was read."""
    if source in _READ_AT_START:
        return _read_at_start(state, detail, preview, source)
    chosen = ("keyring", *SOURCES[1:]) if source == "run" else ()
    match state:
        case KeyState.READY:
            return _held("settings.key.ready", "done", preview, chosen)
        case KeyState.MEMORY:
            return _held("secrets.state.memory", "action/info", preview, chosen)
        case KeyState.LOCKED:
            return KeyFace(
                "secrets.state.locked",
                "action/warning",
                box_word="settings.key.locked",
                unlock_word="settings.key.unlock",
            )
        case KeyState.TIMED_OUT:
            return KeyFace(
                "secrets.state.timed-out",
                "action/warning",
                box_word="settings.key.no-answer",
                unlock_word="settings.key.again",
            )
        case KeyState.ABSENT:
            return _absent(detail)
        case KeyState.NONE if source == "run":
            return KeyFace("settings.key.run-none", "action/info", can_type=True, sources=chosen)
        case KeyState.NONE:
            return _none(origin)
        case None if preview:
            return _held("settings.key.ready", "done", preview, chosen)
        case None:
            return KeyFace(
                "settings.key.unasked", "action/info", can_type=True, can_import=True, sources=chosen
            )


def _held(word: str, icon: str, preview: str, sources: tuple[str, ...]) -> KeyFace:
    return KeyFace(word, icon, box=masked(preview), can_replace=True, can_remove=True, sources=sources)


def _none(origin: str) -> KeyFace:
    if origin and origin != HOME_ORIGIN:
        word, values = "secrets.no-key-for", (("origin", origin),)
        return KeyFace(word, "action/warning", values, can_type=True, can_import=True)
    return KeyFace("settings.key.none", "action/info", can_type=True, can_import=True)


def _absent(detail: str) -> KeyFace:
    word = "secrets.state.absent"
    values: tuple[tuple[str, str], ...] = ()
    if has(detail):
        word = detail
    elif detail:
        word, values = "secrets.state.absent-named", (("name", detail),)
    return KeyFace(word, "action/warning", values, can_type=True, sources=SOURCES[1:])


def _read_at_start(state: KeyState | None, detail: str, preview: str, source: str) -> KeyFace:
    if state is KeyState.READY or (state is None and preview):
        return KeyFace(f"settings.key.from.{source}", "done", box=masked(preview), sources=SOURCES)
    if state is KeyState.MEMORY:
        return _held("secrets.state.memory", "action/info", preview, SOURCES)
    word = detail if has(detail) else f"settings.key.not-in.{source}"
    return KeyFace(word, "action/warning", (("file", "config.env"),), sources=SOURCES)
