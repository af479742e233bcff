"""What the panel is filled with. Cards and command bar are made when it first opens, which it may never.

PanelParts(shell, requests, command, banners)     factories, (shell) -> QWidget, or None
    .banners()          made at once: they may be told things before anybody sees them
    .complete(panel)    the rest, once          .renew(panel)    all anew, in another language
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from lisa_island.ui.panel import Panel
from lisa_island.ui.shell import Shell

Factory = Callable[[Shell], QWidget]


class PanelParts:
    """Knows how each part is made, and whether all of them are there."""

    def __init__(
        self, shell: Shell, requests: Factory | None, command: Factory | None, banners: Factory | None
    ) -> None:
        self._shell = shell
        self._requests, self._command, self._banners = requests, command, banners
        self._is_whole = not (requests or command)

    def banners(self) -> QWidget | None:
        """The part that is there from the start."""
        return self._made(self._banners)

    def complete(self, panel: Panel) -> None:
        """The panel is about to show."""
        if not self._is_whole:
            self._is_whole = True
            panel.renew(self._made(self._requests), self._made(self._command), panel.main.banners)

    def renew(self, panel: Panel) -> None:
        """What is there says its words in another language."""
        requests, command = (self._requests, self._command) if self._is_whole else (None, None)
        panel.renew(self._made(requests), self._made(command), self.banners())

    def _made(self, factory: Factory | None) -> QWidget | None:
        return factory(self._shell) if factory else None
