"""The key of each origin: in the system's keyring, in memory for this run, in the environment, in a file.

A key goes to the origin it was saved for and to no other. No value is ever in a log, a repr, an exception,
an argument, a child's environment or a file of ours.
"""

import asyncio
import os
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path

from lisa_island.core.agent import KeyState
from lisa_island.core.errors import SecretError
from lisa_island.core.origin import HOME_ORIGIN, check_key, origin_of
from lisa_island.core.ports import Secret
from lisa_island.system import keyfile, keyring_backend, own_environ, secret_service
from lisa_island.system.hidden import Hidden
from lisa_island.system.keyring_backend import Found
from lisa_island.system.keyring_process import KeyringProcess
from lisa_island.system.secret_service import PROMPT_SECONDS, Access
from lisa_island.system.worker import Worker

VARIABLE = "TAKO_KEY"
BASE_URL = "TAKOAPI_BASE_URL"
KEYRING_SECONDS = 10.0


def user_of(origin: str) -> str:
    """The name under which the key of an origin is saved."""
    return VARIABLE if origin == HOME_ORIGIN else f"{VARIABLE}@{origin}"


@dataclass(frozen=True, slots=True)
class Taken:
    """The key that stood in our environment, with the origin it was meant for."""

    key: Hidden
    origin: str


def take_from_environment(environ: MutableMapping[str, str]) -> Taken | None:
    """Take TAKO_KEY out, so that no child inherits it; the address beside it says where it belongs."""
    value = environ.pop(VARIABLE, "").strip()
    if value and environ is os.environ:
        own_environ.wipe(VARIABLE)
    return Taken(Hidden(value), _beside(environ.get(BASE_URL, ""))) if value else None


def _beside(base_url: str) -> str:
    return origin_of(base_url) if base_url.strip() else HOME_ORIGIN


def agent_user(origin: str) -> str:
    """The name under which the credential of direct agents at an origin is saved."""
    return f"A2A@{origin}"


class KeyringSecrets:
    """`core.ports.Secrets` of this machine.

    `environ` loses its TAKO_KEY here, unless `taken` was taken before; `home` is LISA_HOME; `source()` is the
    owner's choice: keyring, run, environment or file. Without `keyring` the real one is never asked: a demo.
    With `process` it is asked there, else in the worker. `user` names the entry of an origin, `check` answers
    "" for a value that may be kept there.
    """

    def __init__(
        self,
        worker: Worker,
        environ: MutableMapping[str, str],
        home: Path,
        taken: Taken | None = None,
        source: Callable[[], str] = lambda: "keyring",
        keyring: bool = True,
        process: KeyringProcess | None = None,
        user: Callable[[str], str] = user_of,
        check: Callable[[str], str] = check_key,
    ) -> None:
        self._worker = worker
        self._environ = environ
        self._home = home
        self._taken = take_from_environment(environ) or taken
        self._source = source
        self._has_keyring = keyring
        self._process = process
        self._user = user
        self._check = check
        self._memory: dict[str, Hidden] = {}
        # One call at a time: a second prompt behind the first would help nobody.
        self._turn = asyncio.Lock()

    async def get(self, origin: str) -> Secret:
        """The key of exactly this origin; never prompts."""
        origin = origin_of(origin)
        if not origin:
            return Secret(KeyState.NONE)
        if held := self._memory.get(origin):
            return Secret(KeyState.MEMORY, held.reveal())
        match self._source():
            case "environment":
                return _only_for(origin, self._taken)
            case "file":
                try:
                    return _only_for(origin, await self._from_file())
                except SecretError as error:
                    return Secret(KeyState.NONE, detail=error.word)
            case _:
                # "This run only", with nothing typed in this run: what was saved meanwhile counts.
                return _shown(await self._keyring(keyring_backend.read, self._user(origin)))

    async def put(self, origin: str, value: str) -> KeyState:
        """Save in the keyring. Raises SecretError for a value that is no key, or when it was not kept."""
        origin = self._place(origin, value)
        found = await self._keyring(keyring_backend.write, self._user(origin), Hidden(value))
        if found.state is KeyState.NONE:
            raise SecretError("secrets.not-saved")
        if found.state is KeyState.READY:
            self._memory.pop(origin, None)
        return found.state

    async def drop(self, origin: str) -> KeyState:
        """Forget the key of this origin here and in the keyring. Raises SecretError when it would not go."""
        origin = origin_of(origin)
        self._memory.pop(origin, None)
        found = await self._keyring(keyring_backend.delete, self._user(origin))
        if found.state is KeyState.READY:
            raise SecretError("secrets.not-deleted")
        return found.state

    async def unlock(self, origin: str) -> KeyState:
        """Let the desktop ask for the keyring's password, then say where the key is."""
        origin = origin_of(origin)
        try:
            if self._has_keyring:
                await secret_service.unlock(self._worker, self._environ, self._user(origin))
        except TimeoutError:
            return KeyState.TIMED_OUT
        return (await self.get(origin)).state

    def remember(self, origin: str, value: str) -> None:
        """Keep for this run only. Raises SecretError for a value that is no key."""
        self._memory[self._place(origin, value)] = Hidden(value)

    async def import_key(self, origin: str) -> tuple[KeyState, str]:
        """Copy the key from the environment, else from `config.env`, into the keyring.

        The second value is the sentence to show; LISA's own copy stays where it is. Raises SecretError.
        """
        origin = origin_of(origin)
        held = self._taken if self._taken and self._taken.origin == origin else await self._from_file()
        if held is None:
            raise SecretError("secrets.nothing-to-import")
        if held.origin != origin:
            raise SecretError("secrets.other-origin", origin=held.origin)
        state = await self.put(origin, held.key.reveal())
        return state, "secrets.imported" if state is KeyState.READY else f"secrets.state.{state}"

    def _place(self, origin: str, value: str) -> str:
        """Where a key may be kept. Raises SecretError for no key, and for an address that has no origin."""
        if word := self._check(value):
            raise SecretError(word)
        found = origin_of(origin)
        if not found:
            raise SecretError("outcome.bad-address")
        return found

    async def _from_file(self) -> Taken | None:
        found = await self._worker.run(keyfile.read, self._home, limit=KEYRING_SECONDS, name="config.env")
        return Taken(found.key, _beside(found.base_url)) if found else None

    async def _keyring(self, work: Callable[..., Found], user: str, *more: Hidden) -> Found:
        """Run `work` behind the worker, if the keyring would answer without asking anybody."""
        if not self._has_keyring:
            return Found(KeyState.ABSENT)
        async with self._turn:
            try:
                access = await secret_service.look(self._worker, self._environ, user)
                if access is Access.LOCKED:
                    return Found(KeyState.LOCKED)
                if access is Access.EMPTY and not more:
                    return Found(KeyState.NONE)
                # The first save on a new desktop makes its keyring: the desktop asks for a password then.
                limit = PROMPT_SECONDS if access is Access.EMPTY else KEYRING_SECONDS
                if self._process is not None:
                    return await self._process.run(work, user, *more, limit=limit)
                return await self._worker.run(work, user, *more, limit=limit, name="keyring")
            except TimeoutError:
                return Found(KeyState.TIMED_OUT)


def _only_for(origin: str, held: Taken | None) -> Secret:
    if held is None or held.origin != origin:
        return Secret(KeyState.NONE)
    return Secret(KeyState.READY, held.key.reveal())


def _shown(found: Found) -> Secret:
    return Secret(found.state, found.value.reveal() if found.value else "", found.name)
