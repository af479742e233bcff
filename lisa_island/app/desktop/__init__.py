"""The face with windows. What the first pill needs is here; the rest is read while it stands."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from lisa_island import __version__
from lisa_island.app.desktop import qt_features, qt_session

if TYPE_CHECKING:
    from lisa_island.app.house import Plan

qt_features.read_no_sources()


def application() -> QApplication:
    """The one QApplication, with its messages in our log."""
    from lisa_island.app.desktop import qt_messages

    qt_messages.install()
    return bare_application()


def bare_application() -> QApplication:
    """The one QApplication. Its name and desktop file tell the desktop whose windows these are."""
    QGuiApplication.setDesktopFileName("lisa-island")
    with qt_session.told():
        app = QApplication.instance() or QApplication(["lisa-island"])
    assert isinstance(app, QApplication)
    app.setApplicationName("lisa-island")
    app.setApplicationDisplayName("LISA Island")
    app.setApplicationVersion(__version__)
    return app


def main(plan: "Plan", tell: Callable[[str], None]) -> int:
    """Run the island; a second start shows the first and leaves. `tell` prints a line for the owner."""
    from lisa_island.app.desktop.life import main as live

    return live(plan, tell)
