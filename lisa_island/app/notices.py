"""Carries notices from the policy to the desktop's server or to our own toast, and presses back. No Qt."""

from collections.abc import Callable

from lisa_island.app.house import House
from lisa_island.core.events import Notified
from lisa_island.core.notices import Note, Pacer, Show, Withdraw, decide
from lisa_island.core.ports import Notifier
from lisa_island.core.roster import Roster

Pressed = Callable[[Note, str], None]


class Notices:
    """One subscriber of the store, one single-shot timer while a notice waits."""

    def __init__(
        self,
        house: House,
        notifier: Notifier,
        toast: Callable[[Note], None],
        untoast: Callable[[str], None],
        pressed: Pressed,
        attended: Callable[[], bool] = lambda: False,
    ) -> None:
        self._house = house
        self._notifier = notifier
        self._toast = toast
        self._untoast = untoast
        self._pressed = pressed
        self._attended = attended
        self._pacer = Pacer()
        self._shown: dict[str, Note] = {}
        self._due: Callable[[], None] | None = None
        self._stop = house.store.subscribe(self._changed)
        house.nursery.start(self._listen(), "notices")

    def close(self) -> None:
        """Stop deciding; what is shown stays with the desktop until it is withdrawn."""
        self._stop()
        if self._due is not None:
            self._due()

    async def send(self, note: Note) -> str:
        """Show one note now; the catalogue key that says how."""
        self._shown[note.note_id] = note
        if await self._notifier.show(note):
            return "notices.by-desktop"
        self._toast(note)
        return "notices.by-island"

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
        now = self._house.clock.now()
        self._pacer, ready = self._pacer.due(now, self._house.lang)
        for effect in ready:
            if isinstance(effect, Withdraw):
                self._withdraw(effect.note_id)
            else:
                self._show(effect)
        self._plan(now)

    def _show(self, effect: Show) -> None:
        for key, request_id in effect.marks:
            self._house.store.dispatch(Notified(key, request_id))
        if self._attended():
            return  # The owner's pointer or focus is in the panel that shows it already.

        async def work() -> None:
            await self.send(effect.note)

        self._house.nursery.start(work(), "notice")

    def _withdraw(self, note_id: str) -> None:
        self._shown.pop(note_id, None)
        self._untoast(note_id)

        async def work() -> None:
            await self._notifier.withdraw(note_id)

        self._house.nursery.start(work(), "withdraw notice")

    async def _listen(self) -> None:
        async for note_id, action in self._notifier.pressed():
            self.press(note_id, action)
