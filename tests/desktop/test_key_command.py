"""`lisa-island key` before a real keyring: by pipe, by a hidden prompt, and told to a running island."""

from pathlib import Path

import pytest

from lisa_island.system.secrets import user_of
from tests.cli.rig import Island
from tests.desktop.keyring_daemon import Keyring

pytestmark = pytest.mark.desktop

KEY = "tako_live_" + "Command0Secret-Command0Secret_zy"
URL = "http://127.0.0.1:9"


@pytest.fixture
def island(keyring: Keyring, short_path: Path) -> Island:
    """A home whose commands see the keyring."""
    for name in ("run", "tmp"):
        (short_path / name).mkdir(mode=0o700)
    made = Island(short_path, URL, {"DBUS_SESSION_BUS_ADDRESS": keyring.address})
    made.write("agents.json", {"integrations": {"takoapi": {"enabled": True, "pin": []}}})
    return made


def test_by_pipe_it_is_saved_for_its_origin_alone(island: Island, keyring: Keyring) -> None:
    done = island.run("key", "set", given=f"{KEY}\n".encode())
    assert done.code == 0 and KEY[:16] in done.text and KEY not in done.text + done.said
    assert keyring.lookup(user_of(URL)) == KEY and keyring.lookup("TAKO_KEY") == ""
    status = island.run("key", "status")
    assert status.code == 0 and KEY[:16] in status.text and KEY[:17] not in status.text
    assert island.run("key", "clear").code == 0
    assert keyring.lookup(user_of(URL)) == ""
    assert island.run("key", "status").code == 1


def test_at_a_terminal_it_is_typed_unseen(island: Island, keyring: Keyring) -> None:
    done = island.person("key", "set", types=[("TakoAPI key (not shown)", f"{KEY}\n".encode())])
    assert done.code == 0 and KEY[:17] not in done.said + done.text
    assert keyring.lookup(user_of(URL)) == KEY


def test_a_running_island_hears_of_it(island: Island) -> None:
    with island.headless():
        assert source(island)["keyState"] == "none"
        assert island.run("key", "set", given=KEY.encode()).code == 0
        assert source(island)["keyState"] == "ready"
        assert island.run("key", "clear").code == 0
        assert source(island)["keyState"] == "none"


def source(island: Island) -> dict[str, str]:
    told: dict[str, str] = island.run("status", "--json").json["sources"]["takoapi"]
    return told


def test_import_copies_and_leaves_lisas_own(island: Island, keyring: Keyring) -> None:
    file = island.lisa / "config.env"
    file.write_text(f"TAKO_KEY={KEY}\nTAKOAPI_BASE_URL={URL}\n")
    file.chmod(0o600)
    done = island.run("key", "import")
    assert done.code == 0 and "LISA's own copy stays" in done.text
    assert keyring.lookup(user_of(URL)) == KEY and KEY in file.read_text()


def test_what_is_no_key_is_not_saved(island: Island, keyring: Keyring) -> None:
    for value, says in (
        (b"", "Enter a key"),
        (b"sk-123\n", "tako_live_"),
        (b"tako_live_short\n", "not complete"),
    ):
        done = island.run("key", "set", given=value)
        assert done.code == 1 and says in done.said
    assert keyring.lookup(user_of(URL)) == ""
    nothing = island.run("key", "import")
    assert nothing.code == 1 and "No TAKO_KEY was found" in nothing.said


async def test_a_locked_keyring_says_so_and_asks_nobody(island: Island, keyring: Keyring) -> None:
    assert island.run("key", "set", given=KEY.encode()).code == 0
    await keyring.lock()
    status = island.run("key", "status")
    assert status.code == 1 and "locked" in status.text
    for action in ("set", "clear"):
        done = island.run("key", action, given=KEY.encode())
        assert done.code == 1 and "locked" in done.said
    sent = island.person("send", "@acme", "hi")
    assert sent.code == 1 and "keyring is locked" in sent.said
