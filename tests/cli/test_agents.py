"""`discover`, `pin`, `unpin`: the registry by the owner's own act, and the list shared with LISA."""

import json

import pytest


@pytest.mark.parametrize("on", [True, False])
def test_discover_sends_no_key_and_works_without_opt_in(called, gateway, on):
    called.choose(on=on, key=on)
    done = called.run("discover", "research")
    assert done.code == 0 and "@acme-research  0.02 USD  Acme Research: Market scans" in done.text
    asked = gateway.get("requests")
    assert asked and not any(r["key"] for r in asked) and all(r["method"] == "GET" for r in asked)
    assert called.run("status", "--json").json["sessions"] == []


def test_discover_as_json_through_an_island(called):
    with called.headless():
        done = called.run("discover", "--category", "research", "--json")
    assert done.code == 0 and done.json.keys() == {"total", "agents"}
    found = {a["slug"]: a for a in done.json["agents"]}
    assert found.keys() == {"acme-research", "legal-lens"}
    assert found["legal-lens"]["price"] == "0.05 USD"
    assert found["legal-lens"].keys() == {
        "kind",
        "slug",
        "name",
        "description",
        "price",
        "streaming",
        "category",
    }


def test_only_hosted_agents_are_found(called):
    slugs = {a["slug"] for a in called.run("discover", "--json").json["agents"]}
    assert "sheet-wizard" in slugs and not slugs & {"project-only", "tin-robot"}


def test_discover_finds_nothing_or_nobody(called):
    nothing = called.run("discover", "qqqqq")
    assert nothing.code == 0 and "No agent matches" in nothing.text
    called.url = "http://127.0.0.1:9"
    nobody = called.run("discover")
    assert nobody.code == 1 and "http://127.0.0.1:9 does not answer." in nobody.said
    assert "kept" not in nobody.said


def test_pins_go_into_lisas_file_and_leave_the_rest_alone(called):
    called.write("agents.json", {"theme": "x", "integrations": {"pty": {"enabled": True, "k": [1]}}})
    done = called.run("pin", "@acme-research")
    assert (done.code, done.text.splitlines()[0]) == (0, "acme-research is pinned.")
    assert "switched off" in done.text
    kept = json.loads((called.lisa / "agents.json").read_text())
    assert kept["theme"] == "x" and kept["integrations"]["pty"] == {"enabled": True, "k": [1]}
    assert kept["integrations"]["takoapi"]["pin"] == ["acme-research"]
    assert kept["integrations"]["takoapi"]["enabled"] is False
    assert "already" in called.run("pin", "acme-research").text
    assert called.run("unpin", "acme-research").code == 0
    assert json.loads((called.lisa / "agents.json").read_text())["integrations"]["takoapi"]["pin"] == []
    gone = called.run("unpin", "acme-research")
    assert gone.code == 0 and "is not pinned" in gone.text


def test_a_pin_shows_in_a_running_island(called, gateway):
    with called.headless() as running:
        assert called.run("pin", "legal-lens").code == 0
        row = running.until(lambda line: line.get("sessionId") == "legal-lens")
        assert (row["state"], "lastMtime" in row) == ("idle", False)
        assert called.run("unpin", "legal-lens").code == 0
        gone = running.until(lambda line: line["type"] == "agent_session_removed")
        assert gone == {"type": "agent_session_removed", "agent": "takoapi", "sessionId": "legal-lens"}
    assert gateway.get("requests") == []  # the observer asks nobody by itself


@pytest.mark.parametrize("slug", ["../x", "A b", "", "@", "x" * 101, "\u202egpj"])
def test_what_is_no_name_is_not_pinned(called, slug):
    done = called.run("pin", slug)
    assert done.code == 1 and "lisa-island discover" in done.said


def test_two_hundred_pins_and_no_more(called):
    called.choose(pins=[f"agent-{n}" for n in range(200)])
    done = called.run("pin", "one-more")
    assert done.code == 1 and "lisa-island unpin" in done.said
