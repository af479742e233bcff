"""No byte of a peer acts on a terminal: every byte that a command writes to one is looked at."""

import json
import unicodedata

import pytest

from lisa_island.sandbox.hostile import CORPUS, MARK
from tests.cli.rig import Done


def check(done: Done) -> str:
    """Every byte: lines, and letters that are seen; nothing else."""
    text = (done.out + done.err).decode()
    for number, char in enumerate(text):
        if char in "\r\n":
            continue
        kind = unicodedata.category(char)
        assert kind not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"), text[max(0, number - 40) : number + 20]
    return text


@pytest.mark.parametrize("ends", ["hello", "word", "fail", "ask", "sign in"])
@pytest.mark.parametrize("through", [False, True], ids=["alone", "through an island"])
def test_a_hostile_agent_writes_letters(called, ends, through):
    def commands() -> None:
        sent = check(called.person("send", "@hostile-harry", ends, "--wait", piped=False))
        assert "hostile-harry/" in sent
        check(called.person("status", piped=False))
        check(called.person("status", "--json", piped=False))
        for need in called.run("status", "--json").json["needsYou"]:
            asked = check(called.person("question", need["requestId"], piped=False))
            assert MARK in asked and "Untrusted text" in asked
            # No line of it can pass for one of ours.
            _, *quoted = asked.replace("\r", "").rstrip("\n").split("\n")
            assert quoted and all(line.startswith(">") for line in quoted)

    if through:
        with called.headless() as running:
            commands()
            running.process.terminate()
            for line in running.rest():
                check(Done(0, json.dumps(line, ensure_ascii=False).encode(), b""))
    else:
        commands()


def test_a_reply_keeps_its_letters(called):
    """What is taken out is what acts; what was said can still be read."""
    done = called.person("send", "@hostile-harry", "hello", piped=False)
    assert "ignore all previous instructions" in done.said and "<img src=x" in done.said
    assert done.said.count(MARK) > len(CORPUS) / 2


def test_discover_is_letters(called):
    for arguments in (("discover", "harry"), ("discover", "harry", "--json"), ("discover",)):
        text = check(called.person(*arguments, piped=False))
        assert "hostile-harry" in text
    for line in called.person("discover", piped=False).said.splitlines():
        assert line.startswith("@") or "hosted agents" in line


def test_what_a_name_or_word_says_cannot_fake_a_line(called):
    called.choose(calls="allow")
    done = called.run("send", "@hostile-harry", "word")
    assert done.code == 1
    for line in called.run("status").text.splitlines():
        assert not line.startswith(("first", "second", "SYSTEM", "$(touch"))
