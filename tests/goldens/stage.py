"""What scenes are made on: a shell in the look's language, windows that end with their picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from lisa_island.ui import modality
from lisa_island.ui.answer import AnswerPage
from lisa_island.ui.command_bar import CommandBar
from lisa_island.ui.detail import DetailPage
from lisa_island.ui.island import Island
from lisa_island.ui.requests_view import RequestsView
from lisa_island.ui.screens import Banners
from lisa_island.ui.window_mode import WindowMode
from tests.fakes.shell import FakeShell
from tests.goldens.sheet import picture
from tests.goldens.studio import Look


class Stage:
    """Made anew for each sheet."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.full = look.full
        self.mode = WindowMode.X11_PLAIN if look.masked else WindowMode.X11

    def shell(self, **preferences: object) -> FakeShell:
        return FakeShell(self.look.lang, **preferences)

    @contextmanager
    def shown(self, widget: QWidget, by_keyboard: bool = False) -> Iterator[QWidget]:
        """Show a window that has its size, let it settle, and end it."""
        (modality.by_keyboard_now if by_keyboard else modality.by_pointer_now)()
        widget.show()
        if not widget.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus:
            widget.activateWindow()
        settle()
        yield widget
        widget.close()
        widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    @contextmanager
    def island(
        self, shell: FakeShell, drafts: dict[str, str] | None = None, parts: str = "requests command banners"
    ) -> Iterator[Whole]:
        """Pill and panel with their real parts, open by a click on the pill; `parts` beside the sessions."""
        modality.by_pointer_now()
        whole = Whole(shell, self.mode, {} if drafts is None else drafts, parts)
        whole.island.start()
        whole.island.show()
        settle()
        yield whole
        whole.island.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Whole:
    """The island with its pages, as `app.desktop.face` puts them together."""

    def __init__(self, shell: FakeShell, mode: WindowMode, drafts: dict[str, str], parts: str) -> None:
        made = {
            "requests": lambda s: RequestsView(s, drafts),
            "command": lambda s: CommandBar(s, drafts),
            "banners": Banners,
        }
        wanted = [make if name in parts else None for name, make in made.items()]
        self.island = Island(shell, *wanted, mode=mode)  # type: ignore[arg-type]
        self.answer, self.detail = AnswerPage(shell, drafts), DetailPage(shell, drafts)
        self.panel = self.island.panel
        for name, page in (("answer", self.answer), ("detail", self.detail)):
            self.island.add_page(name, page)

    def picture(self) -> QImage:
        settle()
        return picture(self.panel)

    def bar(self) -> CommandBar:
        command = self.panel.main.command
        assert isinstance(command, CommandBar)
        return command

    def turn(self, name: str, prepare: Callable[[], None]) -> None:
        prepare()
        self.panel.show_page(name)
        settle()


def settle() -> None:
    """Heights that follow from widths that follow from heights."""
    for _ in range(16):
        QApplication.processEvents()
