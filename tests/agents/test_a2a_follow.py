"""The reconnect policy, one sentence a test, against a client that the test plays. No network, no time."""

import asyncio
from collections.abc import AsyncGenerator
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from lisa_island.agents._a2a_client import RefusedError
from lisa_island.agents._a2a_follow import IDLE_SECONDS, INTERRUPTED_SECONDS, POLL_SECONDS, Follower, Slots
from lisa_island.agents._a2a_task import LOST, READY, SIGN_IN, STALLED, DirectTask
from lisa_island.agents._a2a_wire import Frame, read_frame
from lisa_island.agents._http import CutError, NotSentError
from lisa_island.core.agent import Can, RequestKind, SessionKey, State
from lisa_island.core.events import Event, ReachChanged, StateChanged
from lisa_island.runtime.nursery import Nursery
from tests.fakes.clock import FakeClock, settle


def task(state: str, text: str = "", mid: str = "", **more: Any) -> Frame:
    ids = {"id": "t1", "contextId": "c1"}
    return read_frame({"kind": "task", **ids, "status": _status(state, text, mid), **more})


def update(state: str, text: str = "", mid: str = "") -> Frame:
    ids = {"taskId": "t1", "contextId": "c1"}
    return read_frame({"kind": "status-update", **ids, "status": _status(state, text, mid)})


def _status(state: str, text: str, mid: str) -> dict[str, Any]:
    status: dict[str, Any] = {"state": state}
    if text:
        parts = [{"kind": "text", "text": text}]
        status["message"] = {"kind": "message", "role": "agent", "messageId": mid or text, "parts": parts}
    return status


def artifact(text: str, artifact_id: str = "a", *, append: bool = False) -> Frame:
    made = {"artifactId": artifact_id, "name": artifact_id, "parts": [{"kind": "text", "text": text}]}
    return read_frame({"kind": "artifact-update", "taskId": "t1", "artifact": made, "append": append})


def fault(code: int, message: str = "no") -> Frame:
    return read_frame({"error": {"code": code, "message": message}})


class Server:
    """What the agent's server says, in order; the last answer to GetTask is repeated."""

    def __init__(self) -> None:
        self.gets: list[Frame | Exception] = []
        self.streams: list[list[Frame | Exception | None]] = []
        self.asked = 0
        self.attached = 0
        self.left = 0
        self.pushes: asyncio.Queue[Frame | Exception | None] = asyncio.Queue()

    async def get(self, task_id: str) -> Frame:
        assert task_id == "t1"
        self.asked += 1
        found = self.gets.pop(0) if len(self.gets) > 1 else self.gets[0]
        if isinstance(found, Exception):
            raise found
        return found

    def subscribe(self, task_id: str) -> AsyncGenerator[Frame, None]:
        assert task_id == "t1"
        self.attached += 1
        return self.play(self.streams.pop(0) if self.streams else [None])

    async def play(self, script: list[Frame | Exception | None]) -> AsyncGenerator[Frame, None]:
        """`None` in a script is silence: from there the test pushes."""
        try:
            for item in script:
                if item is None:
                    break
                if isinstance(item, Exception):
                    raise item
                yield item
            else:
                return
            while (pushed := await self.pushes.get()) is not None:
                if isinstance(pushed, Exception):
                    raise pushed
                yield pushed
        finally:
            self.left += 1


class Watched:
    """The task as the follower sees it, with every event that came of it."""

    def __init__(self, clock: FakeClock) -> None:
        self.task = DirectTask(SessionKey("a2a", "box/0a1b2c3d"), "box", "m1", clock.now(), task_id="t1")
        self.task.is_heard = True
        self.task.can_sign_in = True
        self.events: list[Event] = []
        self._clock = clock

    task_id = property(lambda self: self.task.task_id)
    news = property(lambda self: self.task.news)
    is_terminal = property(lambda self: self.task.terminal)
    is_waiting = property(lambda self: self.task.is_waiting)
    may_resume = property(lambda self: self.task.may_resume)

    def take(self, frame: Frame, signal: str) -> None:
        self.events += self.task.take(frame, self._clock.now(), signal)

    def stalled(self) -> None:
        self.events += self.task.stalled(self._clock.now())

    def lost(self) -> None:
        self.events += self.task.lost(self._clock.now())

    def denied(self, status: int) -> None:
        self.events += self.task.denied(self._clock.now(), status)

    def reach(self, reachable: bool) -> None:
        self.events += self.task.reach(self._clock.now(), reachable)

    @property
    def states(self) -> list[tuple[str, str]]:
        return [(str(e.state), e.reason) for e in self.events if isinstance(e, StateChanged)]


class Stage:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.nursery = Nursery(lambda name, error: self.failures.append(error))
        self.failures: list[BaseException] = []
        self.server = Server()
        self.watched = Watched(self.clock)
        self.slots = Slots(1)
        self.follower = self.made()
        self.is_over = False

    def made(self, *, streams: bool = True, jitter: float = 1.0) -> Follower:
        return Follower(
            self.server,
            self.watched,
            self.slots,
            self.clock,
            self.nursery.start,
            lambda: jitter,
            streams=streams,
        )

    async def follow(self) -> None:
        async def run() -> None:
            await self.follower.follow()
            self.is_over = True

        self.stop = self.nursery.start(run(), "follow")
        await settle()

    async def after(self, seconds: float) -> None:
        await self.clock.run(seconds)


@pytest_asyncio.fixture
async def stage() -> AsyncGenerator[Stage, None]:
    made = Stage()
    yield made
    await made.nursery.close()
    assert made.failures == []
    assert made.slots.take(), "a stream's place was not given back"


async def test_a_terminal_task_is_asked_for_once_more_and_then_left(stage: Stage) -> None:
    stage.server.gets = [task("completed", "Done")]
    await stage.follow()
    assert stage.is_over and stage.server.asked == 2 and stage.server.attached == 0
    assert stage.watched.states[-1] == ("done", "completed")


async def test_an_active_task_is_attached_to_and_followed_to_its_end(stage: Stage) -> None:
    stage.server.gets = [task("working"), task("completed", "Done")]
    stage.server.streams = [[update("working", "half"), update("completed", "Done")]]
    await stage.follow()
    await stage.after(1)
    assert stage.is_over and stage.server.attached == 1
    assert stage.watched.states[-1] == ("done", "completed")


async def test_a_stream_that_breaks_is_asked_after_and_opened_again_with_growing_pauses(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[CutError()] for _ in range(20)]
    await stage.follow()
    at: list[float] = []
    while len(at) < 9:
        before = stage.server.attached
        await stage.after(0.5)
        if stage.server.attached > before:
            at.append(stage.clock.monotonic())
    pauses = [round(b - a) for a, b in pairwise(at)]
    assert pauses == sorted(pauses) and pauses[0] <= 2 and pauses[-1] == 60
    assert stage.watched.task.reason == "working"


async def test_the_pauses_begin_anew_after_something_new(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[CutError()]] * 5 + [[artifact("one"), CutError()], [CutError()]]
    await stage.follow()
    while stage.server.attached < 6:
        await stage.after(0.5)
    await stage.after(1.5)
    assert stage.server.attached == 7


async def test_two_clean_ends_with_nothing_new_are_a_stall_and_then_it_is_polled(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[update("working")], [update("working")]]
    await stage.follow()
    await stage.after(4)
    assert stage.watched.states[-1] == ("working", STALLED)
    asked, attached = stage.server.asked, stage.server.attached
    await stage.after(POLL_SECONDS[-1] + 1)
    assert stage.server.asked > asked and stage.server.attached == attached == 2


async def test_a_stalled_task_that_goes_on_is_working_again(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[], []]
    await stage.follow()
    await stage.after(4)
    assert stage.watched.task.reason == STALLED
    stage.server.gets = [task("working", "Still at it"), task("completed", "There")]
    await stage.after(200)
    assert ("working", "working") in stage.watched.states
    assert stage.is_over and stage.watched.states[-1] == ("done", "completed")


@pytest.mark.parametrize("streams", [False, True])
async def test_polls_are_five_then_thirty_then_sixty_seconds_apart(stage: Stage, streams: bool) -> None:
    """Of an agent that does not stream, and of one whose streams have no place."""
    stage.follower = stage.made(streams=streams)
    assert stage.slots.take()
    stage.server.gets = [task("working")]
    await stage.follow()
    asked = []
    for _ in range(200):
        await stage.after(1)
        asked.append(stage.server.asked)
    steps = [i + 1 for i, (a, b) in enumerate(zip([1, *asked], asked, strict=False)) if b > a]
    gaps = [b - a for a, b in zip([0, *steps], steps, strict=False)]
    assert gaps == [5, 30, 60, 60]
    assert stage.server.attached == 0
    stage.slots.give()


@pytest.mark.parametrize(("jitter", "seconds"), [(0.0, 4.5), (0.5, 4.75), (1.0, 5.0)])
async def test_polls_of_one_moment_spread(stage: Stage, jitter: float, seconds: float) -> None:
    stage.follower = stage.made(streams=False, jitter=jitter)
    stage.server.gets = [task("working")]
    await stage.follow()
    await stage.after(seconds - 0.01)
    assert stage.server.asked == 1
    await stage.after(0.01)
    assert stage.server.asked == 2


async def test_no_place_for_a_stream_means_polling_without_calling_it_stalled(stage: Stage) -> None:
    assert stage.slots.take()
    stage.server.gets = [task("working")]
    await stage.follow()
    await stage.after(300)
    assert stage.server.attached == 0 and stage.server.asked > 4
    assert ("working", STALLED) not in stage.watched.states
    stage.slots.give()


async def test_what_waits_for_the_owner_is_polled_slowly_and_holds_no_stream(stage: Stage) -> None:
    stage.server.gets = [task("input-required", "Which?")]
    await stage.follow()
    await stage.after(INTERRUPTED_SECONDS * 3 + 1)
    assert stage.server.asked == 4 and stage.server.attached == 0
    assert stage.watched.task.request is not None and stage.watched.task.request.summary == "Which?"


async def test_a_question_ends_the_stream_that_brought_it(stage: Stage) -> None:
    stage.server.gets = [task("working"), task("input-required", "Which?")]
    stage.server.streams = [[update("input-required", "Which?"), None]]
    await stage.follow()
    await stage.after(1)
    assert stage.server.left == 1
    assert [r.summary for r in (stage.watched.task.request,) if r] == ["Which?"]


async def test_a_sign_in_may_be_done_elsewhere_and_its_stream_is_kept(stage: Stage) -> None:
    stage.server.gets = [task("working"), task("auth-required", "Sign in at https://a.example")]
    stage.server.streams = [[update("auth-required", "Sign in at https://a.example"), None]]
    await stage.follow()
    await stage.after(1)
    assert stage.server.left == 0 and stage.watched.task.request is not None
    assert stage.watched.task.request.kind is RequestKind.AUTH
    stage.server.gets = [task("completed", "In")]
    stage.server.pushes.put_nowait(update("completed", "In"))
    await settle()
    assert stage.is_over and stage.watched.states[-1] == ("done", "completed")


async def test_a_stream_that_goes_mute_after_a_cancel_is_left_at_once(stage: Stage) -> None:
    """As the SDK of 0.3 does: the answer to the cancel is the last word of the task, and the stream stays."""
    stage.server.gets = [task("working"), task("canceled")]
    stage.server.streams = [[None]]
    await stage.follow()
    await stage.after(1)
    assert stage.server.attached == 1 and not stage.is_over
    stage.watched.take(task("canceled"), "cancel")
    stage.follower.poke()
    await settle()
    assert stage.is_over and stage.server.left == 1


async def test_silence_asks_and_declares_nothing(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[update("working"), None]]
    await stage.follow()
    await stage.after(1)
    asked = stage.server.asked
    await stage.after(IDLE_SECONDS + 1)
    assert stage.server.asked == asked + 1 and stage.server.left == 0
    assert stage.watched.states[-1] == ("working", "working")


async def test_a_proxy_that_holds_the_stream_back_does_not_hide_the_end(stage: Stage) -> None:
    stage.server.gets = [task("working"), task("completed", "Done")]
    stage.server.streams = [[None]]
    await stage.follow()
    await stage.after(1)
    await stage.after(IDLE_SECONDS + 1)
    assert stage.is_over and stage.watched.states[-1] == ("done", "completed")


async def test_unknown_twice_is_lost_by_the_server_and_never_failed(stage: Stage) -> None:
    stage.server.gets = [task("working"), fault(-32001, "Task not found")]
    stage.server.streams = [[CutError()]]
    await stage.follow()
    assert stage.server.asked == 2 and stage.watched.states[-1][0] == "working"
    await stage.after(3)
    assert stage.is_over and stage.watched.states[-1] == ("unknown", LOST)
    assert Can.CANCEL not in stage.watched.task.capabilities()


async def test_unknown_once_is_not_lost(stage: Stage) -> None:
    stage.server.gets = [fault(-32001), task("working"), fault(-32001), task("working")]
    stage.server.streams = [[None]]
    stage.follower = stage.made(streams=False)
    await stage.follow()
    await stage.after(120)
    assert ("unknown", LOST) not in stage.watched.states


@pytest.mark.parametrize("status", [401, 403])
async def test_a_server_that_asks_who_we_are_waits_for_the_owner(stage: Stage, status: int) -> None:
    stage.server.gets = [RefusedError(status)]
    await stage.follow()
    await stage.after(3600)
    assert stage.server.asked == 1
    request = stage.watched.task.request
    assert request is not None and request.kind is RequestKind.AUTH
    assert stage.watched.states == [("waiting", SIGN_IN)]
    assert Can.SIGN_IN in stage.watched.task.capabilities()
    assert Can.ANSWER not in stage.watched.task.capabilities()
    stage.follower.poke()
    await settle()
    assert stage.server.asked == 2 and stage.watched.states == [("waiting", SIGN_IN)]
    stage.server.gets = [task("working")]
    stage.server.streams = [[None]]
    stage.follower.poke()
    await settle()
    assert stage.watched.task.request is None and stage.watched.states[-1] == ("working", "working")


async def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(stage: Stage) -> None:
    stage.server.gets = [RefusedError(429, 7.0), task("working")]
    stage.server.streams = [[None]]
    await stage.follow()
    await stage.after(6.5)
    assert stage.server.asked == 1
    await stage.after(1)
    assert stage.server.asked == 2


async def test_a_server_that_is_away_keeps_the_last_state_and_says_offline(stage: Stage) -> None:
    stage.server.gets = [task("working"), NotSentError()]
    stage.server.streams = [[CutError()]]
    await stage.follow()
    await stage.after(5)
    reached = [e.reachable for e in stage.watched.events if isinstance(e, ReachChanged)]
    assert reached == [False]
    assert stage.watched.task.state is State.WORKING
    stage.server.gets = [task("completed", "Done")]
    await stage.after(61)
    reached = [e.reachable for e in stage.watched.events if isinstance(e, ReachChanged)]
    assert reached == [False, True] and stage.watched.states[-1] == ("done", "completed")


async def test_a_server_without_reattaching_is_polled_and_not_called_stalled(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[fault(-32601, "Method not found")]] * 5
    await stage.follow()
    await stage.after(200)
    assert stage.server.attached == 1
    assert ("working", STALLED) not in stage.watched.states


async def test_an_error_in_the_stream_proves_nothing(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[update("working", "half"), fault(-32603, "boom")], [None]]
    await stage.follow()
    await stage.after(3)
    assert stage.watched.states[-1] == ("working", "working")
    assert not stage.watched.task.terminal


async def test_an_exception_of_the_agent_is_failed_once_get_task_says_so(stage: Stage) -> None:
    stage.server.gets = [task("working"), task("failed", "boom")]
    stage.server.streams = [[fault(-32603, "boom")]]
    await stage.follow()
    await stage.after(60)
    assert stage.is_over and stage.watched.states[-1] == ("error", "failed")


async def test_repeats_after_reattaching_make_one_request(stage: Stage) -> None:
    asked = task("input-required", "Which?", "q1")
    stage.server.gets = [task("working"), asked]
    stage.server.streams = [[asked, update("input-required", "Which?", "q1")]]
    await stage.follow()
    await stage.after(200)
    assert stage.watched.task.questions == 1
    assert stage.watched.states.count(("waiting", "input-required")) == 1


async def test_a_new_message_id_at_every_poll_is_no_new_question(stage: Stage) -> None:
    stage.server.gets = [task("input-required", "Which?", f"q{n}") for n in range(5)]
    await stage.follow()
    await stage.after(INTERRUPTED_SECONDS * 4 + 1)
    assert stage.watched.task.questions == 1


async def test_waiting_without_a_word_is_your_turn_and_needs_nobody(stage: Stage) -> None:
    stage.server.gets = [task("input-required")]
    await stage.follow()
    assert stage.watched.task.request is None
    assert stage.watched.states == [("waiting", READY)]
    assert Can.CONTINUE in stage.watched.task.capabilities()


async def test_a_question_in_an_artifact_is_shown(stage: Stage) -> None:
    stage.server.gets = [
        task(
            "TASK_STATE_INPUT_REQUIRED",
            artifacts=[
                {"artifactId": "i", "name": "Interrupt", "parts": [{"data": {"id": "1", "value": "Deploy?"}}]}
            ],
        )
    ]
    await stage.follow()
    assert stage.watched.task.request is not None
    assert stage.watched.task.request.summary == "Deploy?"


async def test_the_snapshot_in_the_end_wins_over_doubled_pieces(stage: Stage) -> None:
    stage.server.gets = [
        task("working"),
        task(
            "completed",
            artifacts=[{"artifactId": "a", "parts": [{"kind": "text", "text": "ab"}]}],
        ),
    ]
    stage.server.streams = [[artifact("ab"), artifact("b", append=True), update("completed")]]
    await stage.follow()
    await stage.after(1)
    assert stage.is_over
    assert stage.watched.task.output.reply() == "ab"


async def test_leaving_closes_the_stream(stage: Stage) -> None:
    stage.server.gets = [task("working")]
    stage.server.streams = [[update("working"), None]]
    await stage.follow()
    await stage.after(1)
    stage.stop()
    await settle()
    assert stage.server.left == 1 and stage.clock.pending == 0
