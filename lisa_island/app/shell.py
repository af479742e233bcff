"""Gives the widgets what `ui.shell.Shell` promises. What only a desktop can do is a `Desk`."""

import contextlib
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lisa_island.app.direct_shell import DirectShell
from lisa_island.app.erase import erase, take_back
from lisa_island.app.house import House
from lisa_island.app.quiet import QuietWatch
from lisa_island.app.try_demo import TriedDemo
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import IslandError, SecretError
from lisa_island.core.intents import Intent, Outcome
from lisa_island.core.notices import Note
from lisa_island.core.origin import preview
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet
from lisa_island.core.text import plain_url
from lisa_island.core.words import say
from lisa_island.system import autostart

WRITE_SECONDS = 20.0

# The id of the notice that `test_notice` sends.
TEST = "test"

KeyDone = Callable[[KeyState, str], None]
Done = Callable[[Outcome], None]


@dataclass(slots=True)
class Desk:
    """What only a desktop can do: open an address, fill the clipboard, show a notice, leave, step aside."""

    open_url: Callable[[str], bool]
    copy: Callable[[str], None]
    notify: Callable[[Note], Coroutine[Any, Any, str]]
    quit: Callable[[], None]
    window_mode: Callable[[], str]
    aside: Callable[[bool], None] = lambda _on: None


class AppShell(DirectShell):
    """Implements `ui.shell.Shell`. Answers come on the loop; a closed app answers nobody."""

    def __init__(self, house: House, desk: Desk, quiet: QuietWatch) -> None:
        super().__init__(house)
        self._quiet = quiet
        self._desk = desk
        self.store = house.store
        self._preview = ""
        self._login: bool | None = None
        self._facts: tuple[tuple[str, str], ...] = ()
        self._demo = TriedDemo(house, desk.aside)
        self._tested: Callable[[str], None] = lambda _word: None

    @property
    def lang(self) -> str:
        """Language of the catalogue."""
        return self._house.lang

    def now(self) -> int:
        """Epoch ms."""
        return self._house.clock.now()

    def perform(self, intent: Intent, done: Done | None = None) -> None:
        """Hand an intent to its source."""

        async def work() -> None:
            outcome = await self._house.perform(intent, even_if_off=True)
            if done is not None:
                done(outcome)

        self._start(work(), type(intent).__name__)

    @property
    def preferences(self) -> Preferences:
        """The owner's choices now."""
        return self._house.preferences

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        """Change choices on disk."""

        async def work() -> None:
            word = ""
            try:
                await self._house.settings.change(**changes)
            except IslandError as error:
                word = error.word
            if done is not None:
                done(word)

        self._start(work(), "settings")

    def on_preferences(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        """Call back after every change."""
        return self._house.settings.subscribe(call)

    def quiet(self) -> Quiet | None:
        """Why nothing is announced at this moment."""
        return self._quiet.now()

    def desktop_quiet(self) -> bool | None:
        """The desktop's do-not-disturb, as it last told."""
        return self._quiet.desktop

    def on_quiet(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call back when that changes."""
        return self._quiet.subscribe(call)

    def targets(self) -> tuple[tuple[str, str, str], ...]:
        """Called and pinned slugs with prices."""
        return self._house.targets()

    def key_preview(self) -> str:
        """First 16 characters of the key in use; refreshed by `look_at_key`."""
        return self._preview

    async def look_at_key(self) -> None:
        """Ask the keyring once for what may be shown; never prompts."""
        secret = await self._house.secrets.get(self._house.origin)
        self._preview = preview(secret.value)

    def save_key(self, value: str, source: str, done: KeyDone) -> None:
        """Save to the keyring, or remember for this run."""

        async def save() -> tuple[KeyState, str]:
            if source == "run":
                self._house.secrets.remember(self._house.origin, value)
                await self._take_from("run")
                return KeyState.MEMORY, ""
            state = await self._house.secrets.put(self._house.origin, value)
            await self._take_from("keyring")
            return state, "" if state is KeyState.READY else f"secrets.state.{state}"

        self._key(save, done)

    async def _take_from(self, source: str) -> None:
        """The key that was saved last is the one that counts from now on."""
        if self._house.preferences.key_source != source:
            await self._house.settings.change(key_source=source)

    def drop_key(self, done: KeyDone) -> None:
        """Forget the key of the current origin."""

        async def drop() -> tuple[KeyState, str]:
            await self._house.secrets.drop(self._house.origin)
            return KeyState.NONE, ""

        self._key(drop, done)

    def unlock_keyring(self, done: KeyDone) -> None:
        """The owner clicked: let the desktop ask."""

        async def unlock() -> tuple[KeyState, str]:
            return await self._house.secrets.unlock(self._house.origin), ""

        self._key(unlock, done)

    def import_key(self, done: KeyDone) -> None:
        """Copy TAKO_KEY from the environment or LISA's file."""
        self._key(lambda: self._house.secrets.import_key(self._house.origin), done)

    def open_url(self, url: str) -> bool:
        """Open an address that is still a plain http(s) address here."""
        return plain_url(url) == url and self._desk.open_url(url)

    def copy(self, text: str) -> None:
        """Fill the clipboard."""
        self._desk.copy(text)

    def save_text(self, path: str, text: str, done: Callable[[str], None]) -> None:
        """Write where the owner chose."""

        async def work() -> None:
            try:
                await self._house.worker.run(_write, Path(path), text, limit=WRITE_SECONDS, name="save")
            except (OSError, TimeoutError):
                done("storage.not-saved")
                return
            done("")

        self._start(work(), "save text")

    def forget_everything(self, done: Callable[[str], None]) -> None:
        """Erase our files at the next moment nothing writes: the app closes with it."""

        async def work() -> None:
            done("")
            if self._house.stored.is_there:
                await take_back(self._house.tasks)
            self._house.erase_at_end = lambda: erase(self._house.plan.home)
            self._desk.quit()

        self._start(work(), "erase")

    def data_facts(self) -> tuple[tuple[str, str], ...]:
        """What `refresh_facts` last learnt, with the window mode of now."""
        return (*self._facts, ("fact.window", self._desk.window_mode()))

    async def refresh_facts(self) -> None:
        """Look at rows, size, versions and the start at login again."""
        # The settings name the window mode themselves, as it is at that moment.
        self._facts = tuple(f for f in await self._house.facts() if f[0] != "fact.window")
        await self.look_at_login()

    def autostart(self) -> bool | None:
        """What `look_at_login` last read."""
        return self._login

    async def look_at_login(self) -> None:
        """Read the desktop's own entry. A demo touches nothing of the owner's, so it offers no choice."""
        if self._house.plan.demo:
            return
        environ, worker = self._house.plan.environ, self._house.worker
        try:
            self._login = await worker.run(autostart.is_on, environ, limit=WRITE_SECONDS, name="login")
        except TimeoutError:
            self._login = None

    def set_autostart(self, on: bool, done: Callable[[str], None]) -> None:
        """Write or delete the entry, and read what came of it."""

        async def work() -> None:
            environ, worker = self._house.plan.environ, self._house.worker
            word = ""
            try:
                await worker.run(autostart.turn, on, environ, limit=WRITE_SECONDS, name="login")
                await self.look_at_login()
            except (IslandError, TimeoutError):
                word = "autostart.not-changed"
            done(word)

        self._start(work(), "login")

    def export_diagnostics(self, path: str, done: Callable[[str], None]) -> None:
        """Write the report where the owner chose."""
        from lisa_island.app.diagnostics import report

        async def work() -> None:
            self.save_text(path, await report(self._house), done)

        self._start(work(), "diagnostics")

    def test_notice(self, done: Callable[[str], None]) -> None:
        """Send a harmless notice. That it was seen, its button alone can tell."""
        self._tested = done

        async def work() -> None:
            title, body = say(self.lang, "notices.test.title"), say(self.lang, "notices.test.body")
            note = Note(TEST, title, body, buttons=(("seen", say(self.lang, "notices.test.button")),))
            how = await self._desk.notify(note)
            done("notices.test.handed" if how == "notices.by-desktop" else how)

        self._start(work(), "test notice")

    def test_seen(self) -> None:
        """The owner pressed the test notice, wherever it stood."""
        self._tested("notices.test.seen")

    def offers_demo(self) -> bool:
        """Not in a demo."""
        return not self._house.plan.demo

    def demo_runs(self) -> bool:
        """Whether the demo that `try_demo` started is still there."""
        return self._demo.runs

    def try_demo(self) -> None:
        """Start the demo beside this island."""
        if self.offers_demo():
            self._demo.start()

    def end_demo(self) -> None:
        """Take the demo away again."""
        self._demo.end()

    def on_demo(self, call: Callable[[str], None]) -> Callable[[], None]:
        """Call with a catalogue key when the demo runs and when it has ended."""
        return self._demo.on_change(call)

    def quit(self) -> None:
        """Start the ordered shutdown."""
        self._desk.quit()

    def _key(self, work: Callable[[], Coroutine[Any, Any, tuple[KeyState, str]]], done: KeyDone) -> None:
        async def run() -> None:
            try:
                state, word = await work()
            except IslandError as error:
                state, word = (await self._house.secrets.get(self._house.origin)).state, error.word
            with contextlib.suppress(SecretError):
                await self.look_at_key()
            self._house.key_changed()
            done(state, word)

        self._start(run(), "key")


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
