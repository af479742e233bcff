"""`agent import` before a real server: pi's file is read and stays as it is, each card is shown first."""

import json
from pathlib import Path

import pytest

from tests.cli.rig import Island
from tests.cli.test_direct_agents import Server, agents_of, server

__all__ = ["server"]  # the fixture

KEY = "k3y-Planted-in-pi"


@pytest.fixture
def listed(island: Island, server: Server) -> Path:
    folder = island.home / ".pi" / "agent"
    folder.mkdir(parents=True)
    agents = [
        {"name": "Cellar", "url": server.url, "description": "CI helper"},
        {"name": "Gone", "url": "http://127.0.0.1:9"},
    ]
    (folder / "settings.json").write_text(json.dumps({"pi-a2a": {"staticAgents": agents}}))
    return folder / "settings.json"


def test_each_card_is_shown_and_added_after_a_yes(island: Island, server: Server, listed: Path) -> None:
    before = listed.read_bytes()
    done = island.person("agent", "import", types=[("[y/N]", b"n\n")])
    assert done.code == 1 and agents_of_none(island) and str(listed) in done.said
    done = island.person("agent", "import", types=[("[y/N]", b"y\n")])
    (agent,) = agents_of(island)
    assert agent["name"] == "cellar" and agent["origins"] == [server.url]
    assert f"JSONRPC 1.0 {server.url}/rpc" in done.text and "1 of 2 added" in done.text
    assert done.code == 1 and "http://127.0.0.1:9" in done.said, "the one that is away is named"
    assert server.heard == [] and listed.read_bytes() == before
    again = island.person("agent", "import")
    assert "@cellar is added already" in again.said and len(agents_of(island)) == 1


def test_a_script_and_an_agent_need_the_owner(island: Island, listed: Path) -> None:
    assert island.run("agent", "import", "--yes").code == 3 and agents_of_none(island)


def test_without_a_keyring_the_key_is_not_kept_and_that_is_said(
    island: Island, server: Server, listed: Path
) -> None:
    agents = [{"name": "Cellar", "url": server.url, "apiKey": KEY}]
    listed.write_text(json.dumps({"pi-a2a": {"staticAgents": agents}}))
    done = island.person("agent", "import", "--yes")
    assert done.code == 1 and "No system keyring" in done.said and KEY not in done.said + done.text
    assert agents_of(island)[0]["auth"] == "bearer"
    kept = b"".join(p.read_bytes() for p in island.lisa.rglob("*") if p.is_file())
    assert KEY.encode() not in kept


@pytest.mark.parametrize(("text", "says"), [("{", "could not be understood"), ("{}", "lists no agents")])
def test_a_broken_or_empty_file_is_a_sentence(island: Island, listed: Path, text: str, says: str) -> None:
    listed.write_text(text)
    done = island.person("agent", "import")
    assert done.code == 1 and says in done.said and str(listed) in done.said


def agents_of_none(island: Island) -> bool:
    return not (island.lisa / "island.json").exists() or agents_of(island) == []
