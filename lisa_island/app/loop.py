"""The one loop for Qt and asyncio, and what it needs to be trusted.

WORKAROUND qasync 0.28: it sets no async-generator hooks, so an abandoned HTTP stream keeps its socket;
asyncio's own hooks are set for it. Its default executor makes quitting wait: nothing here uses it. Its
`call_soon_threadsafe` emits a Qt signal from the thread, also while the process ends, which crashes it;
ours refuses once the loop is closed, as asyncio's does.
"""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import PySide6
import qasync
from PySide6.QtWidgets import QApplication

from lisa_island.app.look_up import looks_up_apart

BROKEN_FROM = (6, 12)
SAFE_PYTHON = (3, 12)


def is_broken_pair(python: tuple[int, ...], pyside: tuple[int, ...]) -> bool:
    """PySide6 6.12 loses references to None and True on Python before 3.12 and aborts after a while."""
    return python < SAFE_PYTHON and pyside >= BROKEN_FROM


def version_of_pyside() -> tuple[int, ...]:
    """Major and minor of the PySide6 that is installed."""
    return tuple(int(part) for part in PySide6.__version__.split(".")[:2])


class Loop(qasync.QEventLoop):  # type: ignore[misc]
    """No thread is within Qt when this has been closed, and none gets there afterwards."""

    def __init__(self, application: QApplication) -> None:
        # A call may come from the loop's own thread.
        self._gate = threading.RLock()
        super().__init__(application)

    def call_soon_threadsafe(self, callback: Callable[..., object], *args: Any, context: Any = None) -> None:
        """Raises RuntimeError once the loop is closed."""
        with self._gate:
            self._check_closed()
            super().call_soon_threadsafe(callback, *args, context=context)

    def close(self) -> None:
        """Wait for a thread that is handing something over, then end."""
        with self._gate:
            super().close()


def make(application: QApplication) -> Loop:
    """A loop on this application, with the hooks that close abandoned streams."""
    loop = looks_up_apart(Loop(application))
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
