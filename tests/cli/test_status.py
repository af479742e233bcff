"""`status`: the documented shape, alone and through a running island."""

import re

import pytest

from tests.cli.rig import Island

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
COUNTS = {
    "needsYou", "failed", "working", "queued", "yourTurn", "notReporting", "finished", "idle", "hidden"
}  # fmt: skip


def busy(island: Island) -> None:
    """One finished, one that asks, one pinned and never called."""
    island.choose(pins=["legal-lens"])
    assert island.person("send", "@sheet-wizard", "hi", "--label", "Totals").code == 0
    assert island.person("send", "@acme-research", "Scan", "--yes").code == 0


def check(told: dict) -> None:
    assert told.keys() == {"schema", "sessions", "needsYou", "summary", "sources"} and told["schema"] == 1
    waiting, done, pinned = told["sessions"]
    for row in (waiting, done):
        assert re.fullmatch(rf"{row['project']}/[0-9a-f]{{8}}", row["sessionId"])
        assert row["agent"] == "takoapi" and row["taskId"] and row["contextId"]
        assert ISO.fullmatch(row["lastMtime"])
    assert (waiting["state"], waiting["taskState"]) == ("waiting", "input-required")
    assert waiting["blocked"].keys() == {"kind", "requestId", "since", "options"}
    assert waiting["blocked"]["kind"] == "input" and ISO.fullmatch(waiting["blocked"]["since"])
    assert (done["state"], done["label"]) == ("done", "Totals")
    assert pinned == {
        "agent": "takoapi", "sessionId": "legal-lens", "project": "legal-lens", "state": "idle",
        "stateReason": "pinned",
    }  # fmt: skip
    ids = {"agent": "takoapi", "sessionId": waiting["sessionId"]}
    assert told["needsYou"] == [ids | waiting["blocked"]]
    assert told["summary"].keys() == COUNTS and told["summary"]["needsYou"] == 1
    [(name, source)] = told["sources"].items()
    assert name == "takoapi"
    assert source.keys() == {"enabled", "keyState", "generation", "mode", "health"}
    assert (source["enabled"], source["keyState"], source["health"]) == (True, "ready", "ok")


def test_the_documented_shape_alone_and_through_an_island(called):
    busy(called)
    alone = called.run("status", "--json")
    assert (alone.code, alone.err) == (0, b"")
    check(alone.json)
    with called.headless():
        through = called.run("status", "--json")
    check(through.json)
    assert through.json == alone.json


def test_a_question_is_in_no_status(called):
    busy(called)
    told = called.run("status", "--json").out + called.run("status").out
    assert b"Which quarter" not in told and b"invoices" not in told


def test_as_lines(called):
    busy(called)
    done = called.run("status")
    lines = done.text.splitlines()
    assert lines[0].startswith("waiting for you  acme-research/") and "just now" in lines[0]
    assert lines[1].startswith("finished    sheet-wizard/") and "“Totals”" in lines[1]
    assert "lisa-island question 'acme-research/" in lines[3]
    assert "No island is running" in done.said
    with called.headless():
        assert called.run("status").err == b""


def test_an_empty_home_is_quiet_and_stays_private(island):
    done = island.run("status")
    assert (done.code, done.text.splitlines()[0]) == (
        0, "All quiet. Nothing has been called, pinned or started.",
    )  # fmt: skip
    assert "switched off" in done.text
    assert island.lisa.stat().st_mode & 0o077 == 0


def test_rows_of_lisa_stand_beside_ours_from_the_first_look(called):
    """The shared list is read in its own time; a command alone waits for it."""
    import time

    now = round(time.time() * 1000)
    row = {"slug": "lisas-own", "taskId": "t-1", "startedAt": now, "lastMtime": now, "lastState": "working"}
    called.write("takoapi-calls.json", [row])
    for _ in range(3):
        [told] = called.run("status", "--json").json["sessions"]
        assert (told["sessionId"], told["state"], told["taskId"]) == ("lisas-own", "working", "t-1")


def test_no_key_says_what_to_do(island):
    island.choose(key=False)
    done = island.run("status")
    assert "takoapi: No key saved." in done.text and done.code == 0


def test_what_is_folded_is_counted(called):
    called.choose(pins=[f"agent-{n}" for n in range(12)])
    done = called.run("status")
    assert "2 more rows are folded away." in done.text
    assert called.run("status", "--json").json["summary"]["hidden"] == 2


@pytest.mark.parametrize(
    "environ",
    [
        {"LANG": "zh_CN.UTF-8"},
        {"LISA_ISLAND_LANG": "zh-CN"},
        {"LC_ALL": "zh_CN.UTF-8", "LANG": "en"},
    ],
)
def test_it_speaks_chinese(island, environ):
    done = island.run("status", environ=environ)
    assert "一切平静" in done.text and "小岛没有运行" in done.said


def test_a_named_language_wins_over_the_locale(island):
    done = island.run("status", environ={"LISA_ISLAND_LANG": "en", "LANG": "zh_CN.UTF-8"})
    assert "All quiet" in done.text


def test_a_terminal_that_cannot_show_a_letter_is_no_reason_to_fail(island):
    poor = {"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = island.run("status", environ=poor)
    assert done.code == 0 and b"???" in done.out and b"Traceback" not in done.err
