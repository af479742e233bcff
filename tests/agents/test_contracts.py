"""The source contract, kind by kind."""

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from lisa_island import agents
from lisa_island.core.agent import AgentSession
from lisa_island.core.events import Event
from lisa_island.core.intents import Send
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.agents.claude_rig import ClaudeRig
from tests.agents.codex_rig import Codex, CodexRig
from tests.agents.contract import SourceContract, Tape
from tests.agents.direct_rig import ORIGIN, DirectRig
from tests.agents.kind_rig import KindPlayer
from tests.agents.rig import Feed, Rig, stream
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import KEY, FakeSecrets
from tests.fakes.tasks import FakeTasks


class Told(Store):
    """A store that keeps what it was told."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.told: list[Event] = []

    def dispatch(self, event: Event) -> None:
        self.told.append(event)
        super().dispatch(event)


class TakoApiPlayer(Rig):
    """Plays each step of a tape as the stream of one call."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape
        self._feeds: list[Feed] = []
        self.store = Told(self.clock)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)

    @property
    def told(self) -> list[Event]:
        return self.store.told

    @property
    def open_bodies(self) -> int:
        return sum(not feed.is_closed for feed in self._feeds)

    async def play(self) -> None:
        for step in self._tape["steps"]:
            self.gateway.plays("acme", lambda _sent, step=step: self._body(step))
            asked = self.begin(Send("takoapi", "acme", step["send"]))
            for _ in range(60):
                await settle(50)
                if asked.done() and (step.get("mute") or not any(r.followed for r in self.rows)):
                    break

    def _body(self, step: dict[str, Any]) -> httpx.Response:
        feed = Feed(*(chunk.encode("utf-8", "surrogatepass") for chunk in step["chunks"]))
        if step.get("cut"):
            feed.cut()
        elif not step.get("mute"):
            feed.end()
        self._feeds.append(feed)
        return stream(feed, step["status"])


class A2APlayer(DirectRig):
    """Plays each step of a tape as the stream of one call; GetTask says what the tape says."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(keys={ORIGIN: KEY}, auth="bearer")
        self._tape = tape
        self._feeds: list[Feed] = []
        self.store = Told(self.clock)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)

    @property
    def told(self) -> list[Event]:
        return self.store.told

    @property
    def open_bodies(self) -> int:
        return sum(not feed.is_closed for feed in self._feeds)

    async def play(self) -> None:
        for step in self._tape["steps"]:
            self.agent.plays("stream", lambda _sent, step=step: self._body(step))
            self.agent.plays("get", step.get("get") or {"error": {"code": -32001, "message": "no"}})
            asked = self.begin(Send("a2a", "box", step["send"]))
            for _ in range(60):
                await settle(50)
                if asked.done() and (step.get("mute") or not self.open_bodies):
                    break

    def _body(self, step: dict[str, Any]) -> httpx.Response:
        feed = Feed(*(chunk.encode("utf-8", "surrogatepass") for chunk in step["chunks"]))
        if step.get("cut"):
            feed.cut()
        elif not step.get("mute"):
            feed.end()
        self._feeds.append(feed)
        return stream(feed, step["status"])


class ScriptedPlayer:
    """Lets the tape's time pass."""

    open_bodies = 0

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._clock = FakeClock()
        self.nursery = Nursery()
        self._store = Told(self._clock)
        self._supervisor = Supervisor(self._store, self._clock, self.nursery)
        context = Context(FakeTasks(), FakeSecrets(), self._clock, lambda: "id", self.nursery.start)
        self.source = agents.kind("scripted").open({}, context)

    async def __aenter__(self) -> "ScriptedPlayer":
        self._supervisor.open(self.source)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._supervisor.shut()
        await self.nursery.close()
        self._store.close()

    async def play(self) -> None:
        await self._clock.run(self._tape["seconds"])

    @property
    def told(self) -> list[Event]:
        return self._store.told

    @property
    def rows(self) -> list[AgentSession]:
        return list(self._store.roster.sessions.values())


class ClaudePlayer:
    """Writes the tape's chunks into a home's transcript, below the record of a process that lives."""

    open_bodies = 0

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._place = tempfile.TemporaryDirectory()
        self._rig = ClaudeRig(Path(self._place.name))
        self.source, self.nursery, self.told = self._rig.source, self._rig.nursery, self._rig.told

    async def __aenter__(self) -> "ClaudePlayer":
        self._rig.register(os.getpid(), **self._tape["registry"])
        self._following = self._rig.following()
        await self._following.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._following.__aexit__(None, None, None)
        self._place.cleanup()

    async def play(self) -> None:
        for step in self._tape["steps"]:
            path = self._rig.write()
            for chunk in step["chunks"]:
                with path.open("ab") as file:
                    file.write(chunk.encode("utf-8", "surrogatepass"))
            await self._rig.passes(4)

    @property
    def rows(self) -> list[AgentSession]:
        return self._rig.rows


class CodexPlayer:
    """Appends the tape's chunks to the rollout of a thread whose lock a real process holds.

    That process began now, and a turn from before it would be one that a crash left open: so the tape plays
    in a year to come.
    """

    open_bodies = 0
    years = ('"2026-', '"2096-')
    later = 2_209_075_200_000

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._place = tempfile.TemporaryDirectory()
        self._rig = CodexRig(Path(self._place.name, "home"), tape["now"] + self.later)
        self.source, self.nursery, self.told = self._rig.source, self._rig.nursery, self._rig.told

    async def __aenter__(self) -> "CodexPlayer":
        self._codex = Codex(Path(self._place.name))
        self._codex.holds("lock", self._rig.lock(self._tape["thread"]))
        self._following = self._rig.following()
        await self._following.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._following.__aexit__(None, None, None)
        self._codex.close()
        self._place.cleanup()

    async def play(self) -> None:
        for step in self._tape["steps"]:
            path = self._rig.write(thread=self._tape["thread"])
            for chunk in step["chunks"]:
                with path.open("ab") as file:
                    file.write(chunk.replace(*self.years).encode("utf-8", "surrogatepass"))
            await self._rig.passes(self._tape.get("seconds", 4))

    @property
    def rows(self) -> list[AgentSession]:
        return self._rig.rows


class GitPlayer(KindPlayer):
    """A git folder whose log of actions grows, and a git that says what the real one said."""

    kind = "git"

    def prepare(self) -> dict[str, str]:
        self._git = self.home / "demo" / ".git"
        (self._git / "logs").mkdir(parents=True)
        (self._git / "HEAD").write_text(self.tape["head"])
        said = self.home / ".said"
        said.write_text(self.tape["status"])
        folder = self.home / ".bin"
        folder.mkdir()
        (folder / "git").write_text(f'#!/bin/sh\nexec /bin/cat "{said}"\n')
        (folder / "git").chmod(0o755)
        return {"PATH": str(folder)}

    def take(self, chunk: bytes) -> None:
        with (self._git / "logs" / "HEAD").open("ab") as log:
            log.write(chunk)


class ShellPlayer(KindPlayer):
    """A home with one history, which grows."""

    kind = "shell"

    def prepare(self) -> dict[str, str]:
        return {"PATH": str(self.home)}

    def take(self, chunk: bytes) -> None:
        path = self.home / str(self.tape["file"])
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as history:
            history.write(chunk)
        os.utime(path, (self.rig.clock.now() / 1000, self.rig.clock.now() / 1000))


class GenericPlayer(KindPlayer):
    """A host whose lines the door has decoded; what is no JSON came no further than there."""

    kind = "generic"

    def prepare(self) -> dict[str, str]:
        return {}

    async def __aenter__(self) -> KindPlayer:
        self.rig.settings = {"enabled": True, "reporters": ["host"]}
        return await super().__aenter__()

    def take(self, chunk: bytes) -> None:
        for line in chunk.splitlines():
            with contextlib.suppress(ValueError):
                self.source.report("host", [json.loads(line)])


class GithubPrPlayer(KindPlayer):
    """A gh that prints what the site answered, step by step; one answer came before."""

    kind = "github-pr"
    seconds = 95.0

    def prepare(self) -> dict[str, str]:
        self._said = self.home / "said"
        self._said.write_text(self.tape["before"])
        (self.home / "gh").write_text(f'#!/bin/sh\nexec /bin/cat "{self._said}"\n')
        (self.home / "gh").chmod(0o755)
        return {"PATH": str(self.home)}

    def begin(self) -> None:
        self._said.write_bytes(b"")

    def take(self, chunk: bytes) -> None:
        with self._said.open("ab") as said:
            said.write(chunk)


class LisaPlayer(KindPlayer):
    """A LISA whose list stays as it is and whose events are the tape's; she offers them once a step."""

    kind = "lisa"

    def prepare(self) -> dict[str, str]:
        self._feeds: list[Feed] = []
        self._chunks: list[bytes] = []
        return {"LISA_URL": "http://127.0.0.1:1", "LISA_WEB_TOKEN": KEY}

    def more(self) -> dict[str, Any]:
        return {"transport": httpx.MockTransport(self._answer)}

    @property
    def open_bodies(self) -> int:
        return sum(not feed.is_closed for feed in self._feeds)

    async def play(self) -> None:
        for step in self.tape["steps"]:
            self._chunks = [chunk.encode("utf-8", "surrogatepass") for chunk in step["chunks"]]
            self._is_cut, self._is_mute = bool(step.get("cut")), bool(step.get("mute"))
            await self.rig.passes(31)
            for _ in range(60):
                await settle(50)
            await self.rig.passes(2)

    def take(self, chunk: bytes) -> None:
        raise AssertionError("she is asked")

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/agents/sessions":
            return httpx.Response(200, json={"sessions": self.tape["sessions"]})
        if not self._chunks:
            return httpx.Response(404)
        feed = Feed(*self._chunks)
        self._chunks = []
        if self._is_cut:
            feed.cut()
        elif not self._is_mute:
            feed.end()
        self._feeds.append(feed)
        return stream(feed)


class TestTakoApi(SourceContract):
    kind = "takoapi"
    player = TakoApiPlayer


class TestA2A(SourceContract):
    kind = "a2a"
    player = A2APlayer


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel lists locks on Linux alone")
class TestCodex(SourceContract):
    kind = "codex"
    player = CodexPlayer


class TestClaudeCode(SourceContract):
    kind = "claude-code"
    player = ClaudePlayer


class TestGit(SourceContract):
    kind = "git"
    player = GitPlayer


class TestShell(SourceContract):
    kind = "shell"
    player = ShellPlayer


class TestGeneric(SourceContract):
    kind = "generic"
    player = GenericPlayer


class TestGithubPr(SourceContract):
    kind = "github-pr"
    player = GithubPrPlayer


class TestLisa(SourceContract):
    kind = "lisa"
    player = LisaPlayer


class TestScripted(SourceContract):
    kind = "scripted"
    player = ScriptedPlayer
