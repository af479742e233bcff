"""`explain`: the facts behind a state, for a person and for a program."""

from tests.cli.rig import Island


def test_a_called_task_alone_and_through_an_island(called: Island) -> None:
    called.choose()
    assert called.person("send", "@acme-research", "Scan the SECRET", "--yes").code == 0
    [row] = called.run("status", "--json").json["sessions"]
    told = called.run("explain", row["sessionId"], "--json")
    assert told.code == 0 and b"SECRET" not in told.out and b"Which quarter" not in told.out
    assert told.json["state"] == "waiting" and told.json["requests"][0]["kind"] == "input"
    assert told.json["facts"][-1]["rule"].startswith("takoapi.") and told.json["would"]
    with called.headless():
        shown = called.run("explain", row["sessionId"][:16])
    assert shown.code == 0 and "rank 4 of 4" in shown.text and "What would change it: " in shown.text


def test_what_names_nobody_or_several_says_so(called: Island) -> None:
    none = called.run("explain", "nobody")
    assert (none.code, none.out) == (1, b"") and "No session is called" in none.said
