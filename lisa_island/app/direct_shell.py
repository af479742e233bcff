"""The part of `ui.shell.Shell` that is about direct agents: credentials, card files, pi-a2a's list."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from lisa_island.app.direct import DirectAgents
from lisa_island.app.house import House
from lisa_island.core.adding import Importable
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import IslandError

KeyDone = Callable[[KeyState, str], None]


class DirectShell:
    """Answers come on the loop; a closed app answers nobody."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._direct = DirectAgents(house)

    def look_at_credential(self, name: str, done: KeyDone) -> None:
        """Where the credential of a direct agent is; never prompts."""
        self._credential(self._direct.look(name), done)

    def save_credential(
        self,
        name: str,
        value: str,
        done: KeyDone,
        *,
        auth: str = "bearer",
        header: str = "",
        source: str = "keyring",
    ) -> None:
        """Save for the origins of this agent, and let its tasks look again."""
        self._credential(self._direct.save(name, value, source, auth, header), done, changes=True)

    def drop_credential(self, name: str, done: KeyDone) -> None:
        """Forget it."""
        self._credential(self._direct.drop(name), done, changes=True)

    def unlock_credential(self, name: str, done: KeyDone) -> None:
        """The owner clicked: let the desktop ask."""
        self._credential(self._direct.unlock(name), done, changes=True)

    def read_card(self, path: str, done: Callable[[str, str], None]) -> None:
        """Read a card file that the owner chose."""

        async def work() -> None:
            text, word = "", ""
            try:
                text = await self._direct.read_card(Path(path))
            except IslandError as error:
                word = error.word
            done(text, word)

        self._start(work(), "card file")

    def pi_agents(self, done: Callable[[tuple[Importable, ...], str], None]) -> None:
        """Read pi-a2a's list."""

        async def work() -> None:
            found: tuple[Importable, ...] = ()
            word = ""
            try:
                found = await self._direct.from_pi()
            except IslandError as error:
                word = error.word
            done(found, word)

        self._start(work(), "pi agents")

    def take_pi_key(self, listed: str, name: str, done: KeyDone) -> None:
        """Copy pi's key for an agent that was added into the keyring."""
        self._credential(self._direct.take_pi_key(listed, name), done, changes=True)

    def _credential(
        self, work: Coroutine[Any, Any, tuple[KeyState, str]], done: KeyDone, changes: bool = False
    ) -> None:
        async def run() -> None:
            try:
                state, word = await work
            except IslandError as error:
                state, word = KeyState.NONE, error.word
            if changes:
                self._house.key_changed()
            done(state, word)

        self._start(run(), "credential")

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._house.nursery.start(work, name)
