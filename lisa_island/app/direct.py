"""Direct agents for whoever has windows or a terminal: credentials by origin, card files, pi-a2a's list.

A credential goes to the origins that the owner agreed to for that agent, and to no other. What is answered is
where it is now and a sentence, never the value.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lisa_island.app.house import House
from lisa_island.core.adding import CARD_LIMIT, Importable, is_auth
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import SecretError, StorageError
from lisa_island.core.origin import check_credential
from lisa_island.core.preferences import DirectAgent

if TYPE_CHECKING:
    from lisa_island.system.pi_agents import PiAgent

READ_SECONDS = 20.0

Kept = tuple[KeyState, str]


class DirectAgents:
    """Every method may raise SecretError or StorageError with its sentence."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def look(self, name: str) -> Kept:
        """Where the credential of an agent is; never prompts."""
        secrets = self._house.agent_secrets
        states = [(await secrets.get(origin)).state for origin in self._agent(name).origins]
        lacking = (s for s in states if s not in (KeyState.READY, KeyState.MEMORY))
        return next(lacking, states[0] if states else KeyState.NONE), ""

    async def save(self, name: str, value: str, source: str, auth: str, header: str) -> Kept:
        """Keep it in the keyring, or with source "run" until the island quits; `auth` says how it is sent."""
        secrets, agent = self._house.agent_secrets, self._agent(name)
        if not (auth and is_auth(auth, header)):
            raise SecretError("agent.bad-auth")
        if word := check_credential(value):
            raise SecretError(word)
        await self._send_as(name, auth, header)
        for origin in agent.origins:
            if source == "run":
                secrets.remember(origin, value)
                continue
            state = await secrets.put(origin, value)
            if state is not KeyState.READY:
                return state, f"secrets.state.{state}"
        return (KeyState.MEMORY if source == "run" else KeyState.READY), ""

    async def drop(self, name: str) -> Kept:
        """Forget it, here and in the keyring."""
        for origin in self._agent(name).origins:
            await self._house.agent_secrets.drop(origin)
        return KeyState.NONE, ""

    async def unlock(self, name: str) -> Kept:
        """The owner clicked: let the desktop ask for the keyring's password."""
        for origin in self._agent(name).origins[:1]:
            await self._house.agent_secrets.unlock(origin)
        return await self.look(name)

    async def read_card(self, path: Path) -> str:
        """The text of a file that the owner chose, as a card may be long."""
        from lisa_island.system import card_file

        worker = self._house.worker
        try:
            return await worker.run(card_file.read, path, CARD_LIMIT, limit=READ_SECONDS, name="card")
        except TimeoutError:
            raise StorageError("agent.file-unreadable", file=path.name) from None

    def pi_file(self) -> str:
        """Where pi's settings are."""
        from lisa_island.system import pi_agents

        return str(pi_agents.path_of(self._house.plan.environ))

    async def from_pi(self) -> tuple[Importable, ...]:
        """The agents of pi-a2a's list, as a choice; the file is read now and never written."""
        return tuple(agent.shown for agent in await self._pi())

    async def take_pi_key(self, listed: str, name: str) -> Kept:
        """Copy the key that pi keeps for `listed` into the keyring, for the origin it stands beside alone.

        It is sent as pi sends it: as a bearer token.
        """
        house, agent = self._house, self._agent(name)
        one = next((a for a in await self._pi() if a.shown.name.casefold() == listed.casefold()), None)
        if one is None or not one.shown.has_key:
            raise SecretError("pi.no-key", name=listed)
        if one.origin not in agent.origins:
            raise SecretError("pi.other-origin", name=name, origin=one.origin)
        await self._send_as(name, "bearer", "")
        state = await house.agent_secrets.put(one.origin, one.key.reveal())
        return state, "" if state is KeyState.READY else f"secrets.state.{state}"

    async def _send_as(self, name: str, auth: str, header: str) -> None:
        agents = self._house.preferences.direct_agents
        changed = tuple(replace(a, auth=auth, header=header) if a.name == name else a for a in agents)
        if changed != agents:
            await self._house.settings.change(direct_agents=changed)

    async def _pi(self) -> "tuple[PiAgent, ...]":
        from lisa_island.system import pi_agents

        worker, path = self._house.worker, pi_agents.path_of(self._house.plan.environ)
        try:
            return await worker.run(pi_agents.read, path, limit=READ_SECONDS, name="pi")
        except TimeoutError:
            raise StorageError("pi.unreadable", file=str(path)) from None

    def _agent(self, name: str) -> DirectAgent:
        found = next((a for a in self._house.preferences.direct_agents if a.name == name), None)
        if found is None:
            raise SecretError("outcome.no-such-agent.short", name=name)
        return found
