"""Credentials of direct agents: to their own origins alone, told as a state, and never a value."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lisa_island.app.direct import DirectAgents
from lisa_island.app.direct_shell import DirectShell
from lisa_island.app.house import House, Plan
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import SecretError, StorageError
from lisa_island.core.intents import Outcome, ReadCard, refused
from lisa_island.core.preferences import DirectAgent
from tests.fakes.secrets import FakeSecrets

BOX = DirectAgent(
    "box", "https://box.example/card.json", origins=("https://box.example", "https://b.example")
)
PI = DirectAgent("cellar", "http://127.0.0.1:4/card.json", origins=("http://127.0.0.1:4",))
SECRET = "s3cret of mine"


@pytest.fixture
async def house(tmp_path: Path):
    made = House(Plan(tmp_path / "lisa", {"HOME": str(tmp_path)}, records=False))
    made.plan.home.mkdir()
    await made.settings.open()
    made.agent_secrets = FakeSecrets()  # type: ignore[assignment]
    await made.settings.change(direct_agents=(BOX, PI))
    yield made
    await made.settings.close()
    made.worker.close()


@pytest.fixture
def direct(house: House) -> DirectAgents:
    return DirectAgents(house)


def of(house: House, name: str) -> DirectAgent:
    return next(a for a in house.preferences.direct_agents if a.name == name)


async def test_it_is_kept_for_each_agreed_origin_and_no_other(house: House, direct: DirectAgents) -> None:
    assert await direct.look("box") == (KeyState.NONE, "")
    assert await direct.save("box", SECRET, "keyring", "header", "X-Key") == (KeyState.READY, "")
    assert house.agent_secrets.keys == dict.fromkeys(BOX.origins, SECRET)
    assert (of(house, "box").auth, of(house, "box").header) == ("header", "X-Key")
    assert await direct.look("box") == (KeyState.READY, "")
    assert SECRET not in (house.plan.home / "island.json").read_text()
    assert await direct.drop("box") == (KeyState.NONE, "")
    assert house.agent_secrets.keys == {}


@pytest.mark.parametrize(
    ("value", "auth", "header", "word"),
    [
        ("", "bearer", "", "secrets.empty"),
        ("a\nb", "bearer", "", "secrets.bad-credential"),
        ("x", "", "", "agent.bad-auth"),
        ("x", "header", "", "agent.bad-auth"),
    ],
)
async def test_what_cannot_be_sent_changes_nothing(
    house: House, direct: DirectAgents, value: str, auth: str, header: str, word: str
) -> None:
    with pytest.raises(SecretError) as caught:
        await direct.save("box", value, "keyring", auth, header)
    assert caught.value.word == word
    assert house.agent_secrets.keys == {} and of(house, "box") == BOX


async def test_nobody_has_a_credential_who_was_not_added(direct: DirectAgents) -> None:
    for work in (
        direct.look("nobody"),
        direct.drop("nobody"),
        direct.save("nobody", "x", "run", "bearer", ""),
    ):
        with pytest.raises(SecretError):
            await work


async def test_a_card_file_has_a_bound(direct: DirectAgents, tmp_path: Path) -> None:
    file = tmp_path / "card.json"
    with pytest.raises(StorageError, match="unreadable"):
        await direct.read_card(file)
    file.write_text('{"name": "x"}')
    assert await direct.read_card(file) == '{"name": "x"}'
    file.write_bytes(b" " * (256 * 1024 + 1))
    with pytest.raises(StorageError, match="too-large"):
        await direct.read_card(file)


def pi(house: House, *agents: dict[str, str]) -> None:
    folder = Path(house.plan.environ["HOME"]) / ".pi" / "agent"
    folder.mkdir(parents=True)
    (folder / "settings.json").write_text(json.dumps({"pi-a2a": {"staticAgents": agents}}))


async def test_a_key_of_pi_goes_to_the_address_it_stands_beside(house: House, direct: DirectAgents) -> None:
    pi(house, {"name": "Cellar", "url": "http://127.0.0.1:4", "apiKey": SECRET})
    [listed] = await direct.from_pi()
    assert listed.has_key and SECRET not in repr(listed)
    assert await direct.take_pi_key("Cellar", "cellar") == (KeyState.READY, "")
    assert house.agent_secrets.keys == {"http://127.0.0.1:4": SECRET} and of(house, "cellar").auth == "bearer"


async def test_a_key_of_pi_goes_nowhere_else(house: House, direct: DirectAgents) -> None:
    pi(
        house,
        {"name": "Cellar", "url": "http://127.0.0.1:4", "apiKey": SECRET},
        {"name": "b", "url": "http://b"},
    )
    for listed, name, word in (("Cellar", "box", "pi.other-origin"), ("b", "box", "pi.no-key")):
        with pytest.raises(SecretError) as caught:
            await direct.take_pi_key(listed, name)
        assert caught.value.word == word
    assert house.agent_secrets.keys == {}


class Heard:
    """Who waits for an answer of the shell."""

    def __init__(self) -> None:
        self.told: asyncio.Future[tuple[object, ...]] = asyncio.get_running_loop().create_future()

    def __call__(self, *told: object) -> None:
        self.told.set_result(told)


async def test_the_windows_are_told_a_state_and_a_sentence(house: House, tmp_path: Path) -> None:
    shell = DirectShell(house)
    poked: list[None] = []
    house._key_listeners.append(lambda: poked.append(None))

    async def answer(ask: Callable[[Heard], None]) -> tuple[object, ...]:
        heard = Heard()
        ask(heard)
        return await heard.told

    assert await answer(lambda d: shell.look_at_credential("box", d)) == (KeyState.NONE, "")
    assert not poked
    assert await answer(lambda d: shell.save_credential("box", SECRET, d)) == (KeyState.READY, "")
    assert of(house, "box").auth == "bearer" and len(poked) == 1
    assert await answer(lambda d: shell.save_credential("box", "", d)) == (KeyState.NONE, "secrets.empty")
    assert await answer(lambda d: shell.unlock_credential("box", d)) == (KeyState.READY, "")
    assert await answer(lambda d: shell.drop_credential("box", d)) == (KeyState.NONE, "")
    run = await answer(lambda d: shell.save_credential("box", SECRET, d, source="run"))
    assert run == (KeyState.MEMORY, "")
    assert await answer(lambda d: shell.read_card(str(tmp_path / "no"), d)) == ("", "agent.file-unreadable")
    assert await answer(shell.pi_agents) == ((), "pi.no-file")
    taken = await answer(lambda d: shell.take_pi_key("x", "box", d))
    assert taken == (KeyState.NONE, "pi.no-file")
    await house.nursery.close()


async def test_looking_while_nothing_is_on_leaves_no_connection(house: House, monkeypatch) -> None:
    closed: list[str] = []

    class Once:
        async def perform(self, intent: object) -> Outcome:
            return refused("outcome.source-off")

        async def close(self) -> None:
            closed.append("once")

    monkeypatch.setattr(house, "_open", lambda *_: Once())
    await house.perform(ReadCard("a2a", "https://box.example"), even_if_off=True)
    assert closed == ["once"]
