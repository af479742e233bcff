"""The one menu of tray and pill: what needs the owner, the counts, and everything the island can do.

    MenuActions(request, show, command, settings, quit, cancel)   what its entries call
    build_menu(shell, actions, parent=None, *, native=False) -> IslandMenu   (a QMenu)
        .refresh()   read roster and preferences again; cheap, and nothing is touched that is the same

Entries are made once and only their texts change: a menu that is open, or that the desktop draws over D-Bus,
keeps its place. `native` is for a menu that the desktop draws: no times in it, since nobody keeps them fresh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import shiboken6
from PySide6.QtGui import QAction, QFont, QIcon, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from lisa_island.core.agent import SessionKey
from lisa_island.core.pill import badge, number
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet
from lisa_island.core.summary import Need, Summary, needs, summarize, title
from lisa_island.core.text import clean, elide_middle
from lisa_island.core.times import relative
from lisa_island.core.words import count, say
from lisa_island.ui import assets, glyphs, mute, theme
from lisa_island.ui.cancel_menu import CancelMenu, cancelable
from lisa_island.ui.popup import literal, round_off
from lisa_island.ui.shell import Shell

SHOWN_NEEDS = 3
NAME_LIMIT = 28
ICON = 16


@dataclass(frozen=True, slots=True)
class MenuActions:
    """What the entries call. `request` gets a request id, `settings` the name of a page.

    `cancel` gets the task that is to be cancelled; it is asked once, where the answer is said too.
    """

    request: Callable[[str], None]
    show: Callable[[], None]
    command: Callable[[], None]
    settings: Callable[[str], None]
    quit: Callable[[], None]
    cancel: Callable[[SessionKey], None] = lambda _key: None


def counts_line(summary: Summary, lang: str, *, with_needs: bool = False) -> str:
    """ "4 working, 1 failed", or "" when there is nothing to count."""
    found = [
        *([("needs", summary.needs_you)] if with_needs else []),
        ("working", summary.working),
        ("failed", summary.failed),
        ("sending", summary.queued),
        ("your-turn", summary.your_turn),
        ("not-reporting", 0 if summary.offline else summary.not_reporting),
    ]
    parts = [_counted(lang, key, n) for key, n in found if n]
    if summary.offline:
        parts.append(say(lang, "pill.offline"))
    return say(lang, "row.comma").join(parts)


def _counted(lang: str, key: str, n: int) -> str:
    return say(lang, f"pill.{key}.one") if n == 1 else say(lang, f"pill.{key}.many", n=number(n))


def need_line(need: Need, lang: str) -> str:
    """ "acme-research: input"."""
    name = elide_middle(clean(title(need.session), 200), NAME_LIMIT)
    return say(lang, "menu.need", name=name, kind=say(lang, f"row.kind.{need.request.kind}"))


class IslandMenu(QMenu):
    """See the module. Reads only the shell; calls only `actions`."""

    def __init__(
        self, shell: Shell, actions: MenuActions, parent: QWidget | None = None, *, native: bool = False
    ) -> None:
        super().__init__(parent)
        self._shell, self._actions, self._native = shell, actions, native
        self._requests: list[str] = [""] * SHOWN_NEEDS
        self.cancel_menu = CancelMenu(self, actions.cancel, actions.show)
        self._shown: tuple[object, ...] = ()
        self._build()
        self.setMinimumWidth(theme.current().metrics.menu_width)
        self.setToolTipsVisible(False)
        if not native:
            round_off(self)
            round_off(self.mute_menu)
            round_off(self.cancel_menu)
        self.aboutToShow.connect(self.refresh)
        self.refresh()

    @property
    def is_native(self) -> bool:
        return self._native

    def set_native(self, native: bool) -> None:
        """Whether the desktop draws it; decides escaping and times."""
        self._native = native
        self.refresh()

    # --- entries, made once ---

    def _build(self) -> None:
        act = self._actions
        self.needs_head = self._entry(act.show)
        self.need_entries = [self._entry(self._opener(i)) for i in range(SHOWN_NEEDS)]
        self.more = self._entry(act.show)
        self.addSeparator()
        self.counts = self._entry(act.show)
        self.counts.setEnabled(False)
        self.addMenu(self.cancel_menu)
        self._counts_end = self.addSeparator()
        self.show_island = self._entry(act.show)
        self.command_bar = self._entry(act.command)
        self.addSeparator()
        self.mute_menu = QMenu(self)
        self.addMenu(self.mute_menu)
        self.mute_entries = {c: self._mute_entry(c) for c in mute.CHOICES}
        self.presenting = self._entry(self._toggle_presenting)
        self.presenting.setCheckable(True)
        self.settings_entry = self._entry(lambda: act.settings("general"))
        self.quit_entry = self._entry(act.quit)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        self.needs_head.setFont(bold)

    def _entry(self, call: Callable[[], object], menu: QMenu | None = None) -> QAction:
        entry = QAction(menu or self)
        entry.triggered.connect(lambda _checked: call())
        (menu or self).addAction(entry)
        return entry

    def _opener(self, i: int) -> Callable[[], None]:
        """The request that stands there when it is clicked; one that is gone opens the queue instead."""

        def open_it() -> None:
            request = self._requests[i]
            self._actions.request(request) if request else self._actions.show()

        return open_it

    def _mute_entry(self, choice: str) -> QAction:
        def choose() -> None:
            self._prefer(muted_until=mute.until(choice, self._shell.now()))

        entry = self._entry(choose, self.mute_menu)
        if choice == "off":
            entry.setCheckable(True)
        return entry

    def _toggle_presenting(self) -> None:
        self._prefer(presenting=not self._shell.preferences.presenting)

    def _prefer(self, **changes: object) -> None:
        """A click has set a check mark already; what could not be saved takes it back."""

        def told(_word: str) -> None:
            if shiboken6.isValid(self):
                self._shown = ()
                self.refresh()

        self._shell.prefer(told, **changes)

    # --- what they say ---

    def refresh(self) -> None:
        """Say what is true now."""
        shell = self._shell
        roster, preferences = shell.store.roster, shell.preferences
        look = (theme.current().name, theme.current().scale, self._native)
        queue, summary = needs(roster), summarize(roster)
        now = 0 if self._native else shell.now() // 60_000
        quiet = shell.quiet()
        running = cancelable(roster, shell.lang)
        seen = (queue, summary, preferences, shell.lang, look, now, quiet, running)
        if seen == self._shown:
            return
        before, self._shown = self._shown, seen
        if before[:7] != seen[:7]:
            self._say_needs(queue, summary)
            self._say_counts(summary)
        self.cancel_menu.show_tasks(running, shell.lang, native=self._native)
        self._counts_end.setVisible(self.counts.isVisible() or bool(running.shown))
        if before[2:7] != seen[2:7]:
            self._say_rest(preferences, quiet)

    def _text(self, text: str, end: str = "") -> str:
        shown = literal(text, native=self._native)
        return f"{shown}\t{end}" if end and not self._native else shown

    def _say_needs(self, queue: tuple[Need, ...], summary: Summary) -> None:
        lang, now = self._shell.lang, self._shell.now()
        if queue:
            since = relative(lang, summary.oldest or now, now)
            oldest = say(lang, "menu.oldest", span=since) if now - (summary.oldest or now) >= 60_000 else ""
            self.needs_head.setText(self._text(_counted(lang, "needs", len(queue)), oldest))
        else:
            self.needs_head.setText(say(lang, "menu.nothing"))
        self.needs_head.setIcon(self._glyph("waiting") if queue else QIcon())
        for i, entry in enumerate(self.need_entries):
            self._say_need(entry, i, queue[i] if i < len(queue) else None)
        rest = len(queue) - SHOWN_NEEDS
        self.more.setVisible(rest > 0)
        self.more.setText(count(lang, "menu.more", max(1, rest)))

    def _say_need(self, entry: QAction, i: int, need: Need | None) -> None:
        self._requests[i] = need.request.request_id if need else ""
        entry.setVisible(need is not None)
        if need is None:
            entry.setText("")
            return
        lang = self._shell.lang
        entry.setText(
            self._text(need_line(need, lang), relative(lang, need.request.since, self._shell.now()))
        )
        kind, text = badge(need.session)
        dpr = assets.screen_dpr()
        entry.setIcon(QIcon(assets.badge(kind, text, ICON, dpr)))

    def _say_counts(self, summary: Summary) -> None:
        line = counts_line(summary, self._shell.lang)
        self.counts.setText(line)
        self.counts.setVisible(bool(line))
        shape = "working" if summary.working else "error" if summary.failed else ""
        self.counts.setIcon(self._glyph(shape) if shape else QIcon())

    def _say_rest(self, preferences: Preferences, quiet: Quiet | None) -> None:
        shell = self._shell
        lang = shell.lang
        self.setTitle(say(lang, "menu.name"))
        self.setAccessibleName(say(lang, "menu.name"))
        self.show_island.setText(say(lang, "menu.show"))
        self.command_bar.setText(say(lang, "menu.command"))
        # What is presented has its own mark below.
        why = "" if preferences.presenting else mute.quiet_line(quiet, lang, shell.now())
        self.mute_menu.setTitle(why or say(lang, "menu.mute"))
        self.mute_menu.setIcon(self._icon("action/mute"))
        for choice, entry in self.mute_entries.items():
            entry.setText(say(lang, f"menu.mute.{choice}"))
        self.mute_entries["off"].setChecked(not mute.is_muted(preferences, shell.now()))
        self.presenting.setText(say(lang, "menu.presenting"))
        self.presenting.setChecked(preferences.presenting)
        # An entry has room for one sign: its check mark while it is on, else its picture.
        self.presenting.setIcon(QIcon() if preferences.presenting else self._icon("action/hide"))
        self.settings_entry.setText(say(lang, "menu.settings"))
        self.settings_entry.setIcon(self._icon("action/settings"))
        self.quit_entry.setText(say(lang, "menu.quit"))

    def _glyph(self, shape: str) -> QIcon:
        picture = glyphs.glyph(shape, ICON, assets.screen_dpr())
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Disabled)  # the counts are no entry, but they are true
        return icon

    def _icon(self, name: str) -> QIcon:
        # The desktop draws a native menu in its own colours, which nobody tells us: a mid grey serves both.
        ink = theme.current().color("line.control") if self._native else theme.current().color("text.2")
        picture: QPixmap = assets.pixmap(name, ICON, ink, assets.screen_dpr())
        return QIcon(picture)


def build_menu(
    shell: Shell, actions: MenuActions, parent: QWidget | None = None, *, native: bool = False
) -> IslandMenu:
    """A menu for the tray (`native` where the desktop draws it) or for the pill."""
    return IslandMenu(shell, actions, parent, native=native)
