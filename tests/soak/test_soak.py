"""A day and more of use in a few minutes: memory stands still, and nothing outlives the island."""

import itertools

import pytest
from PySide6.QtCore import QObject, Signal

from lisa_island.core.agent import Activity, Blocked, RequestKind, SessionKey, State
from lisa_island.core.events import ActivityChanged, Event, StateChanged
from lisa_island.core.evidence import Fact
from tests.soak.whole import Whole, constants, resident, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

UPDATES = 86_400
SIGNALS = 2_000_000
OPENINGS = 10_000
# What the first part of each is for: caches fill, pools grow to their size.
WARM_UP = 0.2
DRIFT_MB = 2.0
# What the interpreter itself may take or give meanwhile: caches of calls, a frame more or less.
SLACK = 200
EVERY_STATE = 60


def lost(before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether None or True is referred to less often: at zero the interpreter aborts.

    WORKAROUND PySide6 6.11: each object of a Python subclass that is made leaves None one reference more,
    so where windows come and go only a loss is one.
    """
    return any(a < b - SLACK for b, a in zip(before, after, strict=True))


def update(n: int, key: SessionKey, at: int) -> Event:
    """Mostly proof of life; now and then it asks, is answered, ends, and begins anew."""
    fact = Fact("soak", "soak", at=at)
    match n % EVERY_STATE:
        case 0:
            asks = (Blocked(RequestKind.PERMISSION, f"{key.session_id}#{n}", at, "npm run build"),)
            return StateChanged(key, at, State.WAITING, "permission", fact, asks)
        case 10:
            return StateChanged(key, at, State.WORKING, "working", fact)
        case 20:
            return StateChanged(key, at, State.DONE, "completed", fact, unread=True, followed=False)
        case 30:
            return StateChanged(key, at, State.WORKING, "working", fact, followed=True)
        case _:
            return ActivityChanged(key, at, Activity(n, (), f"Reading part {n}"))


def test_a_day_of_updates(tmp_path):
    async def scenario(whole: Whole) -> None:
        keys = whole.open_rows()
        for n in range(UPDATES):
            if n == int(UPDATES * WARM_UP):
                await whole.told()
                before, counts = resident(), constants()
            whole.house.store.dispatch(update(n, keys[n // EVERY_STATE % len(keys)], whole.clock.now()))
            whole.clock.advance(1.0)
            if n % 20 == 0:
                await whole.breathe()
            if n % 2_000 == 0:
                await whole.told()
        await whole.told()
        assert resident() - before <= DRIFT_MB
        assert not lost(counts, constants())

    run(tmp_path, scenario)


class Bell(QObject):
    rang = Signal()
    set_to = Signal(bool)
    told = Signal(object)


def test_two_million_signals(tmp_path):
    async def scenario(whole: Whole) -> None:
        bell, heard = Bell(), itertools.count()
        for signal in (bell.rang, bell.set_to, bell.told):
            signal.connect(lambda *_: next(heard) and None)
        island = whole.face.island
        # Each round: three plain ones, and two of the island's own with all that hangs on them.
        rounds = SIGNALS // 5
        for n in range(rounds):
            if n == int(rounds * WARM_UP):
                before, counts = resident(), constants()
            bell.rang.emit()
            bell.set_to.emit(True)
            bell.told.emit(None)
            island.pill.entered.emit()
            island.pill.left.emit()
            if n % 5_000 == 0:
                await whole.breathe()
        assert next(heard) == 3 * rounds
        assert resident() - before <= DRIFT_MB
        assert not lost(counts, constants()) and not lost(constants(), counts)

    run(tmp_path, scenario)


def test_ten_thousand_openings_of_the_panel(tmp_path):
    async def scenario(whole: Whole) -> None:
        whole.open_rows()
        island = whole.face.island
        for n in range(OPENINGS):
            if n == int(OPENINGS * WARM_UP):
                before, counts = resident(), constants()
            island.show()
            await whole.breathe()
            assert island.panel.isVisible()
            island.toggle()
            await whole.breathe()
            assert not island.panel.isVisible()
        assert resident() - before <= DRIFT_MB
        assert not lost(counts, constants())

    run(tmp_path, scenario)
