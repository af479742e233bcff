"""Asking a Secret Service whether it is open, without waking its prompt; opening it when told."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.core.agent import KeyState
from lisa_island.system import secret_service
from lisa_island.system.hidden import Hidden
from lisa_island.system.keyring_backend import Found
from lisa_island.system.secrets import KEYRING_SECONDS, KeyringSecrets
from lisa_island.system.worker import Worker
from tests.desktop.fake_secret_service import FakeSecretService, fake_secret_service
from tests.desktop.private_bus import private_bus
from tests.fakes.secrets import KEY

HOME = "https://takoapi.com"


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as where:
        yield where


@pytest.fixture
async def service(address: str) -> AsyncIterator[FakeSecretService]:
    running = await fake_secret_service(address)
    yield running
    running.bus.disconnect()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Calls of the blocking backend, which would prompt in our place, with their time limits."""
    calls: list[tuple[str, float]] = []

    async def run(_self: Worker, call: Any, *args: Any, limit: float, name: str = "") -> Any:
        if name != "keyring":
            return call(*args)
        calls.append((call.__name__, limit))
        return Found(KeyState.READY, Hidden(KEY))

    monkeypatch.setattr(Worker, "run", run)
    return calls


@pytest.fixture
def secrets(address: str, tmp_path: Path, asked: list[tuple[str, float]]) -> KeyringSecrets:
    return KeyringSecrets(Worker(), {"DBUS_SESSION_BUS_ADDRESS": address}, tmp_path)


async def test_an_open_collection_is_asked(
    service: FakeSecretService, secrets: KeyringSecrets, asked: list[tuple[str, float]]
) -> None:
    service.is_locked = False
    assert (await secrets.get(HOME)).state is KeyState.READY
    assert [name for name, _ in asked] == ["read"]


@pytest.mark.parametrize("whole", [True, False], ids=["collection", "item alone"])
async def test_what_is_locked_is_not_touched(
    service: FakeSecretService, secrets: KeyringSecrets, asked: list[tuple[str, float]], whole: bool
) -> None:
    service.is_locked, service.has_locked_item = whole, not whole
    assert (await secrets.get(HOME)).state is KeyState.LOCKED
    assert await secrets.put(HOME, KEY) is KeyState.LOCKED
    assert await secrets.drop(HOME) is KeyState.LOCKED
    assert asked == [] and service.prompts == []


@pytest.mark.parametrize("whole", [True, False], ids=["collection", "item alone"])
async def test_the_owners_click_opens_it(
    service: FakeSecretService, secrets: KeyringSecrets, whole: bool
) -> None:
    service.is_locked, service.has_locked_item = whole, not whole
    assert await secrets.unlock(HOME) is KeyState.READY
    assert service.prompts == ["shown"]
    assert await secrets.unlock(HOME) is KeyState.READY
    assert service.prompts == ["shown"], "what is open needs no prompt"


async def test_the_owner_may_say_no(service: FakeSecretService, secrets: KeyringSecrets) -> None:
    service.answer = False
    assert await secrets.unlock(HOME) is KeyState.LOCKED


async def test_a_prompt_that_nobody_answers_is_taken_away(
    service: FakeSecretService, secrets: KeyringSecrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secret_service, "PROMPT_SECONDS", 0.01)
    service.answer = None
    assert await secrets.unlock(HOME) is KeyState.TIMED_OUT
    assert service.prompts == ["shown", "dismissed"]


async def test_a_desktop_without_a_keyring_yet_is_not_made_to_ask_for_one(
    service: FakeSecretService, secrets: KeyringSecrets, asked: list[tuple[str, float]]
) -> None:
    service.has_collection = False
    assert (await secrets.get(HOME)).state is KeyState.NONE
    assert await secrets.drop(HOME) is KeyState.NONE
    assert asked == []
    await secrets.put(HOME, KEY)
    assert asked == [("write", secret_service.PROMPT_SECONDS)], "saving waits for the desktop's own dialog"


async def test_a_service_that_hangs_times_out(
    service: FakeSecretService, secrets: KeyringSecrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lisa_island.system.session_bus.CALL_SECONDS", 0.0)
    assert (await secrets.get(HOME)).state is KeyState.TIMED_OUT


async def test_without_a_service_the_backend_is_chosen(
    secrets: KeyringSecrets, asked: list[tuple[str, float]]
) -> None:
    assert (await secrets.get(HOME)).state is KeyState.READY
    assert asked == [("read", KEYRING_SECONDS)]
