"""The one loop for Qt and asyncio, and what it needs to be trusted.

WORKAROUND qasync 0.28: it sets no async-generator hooks, so an abandoned HTTP stream keeps its socket;
asyncio's own hooks are set for it. Its default executor makes quitting wait: nothing here uses it.
"""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import PySide6
import qasync
from PySide6.QtWidgets import QApplication

BROKEN_FROM = (6, 12)
SAFE_PYTHON = (3, 12)


def is_broken_pair(python: tuple[int, ...], pyside: tuple[int, ...]) -> bool:
    """PySide6 6.12 loses references to None and True on Python before 3.12 and aborts after a while."""
    return python < SAFE_PYTHON and pyside >= BROKEN_FROM


def version_of_pyside() -> tuple[int, ...]:
    """Major and minor of the PySide6 that is installed."""
    return tuple(int(part) for part in PySide6.__version__.split(".")[:2])


def make(application: QApplication) -> "qasync.QEventLoop":
    """A loop on this application, with the hooks that close abandoned streams."""
    loop = qasync.QEventLoop(application)
    sys.set_asyncgen_hooks(firstiter=loop._asyncgen_firstiter_hook, finalizer=loop._asyncgen_finalizer_hook)
    return loop


def run(application: QApplication, main: Coroutine[Any, Any, int]) -> int:
    """Run `main` to its end on a loop of this application."""
    # Leaving is decided by `main`, not by the last window that was closed.
    application.setQuitOnLastWindowClosed(False)
    before = signal.getsignal(signal.SIGINT)
    with asyncio.Runner(loop_factory=lambda: make(application)) as runner:
        code = runner.run(main)
    # asyncio leaves an exception for an interrupt, which could strike in what Qt puts away.
    signal.signal(signal.SIGINT, before)
    return code


def on_signals(call: Callable[[], None]) -> None:
    """SIGINT, SIGTERM and SIGHUP ask for the ordered shutdown."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, call)
