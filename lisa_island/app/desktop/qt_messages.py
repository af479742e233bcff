"""Qt's own messages go where ours go: to the log, with what a platform plugin only remarks left out."""

import logging

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from lisa_island.system import crashlog

log = logging.getLogger("qt")

# The offscreen and wayland plugins say this of ordinary calls that make no sense to them; the last is said of
# every font here for each script that a peer's text brings, and would fill the log.
REMARKS = ("This plugin does not support ", "Wayland does not support ", "OpenType support missing for ")

LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def install() -> None:
    """Take Qt's messages over for the life of the process."""
    qInstallMessageHandler(_handle)


def _handle(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    if not text.startswith(REMARKS):
        if kind is QtMsgType.QtFatalMsg:
            # Qt aborts as soon as this returns.
            crashlog.note("Qt", text)
        log.log(LEVELS.get(kind, logging.WARNING), "%s", text)
