"""Ctrl-C where no loop listens. Imports nothing that takes time."""

import signal


def end_at_once() -> None:
    """From now on an interrupt ends the process as SIGTERM does, until a loop takes both.

    Python's own way, an exception at whichever line runs, breaks Qt's start (PySide6 6.11 crashes where it
    strikes in its own code). An interrupt that was ignored stays so.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
