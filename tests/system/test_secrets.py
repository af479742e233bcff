"""Where a key is and what may be seen of it, without any keyring service."""

import copy
import logging
import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import keyring.backend
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import words
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import SecretError
from lisa_island.core.origin import check_key, origin_of, preview
from lisa_island.core.ports import Secret
from lisa_island.system import keyring_backend
from lisa_island.system.hidden import Hidden
from lisa_island.system.secrets import (
    KeyringSecrets,
    take_from_environment,
    user_of,
)
from lisa_island.system.worker import Worker

KEY = "tako_live_" + "Planted0Secret-Planted0Secret_xy"
HOME = "https://takoapi.com"
TAIL = KEY[16:]


class PlaintextKeyring(keyring.backend.KeyringBackend):
    """What `keyrings.alt` brings: viable everywhere, and it writes a file anybody can read."""

    __module__ = "keyrings.alt.file"
    priority = 9.5  # type: ignore[assignment]
    saved: dict[tuple[str, str], str] = {}  # noqa: RUF012

    def set_password(self, service: str, username: str, password: str) -> None:
        self.saved[service, username] = password

    def get_password(self, service: str, username: str) -> str | None:
        return self.saved.get((service, username))

    def delete_password(self, service: str, username: str) -> None:
        self.saved.pop((service, username))


# Defining a backend registers it for the whole process.
keyring.backend.KeyringBackend._classes.discard(PlaintextKeyring)


@pytest.fixture(autouse=True)
def _no_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "TAKO_KEY", "TAKOAPI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    keyring.backend.get_all_keyring()  # registers the plug-ins, once in a process
    registered = set(keyring.backend.KeyringBackend._classes)
    monkeypatch.setattr(keyring.backend.KeyringBackend, "_classes", registered)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")


def secrets(home: Path, source: str = "keyring", **environ: str) -> KeyringSecrets:
    return KeyringSecrets(Worker(), environ, home, source=lambda: source)


# --- format ---


def test_a_whole_key_is_accepted() -> None:
    assert check_key(KEY) == ""
    assert preview(KEY) == "tako_live_Plante"
    assert len(KEY) == 42


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("", "secrets.empty"),
        ("sk-123", "secrets.bad-prefix"),
        ("tako_abcdef", "secrets.bad-prefix"),
        ("TAKO_LIVE_" + "a" * 32, "secrets.bad-prefix"),
        (" " + KEY, "secrets.bad-prefix"),
        (KEY[:-1], "secrets.bad-length"),
        (KEY + "x", "secrets.bad-length"),
        (KEY + "\n", "secrets.bad-length"),
        ("tako_live_" + "ａ" * 32, "secrets.bad-length"),
        ("tako_live_" + "a" * 31 + "/", "secrets.bad-length"),
    ],
)
def test_what_is_no_key_is_named(value: str, word: str) -> None:
    assert check_key(value) == word
    assert words.has(word)


@given(st.text())
def test_no_value_breaks_the_check(value: str) -> None:
    assert check_key(value) == "" or words.has(check_key(value))


def test_two_keys_with_one_prefix_look_the_same() -> None:
    assert preview(KEY) == preview(KEY[:16] + "z" * 26)


# --- origins ---


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://takoapi.com", HOME),
        ("https://TakoAPI.com/", HOME),
        ("https://takoapi.com:443/api?x=1", HOME),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://[::1]:80", "http://[::1]"),
        ("https://user@takoapi.com", ""),
        ("nonsense", ""),
        ("http://[", ""),
        ("https://takoapi.com:99999", ""),
    ],
)
def test_one_spelling_for_each_origin(url: str, origin: str) -> None:
    assert origin_of(url) == origin
    assert origin_of(origin) == origin


@pytest.mark.parametrize(
    "stranger",
    [
        "http://takoapi.com",
        "https://takoapi.com.evil.example",
        "https://takoapi.com:8443",
        "https://takoapi.co",
    ],
)
async def test_a_key_goes_to_no_other_origin(stranger: str, tmp_path: Path) -> None:
    kept = secrets(tmp_path)
    kept.remember(HOME, KEY)
    assert (await kept.get(HOME)).value == KEY
    assert (await kept.get(stranger)).value == ""
    assert user_of(origin_of(stranger)) != "TAKO_KEY"


async def test_an_address_that_is_none_keeps_no_key(tmp_path: Path) -> None:
    kept = secrets(tmp_path)
    with pytest.raises(SecretError):
        kept.remember("https://user@takoapi.com", KEY)
    assert (await kept.get("nonsense")).value == ""


# --- where it is ---


async def test_without_a_bus_the_keyring_is_absent(tmp_path: Path) -> None:
    kept = secrets(tmp_path)
    assert await kept.get(HOME) == Secret(KeyState.ABSENT)
    assert await kept.put(HOME, KEY) is KeyState.ABSENT
    assert await kept.unlock(HOME) is KeyState.ABSENT
    assert await kept.drop(HOME) is KeyState.ABSENT


async def test_a_plaintext_keyring_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlaintextKeyring, "saved", {})
    keyring.backend.KeyringBackend._classes.add(PlaintextKeyring)
    kept = secrets(tmp_path)
    found = await kept.get(HOME)
    assert (found.state, found.detail) == (KeyState.ABSENT, "keyrings.alt.file.PlaintextKeyring")
    assert await kept.put(HOME, KEY) is KeyState.ABSENT
    assert PlaintextKeyring.saved == {}


async def test_the_owner_may_have_switched_keyrings_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    found = await secrets(tmp_path).get(HOME)
    assert (found.state, found.detail) == (KeyState.ABSENT, "keyring.backends.null.Keyring")


async def test_a_keyring_that_hangs_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Worker):
        async def run(self, call: object, *args: object, limit: float, name: str = "") -> object:  # type: ignore[override]
            raise TimeoutError

    kept = KeyringSecrets(Stuck(), {}, tmp_path)
    assert (await kept.get(HOME)).state is KeyState.TIMED_OUT
    assert await kept.put(HOME, KEY) is KeyState.TIMED_OUT
    assert await kept.drop(HOME) is KeyState.TIMED_OUT


async def test_for_this_run_only(tmp_path: Path) -> None:
    kept = secrets(tmp_path, "run")
    assert (await kept.get(HOME)).state is KeyState.ABSENT
    kept.remember(HOME + "/", KEY)
    assert await kept.get(HOME) == Secret(KeyState.MEMORY, KEY)
    await kept.drop(HOME)
    assert (await kept.get(HOME)).state is KeyState.ABSENT
    assert files_below(tmp_path) == {}


async def test_what_is_no_key_is_kept_nowhere(tmp_path: Path) -> None:
    kept = secrets(tmp_path)
    with pytest.raises(SecretError, match=r"secrets\.bad-prefix"):
        await kept.put(HOME, "sk-other")
    with pytest.raises(SecretError, match=r"secrets\.bad-length"):
        kept.remember(HOME, KEY[:-1])
    assert (await kept.get(HOME)).state is KeyState.ABSENT


async def test_from_the_environment_at_each_start(tmp_path: Path) -> None:
    kept = secrets(tmp_path, "environment", TAKO_KEY=KEY)
    assert await kept.get(HOME) == Secret(KeyState.READY, KEY)
    assert (await kept.get("http://127.0.0.1:1")).state is KeyState.NONE


async def test_the_environments_key_belongs_to_the_address_beside_it(tmp_path: Path) -> None:
    kept = secrets(tmp_path, "environment", TAKO_KEY=KEY, TAKOAPI_BASE_URL="http://127.0.0.1:8080/")
    assert (await kept.get("http://127.0.0.1:8080")).value == KEY
    assert (await kept.get(HOME)).value == ""


async def test_from_the_file_at_each_start(tmp_path: Path) -> None:
    write_config(tmp_path, f"TAKO_KEY={KEY}\n")
    kept = secrets(tmp_path, "file")
    assert await kept.get(HOME) == Secret(KeyState.READY, KEY)
    (tmp_path / "config.env").chmod(0o644)
    assert await kept.get(HOME) == Secret(KeyState.NONE, detail="secrets.file-open")


async def test_the_environment_is_not_read_unless_chosen(tmp_path: Path) -> None:
    write_config(tmp_path, f"TAKO_KEY={KEY}\n")
    assert (await secrets(tmp_path, "keyring", TAKO_KEY=KEY).get(HOME)).value == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "secrets.nothing-to-import"),
        (f"TAKO_KEY={KEY}\nTAKOAPI_BASE_URL=http://x.example\n", "secrets.other-origin"),
    ],
)
async def test_nothing_to_import_is_said(text: str, word: str, tmp_path: Path) -> None:
    write_config(tmp_path, text)
    with pytest.raises(SecretError, match=word):
        await secrets(tmp_path).import_key(HOME)


async def test_import_without_a_keyring_keeps_nothing(tmp_path: Path) -> None:
    write_config(tmp_path, f"TAKO_KEY={KEY}\n")
    assert await secrets(tmp_path).import_key(HOME) == (KeyState.ABSENT, "secrets.state.absent")


def test_every_state_has_a_face() -> None:
    assert all(words.has(f"secrets.state.{state}") for state in KeyState)


# --- what may be seen ---


def test_the_key_is_taken_out_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKO_KEY", KEY)
    taken = take_from_environment(os.environ)
    assert taken is not None and taken.key.reveal() == KEY and taken.origin == HOME
    printed = subprocess.run(
        [sys.executable, "-c", "import os; print(dict(os.environ))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert TAIL not in printed
    assert take_from_environment(os.environ) is None


@pytest.mark.parametrize("holder", [Hidden(KEY), Secret(KeyState.READY, KEY)])
def test_what_holds_a_key_does_not_show_it(holder: object) -> None:
    shown = [repr(holder), str(holder), f"{holder}", repr([holder]), "%s" % (holder,), repr(vars)]  # noqa: UP031
    assert not any(TAIL in text for text in shown)
    with pytest.raises(TypeError):
        pickle.dumps(holder)
    with pytest.raises(TypeError):
        copy.copy(holder)


async def test_no_log_and_no_exception_carries_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Blabbing(PlaintextKeyring):
        """A keyring whose errors repeat what they were given."""

        def set_password(self, service: str, username: str, password: str) -> None:
            raise RuntimeError(f"cannot save {password}")

    keyring.backend.KeyringBackend._classes.discard(Blabbing)
    monkeypatch.setattr(keyring_backend, "choose", lambda: (Blabbing(), "x"))
    caplog.set_level(logging.DEBUG)
    kept = secrets(tmp_path, TAKO_KEY=KEY)
    kept.remember(HOME, KEY)
    assert await kept.put(HOME, KEY) is KeyState.ABSENT
    monkeypatch.setattr(Blabbing, "set_password", lambda *_: None)
    with pytest.raises(SecretError) as caught:
        await kept.put(HOME, KEY)
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + caplog.text
    assert TAIL not in told and TAIL not in repr(kept.__dict__)
    assert not any(TAIL in text for text in files_below(tmp_path).values())


def files_below(folder: Path) -> dict[str, str]:
    return {f.name: f.read_text("utf-8", "replace") for f in folder.rglob("*") if f.is_file()}


def write_config(home: Path, text: str) -> None:
    home.chmod(0o700)
    path = home / "config.env"
    path.write_text(text, "utf-8")
    path.chmod(0o600)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows it")
def test_what_the_kernel_shows_of_us_has_lost_the_key() -> None:
    """`ps e` prints the environment a process was started with to every program of its user."""
    code = (
        "import os, subprocess, sys\n"
        "from lisa_island.system.secrets import take_from_environment\n"
        "taken = take_from_environment(os.environ)\n"
        "print(taken.key.reveal())\n"
        "print(open('/proc/self/environ').read().replace('\\0', '\\n'))\n"
        "print(subprocess.run(['env'], capture_output=True, text=True).stdout)\n"
    )
    environ = {
        "A": "1", "TAKO_KEY": KEY, "XTAKO_KEY": "other", "B": "TAKO_KEY=2", "PYTHONPATH": str(Path.cwd()),
        "PATH": os.environ["PATH"],
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True
    )
    first, shown = done.stdout.split("\n", 1)
    assert first == KEY and KEY not in shown and KEY[16:] not in shown
    for line in ("A=1", "B=TAKO_KEY=2", "XTAKO_KEY=other"):
        assert shown.count(line) == 2, "in what the kernel shows, and in a child"
