"""Ten thousand events through every fault at once, on a virtual clock: the roster ends where the agent ended.

The agent knows the truth of each task; whatever it is asked, chance decides whether the answer arrives,
breaks, repeats, lies in its framing or is refused. When the faults end, every row must say what is so.
"""

import gc
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from lisa_island.core.agent import State
from lisa_island.core.intents import Answer, Result
from lisa_island.core.notices import About, Show, decide
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from tests.agents.direct_rig import WORDS, DirectRig, PlayedAgent, card
from tests.agents.rig import Sent, envelope, fault, sse
from tests.fakes.clock import settle

TASKS = 12
ENDS = ("COMPLETED", "FAILED", "CANCELED", "REJECTED")
TRUE = {
    "COMPLETED": (State.DONE, "completed"), "FAILED": (State.ERROR, "failed"),
    "CANCELED": (State.DONE, "canceled"), "REJECTED": (State.ERROR, "rejected"),
}  # fmt: skip


@dataclass
class Truth:
    """One task as its agent has it."""

    id: str
    plan: list[str]
    state: str = "SUBMITTED"
    asked: int = 0
    answered: int = 0
    artifacts: int = 0
    messages: list[str] = field(default_factory=list)

    def step(self) -> None:
        """Go on, unless it is over or waits for an answer."""
        if self.state in ENDS or (self.state == "INPUT_REQUIRED" and self.answered < self.asked):
            return
        self.state = self.plan.pop(0) if self.plan else self.state
        self.asked += self.state == "INPUT_REQUIRED"
        self.artifacts += self.state == "WORKING"

    @property
    def is_over(self) -> bool:
        return self.state in ENDS

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = {"state": f"TASK_STATE_{self.state}"}
        if self.state == "INPUT_REQUIRED":
            parts = [{"text": f"Question {self.asked} of {self.id}?"}]
            found["message"] = {"messageId": f"{self.id}-q{self.asked}", "role": "ROLE_AGENT", "parts": parts}
        return found

    def snapshot(self) -> dict[str, Any]:
        made = [{"artifactId": f"a{n}", "parts": [{"text": "x" * 50}]} for n in range(min(self.artifacts, 5))]
        return {"id": self.id, "contextId": f"c-{self.id}", "status": self.status(), "artifacts": made}

    def update(self) -> dict[str, Any]:
        return {"statusUpdate": {"taskId": self.id, "contextId": f"c-{self.id}", "status": self.status()}}


class ChaoticAgent(PlayedAgent):
    """Answers truly, if at all."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(card())
        self.chance = chance
        self.truths: dict[str, Truth] = {}
        self.is_chaotic = True
        self.events = 0
        self.messages: Counter[str] = Counter()

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if not request.content:
            return httpx.Response(200, json=self.card)
        body = json.loads(request.content)
        sent = Sent(request.method, request.url.path, {}, body, request.headers)
        word = WORDS[body["method"]]
        if word in ("send", "stream"):
            self.messages[body["params"]["message"]["messageId"]] += 1
        elif self.is_chaotic and (broken := self._broken(request)) is not None:
            return broken
        return self._true(word, sent)

    def _broken(self, request: httpx.Request) -> httpx.Response | None:
        match self.chance.randrange(12):
            case 0:
                raise httpx.ConnectError("refused", request=request)
            case 1:
                raise httpx.ReadError("reset", request=request)
            case 2:
                return httpx.Response(self.chance.choice((429, 503)), headers={"retry-after": "3"})
            case 3:
                return httpx.Response(self.chance.choice((500, 502, 504)), text="<html>oops</html>")
            case 4:
                return httpx.Response(200, text="<html>a login page</html>")
            case 5:
                return httpx.Response(200, json=fault(-32603, "internal"))
            case _:
                return None

    def _true(self, word: str, sent: Sent) -> httpx.Response:
        params = sent.body["params"]
        is_message = word in ("send", "stream")
        truth = self._message(params["message"]) if is_message else self.truths[params["id"]]
        self.events += 1
        if word == "get":
            truth.step()
            return httpx.Response(200, json=envelope(truth.snapshot()))
        if word == "send":
            return httpx.Response(200, json=envelope({"task": truth.snapshot()}))
        if word == "subscribe" and truth.is_over:
            return httpx.Response(200, json=fault(-32004, "terminal"))
        return httpx.Response(
            200, headers={"content-type": "text/event-stream"}, stream=Wild(self, truth, word == "stream")
        )

    def _message(self, message: dict[str, Any]) -> Truth:
        if known := message.get("taskId"):
            truth = self.truths[known]
            truth.answered += 1
            truth.step()
            return truth
        steps = [self.chance.choice(("WORKING", "WORKING", "INPUT_REQUIRED")) for _ in range(8)]
        truth = Truth(f"T{len(self.messages)}", [*steps, self.chance.choice(ENDS)])
        self.truths[truth.id] = truth
        return truth


class Wild(httpx.AsyncByteStream):
    """A stream of a task that repeats, garbles and breaks."""

    def __init__(self, agent: ChaoticAgent, truth: Truth, opening: bool) -> None:
        self._agent, self._truth, self._opening = agent, truth, opening

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chance, truth = self._agent.chance, self._truth
        # The answer to a message always arrives: what is unknown of it is another test's matter.
        yield sse({"task": truth.snapshot()} if chance.random() < 0.7 or self._opening else truth.update())
        for _ in range(chance.randrange(6)):
            truth.step()
            self._agent.events += 1
            frame = sse({"task": truth.snapshot()} if chance.random() < 0.2 else truth.update())
            if self._agent.is_chaotic:
                frame = self._wild(frame)
            for piece in (frame[: len(frame) // 2], frame[len(frame) // 2 :]):
                yield piece
            if truth.state == "INPUT_REQUIRED" or truth.is_over:
                break
        if self._agent.is_chaotic and chance.random() < 0.3:
            raise httpx.RemoteProtocolError("cut")

    def _wild(self, frame: bytes) -> bytes:
        match self._agent.chance.randrange(10):
            case 0:
                return frame + frame
            case 1:
                return b": ping\r\n\r\n" + frame.replace(b"\n", b"\r\n")
            case 2:
                return b"data: {broken\n\n" + frame
            case 3:
                return b"event: error\n" + sse(None).replace(b"data: ", b'data: {"x":1}\ndata: ') + frame
            case 4:
                return b"data: [DONE]\n\n" + frame
            case _:
                return frame


class Ears:
    """The notices that the owner would get."""

    def __init__(self, rig: DirectRig) -> None:
        self.shown: list[str] = []
        self._rig = rig
        rig.store.subscribe(self._look)

    def _look(self, old: Roster, new: Roster) -> None:
        for effect in decide(old, new, Preferences(), self._rig.clock.now(), "en"):
            if isinstance(effect, Show) and effect.about is About.NEED:
                self.shown.append(effect.note.note_id)


async def answer_all(rig: DirectRig) -> int:
    """Answer whatever waits; how many were sent."""
    count = 0
    for row in rig.rows:
        for request in row.requests:
            outcome = await rig.perform(Answer(row.key, request.request_id, "yes"))
            count += outcome.result is not Result.REFUSED
    return count


@pytest.mark.parametrize(
    ("seed", "events"),
    [(1, 1_000), (2, 1_000), pytest.param(3, 10_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)])],
)
async def test_chaos_ends_in_the_truth(seed: int, events: int) -> None:
    agent = ChaoticAgent(random.Random(seed))
    async with DirectRig(agent=agent) as rig:
        ears, sends, sizes = Ears(rig), 0, []
        while agent.events < events:
            open_rows = [r for r in rig.rows if r.task and not r.task.terminal]
            if len(open_rows) < TASKS:
                sends += (await rig.send("box", "go")).result is not Result.REFUSED
            sends += await answer_all(rig)
            await rig.clock.run(5)
            done = [r.key.session_id for r in rig.rows if r.task and r.task.terminal]
            if len(done) > 50:
                leave(rig, agent, done[:40])
                gc.collect()
                sizes.append(len(gc.get_objects()))
        agent.is_chaotic = False
        for _ in range(200):
            sends += await answer_all(rig)
            await rig.clock.run(61)
            if all(r.task.terminal for r in rig.rows if r.task):
                break
        await settle(200)
        assert_true(rig, agent)
        assert len(ears.shown) == len(set(ears.shown)), "a notice came twice"
        assert all(count == 1 for count in agent.messages.values()), "something was sent twice"
        assert sum(agent.messages.values()) == sends
        # Where it ran long enough to tell: as many objects in the end as half-way.
        assert len(sizes) < 8 or sizes[-1] < sizes[len(sizes) // 2] * 1.05


def leave(rig: DirectRig, agent: ChaoticAgent, session_ids: list[str]) -> None:
    """Rows leave by age; what the test itself holds of them goes too, so that what is left is ours."""
    rig.source.forget(session_ids)
    for key, session in tuple(rig.roster.sessions.items()):
        if key.session_id in session_ids:
            assert session.task is not None
            del agent.truths[session.task.task_id]
            del rig.tasks.rows[key.session_id]
            rig.forget(key)


def assert_true(rig: DirectRig, agent: ChaoticAgent) -> None:
    rows = [r for r in rig.rows if r.task]
    assert rows
    for row in rows:
        assert row.task is not None
        truth = agent.truths[row.task.task_id]
        assert (row.state, row.state_reason) == TRUE[truth.state], truth
        assert not row.requests and not row.followed
