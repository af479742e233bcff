"""What a command prints is cleaned here, whatever came: the last border before a terminal."""

import pytest

from lisa_island.cli import printing
from lisa_island.core.text import terminal
from lisa_island.sandbox.hostile import CORPUS

BAD = [text for text in CORPUS if terminal(text) != text]


@pytest.mark.parametrize("say", [printing.out, printing.err])
def test_nothing_acts(capsys, say):
    for text in BAD:
        say(text)
    told = "".join(capsys.readouterr())
    assert told and not any(char in told for char in "\x1b\x07\x9b\u202e\u2066\u200b\x00\u2028")


def test_json_is_ascii(capsys):
    printing.as_json({"name": BAD})
    assert capsys.readouterr().out.isascii()


def row(**more):
    base = {"sessionId": "a/12345678", "agent": "takoapi", "state": "unknown", "stateReason": "x"}
    return base | more


def told(capsys, *sessions, needs=(), sources=()):
    whole = {"sessions": list(sessions), "needsYou": list(needs), "sources": dict(sources)}
    printing.status(whole | {"summary": {"hidden": 0}}, 0)
    return capsys.readouterr().out


@pytest.mark.parametrize("text", BAD)
def test_a_row_is_one_line(capsys, text):
    lines = told(capsys, row(stateReason=text, label=text), row()).splitlines()
    assert len(lines) == 2 and "\x1b" not in lines[0] and len(lines[0]) < 1200
    printing.agents({"agents": [agent(text)], "total": 1})
    assert len(capsys.readouterr().out.splitlines()) == 2


def agent(text):
    return {"slug": "a", "name": text, "description": text, "price": "free"}


def test_marks_and_times(capsys):
    line = told(capsys, row(state="working", stateReason="working", stale=True, offline=True, unread=True))
    assert "[unread, not reporting, offline]" in line and line.startswith("working ")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"enabled": False, "keyState": "none", "health": "off"}, "switched off"),
        ({"enabled": True, "keyState": "locked", "health": "ok"}, "keyring is locked"),
        ({"enabled": True, "keyState": "ready", "health": "offline"}, "does not answer"),
        ({"enabled": True, "keyState": "ready", "health": "refused"}, "lisa-island key set"),
        ({"enabled": True, "keyState": "memory", "health": "waiting"}, "asked to wait"),
    ],
)
def test_a_source_that_does_not_work_is_said(capsys, source, says):
    assert says in told(capsys, row(), sources=[("takoapi", source)])


def test_a_source_that_works_is_silent(capsys):
    fine = {"enabled": True, "keyState": "ready", "health": "ok"}
    assert len(told(capsys, row(), sources=[("takoapi", fine)]).splitlines()) == 1


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_a_command_promises_to_keep_no_text(monkeypatch, lang):
    from lisa_island.core.words import catalogue

    monkeypatch.setenv("LISA_ISLAND_LANG", lang)
    for key in catalogue():
        if key.startswith("outcome."):
            said = printing.sentence(key)
            assert "text is kept" not in said and "文字已保留" not in said, key
