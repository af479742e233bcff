"""Carries notices from the policy to the desktop's server or to our own toast, and presses back. No Qt.

The one gate for everything that announces: a new way to announce goes through `_flush` and `_show`.
"""

from collections.abc import Callable

from lisa_island.app.house import House
from lisa_island.app.quiet import QuietWatch
from lisa_island.core.events import Notified
from lisa_island.core.notices import Effect, Note, Pacer, Show, Withdraw, decide
from lisa_island.core.ports import Notifier
from lisa_island.core.roster import Roster

Pressed = Callable[[Note, str], None]


class Notices:
    """One subscriber of the store, one single-shot timer while a notice waits."""

    def __init__(
        self,
        house: House,
        quiet: QuietWatch,
        notifier: Notifier,
        toast: Callable[[Note], None],
        untoast: Callable[[str], None],
        pressed: Pressed,
        attended: Callable[[], bool] = lambda: False,
    ) -> None:
        self._house = house
        self._quiet = quiet
        self._notifier = notifier
        self._toast = toast
        self._untoast = untoast
        self._pressed = pressed
        self._attended = attended
        self._pacer = Pacer()
        self._shown: dict[str, Note] = {}
        self._due: Callable[[], None] | None = None
        self._ends = (house.store.subscribe(self._changed), quiet.subscribe(self._quiet_changed))
        house.nursery.start(self._listen(), "notices")

    def close(self) -> None:
        """Stop deciding; what is shown stays with the desktop until it is withdrawn."""
        for end in self._ends:
            end()
        if self._due is not None:
            self._due()

    async def send(self, note: Note) -> str:
        """Show one note now, whatever the hour: the owner asked. The catalogue key that says how."""
        self._shown[note.note_id] = note
        if await self._notifier.show(note):
            return "notices.by-desktop-held" if self._quiet.desktop else "notices.by-desktop"
        self._toast(note)
        return self._notifier.trouble or "notices.by-island"

    def seen(self) -> None:
        """The owner looks at the panel: what was held is no news to them any more."""
        self._pacer = self._pacer.forget_held()

    def press(self, note_id: str, action: str) -> None:
        """A button or the notice itself was pressed, wherever it was shown."""
        note = self._shown.get(note_id)
        if note is not None:
            self._pressed(note, action)

    def _changed(self, old: Roster, new: Roster) -> None:
        house = self._house
        now = house.clock.now()
        told = decide(old, new, house.preferences, now, house.lang)
        if not told:
            return
        for effect in told:
            if isinstance(effect, Withdraw):
                self._withdraw(effect.note_id)
        self._pacer = self._pacer.offer(tuple(told), now)
        self._plan(now)

    def _plan(self, now: int) -> None:
        if self._due is not None:
            self._due()
            self._due = None
        at = self._pacer.next
        if at is not None:
            self._due = self._house.clock.call_later(max(0.0, (at - now) / 1000), self._flush)

    def _flush(self) -> None:
        self._due = None
        # What is held now must be told of the end, also if a clock was set meanwhile.
        self._quiet.look()
        now = self._house.clock.now()
        self._pacer, ready = self._pacer.due(now, self._house.lang, quiet=self._is_held())
        self._carry_out(ready)
        self._plan(now)

    def _is_held(self) -> bool:
        quiet = self._quiet.now()
        return quiet is not None and quiet.holds_notices

    def _quiet_changed(self) -> None:
        if not self._is_held():
            self._pacer, ready = self._pacer.resume(self._house.clock.now(), self._house.lang)
            self._carry_out(ready)

    def _carry_out(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Withdraw):
                self._withdraw(effect.note_id)
            else:
                self._show(effect)

    def _show(self, effect: Show) -> None:
        for key, request_id in effect.marks:
            self._house.store.dispatch(Notified(key, request_id))
        if self._attended():
            return  # The owner's pointer or focus is in the panel that shows it already.

        async def work() -> None:
            self._shown[effect.note.note_id] = effect.note
            was_shown = await self._notifier.show(effect.note)
            if not was_shown and effect.note.note_id in self._shown:
                self._toast_or_hold(effect)

        self._house.nursery.start(work(), "notice")

    def _toast_or_hold(self, effect: Show) -> None:
        """No server holds it for us, so we do."""
        if self._quiet.now() is None or effect.note.urgent:
            self._toast(effect.note)
        else:
            self._pacer = self._pacer.hold(effect)

    def _withdraw(self, note_id: str) -> None:
        self._shown.pop(note_id, None)
        self._untoast(note_id)

        async def work() -> None:
            await self._notifier.withdraw(note_id)

        self._house.nursery.start(work(), "withdraw notice")

    async def _listen(self) -> None:
        async for note_id, action in self._notifier.pressed():
            self.press(note_id, action)
