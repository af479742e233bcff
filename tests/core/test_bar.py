"""The command bar's line: what Enter would do, said before it does it."""

from dataclasses import replace

from lisa_island.core.agent import AgentSession, Blocked, RequestKind, SessionKey, State, Task
from lisa_island.core.bar import line
from lisa_island.core.events import SessionOpened
from lisa_island.core.intents import Answer, Send
from lisa_island.core.roster import Roster, reduce

PRICES = {"acme-research": "0.02 USD", "acme-legal": "unknown", "sheet-wizard": "free"}
HOST = "takoapi.com"


def waiting(tag, target="acme-research", since=1):
    return AgentSession(
        SessionKey("takoapi", f"{target}/{tag}0000"), target, State.WAITING, "input-required", since,
        task=Task(target, "m", "t"), requests=(Blocked(RequestKind.INPUT, f"r-{tag}", since, "Q"),),
    )  # fmt: skip


def roster(*sessions):
    built = Roster()
    for s in sessions:
        built = reduce(built, SessionOpened(s, 1))
    return built


def read(text, *sessions, **more):
    return line(text, roster(*sessions), PRICES, HOST, **more)


def test_an_empty_bar_says_nothing():
    assert read("  ").word == "" and read("").intent is None


def test_plain_text_goes_nowhere():
    found = read("summarise the open issues")
    assert (found.word, found.intent, found.is_problem) == ("bar.pick", None, True)


def test_a_new_task_names_place_and_price_before_enter():
    found = read("@sheet-wizard totals per customer", label="Totals")
    assert found.word == "bar.new-task"
    assert dict(found.values) == {"host": HOST, "price": "free"}
    assert found.intent == Send("takoapi", "sheet-wizard", "totals per customer", "Totals", "free")


def test_an_unknown_price_is_accepted_only_later():
    assert read("@acme-legal read this").intent.accepted_price == ""


def test_one_waiting_task_takes_the_text_as_its_reply():
    found = read("@acme-research Q3, in euros", waiting("a1b2"))
    assert found.word == "bar.reply" and dict(found.values)["tag"] == "a1b2"
    assert found.intent == Answer(
        SessionKey("takoapi", "acme-research/a1b20000"), "r-a1b2", "Q3, in euros", "0.02 USD"
    )


def test_new_starts_a_new_task_although_one_waits():
    found = read("@acme-research !new another scan", waiting("a1b2"))
    assert isinstance(found.intent, Send) and found.intent.text == "another scan"


def test_with_two_waiting_nothing_is_sent_until_one_is_chosen():
    two = (waiting("a1b2"), waiting("c3d4", since=2))
    found = read("@acme-research yes", *two)
    assert found.intent is None and [c[0] for c in found.choices] == ["#a1b2", "#c3d4", "!new"]
    chosen = read(found.choices[1][1], *two)
    assert isinstance(chosen.intent, Answer) and chosen.intent.request_id == "r-c3d4"
    assert chosen.intent.text == "yes"


def test_a_tag_that_nobody_has_sends_nothing():
    found = read("@acme-research #ffff yes", waiting("a1b2"))
    assert (found.word, found.intent) == ("bar.no-such-task", None)


def test_another_agents_request_is_not_answered():
    found = read("@sheet-wizard yes", waiting("a1b2"))
    assert isinstance(found.intent, Send)


def test_a_permission_is_never_answered_by_text():
    asked = waiting("a1b2")
    permission = replace(asked.requests[0], kind=RequestKind.PERMISSION)
    found = read("@acme-research yes", replace(asked, requests=(permission,)))
    assert isinstance(found.intent, Send)


def test_two_names_that_match_are_a_choice_and_never_a_guess():
    found = read("@acme and the same for Q2")
    assert (found.word, found.intent) == ("bar.ambiguous", None)
    assert {c[0] for c in found.choices} == {"acme-research", "acme-legal"}
    assert read(found.choices[0][1]).intent.text == "and the same for Q2"


def test_a_near_name_is_a_hint():
    found = read("@Sheet-Wizard go")
    assert (found.word, found.intent) == ("bar.hint", None)
    assert read(found.choices[0][1]).intent.target == "sheet-wizard"


def test_pasted_text_is_never_routed():
    assert read("@sheet-wizard go", pasted=True).word == "bar.pasted"


def test_nobody_to_call_says_how_to_get_somebody():
    assert line("@x y", Roster(), {}, HOST).word in ("bar.no-names", "bar.unknown")


def test_the_other_refusals_have_their_own_sentence():
    assert read("@sheet-wizard").word == "bar.empty"
    assert read("@sheet-wizard @acme-legal x").word == "bar.conflict"
    assert read("@nobody x").word == "bar.unknown"


def test_a_gateway_on_this_computer_is_not_said_to_take_the_text_away():
    for host in ("127.0.0.1:8123", "localhost", "localhost:80", "[::1]:80"):
        assert line("@sheet-wizard x", Roster(), PRICES, host).word == "bar.new-task.here", host
    for host in ("takoapi.com", "127.example.com.evil", "localhost.example"):
        assert line("@sheet-wizard x", Roster(), PRICES, host).word == "bar.new-task", host
