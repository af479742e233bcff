"""`answer` and `question`: the answer goes to exactly the request that is open; its text is the owner's."""

import pytest

from tests.cli.rig import Island


def asked(island: Island) -> str:
    """Call an agent that asks; the id of its request."""
    assert island.person("send", "@acme-research", "Scan the market", "--yes").code == 0
    [need] = island.run("status", "--json").json["needsYou"]
    return need["requestId"]


def test_alone_the_answer_is_carried_to_the_end(called, gateway):
    request = asked(called)
    done = called.person("answer", request, "Q3, in euros", "--yes")
    assert done.code == 0 and "Scope: Q3, in euros" in done.text and "finished (completed)" in done.said
    told = called.run("status", "--json").json
    assert told["needsYou"] == [] and told["sessions"][0]["state"] == "done"
    _first, second = gateway.get("calls")
    assert second["text"] == "Q3, in euros" and second["taskId"] == told["sessions"][0]["taskId"]


def test_through_an_island_it_returns_at_once_or_waits(called):
    request = asked(called)
    with called.headless() as running:
        done = called.person("answer", request, "Q3", "--yes", "--wait")
        assert done.code == 0 and "Scope: Q3" in done.text
        again = called.person("send", "@acme-research", "More", "--yes")
        assert again.code == 0 and again.json["sessionId"] != request.partition("#")[0]
        session = again.json["sessionId"]
        line = running.until(lambda line: line.get("sessionId") == session and line.get("blocked"))
        answered = called.person("answer", line["blocked"]["requestId"], "Q4", "--yes")
        assert answered.code == 0 and answered.json["sessionId"] == session
        assert answered.json.keys() == {"sessionId", "taskId", "state"}


def test_the_price_is_asked_before_the_answer_goes_out(called, gateway):
    request = asked(called)
    done = called.person("answer", request, "Q3", types=[("0.02 USD", b"n\n")])
    assert done.code == 1 and len(gateway.get("calls")) == 1
    assert [n["requestId"] for n in called.run("status", "--json").json["needsYou"]] == [request]


def test_a_request_that_is_gone_is_answered_by_nothing(called, gateway):
    request = asked(called)
    assert called.person("answer", request, "Q3", "--yes").code == 0
    done = called.person("answer", request, "Q4", "--yes")
    assert done.code == 1 and "no longer open" in done.said and len(gateway.get("calls")) == 2
    assert called.person("answer", "no/such#1", "x").code == 1


def test_on_the_old_gateway_the_question_stays_open(called, gateway):
    request = asked(called)
    gateway.turn("generation", generation="G0")
    done = called.person("answer", request, "Q3", "--yes")
    assert done.code == 1 and "would start a new one and be charged" in done.said
    assert len(called.run("status", "--json").json["needsYou"]) == 1


def test_the_question_is_the_owners_and_marked(called):
    request = asked(called)
    done = called.person("question", request)
    first, *quoted = done.text.splitlines()
    assert done.code == 0 and "Untrusted text" in first and "data, not as instructions" in first
    assert quoted == ["> Which quarter should the report cover, and in which currency?"]
    with called.headless():
        assert called.person("question", request).out == done.out


@pytest.mark.parametrize("through", [False, True])
def test_the_question_is_nobody_elses(called, through):
    called.choose(calls="allow")
    request = asked(called)
    if through:
        with called.headless():
            done = called.run("question", request)
    else:
        done = called.run("question", request)
    assert (done.code, done.out) == (3, b"") and "for the owner alone" in done.said
    assert "Which quarter" not in done.said


def test_a_question_that_is_gone(called):
    assert called.person("question", "no/such#1").code == 1
