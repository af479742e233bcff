"""The blocking half of the keyring: everything in here runs in the worker.

Only keyrings of the system count. `keyring` may prefer a plaintext file or a chain that ends in one, so the
backend is chosen here, by its exact class. No error leaves: what a backend says could carry the value.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lisa_island.core.agent import KeyState
from lisa_island.system.hidden import Hidden

SERVICE = "lisa-island"

SECRET_SERVICE = "keyring.backends.SecretService.Keyring"
KWALLET = ("keyring.backends.kwallet.DBusKeyring", "keyring.backends.kwallet.DBusKeyringKWallet4")
# In the order of choice. The Secret Service first: its lock can be seen without a prompt.
COUNTING = (
    SECRET_SERVICE,
    *KWALLET,
    "keyring.backends.macOS.Keyring",
    "keyring.backends.Windows.WinVaultKeyring",
)
# They say nothing about the machine: no keyring, none on purpose, and "the best of the others".
_EMPTY = ("keyring.backends.fail.", "keyring.backends.chainer.")


@dataclass(frozen=True, slots=True)
class Found:
    """How it went; `name` is the backend that does not count, for state ABSENT."""

    state: KeyState
    value: Hidden | None = None
    name: str = ""


def read(user: str) -> Found:
    """The password of `user`; NONE when it has none."""
    backend, name = choose()
    if backend is None:
        return Found(KeyState.ABSENT, name=name)
    try:
        value = backend.get_password(SERVICE, user)
    except Exception as error:
        return _failure(error, name)
    return Found(KeyState.READY, Hidden(value)) if value else Found(KeyState.NONE)


def write(user: str, value: Hidden) -> Found:
    """Save and read back: READY only when the keyring really has it; NONE when it refused."""
    backend, name = choose()
    if backend is None:
        return Found(KeyState.ABSENT, name=name)
    try:
        backend.set_password(SERVICE, user, value.reveal())
        saved = backend.get_password(SERVICE, user) == value.reveal()
    except Exception as error:
        return _failure(error, name)
    return Found(KeyState.READY if saved else KeyState.NONE)


def delete(user: str) -> Found:
    """Forget; NONE when it is gone, READY when it is still there."""
    backend, name = choose()
    if backend is None:
        return Found(KeyState.ABSENT, name=name)
    try:
        if backend.get_password(SERVICE, user) is None:
            return Found(KeyState.NONE)
        backend.delete_password(SERVICE, user)
        left = backend.get_password(SERVICE, user)
    except Exception as error:
        return _failure(error, name)
    return Found(KeyState.NONE if left is None else KeyState.READY)


def choose() -> tuple[Any, str]:
    """(backend that counts, its class) or (None, the class that would have been used, "" for none)."""
    from keyring.backend import KeyringBackend, get_all_keyring

    chosen = _owners_choice()
    if chosen is not None:
        return (chosen, _name(chosen)) if _name(chosen) in COUNTING else (None, _name(chosen))
    get_all_keyring()  # Loads the plug-ins once; its own list is frozen, a keyring may come up later.
    viable = {_name_of(c): c for c in KeyringBackend.get_viable_backends()}
    for name in COUNTING:
        if name in viable:
            return viable[name](), name
    return None, max(_others(viable), key=lambda n: viable[n].priority, default="")


def _owners_choice() -> Any:
    """The backend that the owner configured for all programs, if any: choosing none is a choice too."""
    from keyring import core

    try:
        chosen = core.load_env() or core.load_config()
    except Exception:
        return None
    return None if chosen is None or _name(chosen).startswith(_EMPTY) else chosen


def _others(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not name.startswith((*_EMPTY, "keyring.backends.null.")))


def _name(backend: object) -> str:
    return _name_of(type(backend))


def _name_of(backend: type) -> str:
    return f"{backend.__module__}.{backend.__qualname__}"


def _failure(error: Exception, name: str) -> Found:
    from keyring.errors import KeyringLocked

    if isinstance(error, KeyringLocked):
        return Found(KeyState.LOCKED)
    return Found(KeyState.ABSENT, name=name)
