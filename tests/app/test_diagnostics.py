"""What an owner hands on holds what helps, and nothing of what was said, to whom, by whom or where."""

import logging
from datetime import UTC, datetime

import pytest

from lisa_island.app import diagnostics
from lisa_island.app.doctor import facts
from lisa_island.core.agent import Origin
from lisa_island.core.events import SessionOpened
from lisa_island.core.preferences import Pin
from lisa_island.system import autostart, crashlog, logfile
from tests.e2e.conftest import living
from tests.fakes.sessions import asking, remote

NOW = 1_800_000_000_000
KEY = "tako_live_" + "S" * 32
SECRETS = {
    "slug": "acme-research",
    "label": "Merger with Globex",
    "question": "Which quarter of the merger?",
    "reply": "The reply is forty-two",
    "pin": "night-owl",
    "pin's name": "The Night Owl",
    "reason": "waiting-for-globex",
    "folder": "client-globex",
    "gateway": "gateway.globex.example",
    "proxy": "proxy.globex.example",
    "password": "hunter2hunter2",
    "key": KEY,
}


@pytest.fixture
def ada(tmp_path, monkeypatch):
    """The owner's home, where logs and crashes of this test go."""
    home = tmp_path / "ada"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    logfile.folder().mkdir(parents=True)
    (home / "lisa").mkdir()
    (home / "lisa" / "island.json").write_text(f'{{"schema": 1, "compactRows": "{SECRETS["folder"]}"}}')
    return home


def log(*lines: str) -> None:
    with (logfile.folder() / logfile.NAME).open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def line(logger: str, said: str) -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S},123 ERROR {logger}: {said}"


def full(house):
    """A house where everything that must stay is known and said somewhere."""
    s = SECRETS
    rows = (
        asking(s["slug"], s["question"], now=NOW, label=s["label"]),
        remote(
            s["slug"], "ffff0000", state_reason=s["reason"], cwd=f"/srv/{s['folder']}", origin=Origin.LISA
        ),
    )
    for row in rows:
        house.store.dispatch(SessionOpened(row, NOW))
    crashlog.last_file(house.plan.home).write_text(
        f"=== 2026 lisa-island: task\nValueError\n  lisa_island/x.py:1 in {s['slug']}\n"
    )
    log(
        line("lisa_island.agents.takoapi", f"a call to {s['slug']} for “{s['label']}” failed: {KEY}"),
        line("asyncio", f"Task exception was never retrieved ValueError({s['reply']!r})"),
        "Traceback (most recent call last):",
        f'  File "{house.plan.home.parent}/x/lib/python3.11/site-packages/httpx/a.py", line 3, in send',
        f"    raise ValueError({s['reply']!r})",
        f"ValueError: {s['reply']}",
        line("lisa_island.system.mirror", "the call list was not synced: OSError"),
    )


async def test_nothing_of_anybody_is_in_it(ada):
    async with living(ada, f"https://{SECRETS['gateway']}", on=False) as house:
        house.plan.environ["HTTPS_PROXY"] = f"http://ada:{SECRETS['password']}@{SECRETS['proxy']}:3128"
        pins = (Pin(SECRETS["pin"], "0.02", SECRETS["pin's name"]),)
        await house.settings.change(pins=pins, positions=(("Ada's screen", 1, 2),))
        house.secrets.remember(house.origin, KEY)
        full(house)
        text = await diagnostics.report(house)
    for what, secret in SECRETS.items():
        assert secret not in text, what
    assert "Ada's screen" not in text and str(ada) not in text
    assert len(text) <= diagnostics.TEXT_LIMIT + 2


async def test_what_helps_is_in_it(ada):
    async with living(ada, f"https://{SECRETS['gateway']}", on=False) as house:
        await house.settings.change(pins=(Pin(SECRETS["pin"]),), theme="dark")
        full(house)
        text = await diagnostics.report(house)
    for told in (
        "Folder: ~/lisa",
        "To do: settings-file.bad-value",
        "Address: another one",
        "base_url: another one",
        "theme: dark",
        "key_source: run",
        "open_on_hover: true",
        "pins: 1",
        "sessions: 2",
        "state waiting: 1",
        "request input: 1",
        "source takoapi: off",
        "the call list was not synced: OSError",
        "asyncio: (not ours, left out)",
        '  File "httpx/a.py", line 3, in send',
        "lisa_island/x.py:1 in …",
    ):
        assert told in text, told


async def test_a_long_log_is_told_by_its_end(ada):
    log(*(line("lisa_island.x", f"number {n} of many") for n in range(1000)))
    async with living(ada, "https://gateway.example", on=False) as house:
        text = await diagnostics.report(house)
    assert "number 999 of" in text and "number 0 of" not in text
    assert text.count(" of many") == diagnostics.LOG_LINES


async def test_a_new_setting_that_holds_words_is_left_out(ada, monkeypatch):
    """Whoever adds one decides for themselves what of it may leave."""
    async with living(ada, "https://gateway.example", on=False) as house:
        await house.settings.change(theme="dark")
        told = list(diagnostics._settings(house.preferences.with_(theme="My very own theme"), []))
    assert "theme: (left out)" in told


async def test_doctor_says_how_the_way_out_and_the_start_stand(ada):
    async with living(ada, "https://gateway.example", on=False) as house:
        environ = house.plan.environ

        async def told(lang: str = "en") -> dict[str, str]:
            return dict(await facts(house, lang))

        before = await told()
        assert before["fact.proxy"] == "none for this address" and before["fact.trust"]
        assert before["fact.autostart"].startswith("off") and before["fact.crash"] == "none known"

        environ["HTTPS_PROXY"] = "http://ada:hunter2@proxy.example:3128"
        autostart.turn(True, environ)
        crashlog.last_file(house.plan.home).write_text("=== x\n")
        after = await told()
        assert after["fact.proxy"].startswith("http://proxy.example:3128, ")
        assert "hunter2" not in str(after)
        assert after["fact.autostart"] == "on"
        assert str(crashlog.last_file(house.plan.home)) in after["fact.crash"]

        environ["HTTPS_PROXY"] = "socks5://ada:hunter2@proxy.example:1080"
        assert "NO_PROXY" in (await told())["fact.proxy"]
        assert "NO_PROXY" in (await told("zh-CN"))["fact.proxy"]


async def test_doctor_says_what_to_do_where_nothing_is_trusted(ada, monkeypatch):
    from lisa_island.app import machine_facts

    monkeypatch.setattr(machine_facts, "trust_store", lambda: "")
    async with living(ada, "https://gateway.example", on=False) as house:
        assert "SSL_CERT_FILE" in dict(await facts(house, "en"))["fact.trust"]


def test_lines_of_others_are_told_by_time_and_origin_alone():
    ours, theirs = line("lisa_island.app", "well"), line("httpx.client", "POST https://x")
    told = list(diagnostics._plain([ours, theirs, "loose words", logging.BASIC_FORMAT]))
    assert len(told) == 2 and told[0].endswith(": well") and told[1].endswith("(not ours, left out)")
