"""`send`: what it prints, what it waits for, and that a price is accepted before anything goes out."""

import pytest

from tests.cli.rig import ISLAND, PATIENCE, Island
from tests.sandbox.child import Running


def posts(gateway: Running) -> list[dict]:
    """The calls that reached the gateway: what could cost or act."""
    return [r for r in gateway.get("requests") if r["method"] == "POST"]


def release(gateway: Running) -> None:
    """Let the agent take its two steps to the question."""
    gateway.turn("open", gate="step-by-step", times=2)


def rows(island: Island) -> list[dict]:
    return island.run("status", "--json").json["sessions"]


def test_alone_it_waits_and_prints_the_reply(called, gateway):
    done = called.person("send", "@sheet-wizard", "Totals, please", "--label", "Totals")
    assert done.code == 0
    assert done.text.startswith("month,total_eur\n") and "- May is complete." in done.text
    assert "sheet-wizard/" in done.said and "finished (completed)" in done.said
    [row] = rows(called)
    assert (row["label"], row["state"], row["taskState"]) == ("Totals", "done", "completed")
    assert "unread" not in row  # the owner has just read it
    assert [r["path"] for r in posts(gateway)] == ["/v1/agents/sheet-wizard/stream"]


def test_through_a_running_island_it_returns_at_once(called, gateway):
    with called.headless() as running:
        done = called.person("send", "@step-by-step", "go")
        assert done.code == 0
        assert done.json.keys() == {"sessionId", "taskId", "state"} and done.json["state"] == "working"
        release(gateway)
        end = running.until(lambda line: line.get("state") == "waiting")
        assert end["sessionId"] == done.json["sessionId"] and end["taskId"] == done.json["taskId"]


def test_with_wait_it_stays_until_the_agent_waits(called, gateway):
    with called.headless() as running:
        # The screen shows that it is on its way before the gate opens, so it has surely waited.
        done = called.person(
            "send", "@step-by-step", "go", "--wait", types=[("Sent to", lambda: release(gateway))]
        )
        assert (done.code, done.out) == (0, b"")
        assert "waiting for you" in done.said and "lisa-island question" in done.said
        assert running.until(lambda line: line.get("state") == "waiting")


def test_with_wait_through_an_island_the_reply_is_printed(called):
    with called.headless():
        done = called.person("send", "@tone-check", "Dear all", "--wait")
    assert (done.code, done.text.splitlines()[0]) == (
        0,
        "2 words, friendly and clear. I would send it as it is.",
    )


def test_waiting_ends_when_the_island_quits(called, gateway):
    with called.headless() as running:
        quit_it = [("Sent to", lambda: called.run("quit"))]
        done = called.person("send", "@step-by-step", "go", "--wait", types=quit_it)
        assert done.code == 1 and "closed before it had answered" in done.said
        assert running.process.wait(PATIENCE) == 0


def test_the_text_comes_from_standard_input(called, gateway):
    called.choose(calls="allow")
    done = called.run("send", "@tone-check", "-", given="你好 wörld\n".encode())
    assert done.code == 0
    assert gateway.get("calls")[-1]["text"] == "你好 wörld\n"


@pytest.mark.parametrize(
    ("arguments", "given", "code", "says"),
    [
        (("@tone-check", "   "), b"", 2, "There is no text"),
        (("@tone-check", "-"), b"", 2, "There is no text"),
        (("@tone-check", "-"), b"\xff\xfe", 2, "not UTF-8"),
        (("@tone-check", "-"), b"x" * (257 * 1024), 1, "256 KiB"),
        (("@tone-check", "-"), b"x" * (3 * 1024 * 1024), 1, "256 KiB"),
        (("tone-check", "hi"), b"", 2, "lisa-island send @slug"),
        (("@", "hi"), b"", 2, "lisa-island send @slug"),
        (("@Tone Chequ", "hi"), b"", 1, "small letters"),
    ],
)
def test_what_cannot_be_sent(called, gateway, arguments, given, code, says):
    called.choose(calls="allow")
    done = called.run("send", *arguments, given=given)
    assert (done.code, done.out) == (code, b"") and says in done.said
    assert posts(gateway) == []


def test_a_text_may_begin_with_a_dash(called, gateway):
    assert called.person("send", "@tone-check", "--", "-5 degrees").code == 0
    assert gateway.get("calls")[-1]["text"] == "-5 degrees"


def test_arguments_that_are_no_text_are_a_usage_error(called, gateway):
    for arguments in ((b"@tone-check", b"\xff"), (b"@tone-check", b"hi", b"--label", b"\xff")):
        done = called.run("send", *arguments)
        assert done.code == 2 and "not UTF-8" in done.said
    assert posts(gateway) == []


def test_no_standard_input_is_nobody_to_ask(called, gateway):
    called.choose(calls="allow")
    line = f"{' '.join(ISLAND)} send @acme-research hi <&-"
    done = called.run("-c", line, command=("/bin/bash",))
    assert done.code == 1 and b"add --yes" in done.err and posts(gateway) == []


def test_the_largest_reply_comes_whole(called):
    with called.headless():
        done = called.person("send", "@huge-artifact", "3", "--wait")
    assert done.code == 0 and 2**21 - 64 < len(done.out) <= 2**21 + 64


@pytest.mark.parametrize(
    ("slug", "says"),
    [
        ("no-such-agent", "knows no agent"),
        ("project-only", "open-source project"),
        ("broke", "Not enough credit"),
        ("redirect", "points to another address"),
    ],
)
def test_nothing_reached_is_no_row_and_exit_1(called, slug, says):
    done = called.person("send", f"@{slug}", "hi", "--yes")
    assert done.code == 1 and says in done.said and done.out == b""
    assert "Your text is kept" not in done.said  # a command keeps none
    assert rows(called) == []


def test_a_refused_key_says_what_to_do(called, gateway):
    gateway.turn("key", valid=False)
    done = called.person("send", "@sheet-wizard", "hi")
    assert done.code == 1 and "refused the key" in done.said and rows(called) == []


def test_no_gateway_there_is_no_row(island):
    island.choose()
    done = island.person("send", "@sheet-wizard", "hi")
    assert done.code == 1 and "does not answer" in done.said and rows(island) == []


def test_switched_off_says_how_to_switch_on_without_windows(called, gateway):
    called.choose(on=False)
    done = called.person("send", "@sheet-wizard", "hi")
    assert done.code == 1 and "integrations.takoapi.enabled" in done.said
    assert gateway.get("requests") == []


def test_without_a_key_nothing_is_asked(called, gateway):
    called.choose(key=False)
    called.extra.pop("TAKO_KEY")
    done = called.person("send", "@sheet-wizard", "hi")
    assert done.code == 1 and "lisa-island key set" in done.said
    assert gateway.get("requests") == []


@pytest.mark.parametrize("slug", ["rpc-error", "own-401"])
def test_the_agents_own_error_is_a_row_of_its_own(called, slug):
    done = called.person("send", f"@{slug}", "hi", "--yes")
    assert done.code == 1 and "failed" in done.said
    [row] = rows(called)
    assert row["state"] == "error"


@pytest.mark.parametrize("slug", ["null-body", "cut-mid", "slow-30s"])
def test_an_unknown_end_is_said_and_never_sent_again(called, gateway, slug):
    done = called.person("send", f"@{slug}", "hi", "--yes")
    assert done.code == 1 and "may still be working and the call may be charged" in done.said
    [row] = rows(called)
    assert (row["state"], row["stateReason"]) == ("unknown", "outcome-unknown")
    assert len(posts(gateway)) == 1


def test_an_agent_that_hangs_up_at_work_is_no_success(called):
    done = called.person("send", "@ends-active", "hi")
    assert done.code == 1 and "hung up while still at work" in done.said
    assert rows(called)[0]["state"] == "unknown"  # told by a later command: not heard since


def test_a_word_in_no_table_is_no_end_while_the_line_is_open(called):
    done = called.person("send", "@hostile-harry", "hello")
    assert "failed (agent-error)" in done.said
    odd = called.person("send", "@weird-state", "hi")
    assert odd.code == 1 and "unknown (paused-for-review)" in odd.said


# --- prices ---


@pytest.mark.parametrize(("answer", "code", "sent"), [(b"y\n", 0, 1), (b"n\n", 1, 0), (b"\n", 1, 0)])
def test_a_price_is_asked_at_a_terminal(called, gateway, answer, code, sent):
    done = called.person(
        "send", "@acme-research", "Scan", types=[("0.02 USD for this call. Send it?", answer)]
    )
    assert done.code == code and len(posts(gateway)) == len(rows(called)) == sent


def test_yes_accepts_the_price(called, gateway):
    assert called.person("send", "@acme-research", "Scan", "--yes").code == 0
    assert len(posts(gateway)) == 1


def test_a_script_must_say_yes(called, gateway):
    called.choose(calls="allow")
    done = called.run("send", "@acme-research", "Scan")
    assert done.code == 1 and "add --yes" in done.said
    assert posts(gateway) == [] and rows(called) == []
    assert called.run("send", "@acme-research", "Scan", "--yes").code == 0


def test_a_price_is_asked_through_a_running_island_too(called, gateway):
    with called.headless():
        done = called.person("send", "@acme-research", "Scan", types=[("Send it?", b"n\n")])
        assert done.code == 1 and "Nothing was sent." in done.said and posts(gateway) == []


# --- leaving ---


def test_ctrl_c_at_the_price_sends_nothing(called, gateway):
    done = called.person("send", "@acme-research", "Scan", types=[("Send it?", b"\x03")])
    assert done.code == 130 and "Traceback" not in done.said and posts(gateway) == []


def test_ctrl_c_while_waiting_leaves_the_call_with_the_island(called, gateway):
    with called.headless() as running:
        done = called.person("send", "@step-by-step", "go", "--wait", types=[("Sent to", b"\x03")])
        assert done.code == 130 and "Traceback" not in done.said
        assert "Stopped waiting" in done.said
        release(gateway)
        assert running.until(lambda line: line.get("state") == "waiting")


def test_ctrl_c_alone_leaves_a_row_that_nobody_has_heard_from(called, gateway):
    done = called.person("send", "@step-by-step", "go", types=[("Sent to", b"\x03")])
    assert done.code == 130 and "Traceback" not in done.said
    [row] = rows(called)
    assert (row["state"], row["stateReason"]) == ("unknown", "not-heard-since-restart")


def test_a_command_beside_another_does_not_touch_its_row(called, gateway):
    """A second `send` alone restores the first one's open row; it must not write what it only guesses."""

    def beside():
        assert called.person("send", "@tone-check", "hi").code == 0
        release(gateway)

    assert called.person("send", "@step-by-step", "go", types=[("Sent to", beside)]).code == 0
    assert {r["project"]: r["state"] for r in rows(called)} == {
        "step-by-step": "waiting",
        "tone-check": "done",
    }
