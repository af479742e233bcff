"""`doctor` and `erase`."""

import json

import pytest


def facts(done):
    return dict(line.split(": ", 1) for line in done.text.splitlines() if ": " in line)


def test_doctor_says_what_works_and_asks_no_gateway(called, gateway):
    assert called.run("status").code == 0
    done = called.run("doctor")
    assert (done.code, done.err) == (0, b"")
    told = facts(done)
    assert told["Folder"] == str(called.lisa) and told["Address"] == gateway.url
    assert told["Remote agents"] == "on" and told["Calls by agents"].startswith("not allowed")
    assert told["Stored tasks"] == "0" and "Python" in told["Version"]
    assert told["Key"] and told["Session bus"].startswith("none")
    with called.headless():
        through = called.run("doctor")
    assert through.text.startswith("The running island says:") and facts(through)["Folder"] == told["Folder"]
    assert gateway.get("requests") == []
    assert called.extra["TAKO_KEY"] not in done.text + through.text


def test_doctor_names_what_is_broken(island):
    island.lisa.mkdir(mode=0o700)
    (island.lisa / "island.json").write_text("{ no json")
    (island.lisa / "agents.json").write_text('{"integrations": {"takoapi": {"enabled": "yes"}}}')
    done = island.run("doctor")
    assert done.code == 0
    assert "To do: island.json is not valid JSON" in done.text and "takoapi.enabled" in done.text


def test_doctor_speaks_the_language_of_its_caller(island):
    with island.headless():
        done = island.run("doctor", environ={"LANG": "zh_CN.UTF-8"})
    assert "文件夹：" in done.text and "已关闭" in done.text and "switched" not in done.text


OTHERS = {
    "agents.json": {"integrations": {"takoapi": {"enabled": True, "pin": []}, "pty": {"enabled": True}}},
    "lisa.json": {"theirs": 1},
    "island.png": "a picture of somebody's",
    "island.backup": "somebody's",
    "config.env": "TAKO_KEY=x",
}


def test_erase_deletes_exactly_ours(called):
    """Rows of LISA stay in the shared list, ours go; files that only look like ours stay."""
    import time

    now = round(time.time() * 1000)
    theirs = {"slug": "lisas-own", "taskId": "t", "startedAt": now, "lastMtime": now, "lastState": "working"}
    called.write("takoapi-calls.json", [theirs])
    for name, value in OTHERS.items():
        called.write(name, value)
    (called.lisa / "island.db.broken-20260101-000000").write_bytes(b"junk of ours")
    before = {p.name: p.read_bytes() for p in called.lisa.iterdir() if p.name in OTHERS}
    assert called.person("send", "@tone-check", "hi").code == 0
    shared = json.loads((called.lisa / "takoapi-calls.json").read_text())
    assert {row["slug"] for row in shared} == {"lisas-own", "tone-check"}
    log = called.home / "state" / "lisa-island" / "log" / "lisa-island.log"
    log.parent.mkdir(parents=True)
    log.write_text("WARNING of ours\n")
    called.extra["XDG_STATE_HOME"] = str(called.home / "state")
    done = called.person("erase", types=[("[y/N]", b"y\n")])
    assert done.code == 0 and "island.db" in done.text and not log.exists()
    left = {p.name for p in called.lisa.iterdir()}
    assert left == {*OTHERS, "takoapi-calls.json"}
    assert before == {p.name: p.read_bytes() for p in called.lisa.iterdir() if p.name in OTHERS}
    assert [row["slug"] for row in json.loads((called.lisa / "takoapi-calls.json").read_text())] == [
        "lisas-own"
    ]
    again = called.person("erase")
    assert again.code == 0 and "nothing to delete" in again.text


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04"])
def test_erase_asks(called, answer):
    assert called.run("status").code == 0
    done = called.person("erase", types=[("[y/N]", answer)])
    assert done.code == 1 and "Nothing was deleted" in done.said and (called.lisa / "island.db").exists()


def test_erase_is_the_owners(called):
    called.choose(calls="allow")
    assert called.run("status").code == 0
    done = called.run("erase", given=b"y\n")
    assert done.code == 3 and (called.lisa / "island.db").exists()


def test_erase_is_refused_while_an_island_runs(called):
    with called.headless():
        done = called.person("erase")
        assert done.code == 1 and "lisa-island quit" in done.said and (called.lisa / "island.db").exists()


def test_erase_makes_no_folder(island):
    assert island.person("erase").code == 0 and not island.lisa.exists()
    island.lisa.mkdir()
    assert island.person("erase").code == 0 and list(island.lisa.iterdir()) == []


def test_doctor_works_where_nothing_else_does(island):
    island.lisa.write_text("a file where the folder should be")
    done = island.run("doctor")
    assert done.code == 0 and f"To do: {island.lisa}" in done.text and "Display: none" in done.text
    assert b"Traceback" not in done.err


# --- diagnostics ---


def test_diagnostics_go_into_a_new_private_file(called):
    called.run("pin", "tone-check")
    path = called.home / "told.txt"
    done = called.run("doctor", "--export", str(path))
    assert done.code == 0 and done.out == b"" and "sent nowhere" in done.said
    text = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert "pins: 1" in text and "Address: another one" in text
    for secret in ("tone-check", called.extra["TAKO_KEY"], str(called.home), called.url):
        assert secret not in text
    again = called.run("doctor", "--export", str(path))
    assert again.code == 1 and "there already" in again.said and path.read_text() == text


def test_a_running_island_tells_its_own_diagnostics(called, gateway):
    with called.headless(HTTPS_PROXY="http://ada:hunter2@proxy.example:1"):
        done = called.run("doctor", "--export", "-")
    assert done.code == 0 and "Proxy:" in done.text and "task source takoapi: 1" in done.text
    assert "hunter2" not in done.text and "proxy.example" not in done.text
    assert gateway.get("requests") == []


def test_a_place_that_takes_no_file_is_said(island):
    done = island.run("doctor", "--export", str(island.home / "no" / "such" / "folder"))
    assert done.code == 1 and "could not be written" in done.said
