"""One table for what is drawn."""

import pytest

from lisa_island.core.agent import AgentSession, Blocked, Freshness, RequestKind, SessionKey, State
from lisa_island.core.looks import Glyph, Urgency, look

ASKED = (Blocked(RequestKind.INPUT, "r", 0),)

TABLE = [
    (State.WORKING, "working", {}, Glyph.WORKING, Urgency.WORKING, False),
    (State.WORKING, "submitted", {}, Glyph.QUEUED, Urgency.QUEUED, False),
    (State.WORKING, "sending", {}, Glyph.QUEUED, Urgency.QUEUED, False),
    (State.WAITING, "input-required", {"requests": ASKED}, Glyph.WAITING, Urgency.BLOCKED, False),
    (State.WAITING, "end_turn", {}, Glyph.YOUR_TURN, Urgency.YOUR_TURN, False),
    (State.WAITING, "input-required", {}, Glyph.YOUR_TURN, Urgency.YOUR_TURN, False),
    (State.DONE, "completed", {"unread": True}, Glyph.DONE, Urgency.DONE, False),
    (State.DONE, "completed", {}, Glyph.IDLE, Urgency.IDLE, False),
    (State.DONE, "canceled", {"unread": True}, Glyph.IDLE, Urgency.IDLE, False),
    (State.ERROR, "failed", {"unread": True}, Glyph.ERROR, Urgency.ERROR, False),
    (State.ERROR, "failed", {}, Glyph.ERROR, Urgency.DONE, True),
    (State.UNKNOWN, "outcome-unknown", {}, Glyph.UNKNOWN, Urgency.NOT_REPORTING, False),
    (State.IDLE, "pinned", {}, Glyph.IDLE, Urgency.IDLE, False),
    (State.WORKING, "working", {"freshness": Freshness.STALE}, Glyph.WORKING, Urgency.NOT_REPORTING, True),
    (State.WORKING, "working", {"freshness": Freshness.OFFLINE}, Glyph.OFFLINE, Urgency.NOT_REPORTING, False),
    (State.DONE, "completed", {"freshness": Freshness.OFFLINE}, Glyph.IDLE, Urgency.IDLE, False),
    (
        State.WAITING, "input-required", {"requests": ASKED, "freshness": Freshness.OFFLINE},
        Glyph.WAITING, Urgency.BLOCKED, True,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("state", "reason", "more", "glyph", "urgency", "grey"), TABLE)
def test_what_is_drawn(state, reason, more, glyph, urgency, grey):
    session = AgentSession(SessionKey("a", "b"), "p", state, reason, 0, **more)
    found = look(session)
    assert (found.glyph, found.urgency, found.grey) == (glyph, urgency, grey)


def test_the_order_of_urgency_is_the_one_of_the_house():
    words = [u.name for u in sorted(Urgency)]
    assert words == [
        "BLOCKED", "ERROR", "WORKING", "QUEUED", "YOUR_TURN", "NOT_REPORTING", "DONE", "IDLE",
    ]  # fmt: skip
