"""The owner's choices: read with care, changed without harm, and never lost in silence."""

import asyncio
import json
import os
import stat
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from lisa_island.core.errors import StorageError
from lisa_island.core.ports import Settings
from lisa_island.core.preferences import DirectAgent, Pin, Preferences
from lisa_island.core.words import say
from lisa_island.system._watch import FileWatch
from lisa_island.system.home import lisa_home
from lisa_island.system.settings import FileSettings
from lisa_island.system.worker import Worker
from tests.fakes.clock import FakeClock, settle
from tests.fakes.settings import FakeSettings

Made = Callable[..., FileSettings]

SHARED = {
    "visibility": "activity",
    "integrations": {
        "claude-code": {"enabled": True, "visibility": "intent"},
        "managed": {"enabled": False},
        "takoapi": {"enabled": True, "pin": ["acme", "globex"], "note": "LISA's own"},
        "someday": {"x": [1, 2.50, None]},
    },
    "später": "值",
}


@pytest_asyncio.fixture
async def made(home: Path, worker: Worker, clock: FakeClock) -> AsyncIterator[Made]:
    every: list[FileSettings] = []

    def make(environ: dict[str, str] | None = None, at: Path | None = None) -> FileSettings:
        every.append(FileSettings(at or home, environ or {}, worker, clock))
        return every[-1]

    yield make
    for settings in every:
        await settings.close()


def write(home: Path, name: str, content: Any) -> str:
    home.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)
    (home / name).write_text(text, "utf-8")
    return text


def text_of(home: Path, name: str) -> str:
    return (home / name).read_text("utf-8")


def read(home: Path, name: str) -> Any:
    return json.loads(text_of(home, name))


def link(path: Path, to: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)


def names(home: Path) -> set[str]:
    return {path.name for path in home.iterdir() if path.suffix != ".lock"}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def opened(settings: FileSettings) -> FileSettings:
    await settings.open()
    return settings


async def told(settings: FileSettings, until: Callable[[Preferences], bool]) -> Preferences:
    """The first preferences that satisfy a condition; time passes, for a machine without inotify to spare."""
    clock = settings._clock
    assert isinstance(clock, FakeClock)
    while not until(settings.now()):
        await clock.run(0.5)
    return settings.now()


async def begun(watch: FileWatch) -> None:
    """Until the kernel watches, or cannot."""
    while watch._observer is None and not watch.is_sweeping:
        await settle()


async def test_both_are_the_port(made: Made) -> None:
    ports: tuple[Settings, ...] = (made(), FakeSettings())
    assert [port.now() for port in ports] == [Preferences(), Preferences()]


# --- reading ---


async def test_without_files_there_are_defaults_and_no_files(made: Made, home: Path) -> None:
    settings = await opened(made())
    assert settings.now() == Preferences()
    assert settings.problems() == ()
    assert names(home) == {"island-gate.json"}


async def test_the_shared_entry(made: Made, home: Path) -> None:
    write(home, "agents.json", SHARED)
    now = (await opened(made())).now()
    assert now.takoapi_enabled
    assert now.pins == (Pin("acme"), Pin("globex"))


@pytest.mark.parametrize(
    ("entry", "on"),
    [
        ({"enabled": True}, True),
        ({"enabled": False}, False),
        ({}, False),
        ({"pin": ["acme"]}, False),
        ({"enabled": "true"}, False),
        ({"enabled": 1}, False),
        ({"enabled": None}, False),
        (True, False),
        ([], False),
        (None, False),
    ],
)
@pytest.mark.parametrize("nested", [True, False])
async def test_off_unless_exactly_true(made: Made, home: Path, entry: Any, on: bool, nested: bool) -> None:
    write(home, "agents.json", {"integrations": {"takoapi": entry}} if nested else {"takoapi": entry})
    assert (await opened(made())).now().takoapi_enabled is on


async def test_nested_wins_over_the_plans_form(made: Made, home: Path) -> None:
    top = {"enabled": True, "pin": ["top"]}
    write(
        home, "agents.json", {"takoapi": top, "integrations": {"takoapi": {"enabled": False, "pin": ["n"]}}}
    )
    now = (await opened(made())).now()
    assert (now.takoapi_enabled, now.pins) == (False, (Pin("n"),))
    write(home, "agents.json", {"takoapi": top, "integrations": {"managed": {}}})
    now = (await opened(made())).now()
    assert (now.takoapi_enabled, now.pins) == (True, (Pin("top"),))


async def test_pins_are_slugs(made: Made, home: Path) -> None:
    pins = ["a", 7, "a", "b\u202e", "", None, "c", "x" * 300]
    write(home, "agents.json", {"integrations": {"takoapi": {"enabled": True, "pin": pins}}})
    settings = await opened(made())
    assert settings.now().pins == (Pin("a"), Pin("c"))
    assert settings.problems() == (
        ("settings-file.bad-value", {"file": "agents.json", "key": "takoapi.pin"}),
    )


async def test_one_bad_value_costs_only_itself(made: Made, home: Path) -> None:
    write(
        home,
        "island.json",
        {
            "schema": 1, "theme": "purple", "openOnHover": "yes", "compactRows": True, "mutedUntil": -1,
            "positions": [["HDMI-1", 10, -20]], "language": "zh-CN", "later": {"x": 1},
        },
    )  # fmt: skip
    settings = await opened(made())
    assert settings.now() == Preferences(
        compact_rows=True, positions=(("HDMI-1", 10, -20),), language="zh-CN"
    )
    assert [values["key"] for _, values in settings.problems()] == ["mutedUntil", "openOnHover", "theme"]


@pytest.mark.parametrize("schema", ["1", True, -1, 1.5, None])
async def test_an_odd_schema_is_reported(made: Made, home: Path, schema: Any) -> None:
    write(home, "island.json", {"schema": schema, "theme": "dark"})
    settings = await opened(made())
    assert settings.now().theme == "dark"
    assert [values["key"] for _, values in settings.problems()] == ["schema"]


async def test_prices_and_names_of_pins_come_from_the_cache(made: Made, home: Path) -> None:
    write(home, "agents.json", SHARED)
    cache = {"acme": {"price": "0.02 USD", "name": "Ac\u202eme"}, "gone": {"price": "free"}}
    write(home, "island.json", {"schema": 1, "pinCache": cache})
    assert (await opened(made())).now().pins == (Pin("acme", "0.02 USD", "Acme"), Pin("globex"))


# --- changing ---


async def test_a_change_is_on_disk_and_told(made: Made, home: Path) -> None:
    settings = await opened(made())
    heard: list[Preferences] = []
    settings.subscribe(heard.append)
    after = await settings.change(theme="dark", muted_until=5, positions=(("eDP-1", 3, 4),))
    assert after == settings.now() == Preferences(theme="dark", muted_until=5, positions=(("eDP-1", 3, 4),))
    assert heard == [after]
    assert read(home, "island.json") == {
        "schema": 1, "theme": "dark", "mutedUntil": 5, "positions": [["eDP-1", 3, 4]],
    }  # fmt: skip
    assert mode(home / "island.json") == 0o600
    assert not (home / "agents.json").exists()
    assert (await opened(made())).now() == after


async def test_the_same_value_again_writes_nothing(made: Made, home: Path) -> None:
    settings = await opened(made())
    await settings.change(theme="system", pins=(), takoapi_enabled=False)
    assert names(home) == {"island-gate.json"}
    await settings.change(theme="dark")
    before = (home / "island.json").stat()
    await settings.change(theme="dark")
    after = (home / "island.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


async def test_every_field_survives_a_round(made: Made) -> None:
    other = Preferences(
        language="en", theme="light", screen="primary", open_on_hover=False, shrink_when_quiet=True,
        compact_rows=True, reduced_motion=True, positions=(("a", 1, 2),), presenting=True, notify_input=False,
        notify_auth=False, notify_failed=False, notify_finished=True, muted_until=9, quiet_hours=True,
        quiet_from="21:30", quiet_to="07:15", agent_calls="allow",
        key_source="file", welcomed=True, base_url="https://example.org/x", takoapi_enabled=True,
        agents_on=("claude-code",), follow_at_agent=("acme",), journal_days=3, reporters=("my-host",),
        direct_agents=(
            DirectAgent("box", "https://a.test", "", "https://b.test", ("https://a.test",), "header", "X"),
            DirectAgent("file", card="{}"),
        ),
        pins=(Pin("acme", "free", "Acme"),),
    )  # fmt: skip
    settings = await opened(made())
    changes = {n: getattr(other, n) for n in Preferences.__slots__ if n != "agent_calls_wanted"}
    assert [n for n, v in changes.items() if v == getattr(Preferences(), n)] == []
    await settings.change(**changes)
    assert (await opened(made())).now() == other


async def test_a_direct_agent_keeps_what_we_do_not_know_of_it(made: Made, home: Path) -> None:
    write(
        home, "island.json", {"directAgents": [{"name": "box", "url": "https://a.example", "note": "mine"}]}
    )
    settings = await opened(made())
    known = settings.now().direct_agents
    assert known == (DirectAgent("box", "https://a.example"),)
    await settings.change(direct_agents=(*known, DirectAgent("other", "https://b.example")))
    first, second = read(home, "island.json")["directAgents"]
    assert first["note"] == "mine" and first["url"] == "https://a.example"
    assert second["name"] == "other"


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "two words", "url": "https://a.example"},
        {"name": "nowhere"},
        {"name": "box", "url": 5},
        {"name": "box", "url": "https://a.example", "auth": "magic"},
        {"name": "good", "url": "https://twin.example"},
    ],
)
async def test_a_bad_direct_agent_is_said_and_never_written_over(made: Made, home: Path, bad: Any) -> None:
    before = write(home, "island.json", {"directAgents": [{"name": "good", "url": "https://a.example"}, bad]})
    settings = await opened(made())
    assert settings.now().direct_agents == ()
    with pytest.raises(StorageError) as refused:
        await settings.change(direct_agents=(DirectAgent("new", "https://n.example"),))
    assert refused.value.word == "settings-file.fix-agents"
    assert text_of(home, "island.json") == before


async def test_what_is_not_ours_is_kept(made: Made, home: Path) -> None:
    before = write(home, "agents.json", SHARED)
    settings = await opened(made())
    await settings.change(takoapi_enabled=False)
    assert text_of(home, "agents.json") == before.replace(
        '"takoapi": {\n      "enabled": true', '"takoapi": {\n      "enabled": false'
    )
    await settings.change(takoapi_enabled=True)
    assert text_of(home, "agents.json") == before
    await settings.change(pins=(Pin("initech", "free"),))
    expected = json.loads(before)
    expected["integrations"]["takoapi"]["pin"] = ["initech"]
    assert json.dumps(read(home, "agents.json")) == json.dumps(expected)


async def test_switching_on_does_not_switch_lisas_agents_off(made: Made, home: Path) -> None:
    await (await opened(made())).change(takoapi_enabled=True)
    on = {"enabled": True}
    assert read(home, "agents.json") == {
        "integrations": {"claude-code": on, "managed": on, "pty": on, "takoapi": {"enabled": True, "pin": []}}
    }
    assert mode(home / "agents.json") == 0o600


async def test_integrations_are_made_beside_what_is_there(made: Made, home: Path) -> None:
    write(home, "agents.json", '{\n\t"visibility": "off"\n}')
    await (await opened(made())).change(pins=(Pin("acme"),))
    found = read(home, "agents.json")
    assert list(found) == ["visibility", "integrations"]
    assert list(found["integrations"]) == ["claude-code", "managed", "pty", "takoapi"]
    assert found["integrations"]["takoapi"] == {"enabled": False, "pin": ["acme"]}


async def test_the_plans_form_moves_to_where_lisa_reads_it(made: Made, home: Path) -> None:
    top = {"enabled": True, "pin": ["acme"]}
    write(home, "agents.json", {"takoapi": top, "integrations": {"managed": {"enabled": True}}})
    await (await opened(made())).change(pins=(Pin("acme"), Pin("globex")))
    assert read(home, "agents.json") == {
        "takoapi": top,
        "integrations": {
            "managed": {"enabled": True},
            "takoapi": {"enabled": True, "pin": ["acme", "globex"]},
        },
    }


async def test_a_pin_does_not_switch_lisa_on(made: Made, home: Path) -> None:
    # LISA takes an entry without `enabled` for enabled.
    write(home, "agents.json", {"integrations": {"takoapi": {}}})
    await (await opened(made())).change(pins=(Pin("acme"),))
    assert read(home, "agents.json")["integrations"]["takoapi"] == {"enabled": False, "pin": ["acme"]}


@pytest.mark.parametrize("entry", [{}, {"enabled": None}, {"enabled": "no"}, {"enabled": 0}, True])
async def test_off_is_off_for_lisa_too(made: Made, home: Path, entry: Any) -> None:
    # We read all of these as off, and LISA as on.
    write(home, "agents.json", {"integrations": {"takoapi": entry}})
    await (await opened(made())).change(takoapi_enabled=False)
    assert read(home, "agents.json")["integrations"]["takoapi"]["enabled"] is False


async def test_an_overtaken_reading_changes_nothing(made: Made) -> None:
    settings = await opened(made())
    early = settings._load()
    now = await settings.change(theme="dark")
    settings._loaded(early, None)
    settings._confirmed(early, None)
    assert settings.now() == now
    assert settings._doubt is None


async def test_modes_are_kept_or_narrow(made: Made, home: Path) -> None:
    write(home, "agents.json", SHARED)
    write(home, "island.json", {"schema": 1})
    (home / "agents.json").chmod(0o640)
    (home / "island.json").chmod(0o644)
    await (await opened(made())).change(takoapi_enabled=False, theme="dark")
    assert (mode(home / "agents.json"), mode(home / "island.json")) == (0o640, 0o600)


async def test_a_linked_file_stays_linked(made: Made, home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    write(dotfiles, "agents.json", SHARED)
    link(home / "agents.json", dotfiles / "agents.json")
    await (await opened(made())).change(takoapi_enabled=False)
    assert (home / "agents.json").is_symlink()
    assert read(dotfiles, "agents.json")["integrations"]["takoapi"]["enabled"] is False


async def test_an_edit_from_elsewhere_is_merged(made: Made, home: Path) -> None:
    settings = await opened(made())
    await settings.change(theme="dark")
    write(home, "island.json", {"schema": 1, "theme": "dark", "compactRows": True})
    now = await settings.change(welcomed=True)
    assert (now.theme, now.compact_rows, now.welcomed) == ("dark", True, True)


async def test_two_of_ours_do_not_undo_each_other(
    home: Path, worker: Worker, clock: FakeClock, made: Made
) -> None:
    one, two = await opened(made()), FileSettings(home, {}, Worker(), clock)
    await two.open()
    await asyncio.gather(
        *(one.change(muted_until=n) for n in range(1, 20)),
        *(two.change(positions=(("x", n, 0),)) for n in range(20)),
    )
    await two.close()
    found = (await opened(made())).now()
    assert (found.muted_until, found.positions) == (19, (("x", 19, 0),))


async def test_a_bad_choice_is_a_bug_and_changes_nothing(made: Made, home: Path) -> None:
    settings = await opened(made())
    for change in (
        {"theme": "purple"}, {"welcomed": 1}, {"takoapi_enabled": "yes"}, {"pins": (Pin("a\u202e"),)},
        {"pins": (Pin("a"), Pin("a"))},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            await settings.change(**change)
    for unknown in ("agent_calls_wanted", "colour"):
        with pytest.raises(TypeError):
            await settings.change(**{unknown: "allow"})
    assert settings.now() == Preferences()
    assert names(home) == {"island-gate.json"}


# --- broken files ---


@pytest.mark.parametrize(
    "text", ["{", "[]", "", "{'a': 1}", '{"a": NaN}', "[" * 100_000, '{"n": ' + "9" * 5_000 + "}"]
)
@pytest.mark.parametrize("name", ["agents.json", "island.json"])
async def test_a_broken_file_is_left_alone_until_we_must_write(
    made: Made, home: Path, name: str, text: str
) -> None:
    write(home, name, text)
    settings = await opened(made())
    assert settings.now() == Preferences()
    assert settings.problems() == (("settings-file.broken", {"file": name}),)
    other = {"island.json": {"takoapi_enabled": True}, "agents.json": {"theme": "dark"}}[name]
    await settings.change(**other)
    assert text_of(home, name) == text
    mine = {"agents.json": {"takoapi_enabled": True}, "island.json": {"theme": "dark"}}[name]
    now = await settings.change(**mine)
    assert (now.theme, now.takoapi_enabled) == ("dark", True)
    [(word, values)] = settings.problems()
    assert word == "settings-file.set-aside"
    assert text_of(home, values["kept"]) == text
    say("zh-CN", word, **values)


async def test_bytes_that_are_no_text(made: Made, home: Path) -> None:
    write(home, "island.json", "")
    (home / "island.json").write_bytes(b'{"theme": "\xff"}')
    assert (await opened(made())).problems() == (("settings-file.broken", {"file": "island.json"}),)


async def test_a_huge_file_and_a_pipe(made: Made, home: Path) -> None:
    write(home, "island.json", " " * 2_000_000 + "{}")
    os.mkfifo(home / "agents.json")
    assert (await opened(made())).problems() == (
        ("settings-file.broken", {"file": "island.json"}),
        ("settings-file.unreadable", {"file": "agents.json"}),
    )


async def test_integrations_of_an_odd_shape_are_copied_first(made: Made, home: Path) -> None:
    before = write(home, "agents.json", {"visibility": "off", "integrations": ["managed"]})
    settings = await opened(made())
    await settings.change(takoapi_enabled=True)
    [(word, values)] = settings.problems()
    assert word == "settings-file.set-aside"
    assert text_of(home, values["kept"]) == before
    assert read(home, "agents.json")["visibility"] == "off"
    assert set(read(home, "agents.json")["integrations"]) == {"claude-code", "managed", "pty", "takoapi"}


async def test_a_newer_file_is_copied_once_before_it_is_changed(made: Made, home: Path) -> None:
    before = write(home, "island.json", {"schema": 9, "theme": "dark", "hologram": True})
    settings = await opened(made())
    assert settings.now().theme == "dark"
    assert settings.problems() == (("settings-file.newer", {"file": "island.json"}),)
    await settings.change(theme="light")
    await settings.change(theme="contrast")
    [kept] = [n for n in names(home) if ".broken-" in n]
    assert text_of(home, kept) == before
    assert read(home, "island.json") == {"schema": 9, "theme": "contrast", "hologram": True}


async def test_a_disk_that_refuses_changes_nothing(made: Made) -> None:
    settings = await opened(made(at=Path("/sys/lisa")))
    assert settings.now().agent_calls == "deny"
    with pytest.raises(StorageError) as refused:
        await settings.change(theme="dark")
    assert refused.value.word == "storage.read-only"
    assert settings.now() == Preferences()


async def test_one_file_that_refuses_takes_the_other_back(made: Made, home: Path) -> None:
    # Writing through this link fails for everybody, root too.
    link(home / "agents.json", Path("/sys/agents.json"))
    settings = await opened(made())
    with pytest.raises(StorageError):
        await settings.change(theme="dark", takoapi_enabled=True)
    assert not (home / "island.json").exists()
    await settings.change(theme="light")
    before = text_of(home, "island.json")
    with pytest.raises(StorageError):
        await settings.change(theme="dark", takoapi_enabled=True)
    assert text_of(home, "island.json") == before
    assert settings.now().theme == "light"


# --- the environment ---


@pytest.mark.parametrize(
    ("url", "used"),
    [
        ("https://example.org/", "https://example.org"),
        ("https://example.org/a//", "https://example.org/a"),
        (" https://takoapi.com ", "https://takoapi.com"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://127.3.2.1", "http://127.3.2.1"),
        ("http://[::1]:1", "http://[::1]:1"),
        ("http://localhost", "http://localhost"),
        ("", "https://takoapi.com"),
    ],
)
async def test_an_address_that_may_be_used(made: Made, url: str, used: str) -> None:
    settings = await opened(made({"TAKOAPI_BASE_URL": url}))
    assert settings.now().base_url == used
    assert settings.problems() == ()


BAD = [
    ("http://example.org", "settings-file.insecure-url"),
    ("http://10.0.0.1", "settings-file.insecure-url"),
    ("http://localhost.example.org", "settings-file.insecure-url"),
    ("http://127.0.0.1.example.org", "settings-file.insecure-url"),
    ("http://0.0.0.0", "settings-file.insecure-url"),
    ("ftp://example.org", "settings-file.bad-url"),
    ("file:///etc/passwd", "settings-file.bad-url"),
    ("takoapi.com", "settings-file.bad-url"),
    ("https://", "settings-file.bad-url"),
    ("https://me:secret@example.org", "settings-file.bad-url"),
    ("http://localhost@example.org", "settings-file.bad-url"),
    ("https://example.org?x", "settings-file.bad-url"),
    ("https://example.org:99999", "settings-file.bad-url"),
    ("https://exa\u202emple.org", "settings-file.bad-url"),
    ("https://[::1", "settings-file.bad-url"),
    ("https://exa mple.org", "settings-file.bad-url"),
    ("https://example.org/a b", "settings-file.bad-url"),
    ("https://exa\\mple.org", "settings-file.bad-url"),
    ("https://exa<b>mple.org", "settings-file.bad-url"),
]


@pytest.mark.parametrize(("url", "word"), BAD)
async def test_an_address_that_may_not_be_used(made: Made, home: Path, url: str, word: str) -> None:
    settings = await opened(made({"TAKOAPI_BASE_URL": url}))
    assert settings.now().base_url == ""
    [(said, values)] = settings.problems()
    assert said == word
    assert "secret" not in values["url"]
    write(home, "island.json", {"schema": 1, "baseUrl": url})
    settings = await opened(made())
    assert settings.now().base_url == "", "never the default in place of what the owner named"
    with pytest.raises(StorageError) as refused:
        await settings.change(base_url=url)
    assert refused.value.word == word


async def test_the_environment_overrides_and_is_not_written(made: Made, home: Path) -> None:
    settings = await opened(
        made({"TAKOAPI_BASE_URL": "https://example.org/", "LISA_ISLAND_LANG": "zh_CN.UTF-8"})
    )
    now = await settings.change(base_url="https://takoapi.example/", language="en")
    assert (now.base_url, now.language) == ("https://example.org", "zh-CN")
    assert read(home, "island.json") == {"schema": 1, "language": "en", "baseUrl": "https://takoapi.example"}
    assert (await opened(made())).now().base_url == "https://takoapi.example"


def test_where_home_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lisa_home({"LISA_HOME": "/somewhere/x", "HOME": "/h"}) == Path("/somewhere/x")
    assert lisa_home({"HOME": "/h"}) == Path("/h/.lisa")
    assert lisa_home({"HOME": "/h", "LISA_HOME": " "}) == Path("/h/.lisa")
    monkeypatch.chdir(tmp_path)
    assert lisa_home({"LISA_HOME": "x"}) == tmp_path / "x"


# --- the gate ---


async def gate(settings: FileSettings) -> tuple[str, str]:
    now = settings.now()
    return now.agent_calls, now.agent_calls_wanted


async def test_the_first_run_takes_the_file_as_it_is(made: Made, home: Path) -> None:
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    assert await gate(await opened(made())) == ("allow", "")
    assert await gate(await opened(made())) == ("allow", "")
    assert mode(home / "island-gate.json") == 0o600


async def test_loosening_between_runs_waits_for_the_owner(made: Made, home: Path) -> None:
    await opened(made())
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    settings = await opened(made())
    assert await gate(settings) == ("deny", "allow")
    await settings.change(agent_calls="allow")
    assert await gate(settings) == ("allow", "")
    assert await gate(await opened(made())) == ("allow", "")


async def test_saying_no_takes_the_wish_out_of_the_file(made: Made, home: Path) -> None:
    await opened(made())
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    settings = await opened(made())
    await settings.change(agent_calls="deny")
    assert await gate(settings) == ("deny", "")
    assert read(home, "island.json")["agentCalls"] == "deny"


async def test_tightening_counts_at_once_and_stays(made: Made, home: Path) -> None:
    settings = await opened(made())
    await settings.change(agent_calls="allow")
    write(home, "island.json", {"schema": 1, "agentCalls": "deny"})
    assert await told(settings, lambda now: now.agent_calls == "deny")
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    await told(settings, lambda now: now.agent_calls_wanted == "allow")
    assert await gate(settings) == ("deny", "allow")
    assert await gate(await opened(made())) == ("deny", "allow")


async def test_another_change_does_not_loosen(made: Made, home: Path) -> None:
    await opened(made())
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    settings = await opened(made())
    await settings.change(theme="dark")
    assert await gate(settings) == ("deny", "allow")


@pytest.mark.parametrize("text", ["{", '{"agentCalls": "perhaps"}', "{}"])
async def test_what_cannot_be_read_is_no(made: Made, home: Path, text: str) -> None:
    write(home, "island.json", text)
    assert await gate(await opened(made())) == ("deny", "")
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    assert await gate(await opened(made())) == ("deny", "allow")


@pytest.mark.parametrize("memory", ["", "[]", "{", '{"agentCalls": "maybe"}'])
async def test_a_broken_memory_is_no(made: Made, home: Path, memory: str) -> None:
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    write(home, "island-gate.json", memory)
    assert await gate(await opened(made())) == ("deny", "allow")


async def test_a_gate_that_cannot_be_remembered_stays_shut(made: Made, home: Path) -> None:
    write(home, "island.json", {"schema": 1, "agentCalls": "allow"})
    link(home / "island-gate.json", Path("/sys/island-gate.json"))
    settings = await opened(made())
    assert await gate(settings) == ("deny", "")
    assert settings.problems() == (("settings-file.gate-unkept", {}),)
    with pytest.raises(StorageError):
        await settings.change(agent_calls="allow")
    assert await gate(settings) == ("deny", "")


# --- edits while we run ---


@pytest.mark.parametrize("how", ["in place", "replaced"])
async def test_edits_from_elsewhere_are_told(made: Made, home: Path, how: str) -> None:
    settings = await opened(made())
    for name, content in (("island.json", {"theme": "dark"}), ("agents.json", SHARED)):
        if how == "replaced":
            write(home, "new", content)
            (home / "new").rename(home / name)
        else:
            write(home, name, content)
    now = await told(settings, lambda now: now.theme == "dark" and now.takoapi_enabled)
    assert now.pins == (Pin("acme"), Pin("globex"))


async def test_an_edit_behind_a_link_is_told(made: Made, home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    write(dotfiles, "island.json", {"theme": "light"})
    link(home / "island.json", dotfiles / "island.json")
    settings = await opened(made())
    write(dotfiles, "island.json", {"theme": "dark"})
    await told(settings, lambda now: now.theme == "dark")


async def test_a_file_that_breaks_while_we_run_cuts_nothing_but_shuts_the_gate(
    made: Made, home: Path, clock: FakeClock
) -> None:
    write(home, "agents.json", SHARED)
    settings = await opened(made())
    before = await settings.change(theme="dark", agent_calls="allow")
    write(home, "island.json", "{ oops")
    write(home, "agents.json", "{ oops")
    # It may be an editor between emptying and filling: only the second look counts.
    while not settings.problems():
        await clock.run(1)
    now = await told(settings, lambda now: now.agent_calls == "deny")
    assert now == before.with_(agent_calls="deny")
    assert {word for word, _ in settings.problems()} == {"settings-file.broken"}
    # The owner changes something: what is in force is what is written.
    await settings.change(compact_rows=True, pins=(Pin("acme"),))
    assert read(home, "island.json")["theme"] == "dark"
    assert read(home, "agents.json")["integrations"]["takoapi"] == {"enabled": True, "pin": ["acme"]}


async def test_an_editor_that_empties_before_it_fills(made: Made, home: Path, clock: FakeClock) -> None:
    settings = await opened(made())
    await settings.change(theme="dark")
    heard: list[Preferences] = []
    settings.subscribe(heard.append)
    write(home, "island.json", "")
    assert settings._watch is not None
    await begun(settings._watch)
    while settings._doubt is None:  # until the first look has been taken and the second is due
        await clock.run(0.5 if settings._watch.is_sweeping else 0)
    write(home, "island.json", {"schema": 1, "theme": "light"})
    await clock.run(1)
    await told(settings, lambda now: now.theme == "light")
    assert [now.theme for now in heard] == ["light"]


async def test_nothing_polls_while_hints_work(made: Made, clock: FakeClock) -> None:
    settings = await opened(made())
    await settings.change(theme="dark")
    assert settings._watch is not None
    await begun(settings._watch)
    assert not settings._watch.is_sweeping, "no inotify instance was free"
    assert clock.pending == 0
