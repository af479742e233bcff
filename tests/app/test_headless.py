"""The lines without windows: what differs, once each, and a reader that is too slow."""

import json
import threading

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.app.headless import MOST_WAITING, Lines, changes
from lisa_island.core.agent import AgentSession, SessionKey, State
from lisa_island.core.roster import Roster

IDS = st.sampled_from([f"a/{n}" for n in range(6)])


def session(name, state, at, unread):
    return AgentSession(SessionKey("takoapi", name), "a", state, "r", at, unread=unread)


rosters = st.dictionaries(IDS, st.tuples(st.sampled_from(State), st.integers(0, 3), st.booleans())).map(
    lambda found: Roster(
        {s.key: s for s in (session(name, *values) for name, values in sorted(found.items()))}
    )
)


@given(st.lists(rosters, min_size=1, max_size=6))
def test_a_reader_of_the_lines_has_the_roster(seen):
    """Whoever adds and removes by the lines holds what `status` would have said."""
    held, before = {}, Roster()
    for roster in seen:
        for line in changes(before, roster):
            assert line["agent"] == "takoapi"
            if line["type"] == "agent_session_removed":
                del held[line["sessionId"]]
            else:
                assert held.get(line["sessionId"]) != line  # nothing is told twice
                held[line["sessionId"]] = line
        before = roster
        whole = {line["sessionId"]: line for line in changes(Roster(), roster)}
        assert held == whole
    assert changes(before, before) == []


async def test_a_reader_that_stopped_is_given_up_not_waited_for():
    stuck, lost, told = threading.Event(), [], []

    def tell(text):
        stuck.wait(30)
        told.append(text)

    lines = Lines(tell, lambda: lost.append(True))
    for number in range(MOST_WAITING + 5):
        lines.write({"n": number})
    assert lost == [True]
    stuck.set()
    await lines.close()


async def test_lines_come_in_order_and_before_the_end():
    told = []
    lines = Lines(told.append, lambda: None)
    for number in range(100):
        lines.write({"n": number})
    await lines.close()
    assert [json.loads(line)["n"] for line in told] == list(range(100))


async def test_a_reader_that_left_is_told_once():
    lost = []

    def tell(_text):
        raise BrokenPipeError

    lines = Lines(tell, lambda: lost.append(True))
    for number in range(10):
        lines.write({"n": number})
    await lines.close()
    assert lost == [True]
