"""The key in a real keyring on a real bus, found there by other programs."""

import base64
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lisa_island.core.agent import KeyState
from lisa_island.system.keyring_process import KeyringProcess
from lisa_island.system.secrets import KeyringSecrets
from lisa_island.system.worker import Worker
from tests.desktop.bus_monitor import bus_monitor
from tests.desktop.keyring_daemon import NAME, Keyring, keyring_daemon
from tests.desktop.private_bus import connected, until_owned

pytestmark = pytest.mark.desktop

KEY = "tako_live_" + "Planted0Secret-Planted0Secret_xy"
OTHER = "tako_live_" + "b" * 32
HOME = "https://takoapi.com"


@pytest.fixture(params=["in the worker", "in a process"])
async def secrets(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[KeyringSecrets]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    process = KeyringProcess() if request.param == "in a process" else None
    yield KeyringSecrets(Worker(), os.environ, tmp_path, process=process)
    if process is not None:
        await process.close()


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


async def test_an_eavesdropper_on_the_bus_hears_no_key(keyring: Keyring, secrets: KeyringSecrets) -> None:
    with bus_monitor(keyring.address) as monitor:
        await secrets.put(HOME, KEY)
        assert (await secrets.get(HOME)).value == KEY
        await secrets.drop(HOME)
        heard = await monitor.finish(keyring.bus)
    assert b"CreateItem" in heard and b"GetSecret" in heard, "the monitor heard the conversation"
    assert not traces(heard)


async def test_no_file_of_the_keyring_holds_it_in_clear(keyring: Keyring, secrets: KeyringSecrets) -> None:
    await secrets.put(HOME, KEY)
    files = everything_below(keyring.home)
    assert files and not any(traces(data) for data in files)


async def test_the_key_is_imported_and_lisas_copy_stays(
    keyring: Keyring, secrets: KeyringSecrets, tmp_path: Path
) -> None:
    config = write_config(tmp_path)
    before = config.read_bytes()
    assert await secrets.import_key(HOME) == (KeyState.READY, "secrets.imported")
    assert keyring.lookup("TAKO_KEY") == KEY
    assert config.read_bytes() == before and config.stat().st_mode & 0o777 == 0o600


async def test_what_was_kept_for_this_run_gives_way_to_what_was_saved(
    keyring: Keyring, secrets: KeyringSecrets
) -> None:
    secrets.remember(HOME, OTHER)
    assert (await secrets.get(HOME)).state is KeyState.MEMORY
    await secrets.put(HOME, KEY)
    found = await secrets.get(HOME)
    assert (found.state, found.value) == (KeyState.READY, KEY)


async def test_a_key_saved_meanwhile_is_used_though_the_last_choice_was_this_run(
    keyring: Keyring, secrets: KeyringSecrets, tmp_path: Path
) -> None:
    await secrets.put(HOME, OTHER)
    run = KeyringSecrets(Worker(), os.environ, tmp_path, source=lambda: "run")
    assert (await run.get(HOME)).value == OTHER
    run.remember(HOME, KEY)
    assert (await run.get(HOME)).value == KEY


async def test_a_keyring_that_ends_is_absent_and_found_again(
    bus_address: str, short_path: Path, secrets: KeyringSecrets
) -> None:
    for name in ("one", "two"):
        home = short_path / name
        home.mkdir(mode=0o700)
        async with keyring_daemon(bus_address, home) as running:
            assert await secrets.put(HOME, KEY) is KeyState.READY
            watcher = await connected(bus_address)
            assert running.lookup("TAKO_KEY") == KEY
        await until_owned(watcher, NAME, owned=False)
        watcher.disconnect()
        assert (await secrets.get(HOME)).state is KeyState.ABSENT


async def test_no_child_of_ours_inherits_it(keyring: Keyring, secrets: KeyringSecrets) -> None:
    await secrets.put(HOME, KEY)
    await secrets.get(HOME)
    assert not traces("\0".join(f"{k}={v}" for k, v in os.environ.items()).encode())
    assert not traces("\0".join(sys.argv).encode())


def traces(data: bytes) -> bool:
    """Whether the key is in there: as such, as UTF-16, in base64 or hex."""
    tail = KEY[16:].encode()
    forms = (tail, tail.decode().encode("utf-16-le"), tail.hex().encode())
    shifted = (base64.b64encode(b"x" * shift + KEY.encode())[8:-4] for shift in range(3))
    return any(form in data for form in (*forms, *shifted))


def everything_below(folder: Path) -> list[bytes]:
    return [f.read_bytes() for f in folder.rglob("*") if f.is_file()]


def write_config(home: Path) -> Path:
    home.chmod(0o700)
    path = home / "config.env"
    path.write_text(f"TAKO_KEY={KEY}\n")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" + KEY.encode() + b"\x00",
        KEY.encode("utf-16-le"),
        KEY.encode().hex().encode(),
        *(base64.b64encode(b"x" * shift + KEY.encode() + b"yz") for shift in range(3)),
    ],
)
def test_traces_would_be_seen(data: bytes) -> None:
    assert traces(b"before" + data + b"after") and not traces(data[:8])


async def test_where_nobody_can_ask_for_the_password_it_stays_locked(
    keyring: Keyring, secrets: KeyringSecrets
) -> None:
    await keyring.lock()
    assert await secrets.unlock(HOME) is KeyState.LOCKED


async def test_a_demo_never_asks_the_real_keyring(keyring: Keyring, tmp_path: Path) -> None:
    demo = KeyringSecrets(Worker(), os.environ, tmp_path, keyring=False)
    with bus_monitor(keyring.address) as monitor:
        assert await demo.put(HOME, KEY) is KeyState.ABSENT
        assert (await demo.get(HOME)).state is KeyState.ABSENT
        assert await demo.unlock(HOME) is KeyState.ABSENT
        assert await demo.drop(HOME) is KeyState.ABSENT
        assert NAME.encode() not in await monitor.finish(keyring.bus)
    assert keyring.lookup("TAKO_KEY") == ""
