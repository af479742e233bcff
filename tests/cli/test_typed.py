"""Lines a person types: whatever comes first counts, and the terminal is left as it was."""

import ctypes
import operator
import os
import pty
import select
import signal
import sys
import termios
from functools import partial
from pathlib import Path

import pytest

from lisa_island.cli import typed


@pytest.fixture
def terminal(monkeypatch):
    """The other side of a terminal that is our standard input; standard error goes nowhere."""
    master, slave = pty.openpty()
    with open(slave) as stdin, open(os.devnull, "w") as nowhere:  # noqa: PTH123 (a number, no path)
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stderr", nowhere)
        yield master
    os.close(master)


@pytest.fixture
def interrupted_late(monkeypatch):
    """An interrupt after Python has looked for signals and before it waits: C code alone runs in between."""
    interrupt = partial(ctypes.CDLL(None)["raise"], signal.SIGINT)
    waits = select.select

    def late(*wanted):
        return list(map(operator.call, (interrupt, partial(waits, *wanted))))[1]

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(select, "select", late)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_line_is_read(terminal):
    os.write(terminal, "Ja, 你好\n".encode())
    assert typed.line("?") == "Ja, 你好\n"


def test_bytes_that_are_no_text_are_shown_as_such(terminal):
    os.write(terminal, b"\xff\n")
    assert typed.line("?") == "\N{REPLACEMENT CHARACTER}\n"


def test_the_end_of_input_is_an_empty_line(terminal):
    os.write(terminal, b"\x04")
    assert typed.line("?") == ""


def test_an_interrupt_just_before_the_read_is_not_missed(terminal, interrupted_late):
    with pytest.raises(KeyboardInterrupt):
        typed.line("?")


def test_a_secret_is_typed_without_echo_and_the_terminal_left_as_it_was(terminal, monkeypatch):
    before = termios.tcgetattr(terminal)
    waits = select.select

    def types_first(*wanted):
        # What was typed before the question was flushed.
        assert not termios.tcgetattr(terminal)[3] & termios.ECHO
        os.write(terminal, b" s3cret \n")
        return waits(*wanted)

    monkeypatch.setattr(select, "select", types_first)
    assert typed.secret("?", 100) == "s3cret"
    assert termios.tcgetattr(terminal) == before


def test_an_interrupted_secret_leaves_the_echo_on(terminal, interrupted_late):
    before = termios.tcgetattr(terminal)
    with pytest.raises(KeyboardInterrupt):
        typed.secret("?", 100)
    assert termios.tcgetattr(terminal) == before


def test_no_descriptor_is_left(terminal):
    os.write(terminal, b"y\n")
    typed.line("?")
    before = len(list(Path("/proc/self/fd").iterdir()))
    os.write(terminal, b"y\n")
    typed.line("?")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
