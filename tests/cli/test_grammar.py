"""Usage, languages, exit codes, and silence where nobody listens."""

import os
import subprocess

import pytest

from lisa_island import __version__
from tests.cli.rig import ISLAND

SECRET = "tako_live_" + "Q7" * 16


def test_version(island):
    done = island.run("--version")
    assert (done.code, done.text, done.err) == (0, f"lisa-island {__version__}\n", b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("send",),
        ("send", "@x"),
        ("send", "@x", "a", "b"),
        ("status", "--bogus"),
        ("answer",),
        ("pin",),
        ("key",),
        ("key", "reveal"),
        ("--headless", "status"),
        ("--head",),
    ],
)
def test_usage_errors_exit_2_and_point_at_help(island, arguments):
    done = island.run(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert "usage: lisa-island" in done.said and "--help" in done.said
    assert not island.lisa.exists()  # nothing was touched


def test_help_in_both_languages(island):
    english, chinese = island.run("--help"), island.run("--help", environ={"LANG": "zh_CN.UTF-8"})
    assert english.code == chinese.code == 0
    assert "usage: lisa-island" in english.text and "commands:" in english.text
    assert "用法：lisa-island" in chinese.text and "新建远程任务" in chinese.text
    words = ("usage", "options", "arguments", "show this help")
    assert not any(word in chinese.text for word in words)
    for command in ("send", "answer", "key", "discover", "demo"):
        assert island.run(command, "--help").code == 0


def test_what_was_typed_is_shown_without_what_a_terminal_acts_on(island):
    done = island.run("status", "--\x1b]0;title\x07\u202ebad")
    assert done.code == 2 and b"\x1b" not in done.err and "\u202e" not in done.said


@pytest.mark.parametrize(
    "arguments",
    [
        ("key", "set", SECRET),
        ("key", "set", "--", SECRET),
        ("key", "set", "--value", SECRET),
        ("key", "set", f"--value={SECRET}"),
        ("key", "import", SECRET),
        ("key", SECRET),
        ("key", "set", "hunter2-not-even-a-key"),
    ],
)
def test_a_key_on_the_command_line_is_refused_and_not_echoed(island, arguments):
    done = island.run(*arguments, given=b"")
    assert (done.code, done.out) == (2, b"")
    assert SECRET not in done.said and SECRET[:16] not in done.said and "hunter2" not in done.said
    if arguments[1] != SECRET:
        assert "never goes on the command line" in done.said


@pytest.mark.parametrize("arguments", [(SECRET,), ("status", f"--key={SECRET}"), ("pin", "a", SECRET)])
def test_a_key_in_the_wrong_place_is_cut(island, arguments):
    done = island.run(*arguments)
    assert done.code == 2 and SECRET not in done.said and SECRET[:17] not in done.said


# --- nobody listens ---


def test_a_reader_that_has_left_is_no_trouble(island):
    read, write = os.pipe()
    os.close(read)
    for arguments in (("status",), ("status", "--json"), ("--help",), ("doctor",)):
        done = subprocess.run(
            [*ISLAND, *arguments], stdout=write, stderr=subprocess.PIPE, env=island.environ, check=False
        )
        assert (
            b"Traceback" not in done.stderr
            and b"Exception" not in done.stderr
            and b"Broken" not in done.stderr
        )
    os.close(write)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(island, closed):
    for command in ("status", "send @x -", "key set", "quit"):
        line = f"{' '.join(ISLAND)} {command} {closed}"
        done = island.run("-c", line, command=("/bin/bash",))
        assert b"Traceback" not in done.err and b"Exception" not in done.err, (command, done)
        assert done.code in (0, 1, 2, 3, 4), (command, done)


def test_a_closed_stream_is_not_the_number_of_a_file(island):
    """Else the database, or a socket, would be what the next program takes for its output."""
    script = (
        "import os; from lisa_island.cli import _hold_streams; _hold_streams(); "
        "fd = os.open(os.devnull, os.O_RDONLY); open('told', 'w').write(str(fd))"
    )
    line = f'{ISLAND[0]} -c "{script}" <&- >&- 2>&-'
    assert island.run("-c", line, command=("/bin/bash",)).code == 0
    assert int((island.home / "told").read_text()) > 2


def test_a_full_disk_behind_the_output_is_said(island):
    done = island.run("-c", f"{' '.join(ISLAND)} status >/dev/full", command=("/bin/bash",))
    assert done.code == 1 and b"Traceback" not in done.err and b"Exception ignored" not in done.err


def test_ctrl_c_at_a_prompt_is_quiet(island):
    done = island.person("key", "set", types=[("TakoAPI key (not shown)", b"\x03")])
    assert done.code == 130 and b"Traceback" not in done.err and not island.lisa.exists()
