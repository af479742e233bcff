"""`journal` and `replay`: what happened, out of the database and out of a file, with no text in it."""

import json
import stat

from tests.cli.rig import Island


def states(printed: str) -> list[tuple[str, str]]:
    return [(line["state"], line["stateReason"]) for line in map(json.loads, printed.splitlines())]


def test_a_call_is_kept_exported_and_replayed_to_the_same_states(called: Island) -> None:
    called.choose()
    assert called.person("send", "@acme-research", "Scan the SECRET", "--yes").code == 0
    told = called.run("journal", "--json")
    assert told.code == 0 and states(told.text)[-1] == ("waiting", "input-required")
    with called.headless():
        exported = called.run("journal", "--export", "kept.jsonl")
        again = called.run("journal", "--json")
    assert (exported.code, exported.out) == (0, b"") and "no text" in exported.said
    file = called.home / "kept.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    [row] = called.run("status", "--json").json["sessions"]
    for secret in ("SECRET", "acme", "Which quarter", row["sessionId"], row["taskId"], row["contextId"]):
        assert secret not in file.read_text()
    assert called.run("replay", "kept.jsonl", "--json").out == again.out
    shown = called.run("replay", "kept.jsonl")
    assert shown.code == 0 and "input-required" in shown.text
    assert called.run("journal", "--export", "kept.jsonl").code == 1, "it is there already"
    one = called.run("journal", row["sessionId"], "--json")
    assert states(one.text)[-1] == ("waiting", "input-required")


def test_what_is_no_journal_is_refused_with_its_line(called: Island) -> None:
    for name, data, line in (("a", b"\x1b[31m\n", 1), ("b", b"\xff\xfe", 1), ("c", b"", 1)):
        (called.home / name).write_bytes(data)
        told = called.run("replay", name)
        assert (told.code, told.out) == (1, b"") and f"line {line}" in told.said and "\x1b" not in told.said
    assert called.run("replay", "nothing").code == 1


def test_nothing_is_kept_where_the_owner_wants_no_days(called: Island) -> None:
    called.choose()
    called.write("island.json", {"schema": 1, "keySource": "environment", "journalDays": 0})
    assert called.person("send", "@acme-research", "Scan", "--yes").code == 0
    assert called.run("journal").text == "Nothing is kept yet.\n"
    none = called.run("journal", "nobody")
    assert none.code == 1 and "Nothing is kept of" in none.said
