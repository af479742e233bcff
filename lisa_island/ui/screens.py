"""States of the whole that need a sentence on the main page.

    Banners(shell)
        settings_requested(str)  a page of the settings: "remote", "privacy"
        height_changed()
        .tell_problem(text)      storage or the like: stays until told otherwise ("" takes it away)
        .offer(notice, answered) one more banner until one of its buttons is pressed; answered(deed)
        .texts()                 what it says now

Computed whole from the roster's sources and the owner's choices; 0 high when there is nothing to say, and no
timer runs: waits are told as a clock time. Without a row, `empty_state` has the page and asks for the key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from lisa_island.core.agent import Health, KeyState, SourceStatus
from lisa_island.core.intents import TryNow
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.rows import agent_name
from lisa_island.core.words import say
from lisa_island.ui import price, theme
from lisa_island.ui.controls import Banner, Button
from lisa_island.ui.empty_state import REMOTE_PAGE, is_keyless
from lisa_island.ui.page_parts import ARM_MS
from lisa_island.ui.said import clock
from lisa_island.ui.shell import Shell


@dataclass(frozen=True, slots=True)
class Notice:
    """One banner. `deeds` are (deed, label): try, unlock, settings, allow, refuse."""

    kind: str
    text: str
    deeds: tuple[tuple[str, str], ...] = ()
    agent: str = ""


def notices(roster: Roster, choices: Preferences, lang: str, problem: str = "") -> tuple[Notice, ...]:
    """What has to be said, most pressing first. Pure."""
    found: list[Notice] = []
    if choices.agent_calls_wanted == "allow" and choices.agent_calls != "allow":
        deeds = (("refuse", say(lang, "screen.keep-refusing")), ("allow", say(lang, "screen.allow")))
        found.append(Notice("waiting", say(lang, "screen.calls-wanted"), deeds))
    if problem:
        found.append(Notice("error", problem))
    asked = not roster.sessions and is_keyless(roster)  # the empty page asks for the key by itself
    for agent, status in sorted(roster.sources.items()):
        if status.enabled:
            key = None if asked else _key(agent, status, choices, lang)
            found += [n for n in (_health(agent, status, lang), key) if n]
    return tuple(found)


def _health(agent: str, status: SourceStatus, lang: str) -> Notice | None:
    at = clock(status.retry_at) if status.retry_at is not None else ""
    host = price.host(status.origin) if status.origin else agent_name(agent, lang)
    try_now = (("try", say(lang, "screen.try-now")),)
    match status.health:
        case Health.OFFLINE if status.detail == "source-failed" and at:
            text = say(lang, "screen.failed", name=agent_name(agent, lang), time=at)
            return Notice("error", text, (), agent)
        case Health.OFFLINE:
            key = "screen.offline.at" if at else "screen.offline"
            return Notice("offline", say(lang, key, host=host, time=at), try_now, agent)
        case Health.REFUSED:
            replace = (("settings", say(lang, "screen.replace-key")),)
            return Notice("error", say(lang, "screen.refused"), replace, agent)
        case Health.WAITING:
            key = "screen.busy" if at else "screen.busy.bare"
            return Notice("neutral", say(lang, key, time=at), (), agent)
        case _:
            return None


def _key(agent: str, status: SourceStatus, choices: Preferences, lang: str) -> Notice | None:
    settings = "settings"
    match status.key_state:
        case KeyState.NONE:
            deeds = ((settings, say(lang, "screen.add-key")),)
            return Notice("neutral", say(lang, "screen.no-key"), deeds, agent)
        case KeyState.ABSENT:
            deeds = ((settings, say(lang, "screen.fix")),)
            return Notice("waiting", say(lang, "screen.no-keyring"), deeds, agent)
        case KeyState.MEMORY if choices.key_source == "run":
            return None  # As the owner chose.
        case KeyState.MEMORY:
            deeds = ((settings, say(lang, "screen.fix")),)
            return Notice("waiting", say(lang, "screen.in-memory"), deeds, agent)
        case KeyState.LOCKED:
            deeds = (("unlock", say(lang, "screen.unlock")),)
            return Notice("waiting", say(lang, "screen.locked"), deeds, agent)
        case KeyState.TIMED_OUT:
            deeds = ((settings, say(lang, "screen.fix")),)
            return Notice("neutral", say(lang, "screen.timed-out"), deeds, agent)
        case KeyState.READY:
            return None


class Banners(QWidget):
    """Above everything on the main page."""

    settings_requested = Signal(str)
    height_changed = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._problem = ""
        self._offer: Notice | None = None
        self._answered: Callable[[str], None] = lambda _deed: None
        self._shown: tuple[Notice, ...] = ()
        self._banners: list[tuple[Banner, list[Button]]] = []
        m = theme.current().metrics
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(m.card_margin, 0, m.card_margin, 0)
        self._column.setSpacing(m.card_gap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        end_store = shell.store.subscribe(self._roster_changed)
        end_choices = shell.on_preferences(lambda _: self.refresh())
        self.destroyed.connect(lambda: (end_store(), end_choices()))
        self.refresh()

    def tell_problem(self, text: str) -> None:
        """A sentence of the catalogue that no source reports."""
        self._problem = text
        self.refresh()

    def offer(self, notice: Notice, answered: Callable[[str], None]) -> None:
        """Say it until the owner presses one of its buttons; `answered` gets that deed."""
        self._offer, self._answered = notice, answered
        self.refresh()

    def texts(self) -> list[str]:
        return [banner.text() for banner, _ in self._banners]

    def buttons(self) -> list[Button]:
        """Every button, in order."""
        return [button for _, buttons in self._banners for button in buttons]

    def _roster_changed(self, old: Roster, new: Roster) -> None:
        if old.sources is not new.sources or bool(old.sessions) is not bool(new.sessions):
            self.refresh()

    def refresh(self) -> None:
        """Say what is true now; unchanged sentences stay, so that no button moves under a finger."""
        shell = self._shell
        found = notices(shell.store.roster, shell.preferences, shell.lang, self._problem)
        found += (self._offer,) if self._offer else ()
        if found == self._shown:
            return
        held = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._shown = found
        for banner, _ in self._banners:
            banner.hide()
            self._column.removeWidget(banner)
            banner.deleteLater()
        self._banners = [self._make(notice) for notice in found]
        self._column.setContentsMargins(*self._margins(bool(found)))
        self.updateGeometry()
        self.height_changed.emit()
        if held and self.buttons():
            self.buttons()[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _margins(self, some: bool) -> tuple[int, int, int, int]:
        side = theme.current().metrics.card_margin
        return (side, 2, side, 6) if some else (side, 0, side, 0)

    def _make(self, notice: Notice) -> tuple[Banner, list[Button]]:
        banner = Banner(notice.kind, notice.text)  # type: ignore[arg-type]
        row = banner.layout()
        buttons = []
        for deed, label in notice.deeds:
            arm = ARM_MS if deed == "allow" else 0
            button = Button(label, "outline", arm_ms=arm)
            offered = notice is self._offer
            button.clicked.connect(self._take(deed) if offered else self._deed(deed, notice.agent, button))
            if row is not None:
                row.addWidget(button)
            buttons.append(button)
        self._column.addWidget(banner)
        banner.show()
        return banner, buttons

    def _take(self, deed: str) -> Callable[[], None]:
        def do() -> None:
            self._offer = None
            self.refresh()
            self._answered(deed)

        return do

    def _deed(self, deed: str, agent: str, button: Button) -> Callable[[], None]:
        shell = self._shell

        def do() -> None:
            match deed:
                case "try":
                    button.setEnabled(False)
                    shell.perform(TryNow(agent), lambda _: self._again(button))
                case "unlock":
                    button.setEnabled(False)
                    button.setText(say(shell.lang, "screen.unlocking"))
                    shell.unlock_keyring(lambda _state, _word: self._unlocked(button))
                case "allow" | "refuse":
                    calls = "allow" if deed == "allow" else "deny"
                    shell.prefer(self._preferred, agent_calls=calls)
                case _:
                    self.settings_requested.emit(REMOTE_PAGE)

        return do

    def _again(self, button: Button) -> None:
        if any(button is b for b in self.buttons()):
            button.setEnabled(True)

    def _unlocked(self, button: Button) -> None:
        if any(button is b for b in self.buttons()):
            button.setText(say(self._shell.lang, "screen.unlock"))
            button.setEnabled(True)

    def _preferred(self, word: str) -> None:
        if word:
            self.tell_problem(say(self._shell.lang, "screen.not-saved"))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(0, self._column.totalHeightForWidth(width)) if self._banners else 0

    def sizeHint(self) -> QSize:
        width = self.width() if self.isVisible() else theme.current().metrics.panel_width
        return QSize(theme.current().metrics.panel_width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
