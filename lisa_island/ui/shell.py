"""What every widget may ask of the app. `app.desktop` implements it; tests use `tests/fakes/shell.py`.

A widget never holds a source, a file or a key: it shows the store's roster and emits intents.
"""

from collections.abc import Callable
from typing import Protocol

from lisa_island.core.adding import Importable
from lisa_island.core.agent import KeyState
from lisa_island.core.intents import Intent, Outcome
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet
from lisa_island.runtime.store import Store

Done = Callable[[Outcome], None]
KeyDone = Callable[[KeyState, str], None]


class Shell(Protocol):
    """The one object handed to every widget."""

    store: Store

    @property
    def lang(self) -> str:
        """Language of the catalogue: en or zh-CN."""
        ...

    def now(self) -> int:
        """Epoch ms."""
        ...

    def perform(self, intent: Intent, done: Done | None = None) -> None:
        """Hand an intent to its source; `done` is called once on the loop, unless the app quits first."""
        ...

    @property
    def preferences(self) -> Preferences:
        """The owner's choices now."""
        ...

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        """Change choices; `done` gets "" or a catalogue key that says why it could not be saved."""
        ...

    def on_preferences(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        """Call back after every change; the answer ends it."""
        ...

    def quiet(self) -> Quiet | None:
        """Why nothing is announced at this moment, or None."""
        ...

    def desktop_quiet(self) -> bool | None:
        """The desktop's do-not-disturb; None where it cannot be read."""
        ...

    def on_quiet(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call back when one of the two has become another; the answer ends it."""
        ...

    def targets(self) -> tuple[tuple[str, str, str], ...]:
        """What the command bar completes: (slug, price word, one line about it), called and pinned only."""
        ...

    def key_preview(self) -> str:
        """First 16 characters of the key in use, or "" ."""
        ...

    def save_key(self, value: str, source: str, done: Callable[[KeyState, str], None]) -> None:
        """Save to `source` (keyring, run); `done` gets where it is now and a catalogue key, "" when fine."""
        ...

    def drop_key(self, done: Callable[[KeyState, str], None]) -> None:
        """Forget the key of the current origin."""
        ...

    def unlock_keyring(self, done: Callable[[KeyState, str], None]) -> None:
        """Ask the desktop to open the locked collection: the owner clicked."""
        ...

    def import_key(self, done: Callable[[KeyState, str], None]) -> None:
        """Take TAKO_KEY from the environment or `config.env`; LISA's copy stays where it is."""
        ...

    def look_at_credential(self, name: str, done: KeyDone) -> None:
        """Where the credential of the direct agent `name` is, without asking anybody for it."""
        ...

    def save_credential(
        self,
        name: str,
        value: str,
        done: KeyDone,
        *,
        auth: str = "bearer",
        header: str = "",
        source: str = "keyring",
    ) -> None:
        """Keep it for the agent's own origins alone (source: keyring, run), sent as bearer, basic or header.

        `done` gets where it is now and a catalogue key, "" when fine. Tasks that wait for it look again.
        """
        ...

    def drop_credential(self, name: str, done: KeyDone) -> None:
        """Forget it."""
        ...

    def unlock_credential(self, name: str, done: KeyDone) -> None:
        """Ask the desktop to open the locked collection: the owner clicked."""
        ...

    def read_card(self, path: str, done: Callable[[str, str], None]) -> None:
        """Read a file that the owner chose as a card; `done` gets its text, or "" and a catalogue key."""
        ...

    def pi_agents(self, done: Callable[[tuple[Importable, ...], str], None]) -> None:
        """Read pi-a2a's list of agents, at the owner's click; `done` gets it, or () and a catalogue key."""
        ...

    def take_pi_key(self, listed: str, name: str, done: KeyDone) -> None:
        """Copy the key that pi keeps for `listed` into the keyring, for the added agent `name`."""
        ...

    def open_url(self, url: str) -> bool:
        """Open an http(s) address after the owner's click; False when the desktop refused."""
        ...

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        ...

    def save_text(self, path: str, text: str, done: Callable[[str], None]) -> None:
        """Write where the owner chose; `done` gets "" or a catalogue key."""
        ...

    def forget_everything(self, done: Callable[[str], None]) -> None:
        """Erase the island's stored data after the owner's confirmation (LISA's own files stay)."""
        ...

    def data_facts(self) -> tuple[tuple[str, str], ...]:
        """(catalogue key, value) lines for the Privacy and About pages: rows, size, versions, window mode."""
        ...

    def autostart(self) -> bool | None:
        """Whether the next login starts an island, as last read; None where that cannot be chosen."""
        ...

    def set_autostart(self, on: bool, done: Callable[[str], None]) -> None:
        """Start at login or not; `done` gets "" or a catalogue key, and `autostart` is true again."""
        ...

    def export_diagnostics(self, path: str, done: Callable[[str], None]) -> None:
        """Write versions, facts and counts where the owner chose; `done` gets "" or a catalogue key."""
        ...

    def test_notice(self, done: Callable[[str], None]) -> None:
        """Send a harmless notice; `done` gets a catalogue key that says how it is shown, and another one when
        the owner has pressed it.
        """
        ...

    def offers_demo(self) -> bool:
        """Whether `try_demo` makes sense here (not in a demo)."""
        ...

    def demo_runs(self) -> bool:
        """Whether the demo that `try_demo` started is still there."""
        ...

    def try_demo(self) -> None:
        """Start the demo beside this island, in a folder of its own; this island steps aside meanwhile."""
        ...

    def end_demo(self) -> None:
        """Take the demo away again."""
        ...

    def on_demo(self, call: Callable[[str], None]) -> Callable[[], None]:
        """Call with a catalogue key when the demo runs and when it has ended; the answer ends it."""
        ...

    def quit(self) -> None:
        """Start the ordered shutdown (it may ask once about what would be lost)."""
        ...
