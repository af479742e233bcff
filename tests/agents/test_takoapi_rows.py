"""Rows that were here before: restored ones, LISA's, pins; and what the owner does with rows."""

import pytest

from lisa_island.agents._takoapi_lisa import LISA_ROWS
from lisa_island.core.agent import (
    Blocked,
    Can,
    Freshness,
    Health,
    KeyState,
    Origin,
    Reply,
    RequestKind,
    State,
)
from lisa_island.core.intents import (
    Answer,
    CheckKey,
    Describe,
    Discover,
    ReadReply,
    Rename,
    Result,
    SendAgain,
    StopFollowing,
)
from lisa_island.core.ports import LisaRow, TaskRow
from tests.agents.rig import Feed, PlayedGateway, Rig, artifact, envelope, sse, streamed, task
from tests.fakes.clock import START, settle
from tests.fakes.secrets import KEY

HOUR = 3_600_000


def stored(session_id="acme/11111111", *, ago=60_000, **more) -> TaskRow:
    fields = {
        "target": session_id.partition("/")[0],
        "message_id": "11111111-0000-4000-8000-000000000000",
        "started_at": START - ago - 1000,
        "updated_at": START - ago,
        "state": "working",
        "reason": "working",
        "task_state": "working",
        "task_id": "T1",
        "context_id": "C1",
    }
    return TaskRow(session_id, **(fields | more))


QUESTION = Blocked(RequestKind.INPUT, "acme/11111111#3", START - 60_000, "Which colour?")


# --- restored ---


@pytest.mark.parametrize(
    ("state", "reason"),
    [("working", "sending"), ("working", "submitted"), ("working", "working"), ("waiting", "")],
)
async def test_what_was_not_finished_is_not_heard_since_restart(state, reason):
    async with Rig(stored(state=state, reason=reason, label="Mine", price="free")) as rig:
        assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, "not-heard-since-restart")
        assert (rig.row.label, rig.row.price, rig.row.followed) == ("Mine", "free", False)
        assert rig.row.last_activity == START - 60_000
        assert Can.SEND_AGAIN not in rig.row.capabilities
        assert not rig.gateway.sent


async def test_what_waited_still_waits_with_its_question_and_can_be_answered():
    async with Rig(stored(state="waiting", reason="input-required", question=QUESTION, calls=3)) as rig:
        assert rig.row.state is State.WAITING
        assert rig.row.requests == (QUESTION,)
        again = envelope(task("input-required", "And how?"))
        rig.gateway.plays("acme", again, envelope(task("completed")))
        await rig.perform(Answer(rig.row.key, QUESTION.request_id, "blue"))
        (request,) = rig.row.requests
        assert request.request_id == "acme/11111111#4"
        assert rig.gateway.calls()[0].body["taskId"] == "T1"
        await rig.perform(Answer(rig.row.key, request.request_id, "fast"))
        assert rig.row.state is State.DONE


@pytest.mark.parametrize("had_reply", [True, False])
async def test_a_reply_that_was_in_memory_is_lost(had_reply):
    row = stored(state="done", reason="completed", task_state="completed", terminal=True, had_reply=had_reply)
    async with Rig(row) as rig:
        assert rig.row.state is State.DONE
        assert rig.row.reply is (Reply.LOST if had_reply else Reply.NONE)
        assert (await rig.perform(ReadReply(rig.row.key))).word == "outcome.no-reply"


@pytest.mark.parametrize("reason", ["outcome-unknown", "not-heard-since-restart"])
async def test_what_was_unknown_stays_unknown_and_its_text_is_gone(reason):
    async with Rig(stored(state="unknown", reason=reason)) as rig:
        assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, reason)
        assert (await rig.perform(SendAgain(rig.row.key))).word == "outcome.text-gone"


async def test_old_rows_stay_on_the_disk_and_out_of_the_roster():
    rows = (
        stored("old/1", ago=3 * HOUR + 1),
        stored("edge/1", ago=3 * HOUR),
        stored("asks/1", ago=20 * HOUR, state="waiting", question=QUESTION),
        stored("failed/1", ago=20 * HOUR, state="error", unread=True, terminal=True),
    )
    async with Rig(*rows) as rig:
        assert {row.project for row in rig.rows} == {"edge", "asks", "failed"}


async def test_a_row_of_a_later_version_or_a_future_clock_is_no_trouble():
    odd = stored(state="pondering", ago=-50_000, question=None)
    async with Rig(odd) as rig:
        assert rig.row.state is State.UNKNOWN


@pytest.mark.parametrize("number", ["", "#", "#x", "#²", "#99999999999"])
async def test_a_request_id_of_another_making_is_no_trouble(number):
    question = Blocked(RequestKind.INPUT, f"acme/1{number}", START, "?")
    async with Rig(stored(state="waiting", question=question)) as rig:
        assert rig.row.requests == (question,)


async def test_a_clock_that_was_set_back_hides_nothing():
    async with Rig() as rig:
        feed = Feed(sse(task("working")))
        rig.gateway.plays("acme", feed)
        await rig.send()
        rig.clock.jump(-HOUR)
        feed.frame(task("completed", "Done"))
        feed.end()
        await settle()
        assert rig.row.state is State.DONE


# --- LISA's rows ---


def lisa(slug="sum", state="working", *, ago=1000, task_id="L1") -> LisaRow:
    return LisaRow(slug, task_id, START - ago - 5000, START - ago, state)


async def test_lisas_rows_come_and_change_and_go():
    async with Rig() as rig:
        rig.tasks.lisa(lisa(), lisa("tidy", "completed"))
        await settle()
        assert [(r.key.session_id, r.state, r.origin) for r in rig.rows] == [
            ("sum", State.WORKING, Origin.LISA),
            ("tidy", State.DONE, Origin.LISA),
        ]
        assert not any(r.capabilities for r in rig.rows)
        rig.tasks.lisa(lisa("sum", "failed", ago=0), lisa("tidy", "completed"))
        await settle()
        (row,) = [r for r in rig.rows if r.project == "sum"]
        assert (row.state, row.unread, row.task.task_id) == (State.ERROR, True, "L1")
        rig.tasks.lisa(lisa("tidy", "completed"))
        await settle()
        assert [r.project for r in rig.rows] == ["tidy"]
        assert not rig.gateway.sent


async def test_what_lisa_had_finished_before_is_not_news():
    rig = Rig()
    rig.tasks.lisa(lisa("sum", "completed"))
    async with rig:
        assert not rig.row.unread


async def test_what_lisa_finished_while_we_were_off_is_history():
    async with Rig(settings={"enabled": False}) as rig:
        rig.tasks.lisa(lisa("sum", "completed"))
        await settle()
        rig.set(enabled=True)
        await settle()
        assert rig.row.state is State.DONE and not rig.row.unread
        rig.tasks.lisa(lisa("sum", "completed"), lisa("more", "completed"))
        await settle()
        assert {r.project: r.unread for r in rig.rows} == {"sum": False, "more": True}


async def test_lisas_old_rows_are_not_shown_and_a_silent_one_is_stale():
    async with Rig() as rig:
        rig.tasks.lisa(lisa("old", ago=3 * HOUR + 1), lisa("quiet", ago=HOUR), lisa("fresh"))
        await settle()
        assert {r.project: r.freshness for r in rig.rows} == {
            "quiet": Freshness.STALE,
            "fresh": Freshness.LIVE,
        }


@pytest.mark.parametrize("slug", ["", "A", "../x", "a b", "a/b", "x" * 200, "a\x1b[0m"])
async def test_a_foreign_name_that_is_no_slug_is_left_out(slug):
    async with Rig() as rig:
        rig.tasks.lisa(lisa(slug), lisa("fine"))
        await settle()
        assert [r.project for r in rig.rows] == ["fine"]


async def test_of_a_list_without_end_the_newest_are_shown():
    async with Rig() as rig:
        rig.tasks.lisa(*(lisa(f"s{n}", ago=1000 + n) for n in range(LISA_ROWS + 100)))
        await settle(100)
        assert {r.project for r in rig.rows} == {f"s{n}" for n in range(LISA_ROWS)}


async def test_lisas_rows_are_not_ours_to_act_on():
    async with Rig() as rig:
        rig.tasks.lisa(lisa("sum", "input-required"))
        await settle()
        assert (rig.row.state, rig.row.requests) == (State.WAITING, ())
        for intent in (StopFollowing(rig.row.key), Rename(rig.row.key, "x")):
            assert (await rig.perform(intent)).word == "outcome.not-ours"
        assert (await rig.perform(Answer(rig.row.key, "sum#1", "x"))).word == "outcome.request-gone"


async def test_lisas_rows_and_pins_leave_when_the_owner_switches_off():
    async with Rig(settings={"pin": ["pinned-one"], "prices": {"pinned-one": "1 USD"}}) as rig:
        rig.tasks.lisa(lisa())
        await settle()
        assert {r.project: r.price for r in rig.rows} == {"sum": "", "pinned-one": "1 USD"}
        rig.set(enabled=False)
        await settle()
        assert not rig.rows
        assert rig.status.health is Health.OFF and not rig.status.enabled
        rig.tasks.lisa(lisa("more"))
        await settle()
        assert not rig.rows
        rig.set(enabled=True)
        await settle()
        assert {r.project for r in rig.rows} == {"more", "pinned-one"}
        assert not rig.gateway.sent


# --- pins, settings, key ---


async def test_pins_follow_the_owners_order_and_only_slugs_are_pinned():
    async with Rig(settings={"pin": ["b", "a", "b", "A!", 7, None], "prices": {"a": 3}}) as rig:
        assert rig.roster.pins["takoapi"] == (("b", ""), ("a", ""))
        rig.set(pin=["c"], prices={"c": "free"})
        await settle()
        assert rig.roster.pins["takoapi"] == (("c", "free"),)
        assert rig.row.origin is Origin.PINNED


@pytest.mark.parametrize(
    "settings", [{"pin": "abc"}, {"pin": {"a": 1}}, {"prices": []}, {"base_url": 7}, {"x": 1}]
)
async def test_settings_of_the_wrong_type_take_their_default(settings):
    async with Rig(settings=settings) as rig:
        assert not rig.rows
        assert rig.status.origin == "https://takoapi.com"


@pytest.mark.parametrize("base_url", ["", "  ", "no address", "https://"])
async def test_an_address_that_was_refused_is_never_replaced_by_the_usual_one(base_url):
    """The owner named another gateway: what was meant for it must not go to takoapi.com."""
    async with Rig(settings={"base_url": base_url}) as rig:
        for intent in (Discover("takoapi"), CheckKey("takoapi"), Describe("takoapi", "acme")):
            assert (await rig.perform(intent)).word == "outcome.bad-address"
        assert (await rig.send()).word == "outcome.bad-address"
        assert rig.status.origin == "" and not rig.gateway.sent and not rig.tasks.log


async def test_a_call_replaces_its_pin():
    async with Rig(settings={"pin": ["acme"]}) as rig:
        await rig.send("acme")
        assert [r.origin for r in rig.rows] == [Origin.CALLED]


async def test_the_face_says_where_the_key_is():
    async with Rig(keys={}) as rig:
        assert rig.status.key_state is KeyState.NONE and rig.status.enabled
        assert rig.secrets.asked == ["https://takoapi.com"]
        rig.secrets.keys["https://takoapi.com"] = KEY
        rig.set()
        await settle()
        assert rig.status.key_state is KeyState.READY


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (KeyState.NONE, "outcome.no-key"),
        (KeyState.LOCKED, "outcome.key-locked"),
        (KeyState.ABSENT, "outcome.no-keyring"),
        (KeyState.TIMED_OUT, "outcome.key-timed-out"),
    ],
)
async def test_each_place_a_key_may_be_has_its_sentence(state, word):
    async with Rig(keys={}) as rig:
        rig.secrets.state = state
        assert (await rig.send()).word == word
        assert rig.status.key_state is state
        assert not rig.gateway.sent


async def test_a_keyring_that_breaks_is_one_that_did_not_answer():
    async with Rig() as rig:
        rig.secrets.broken = True
        assert (await rig.send()).word == "outcome.key-timed-out"


@pytest.mark.parametrize("value", ["tako live", "tako\nlive", "schlüssel", "\x00"])
async def test_a_key_that_no_header_can_carry_goes_nowhere(value):
    async with Rig(keys={"https://takoapi.com": value}) as rig:
        assert (await rig.send()).word == "outcome.key-malformed"
        assert not rig.gateway.sent


@pytest.mark.parametrize(
    ("base_url", "origin", "word"),
    [
        ("http://gateway.example", "http://gateway.example", "outcome.insecure"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", ""),
        ("http://localhost", "http://localhost", ""),
        ("http://[::1]:9", "http://[::1]:9", ""),
        ("HTTPS://Gateway.Example:443/tako/", "https://gateway.example", ""),
        ("ftp://x", "", "outcome.bad-address"),
        ("https://user:pw@x", "", "outcome.bad-address"),
        ("https://x:99999", "", "outcome.bad-address"),
        ("nonsense", "", "outcome.bad-address"),
    ],
)
async def test_a_key_travels_encrypted_or_stays_on_this_machine(base_url, origin, word):
    async with Rig(settings={"base_url": base_url}, keys={origin: KEY}) as rig:
        assert (await rig.send()).word == word
        assert bool(rig.gateway.sent) is not bool(word)


async def test_another_address_has_its_own_key_generation_and_price():
    async with Rig(gateway=PlayedGateway(generation="G0")) as rig:
        await rig.send()
        assert rig.status.generation == "G0"
        rig.set(base_url="https://other.example")
        await settle()
        assert (rig.status.generation, rig.status.origin) == ("unknown", "https://other.example")
        assert (await rig.send()).word == "outcome.no-key"


async def test_the_probe_is_asked_once_before_the_first_send_and_carries_no_key():
    async with Rig() as rig:
        await rig.send()
        await rig.send("other")
        probes = [s for s in rig.gateway.sent if s.path == "/api/registry"]
        assert len(probes) == 1
        assert probes[0].query == {"format": "json", "kind": "HOSTED", "limit": "1"}
        assert all(
            "authorization" not in s.headers for s in rig.gateway.sent if not s.path.startswith("/v1/")
        )
        assert rig.status.generation == "G1"


# --- what the owner does with rows ---


async def test_a_label_is_the_owners_and_clean():
    async with Rig() as rig:
        await rig.send()
        await rig.perform(Rename(rig.row.key, "  Tax\x1b[31m \u202ereport " + "x" * 99))
        assert rig.row.label.startswith("Tax report") and len(rig.row.label) == 60


async def test_stop_following_frees_even_a_queued_call():
    async with Rig() as rig:
        feeds = [Feed(sse(task("working"))) for _ in range(4)]
        for number, feed in enumerate(feeds):
            rig.gateway.plays(f"busy-{number}", feed)
            await rig.send(f"busy-{number}")
        asked = rig.begin_send("late")
        await settle()
        (late,) = [r for r in rig.rows if r.project == "late"]
        assert late.state_reason == "sending"
        await rig.perform(StopFollowing(late.key))
        assert (await asked).result is Result.DONE
        assert len(rig.rows) == 4 and len(rig.tasks.rows) == 4
        feeds[0].end()
        await settle()
        assert [s.path.split("/")[3] for s in rig.gateway.calls()] == [f"busy-{n}" for n in range(4)]


async def test_a_disk_that_fails_lets_the_row_go_all_the_same(caplog):
    async with Rig() as rig:
        await rig.send()
        rig.tasks.broken = True
        assert (await rig.perform(StopFollowing(rig.row.key))).result is Result.DONE
        assert not rig.rows
        assert "storage.timeout" in caplog.text


async def test_a_text_of_unknown_outcome_is_sent_again_once_as_a_new_task():
    async with Rig() as rig:
        rig.gateway.plays("acme", Feed(), envelope(task("completed")))
        rig.gateway.answers["acme"][0] = lambda _s: streamed(b"<html>")
        await rig.send("acme", "the text", label="Mine")
        old = rig.row
        assert Can.SEND_AGAIN in old.capabilities
        first, second = rig.begin(SendAgain(old.key)), rig.begin(SendAgain(old.key))
        outcome = await first
        assert (await second).word == "outcome.already-sending"
        await settle()
        assert outcome.key != old.key and rig.get(outcome.key).label == "Mine"
        assert Can.SEND_AGAIN not in rig.get(old.key).capabilities
        assert (await rig.perform(SendAgain(old.key))).word == "outcome.text-gone"
        assert [c.body["text"] for c in rig.gateway.calls()] == ["the text", "the text"]


async def test_sending_again_asks_for_the_price_as_well():
    async with Rig(gateway=PlayedGateway(prices={"acme": "0.1"})) as rig:
        rig.gateway.plays("acme", envelope(None), envelope(task("completed")))
        await rig.send(accepted_price="0.1 USD")
        outcome = await rig.perform(SendAgain(rig.row.key))
        assert outcome.word == "outcome.price"
        assert Can.SEND_AGAIN in rig.row.capabilities
        assert (await rig.perform(SendAgain(rig.row.key, "0.1 USD"))).result is Result.DONE


# --- replies ---


async def test_a_reply_is_read_cleaned_and_forgotten_with_its_row():
    async with Rig() as rig:
        rig.gateway.plays(
            "acme",
            Feed(
                sse(task("working")), sse(artifact("one\r\n\x1b[31mtwo\u202e")), sse(task("completed", "x"))
            ),
        )
        await rig.send()
        key = rig.row.key
        assert (await rig.perform(ReadReply(key))).text == "one\ntwo"
        rig.source.forget({key.session_id})
        assert (await rig.perform(ReadReply(key))).word == "outcome.no-reply"


async def test_a_message_without_a_task_is_an_answer():
    async with Rig() as rig:
        said = {
            "kind": "message",
            "role": "agent",
            "messageId": "m",
            "taskId": "none",
            "parts": [{"text": "Hi"}],
        }
        rig.gateway.plays("acme", lambda _s: streamed(sse(said)))
        await rig.send()
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "answered")
        assert rig.row.task.terminal and rig.row.task.task_id == ""
        assert (await rig.perform(ReadReply(rig.row.key))).text == "Hi"


async def test_a_gateway_that_gives_neither_stream_nor_task_has_recent_calls():
    said = {"role": "agent", "messageId": "m", "parts": [{"text": "Hi"}]}
    async with Rig(gateway=PlayedGateway(silent={"acme", "other"})) as rig:
        assert rig.status.mode == "tasks"
        rig.gateway.plays("acme", envelope(said))
        await rig.send()
        assert rig.status.mode == "recent-calls"
        await rig.send("other")
        assert rig.status.mode == "tasks"


async def test_two_hundred_hosted_agents_make_no_row():
    rows = [
        {"slug": f"agent-{n}", "name": f"Agent {n}", "kind": "HOSTED", "invokable": True, "endpoint": "https://x.example",
         "pricing": {"model": "FREE"}} for n in range(200)
    ]  # fmt: skip
    async with Rig(gateway=PlayedGateway(registry=rows)) as rig:
        outcome = await rig.perform(Discover("takoapi", limit=200))
        assert len(outcome.agents) == 200 == outcome.total
        assert not rig.rows
