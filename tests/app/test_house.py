"""The house: sources open once and follow their own settings."""

import asyncio
import sys
import types

from pydantic import BaseModel

from lisa_island.agents import AgentKind
from lisa_island.app.house import REMOTE
from lisa_island.core.agent import AgentSession, Health, Origin, SessionKey, State
from lisa_island.core.events import SessionOpened
from lisa_island.core.intents import ReadReply, Result, Send
from lisa_island.core.preferences import Pin
from tests.e2e.conftest import call, living, shown, until
from tests.sandbox.child import running, sandbox


async def test_switching_off_and_on_loses_no_reply_and_hides_the_pins(tmp_path):
    with running(sandbox()) as gateway:
        async with living(tmp_path, gateway.url) as house:
            await house.settings.change(pins=(Pin("tone-check"),))
            done = await call(house, "sheet-wizard")
            source = house._sources[REMOTE]
            await house.settings.change(takoapi_enabled=False)
            await until(house, lambda: house.store.roster.sources[REMOTE].health is Health.OFF)
            await until(house, lambda: [s.project for s in shown(house)] == ["sheet-wizard"])
            before = len(gateway.get("requests"))
            assert (await house.perform(Send(REMOTE, "tone-check", "x"))).result is Result.REFUSED
            assert len(gateway.get("requests")) == before
            await house.settings.change(takoapi_enabled=True)
            await until(house, lambda: len(shown(house)) == 2)
            assert house._sources[REMOTE] is source
            assert (await house.perform(ReadReply(done.key))).text


async def test_an_open_call_outlives_switching_off(tmp_path):
    with running(sandbox()) as gateway:
        async with living(tmp_path, gateway.url) as house:
            gateway.turn("hold", gate="step-by-step")
            sent = house.background(house.perform(Send(REMOTE, "step-by-step", "go")))
            await until(house, lambda: any(s.followed for s in shown(house)))
            await house.settings.change(takoapi_enabled=False)
            gateway.turn("open", gate="step-by-step", times=99)
            key = (await sent).key
            await until(house, lambda: house.store.roster.get(key).state is State.WAITING)


async def test_a_source_that_was_never_switched_on_is_never_opened(tmp_path):
    async with living(tmp_path, "https://gateway.example", on=False) as house:
        assert house._sources == {} and house.store.roster.sources[REMOTE].health is Health.OFF


async def test_asking_while_the_source_warms_up_waits_for_it(tmp_path):
    with running(sandbox()) as gateway:
        async with living(tmp_path, gateway.url, on=False) as house:
            await house.settings.change(takoapi_enabled=True)
            outcome = await house.perform(Send(REMOTE, "sheet-wizard", "at once"))
            assert outcome.result is Result.DONE


async def test_a_new_kind_is_its_file_and_one_line(tmp_path, monkeypatch):
    """I9: nothing else of the house has to know it; it is off until the owner switches it on."""
    key = SessionKey("newcomer", "a")

    class Newcomer:
        key = "newcomer"

        async def events(self):
            yield SessionOpened(AgentSession(key, "a", State.WORKING, origin=Origin.LOCAL), 1)
            await asyncio.Event().wait()

    module = types.ModuleType("lisa_island.agents.newcomer")
    module.Config = type("Config", (BaseModel,), {})
    module.open_source = lambda _config, _context: Newcomer()
    monkeypatch.setitem(sys.modules, module.__name__, module)
    kinds = (AgentKind("newcomer", "Newcomer", "square", "newcomer"),)
    async with living(tmp_path, "https://gateway.example", on=False, kinds=kinds) as house:
        assert shown(house) == ()
        await house.settings.change(agents_on=("newcomer",))
        await until(house, lambda: key in house.store.roster.sessions)
        await house.settings.change(agents_on=())
        await until(house, lambda: shown(house) == ())
