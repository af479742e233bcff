"""The model tells exactly what it does: random events, and a list rebuilt from nothing but its signals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from PySide6.QtCore import QModelIndex, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QAbstractItemModelTester

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Freshness,
    Origin,
    RequestKind,
    SessionKey,
    State,
)
from lisa_island.core.events import (
    ActivityChanged,
    ClockTicked,
    PinsChanged,
    Seen,
    SessionRemoved,
    StateChanged,
)
from lisa_island.core.events import SessionOpened as Opened
from lisa_island.core.evidence import Fact
from lisa_island.core.roster import Roster, reduce
from lisa_island.core.rows import Row, listing
from lisa_island.ui.roster_model import HOLD_MS, ROW_ROLE, RosterModel

START = 1_750_000_000_000


class BrokenError(AssertionError):
    """The model's signals and its content disagree."""


class Shadow:
    """A list that knows the model by its signals alone, beside Qt's own tester."""

    def __init__(self, model: RosterModel) -> None:
        self.model = model
        self.rows: list[Row | None] = [self._read(i) for i in range(model.rowCount())]
        self.tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
        model.rowsInserted.connect(self._inserted)
        model.rowsRemoved.connect(self._removed)
        model.rowsMoved.connect(self._moved)
        model.dataChanged.connect(self._changed)
        model.modelReset.connect(self._reset)

    def _read(self, at: int) -> Row | None:
        return self.model.index(at, 0).data(ROW_ROLE)

    def _inserted(self, _: QModelIndex, first: int, last: int) -> None:
        self.rows[first:first] = [self._read(i) for i in range(first, last + 1)]

    def _removed(self, _: QModelIndex, first: int, last: int) -> None:
        del self.rows[first : last + 1]

    def _moved(self, _: QModelIndex, first: int, last: int, __: QModelIndex, to: int) -> None:
        block = self.rows[first : last + 1]
        del self.rows[first : last + 1]
        at = to - len(block) if to > first else to
        self.rows[at:at] = block

    def _changed(self, first: QModelIndex, last: QModelIndex, _: list[int]) -> None:
        for at in range(first.row(), last.row() + 1):
            self.rows[at] = self._read(at)

    def _reset(self) -> None:
        raise BrokenError("the whole list was reset")

    def check(self) -> None:
        there = [self._read(i) for i in range(self.model.rowCount())]
        if self.rows != there:
            raise BrokenError(f"{self.rows} is not {there}")


@contextmanager
def complaints() -> Iterator[list[str]]:
    """What QAbstractItemModelTester says of the model."""
    said: list[str] = []

    def hear(kind: QtMsgType, _: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg:
            said.append(message)

    before = qInstallMessageHandler(hear)
    try:
        yield said
    finally:
        qInstallMessageHandler(before)


KEYS = [SessionKey(agent, f"{name}/1") for agent in ("takoapi", "codex") for name in "abcd"]
SOME_KEY = st.sampled_from(KEYS)
REQUESTS = st.lists(st.sampled_from(["r1", "r2"]), max_size=2, unique=True)


class Machine(RuleBasedStateMachine):
    """Random events through the reducer, rows into the model, and the shadow beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.model = RosterModel()
        self.shadow = Shadow(self.model)
        self.roster = Roster()
        self.now = START
        self.unfolded = False
        self.query = ""

    def happen(self, event: object) -> None:
        self.now += 1000
        self.roster = reduce(self.roster, event)  # type: ignore[arg-type]
        self.show()

    def show(self) -> None:
        self.wanted = listing(self.roster, "en", self.now, unfolded=self.unfolded, query=self.query).rows
        self.model.show(self.wanted)

    @rule(key=SOME_KEY, state=st.sampled_from(State), origin=st.sampled_from(Origin), age=st.integers(0, 60))
    def open(self, key: SessionKey, state: State, origin: Origin, age: int) -> None:
        at = self.now - age * 60_000
        self.happen(Opened(AgentSession(key, key.session_id[0], state, last_activity=at, origin=origin), at))

    @rule(key=SOME_KEY, state=st.sampled_from(State), requests=REQUESTS, unread=st.booleans())
    def change(self, key: SessionKey, state: State, requests: list[str], unread: bool) -> None:
        blocked = tuple(Blocked(RequestKind.INPUT, f"{key}-{r}", self.now) for r in requests)
        fact = Fact("test", "test", at=self.now)
        self.happen(StateChanged(key, self.now, state, "", fact, blocked, unread=unread))

    @rule(key=SOME_KEY, updates=st.integers(0, 9))
    def work(self, key: SessionKey, updates: int) -> None:
        self.happen(ActivityChanged(key, self.now, Activity(updates)))

    @rule(key=SOME_KEY)
    def remove(self, key: SessionKey) -> None:
        self.happen(SessionRemoved(key, self.now))

    @rule(key=SOME_KEY)
    def see(self, key: SessionKey) -> None:
        self.happen(Seen(key))

    @rule(pins=st.lists(st.sampled_from("xyz"), max_size=3, unique=True))
    def pin(self, pins: list[str]) -> None:
        self.happen(PinsChanged("takoapi", tuple((p, "free") for p in pins)))

    @rule(minutes=st.sampled_from([1, 11, 31, 200]))
    def wait(self, minutes: int) -> None:
        self.now += minutes * 60_000
        self.happen(ClockTicked(self.now))

    @rule(unfolded=st.booleans(), query=st.sampled_from(["", "a", "codex"]))
    def look(self, unfolded: bool, query: str) -> None:
        self.unfolded, self.query = unfolded, query
        self.show()

    @rule(hold=st.booleans())
    def hold(self, hold: bool) -> None:
        self.model.hold_order(hold)

    @rule()
    def three_seconds(self) -> None:
        if self.model.is_holding:
            self.model.settle()

    @invariant()
    def signals_and_rows_agree(self) -> None:
        self.shadow.check()

    @invariant()
    def shows_what_was_wanted(self) -> None:
        shown, wanted = self.model.rows, getattr(self, "wanted", ())
        assert sorted(r.id for r in shown) == sorted(r.id for r in wanted)
        assert {r.id: r for r in shown} == {r.id: r for r in wanted}
        if not self.model.is_holding:
            assert shown == wanted

    def teardown(self) -> None:
        self.model.hold_order(False)
        self.model.deleteLater()


def test_signals_rebuild_the_list(qapp: object) -> None:
    chosen = settings(
        max_examples=60,
        stateful_step_count=30,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    with complaints() as said:
        run_state_machine_as_test(Machine, settings=chosen)
    assert said == []


def walk(model_type: type[RosterModel], steps: int = 400) -> None:
    """The same guard along one fixed way, so that a seeded fault is met in every run."""
    dice = Random(7)
    machine = Machine()
    machine.model = model_type()
    machine.shadow = Shadow(machine.model)
    try:
        for _ in range(steps):
            key = dice.choice(KEYS)
            match dice.randrange(6):
                case 0:
                    machine.open(key, dice.choice(list(State)), Origin.CALLED, dice.randrange(60))
                case 1:
                    asks = dice.choice([[], ["r1"], ["r1", "r2"]])
                    machine.change(key, dice.choice(list(State)), asks, dice.random() < 0.5)
                case 2:
                    machine.work(key, dice.randrange(9))
                case 3:
                    machine.remove(key)
                case 4:
                    machine.look(dice.random() < 0.5, dice.choice(["", "", "a", "codex"]))
                case 5:
                    machine.wait(dice.choice([1, 11, 31]))
            machine.shadow.check()
    finally:
        machine.teardown()


def test_the_way_itself_is_sound(qapp: object) -> None:
    with complaints() as said:
        walk(RosterModel)
    assert said == []


class WrongRange(RosterModel):
    """Says one row too few when it removes a run."""

    def _remove(self, first: int, last: int) -> None:
        self.beginRemoveRows(QModelIndex(), first, max(first, last - 1))
        del self._rows[first : last + 1]
        self.endRemoveRows()


class SilentInsert(RosterModel):
    """Adds a row and tells nobody."""

    def _insert(self, at: int, rows: list[Row]) -> None:
        self._rows[at:at] = rows


class SilentChange(RosterModel):
    """Changes a row and tells nobody."""

    def _change(self, at: int, row: Row) -> None:
        self._rows[at] = row


@pytest.mark.parametrize("fault", [WrongRange, SilentInsert, SilentChange])
def test_the_guard_sees_each_seeded_fault(qapp: object, fault: type[RosterModel]) -> None:
    with complaints(), pytest.raises(BrokenError):
        walk(fault)


def row(name: str, *, needs: bool = False, line: str = "") -> Row:
    return Row(name, title=name, line=line, needs=needs, name=f"{name}, read aloud")


@pytest.fixture
def model(qapp: object) -> Iterator[RosterModel]:
    model = RosterModel()
    yield model
    model.hold_order(False)


def ids(model: RosterModel) -> str:
    return "".join(r.id for r in model.rows)


def test_equal_rows_tell_nothing(model: RosterModel) -> None:
    model.show([row("a"), row("b")])
    told: list[object] = []
    for signal in (model.rowsInserted, model.rowsRemoved, model.rowsMoved, model.dataChanged):
        signal.connect(lambda *args: told.append(args))
    model.show([row("a"), row("b")])
    assert told == []
    model.show([row("a"), row("b", line="new")])
    assert [args[0].row() for args in told] == [1]


def test_many_new_rows_come_in_runs(model: RosterModel) -> None:
    shadow, steps = Shadow(model), []
    model.rowsInserted.connect(lambda _, first, last: steps.append((first, last)))
    model.show([Row(f"r{n}") for n in range(900)])
    model.show([Row(f"r{n}") for n in range(0, 900, 2)])
    assert steps == [(0, 899)]
    model.show([Row("new"), *(Row(f"r{n}") for n in range(0, 900, 2)), Row("a"), Row("b")])
    assert steps[1:] == [(0, 0), (451, 452)]
    shadow.check()


def test_order_holds_for_three_seconds_under_the_eye(model: RosterModel) -> None:
    model.show([row("a"), row("b"), row("c")])
    model.hold_order(True)
    model.show([row("c"), row("a", line="changed"), row("b")])
    assert ids(model) == "abc" and model.rows[0].line == "changed"
    assert model._later.isSingleShot() and model._later.interval() == HOLD_MS
    model._later.timeout.emit()
    assert ids(model) == "cab" and not model.is_holding


def test_the_three_seconds_do_not_begin_again(model: RosterModel) -> None:
    model.show([row("a"), row("b"), row("c")])
    model.hold_order(True)
    model.show([row("b"), row("a"), row("c")])
    started: list[object] = []
    model._later.timeout.connect(lambda: started.append(1))
    remaining = model._later.remainingTime()
    model.show([row("c"), row("a"), row("b")])
    assert model._later.remainingTime() <= remaining
    model.settle()
    assert ids(model) == "cab"


def test_a_row_that_begins_to_wait_moves_at_once(model: RosterModel) -> None:
    model.show([row("a"), row("b"), row("c")])
    model.hold_order(True)
    model.show([row("b"), row("a"), row("c")])
    model.show([row("c", needs=True), row("b"), row("a")])
    assert ids(model) == "cba" and not model.is_holding


def test_new_rows_and_gone_rows_do_not_wait(model: RosterModel) -> None:
    model.show([row("a"), row("b"), row("c")])
    model.hold_order(True)
    model.show([row("c"), row("d"), row("a")])
    assert ids(model) == "acd"
    model.settle()
    assert ids(model) == "cda"


def test_without_an_eye_no_timer(model: RosterModel) -> None:
    model.show([row("a"), row("b")])
    model.show([row("b"), row("a")])
    assert ids(model) == "ba" and not model.is_holding


def test_roles(model: RosterModel) -> None:
    model.show([row("a")])
    index = model.index(0, 0)
    assert index.data() == "a"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "a, read aloud"
    assert index.data(ROW_ROLE) == row("a")
    assert model.row(index) == row("a") and model.row(QModelIndex()) is None


def test_finding_a_session(model: RosterModel) -> None:
    key = SessionKey("codex", "1")
    model.show([row("a"), Row("k", key=key)])
    assert model.index_of(key).row() == 1
    assert not model.index_of(SessionKey("codex", "2")).isValid()


def test_stale_rows_stay_in_the_list(model: RosterModel) -> None:
    session = AgentSession(SessionKey("codex", "1"), "a", State.WORKING, freshness=Freshness.STALE)
    model.show(listing(Roster({session.key: session}), "en", START).rows)
    assert model.rows[0].grey
