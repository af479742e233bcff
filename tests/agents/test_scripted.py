"""The scripted desk: two local agents beside the remote ones, moved by the clock alone."""

from lisa_island import agents
from lisa_island.agents.scripted import CLAUDE, CODEX, SCRIPT
from lisa_island.core.agent import Origin, RequestKind, State
from lisa_island.core.intents import Answer, Result
from lisa_island.core.pill import pill_view
from lisa_island.core.ports import Context
from lisa_island.core.preferences import Preferences
from lisa_island.core.summary import needs, summarize
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks


async def test_two_sessions_work_ask_and_finish_by_the_clock():
    clock, nursery = FakeClock(), Nursery()
    store, tasks = Store(clock), FakeTasks()
    supervisor = Supervisor(store, clock, nursery)
    source = agents.kind("scripted").open(
        {}, Context(tasks, FakeSecrets(), clock, lambda: "id", nursery.start)
    )
    supervisor.open(source)
    await settle()
    assert set(store.roster.sessions) == {CLAUDE, CODEX}
    assert {s.origin for s in store.roster.sessions.values()} == {Origin.LOCAL}
    assert pill_view(summarize(store.roster), Preferences(), "en").text == "2 working", (
        "nothing is being sent"
    )
    await clock.run(17)
    (need,) = needs(store.roster)
    assert (need.session.key, need.request.kind) == (CODEX, RequestKind.PERMISSION)
    assert not need.session.capabilities
    answered = await source.perform(Answer(CODEX, need.request.request_id, "yes"))
    assert (answered.result, answered.word) == (Result.REFUSED, "outcome.observe-only")
    await clock.run(sum(step.wait for step in SCRIPT))
    assert not needs(store.roster)
    assert store.roster.get(CODEX).state is State.DONE
    assert store.roster.get(CLAUDE).activity.updates == sum(s.key == CLAUDE for s in SCRIPT)
    assert clock.pending == 0 and not tasks.log
    supervisor.shut()
    await nursery.close()
    store.close()
