"""The key in a real keyring on a real bus, found there by other programs."""

import os
from pathlib import Path

import pytest

from lisa_island.core.agent import KeyState
from lisa_island.system.secrets import KeyringSecrets
from lisa_island.system.worker import Worker
from tests.desktop.keyring_daemon import Keyring

pytestmark = pytest.mark.desktop

KEY = "tako_live_" + "Planted0Secret-Planted0Secret_xy"
OTHER = "tako_live_" + "b" * 32
HOME = "https://takoapi.com"


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeyringSecrets:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return KeyringSecrets(Worker(), os.environ, tmp_path)


async def test_what_we_save_another_program_finds(keyring: Keyring, secrets: KeyringSecrets) -> None:
    assert (await secrets.get(HOME)).state is KeyState.NONE
    assert await secrets.put(HOME, KEY) is KeyState.READY
    assert keyring.lookup("TAKO_KEY") == KEY
    found = await secrets.get(HOME)
    assert (found.state, found.value) == (KeyState.READY, KEY)


async def test_each_origin_has_its_own_key(keyring: Keyring, secrets: KeyringSecrets) -> None:
    await secrets.put(HOME, KEY)
    await secrets.put("http://127.0.0.1:8080", OTHER)
    assert keyring.lookup("TAKO_KEY@http://127.0.0.1:8080") == OTHER
    assert (await secrets.get("https://elsewhere.example")).value == ""
    assert (await secrets.get("https://takoapi.com:443/")).value == KEY


async def test_saving_again_replaces_and_dropping_forgets(keyring: Keyring, secrets: KeyringSecrets) -> None:
    await secrets.put(HOME, KEY)
    await secrets.put(HOME, OTHER)
    assert keyring.lookup("TAKO_KEY") == OTHER
    assert await secrets.drop(HOME) is KeyState.NONE
    assert keyring.lookup("TAKO_KEY") == ""
    assert await secrets.drop(HOME) is KeyState.NONE


async def test_a_locked_keyring_is_seen_and_not_woken(keyring: Keyring, secrets: KeyringSecrets) -> None:
    await secrets.put(HOME, KEY)
    await keyring.lock()
    found = await secrets.get(HOME)
    assert (found.state, found.value) == (KeyState.LOCKED, "")
    assert await secrets.put(HOME, OTHER) is KeyState.LOCKED
    assert await secrets.drop(HOME) is KeyState.LOCKED
