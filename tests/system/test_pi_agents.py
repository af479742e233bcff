"""pi-a2a's list: read as pi reads it, bounded, never written, and a broken file is a sentence."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.errors import StorageError
from lisa_island.system import pi_agents
from lisa_island.system.pi_agents import PiAgent, path_of, read

KEY = "k3y-Planted-in-pi"
BOX = {"name": "Build Box", "url": "http://127.0.0.1:41241", "apiKey": KEY, "description": "CI helper"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def put(file: Path, *agents: object, **more: object) -> Path:
    file.write_text(json.dumps({"theme": "dark", "pi-a2a": {"staticAgents": list(agents), **more}}))
    return file


def names(found: tuple[PiAgent, ...]) -> list[str]:
    return [agent.shown.name for agent in found]


def why(file: Path) -> str:
    with pytest.raises(StorageError) as caught:
        read(file)
    assert caught.value.values["file"] == str(file)
    return caught.value.word


def test_an_agent_with_its_key(file: Path) -> None:
    [agent] = read(put(file, BOX))
    assert (agent.shown.name, agent.shown.url) == ("Build Box", "http://127.0.0.1:41241")
    assert agent.shown.description == "CI helper" and agent.shown.has_key
    assert agent.key.reveal() == KEY and agent.origin == "http://127.0.0.1:41241"
    assert KEY not in repr(agent) and KEY not in str(agent.shown)


def test_a_later_entry_of_the_same_name_wins_whatever_its_case(file: Path) -> None:
    later = {"name": "BUILD box", "url": "https://other.example"}
    found = read(put(file, BOX, {"name": "b", "url": "https://b.example"}, later))
    assert names(found) == ["b", "BUILD box"]
    assert found[1].shown.url == "https://other.example" and not found[1].shown.has_key


@pytest.mark.parametrize(
    "odd",
    [
        7, None, "x", [], {}, {"name": "x"}, {"url": "https://x.example"}, {"name": "", "url": "https://x.example"},
        {"name": "x", "url": "ftp://x"}, {"name": "x", "url": "https://user:pw@x.example"},
        {"name": 3, "url": "https://x.example"}, {"name": "x", "url": "https://x.example/" + "y" * 3000},
        {"name": "\u202e\x07", "url": "https://x.example"},
    ],
)  # fmt: skip
def test_what_cannot_be_an_agent_is_left_out(file: Path, odd: object) -> None:
    assert names(read(put(file, odd, BOX))) == ["Build Box"]


@pytest.mark.parametrize("odd", [7, None, ["k"], "", "a\nb", "x" * 9000])
def test_a_key_that_cannot_be_sent_is_none(file: Path, odd: object) -> None:
    [agent] = read(put(file, BOX | {"apiKey": odd}))
    assert not agent.shown.has_key and not agent.key


def test_foreign_words_are_cleaned(file: Path) -> None:
    [agent] = read(put(file, BOX | {"name": "Bo\x1b[31mx", "description": "a\u202eb" + "c" * 900}))
    assert "\x1b" not in agent.shown.name and "\u202e" not in agent.shown.description
    assert len(agent.shown.description) <= pi_agents.ABOUT_LIMIT


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "pi.broken"),
        ("{", "pi.broken"),
        ("[]", "pi.broken"),
        ('{"pi-a2a": 7}', "pi.broken"),
        ("{}", "pi.none"),
        ('{"pi-a2a": {}}', "pi.none"),
        ('{"pi-a2a": {"staticAgents": 7}}', "pi.none"),
        ('{"pi-a2a": {"staticAgents": [{"name": "x"}]}}', "pi.none"),
    ],
)
def test_a_file_without_agents_says_why(file: Path, text: str, word: str) -> None:
    file.write_text(text)
    assert why(file) == word


def test_no_file_too_large_a_file_and_no_file_at_all(file: Path, tmp_path: Path) -> None:
    assert why(file) == "pi.no-file"
    file.write_bytes(b" " * (pi_agents.SIZE_LIMIT + 1))
    assert why(file) == "pi.too-large"
    assert why(tmp_path) == "pi.unreadable"


def test_no_sentence_carries_a_key(file: Path) -> None:
    file.write_text(json.dumps({"pi-a2a": KEY}))
    with pytest.raises(StorageError) as caught:
        read(file)
    assert KEY not in repr(caught.value) + repr(caught.value.__cause__) + str(caught.value.values)


def test_reading_changes_nothing(file: Path) -> None:
    put(file, BOX)
    before = (file.read_bytes(), file.stat().st_mtime_ns, sorted(file.parent.iterdir()))
    read(file)
    assert (file.read_bytes(), file.stat().st_mtime_ns, sorted(file.parent.iterdir())) == before


def test_where_pi_keeps_it() -> None:
    assert path_of({"HOME": "/home/ada"}) == Path("/home/ada/.pi/agent/settings.json")
    moved = {"HOME": "/home/ada", "PI_CODING_AGENT_DIR": "/data/pi"}
    assert path_of(moved) == Path("/data/pi/settings.json")
    home = {"HOME": "/home/ada", "PI_CODING_AGENT_DIR": "~/pi"}
    assert path_of(home) == Path("/home/ada/pi/settings.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*BOX, "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_list_gives_agents_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    file = tmp_path_factory.mktemp("pi") / "settings.json"
    file.write_text(json.dumps({"pi-a2a": {"staticAgents": value}}))
    try:
        found = read(file)
    except StorageError as error:
        assert error.word == "pi.none"
    else:
        assert all(agent.origin and agent.shown.name for agent in found)
