"""Notices on their way out, and what quiet does to them: one gate for everything that announces."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from lisa_island.app.notices import Notices
from lisa_island.app.quiet import QuietWatch
from lisa_island.core import notices
from lisa_island.core.agent import State
from lisa_island.core.events import SessionOpened, SessionRemoved
from lisa_island.core.notices import BURST_MS, HOLD_MS, Effect, Note, Show
from lisa_island.core.quiet import Why
from tests.fakes.clock import START, settle
from tests.fakes.house import FakeHouse
from tests.fakes.notifier import FakeNotifier
from tests.fakes.sessions import asking, key, remote


class Rig:
    """Store, clock and server of the test around real notices."""

    def __init__(self, server: bool, **preferences: Any) -> None:
        house: Any = FakeHouse(**preferences)
        self.clock, self.settings = house.clock, house.settings
        self.store, self.nursery = house.store, house.nursery
        self.quiet = QuietWatch(house)
        self.server = FakeNotifier(server)
        self.toasts: list[Note] = []
        self.attended = False
        self.notices = Notices(
            house, self.quiet, self.server, self.toasts.append, self._untoast, lambda *_: None,
            lambda: self.attended,
        )  # fmt: skip

    def _untoast(self, note_id: str) -> None:
        self.toasts[:] = [n for n in self.toasts if n.note_id != note_id]

    async def put(self, *sessions: Any) -> None:
        """As a source tells them; then the time passes in which a need may vanish again."""
        for session in sessions:
            if self.store.roster.get(session.key) is not None:
                self.store.dispatch(SessionRemoved(session.key, self.clock.now()))
            self.store.dispatch(SessionOpened(session, self.clock.now()))
        await self.clock.run(HOLD_MS / 1000 + 0.2)

    async def need(self, *slugs: str) -> None:
        await self.put(*(asking(slug, now=self.clock.now(), minutes=0) for slug in slugs))

    @property
    def told(self) -> list[str]:
        return [n.title for n in self.server.history]

    @property
    def toasted(self) -> list[str]:
        return [n.title for n in self.toasts]


@pytest.fixture
async def rig() -> AsyncIterator[Any]:
    made: list[Rig] = []

    def make(server: bool = True, **preferences: Any) -> Rig:
        made.append(Rig(server, **preferences))
        return made[-1]

    yield make
    for one in made:
        one.notices.close()
        one.quiet.close()
        await one.nursery.close()


REASONS = {"presenting": {"presenting": True}, "muted": {"muted_until": START + 3_600_000}}
ALL_DAY = {"quiet_hours": True, "quiet_from": "00:00", "quiet_to": "23:59"}


@pytest.mark.parametrize("reason", [*REASONS.values(), ALL_DAY], ids=[*REASONS, "hours"])
async def test_no_reason_lets_anything_through_and_its_end_tells_once(rig, reason) -> None:
    r = rig(**reason)
    await r.need("a", "b", "c", "d", "e")
    await r.put(remote("f", state=State.ERROR, unread=True, last_activity=r.clock.now()))
    assert r.told == r.toasted == [] and len(r.store.roster.sessions) == 6, "the queue is true"
    r.settings.edit(presenting=False, muted_until=0, quiet_hours=False)
    await settle()
    assert r.told == ["5 agents need you"]
    await r.clock.run(BURST_MS / 1000 + 1)
    await r.need("g")
    assert r.told[1:] == ["g needs input"]


async def test_what_a_wrong_clock_held_is_told_when_the_clock_is_right_again(rig) -> None:
    r = rig(quiet_hours=True, quiet_from="02:00", quiet_to="03:00")
    hour = datetime.fromtimestamp(r.clock.now() / 1000).hour  # noqa: DTZ006 (the wall's)
    r.clock.jump((26 - hour) * 3_600_000 % 86_400_000)
    await r.need("a")
    assert r.told == []
    r.clock.jump(-2 * 3_600_000)
    await r.clock.run(3600)
    assert r.told == ["a needs input"]


async def test_quiet_hours_that_follow_a_mute_stay_quiet(rig) -> None:
    r = rig(muted_until=START + 60_000, **ALL_DAY)
    await r.need("a")
    await r.clock.run(120)
    assert r.quiet.now().why is Why.HOURS and r.told == []


async def test_one_that_still_waits_is_told_as_itself_and_can_be_answered(rig) -> None:
    r = rig(**ALL_DAY)
    await r.need("a", "b")
    r.store.dispatch(SessionRemoved(key("b"), r.clock.now()))
    r.settings.edit(quiet_hours=False)
    await settle()
    [note] = r.server.history
    assert note.title == "a needs input" and note.buttons[0][0] == "reply"
    assert r.store.roster.get(key("a")).notified == note.request_id


@pytest.mark.parametrize("how", ["opened the panel", "is in it"])
async def test_who_has_looked_is_not_told(rig, how) -> None:
    r = rig(**ALL_DAY)
    await r.need("a")
    if how == "is in it":
        r.attended = True
    else:
        r.notices.seen()
    r.settings.edit(quiet_hours=False)
    await settle()
    assert r.told == r.toasted == []


async def test_the_desktops_own_quiet_leaves_the_holding_to_its_server(rig) -> None:
    r = rig()
    r.quiet.told(True)
    await r.need("a")
    assert r.told == ["a needs input"] and r.toasted == []
    r.quiet.told(False)
    await settle()
    assert r.told == ["a needs input"], "and it is not told twice"


async def test_our_own_notice_waits_for_the_end_of_the_desktops_quiet(rig) -> None:
    r = rig(server=False)
    r.quiet.told(True)
    await r.need("a", "b", "c")
    assert r.toasted == []
    r.quiet.told(False)
    await settle()
    assert r.toasted == ["3 agents need you"]


async def test_a_desktop_that_cannot_tell_is_not_quiet(rig) -> None:
    r = rig(server=False)
    r.quiet.told(None)
    await r.need("a")
    assert r.toasted == ["a needs input"]


@pytest.mark.parametrize("server", [True, False])
async def test_what_is_urgent_passes_every_gate_once(rig, server, monkeypatch) -> None:
    def decide(*asked: Any) -> tuple[Effect, ...]:
        return tuple(
            replace(e, note=replace(e.note, urgent=True)) if isinstance(e, Show) else e
            for e in notices.decide(*asked)
        )

    monkeypatch.setattr("lisa_island.app.notices.decide", decide)
    r = rig(server, **ALL_DAY)
    r.quiet.told(True)
    await r.need("a")
    shown = r.told if server else r.toasted
    assert shown == ["a needs input"]
    r.settings.edit(quiet_hours=False)
    r.quiet.told(False)
    await settle()
    assert (r.told if server else r.toasted) == ["a needs input"]


async def test_a_test_is_shown_in_quiet_too_and_says_what_the_desktop_does(rig) -> None:
    r = rig(**ALL_DAY)
    assert await r.notices.send(Note("test", "A notice")) == "notices.by-desktop"
    r.quiet.told(True)
    assert await r.notices.send(Note("test", "A notice")) == "notices.by-desktop-held"
    assert r.told == ["A notice", "A notice"]


# --- what users of other islands complain about ---


async def test_forty_needs_at_once_are_one_notice(rig) -> None:
    r = rig()
    await r.need(*(f"agent-{n}" for n in range(40)))
    assert [n.title for n in r.server.open.values()] == ["40 agents need you"]
    assert len(r.told) <= 2, "the first may have gone out before the last was heard of"


async def test_what_is_allowed_by_itself_at_once_never_pops_up(rig) -> None:
    """An agent that passes every tool without asking must not make a notice for each of them."""
    r = rig()
    for n in range(20):
        now = r.clock.now()
        r.store.dispatch(SessionOpened(asking("a", now=now, minutes=0, n=n), now))
        await r.clock.run(0.1)
        r.store.dispatch(SessionRemoved(key("a"), r.clock.now()))
        await r.clock.run(0.1)
    await r.clock.run(5)
    assert r.told == [] and r.toasted == []


async def test_the_one_gate_shuts_server_and_own_notices_alike(rig) -> None:
    """Muted means every channel."""
    for server in (True, False):
        r = rig(server, muted_until=START + 3_600_000)
        await r.need("a")
        assert r.told == r.toasted == []


async def test_working_and_the_end_of_a_turn_are_no_notice(rig) -> None:
    r = rig()
    for state in (State.WORKING, State.WAITING, State.IDLE, State.DONE):
        await r.put(remote("a", state=state, unread=True, last_activity=r.clock.now()))
    assert r.told == []
