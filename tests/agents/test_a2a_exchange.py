"""One task's frames to events, without network or clock: output, echoes, ids; random frames break nothing."""

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._a2a_exchange import Exchange
from lisa_island.agents._a2a_output import MOST_KEPT, Output
from lisa_island.agents._a2a_wire import (
    MOST_ARTIFACTS,
    MOST_PARTS,
    ArtifactUpdate,
    Fault,
    Noise,
    Snapshot,
    read_frame,
)
from lisa_island.agents._replies import EACH
from lisa_island.core.agent import SessionKey, State
from lisa_island.core.events import SessionOpened
from lisa_island.core.roster import Roster, reduce
from tests.agents.contract import EVENTS, bounded_and_clean
from tests.agents.rig import artifact, envelope, fault, task, update


def exchange() -> Exchange:
    return Exchange(SessionKey("takoapi", "acme/1"), "acme", "m", 1000, last_at=1000)


def feed(subject: Exchange, *results) -> list:
    events = []
    for result in results:
        events += subject.take(read_frame(envelope(result)), 2000, "/stream")
    return events


# --- output ---


def test_pieces_are_joined_without_a_seam():
    subject = exchange()
    feed(subject, artifact("Hel"), artifact("lo", append=True), artifact("!", id="b"))
    assert subject.output.reply() == "Hello\n\n!"


def test_without_append_the_artifact_is_replaced():
    subject = exchange()
    feed(subject, artifact("draft"), artifact("final"))
    assert subject.output.reply() == "final"
    assert subject.output.activity().artifacts[0].size == 5


def test_an_append_to_an_unknown_artifact_makes_it():
    subject = exchange()
    feed(subject, artifact("late", append=True))
    assert subject.output.reply() == "late"


def test_a_snapshot_with_artifacts_wins_and_one_without_keeps_them():
    subject = exchange()
    made = [{"artifactId": "z", "name": "z", "parts": [{"text": "whole"}]}]
    feed(subject, artifact("piece"), artifact("piece", append=True))
    feed(subject, task("working"))
    assert subject.output.reply() == "piecepiece"
    feed(subject, task("completed", artifacts=made))
    assert subject.output.reply() == "whole"
    assert [a.name for a in subject.output.activity().artifacts] == ["z"]


def test_artifacts_without_an_id_do_not_run_together_in_a_snapshot():
    subject = exchange()
    feed(subject, task("completed", artifacts=[{"parts": [{"text": "a"}]}, {"parts": [{"text": "b"}]}]))
    assert subject.output.reply() == "a\n\nb"


def test_files_and_objects_are_weighed_as_far_as_they_are_here():
    parts = [
        {"kind": "file", "file": {"name": "c.png", "bytes": "iVBORw0KGgo="}},
        {"raw": "AAAA", "filename": "d.bin"},
        {"kind": "file", "file": {"uri": "https://files.example/1"}},
        {"kind": "data", "data": {"rows": 3}},
    ]
    subject = exchange()
    feed(
        subject, {"kind": "artifact-update", "taskId": "T1", "artifact": {"artifactId": "m", "parts": parts}}
    )
    (made,) = subject.output.activity().artifacts
    assert (made.name, made.size) == ("c.png", 8 + 3)


def test_what_memory_holds_is_bounded():
    output = Output()
    for number in range(MOST_KEPT + 50):
        output.add(ArtifactUpdate.model_validate(artifact("x" * 40_000, id=str(number))))
    assert len(output.reply().encode()) <= EACH + 2 * MOST_KEPT
    assert len(output.activity().artifacts) == 50
    output.say("y" * 5_000_000)
    output.release()
    assert output.reply() == "" and not output.has_text
    output.say("y" * 5_000_000)
    assert len(output.reply()) == EACH


def test_a_replaced_artifact_gives_its_memory_back():
    output = Output()
    for _ in range(10):
        output.add(ArtifactUpdate.model_validate(artifact("x" * 1_000_000)))
    assert output.reply() == "x" * 1_000_000


# --- states ---


def test_after_its_end_a_task_says_nothing_more():
    subject = exchange()
    feed(subject, task("working"), update("completed", "Done"))
    assert feed(subject, update("working", "zombie"), artifact("late")) == []
    assert (subject.state, subject.output.status_text) == (State.DONE, "Done")


def test_frames_of_another_task_are_not_ours_and_frames_without_an_id_are():
    subject = exchange()
    feed(subject, task("working"), update("failed", id="OTHER"))
    assert subject.state is State.WORKING
    feed(subject, {"kind": "status-update", "status": {"state": "completed"}})
    assert subject.state is State.DONE and subject.task_id == "T1"


def test_ids_that_would_have_to_be_cleaned_are_none():
    subject = exchange()
    for odd in ("a\x1b[0m", "a\u202eb", "x" * 257, {"no": 1}, True, " a"):
        feed(subject, {"kind": "task", "id": odd, "contextId": odd, "status": {"state": "working"}})
    assert (subject.task_id, subject.context_id) == ("", "")
    feed(subject, {"kind": "task", "id": 7, "contextId": "a:b", "status": {"state": "working"}})
    assert (subject.task_id, subject.context_id) == ("7", "a:b")


def test_a_reply_in_many_pieces_is_whole_and_the_pieces_of_a_frame_are_bounded():
    subject = exchange()
    many = [{"kind": "text", "text": f"{n} "} for n in range(1_500)]
    feed(subject, task("working", artifacts=[{"artifactId": "a", "parts": many}]))
    assert subject.output.reply() == "".join(f"{n} " for n in range(1_500))
    flood = [{"artifactId": str(n), "name": str(n), "parts": many} for n in range(500)]
    frame = read_frame(envelope(task("working", artifacts=flood)))
    assert len(frame.artifacts) == MOST_ARTIFACTS
    assert sum(len(a.parts) for a in frame.artifacts) == MOST_PARTS


# --- anything at all ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "kind",
                    "task",
                    "id",
                    "taskId",
                    "contextId",
                    "status",
                    "state",
                    "message",
                    "messageId",
                    "parts",
                    "text",
                    "artifact",
                    "artifacts",
                    "artifactId",
                    "append",
                    "result",
                    "error",
                    "code",
                    "statusUpdate",
                    "artifactUpdate",
                    "file",
                    "data",
                    "value",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)
KNOWN = st.sampled_from(
    [
        task("working"),
        task("input-required", "Q?"),
        task("rejected"),
        update("auth-required", "A"),
        update("completed", "Done"),
        update("odd word"),
        update("working", id="T2"),
        artifact("x"),
        artifact("y", append=True),
        {"role": "agent", "messageId": "m", "parts": [{"text": "hi"}]},
    ]
)


@given(JSON)
def test_every_json_is_some_frame(value):
    assert read_frame(value) is not None
    assert read_frame(envelope(value)) is not None


@given(
    st.lists(
        st.one_of(KNOWN.map(envelope), JSON.map(envelope), JSON, st.just(fault(-32603, "boom"))), max_size=12
    ),
    st.booleans(),
)
def test_any_stream_leaves_a_row_that_can_be_shown(payloads, clean_end):
    subject = exchange()
    opened = subject.opened(1000)
    roster = reduce(Roster(), opened)
    assert isinstance(opened, SessionOpened)
    for number, payload in enumerate(payloads):
        frame = read_frame(payload)
        events = subject.take(frame, 1000 + number, "/stream")
        if isinstance(frame, Noise):
            assert len(events) <= 1
        for event in events:
            assert type(event) in EVENTS
            roster = reduce(roster, event)
    for event in subject.ended(2000, clean_end=clean_end):
        roster = reduce(roster, event)
    (row,) = roster.sessions.values()
    assert bounded_and_clean(row)
    assert row.followed is False
    assert (row.state, row.state_reason, row.requests) == (subject.state, subject.reason, subject._requests())
    assert not (row.state is State.WORKING and row.state_reason == "sending")
    assert bool(row.requests) is (row.state is State.WAITING)


def test_a_fault_and_a_snapshot_are_told_apart():
    assert isinstance(read_frame(fault(-1)), Fault)
    assert isinstance(read_frame({"error": None, "result": task("working")}), Snapshot)
    assert read_frame({"error": {"code": "x", "message": 7}}) == Fault()
