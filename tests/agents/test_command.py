"""The program of a shell command: a name, or nothing. What is secret in a command never comes out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._command import NAME, program

SECRET = "hunter2canary"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npm test", "npm"),
        ("cd /x && CI=1 npm test", "npm"),
        ("/usr/bin/python3 -m pytest", "python3"),
        ("env -i FOO=1 make", "make"),
        ("sudo -u alice systemctl restart", "systemctl"),
        ("timeout -s KILL 10 cargo build", "cargo"),
        ("time nohup ./run.sh", "run.sh"),
        ("bash -lc 'git status'", "git"),
        ("(cd a && ls)", "ls"),
        ("C:\\tools\\rg.exe x", "rg.exe"),
        ('A="b c" go test', "go"),
        ("$(cat x) y", ""),
        ("", ""),
        (None, ""),
        ("cd /x", ""),
        ("日本語", ""),
    ],
)
def test_a_program(command: object, name: str) -> None:
    assert program(command) == name


@pytest.mark.parametrize(
    "command",
    [
        f"TOKEN={SECRET} npm run x {SECRET}",
        f'TOKEN="a {SECRET} b',
        f"TOKEN='a {SECRET}",
        f"TOKEN=$(echo a {SECRET} b) npm",
        f"TOKEN=`echo {SECRET}` npm",
        f"TOKEN=(a {SECRET}) npm",
        f"sudo --password {SECRET} ls",
        f"env -u {SECRET} ls",
        f"export A={SECRET}",
        f"A=b\\ {SECRET} ls",
        f"# {SECRET}\nls",
        f"npm --token={SECRET}",
        f"cd '{SECRET}",
        f"bash -c \"TOKEN='{SECRET}' curl\"",
    ],
)
def test_a_secret_stays_inside(command: str) -> None:
    assert SECRET not in program(command)


@given(st.text(max_size=200))
def test_any_text_gives_a_name_or_nothing(text: str) -> None:
    found = program(text)
    assert found == "" or NAME.fullmatch(found)
