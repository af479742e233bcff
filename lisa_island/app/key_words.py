"""Where a key is, or why there is none, as a catalogue key with its values; never any of the key."""

from lisa_island.core.agent import KeyState
from lisa_island.core.ports import Secret
from lisa_island.core.words import has

_READ_AT_START = ("environment", "file")

Words = tuple[str, dict[str, str]]


def key_words(secret: Secret, source: str) -> Words:
    """The sentence for what the secrets answered, when `source` is where the owner wants the key to be."""
    if has(secret.detail):
        return secret.detail, {"file": "config.env"}
    if secret.state is KeyState.ABSENT and secret.detail:
        return "secrets.state.absent-named", {"name": secret.detail}
    if source in _READ_AT_START and secret.state is KeyState.READY:
        return f"settings.key.from.{source}", {}
    if source in _READ_AT_START and secret.state is KeyState.NONE:
        return f"settings.key.not-in.{source}", {}
    return f"secrets.state.{secret.state}", {}
