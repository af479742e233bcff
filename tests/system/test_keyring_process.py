"""The process that asks the keyring: it hangs, dies and ends without harm; no value is to be seen of it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lisa_island.core.agent import KeyState
from lisa_island.system import keyring_backend, keyring_process
from lisa_island.system.hidden import Hidden
from lisa_island.system.keyring_backend import Found
from lisa_island.system.keyring_process import KeyringProcess

PLANTED = "Planted0Secret"
NO_BACKEND = "keyring.backends.null.Keyring"
PATIENCE = 60.0


@pytest.fixture
async def process(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[KeyringProcess]:
    """One whose keyring is none: no bus, and the owner wants no keyring."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", NO_BACKEND)
    made = KeyringProcess()
    yield made
    await made.close()


def pid_of(process: KeyringProcess) -> int:
    assert process._child is not None
    return process._child.pid


async def read(process: KeyringProcess, limit: float = PATIENCE) -> Found:
    return await process.run(keyring_backend.read, "TAKO_KEY", limit=limit)


async def test_it_answers_as_the_backend_does(process: KeyringProcess) -> None:
    assert await read(process) == Found(KeyState.ABSENT, None, NO_BACKEND)
    first = pid_of(process)
    written = await process.run(keyring_backend.write, "TAKO_KEY", Hidden(PLANTED), limit=PATIENCE)
    assert written.state is KeyState.ABSENT and pid_of(process) == first, "one process for many questions"


async def test_no_value_is_in_its_arguments_or_its_environment(process: KeyringProcess) -> None:
    await process.run(keyring_backend.write, "TAKO_KEY", Hidden(PLANTED), limit=PATIENCE)
    about = Path(f"/proc/{pid_of(process)}")
    assert PLANTED.encode() not in (about / "cmdline").read_bytes() + (about / "environ").read_bytes()


async def test_one_that_hangs_is_ended_and_the_next_question_has_another(process: KeyringProcess) -> None:
    await read(process)
    hung = process._child
    assert hung is not None
    os.kill(hung.pid, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        await read(process, limit=0.05)
    assert await hung.wait() == -signal.SIGKILL
    assert (await read(process)).state is KeyState.ABSENT


async def test_one_that_was_killed_has_heard_nothing_and_is_asked_anew(process: KeyringProcess) -> None:
    await read(process)
    os.kill(pid_of(process), signal.SIGKILL)
    assert (await read(process)).state is KeyState.ABSENT


async def test_a_question_given_up_gives_its_answer_to_nobody(process: KeyringProcess) -> None:
    await read(process)
    given_up = pid_of(process)
    asking = asyncio.ensure_future(read(process))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await read(process)).name == NO_BACKEND and pid_of(process) != given_up


async def test_what_a_backend_prints_is_no_answer(
    process: KeyringProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loud.py").write_text("print('{}')\nfrom keyring.backends.null import Keyring\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "loud.Keyring")
    assert (await read(process)).name == NO_BACKEND


@pytest.mark.parametrize("answer", [b"", b"{}", b"[]", b"{", b'{"state": "odd", "value": null, "name": ""}'])
def test_an_answer_that_is_none_is_no_keyring(answer: bytes) -> None:
    assert keyring_process._read(answer) == Found(KeyState.ABSENT)


async def test_where_no_process_can_be_started_there_is_no_keyring(
    process: KeyringProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring_process.sys, "executable", "/nonexistent")
    assert (await read(process)).state is KeyState.ABSENT


async def test_it_ends_with_the_one_who_asks(process: KeyringProcess) -> None:
    await read(process)
    child = process._child
    assert child is not None
    await process.close()
    assert child.returncode == 0


@pytest.mark.slow
async def test_it_ends_by_itself_when_nobody_asks_any_more(process: KeyringProcess) -> None:
    await read(process)
    assert process._child is not None
    assert await process._child.wait() == -signal.SIGALRM
    assert (await read(process)).state is KeyState.ABSENT
