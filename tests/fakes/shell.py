"""The app as a widget sees it: a real store, a still clock, and a record of what was asked.

shell = FakeShell(lang="zh-CN")
shell.put(session, ...)                 # rows as a source would tell them
shell.performed                         # intents, oldest first
shell.outcome = refused("outcome.x")    # what the next intents come to; or shell.hold = True and
shell.finish(outcome)                   # ... end the oldest held intent later
shell.clock.advance(0.1)                # the store's merge window passes
"""

from collections.abc import Callable
from dataclasses import replace

from lisa_island.core import words
from lisa_island.core.adding import Importable
from lisa_island.core.agent import AgentSession, KeyState, SessionKey, SourceStatus
from lisa_island.core.events import SessionOpened, SessionRemoved, SourceReported
from lisa_island.core.intents import Intent, Outcome, done
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Moment, Quiet, quiet
from lisa_island.runtime.store import Store
from lisa_island.ui.shell import Done, Shell
from tests.fakes.clock import FakeClock


class FakeShell(Shell):
    """Implements `ui.shell.Shell` without an app."""

    def __init__(self, lang: str = "en", **preferences: object) -> None:
        self.clock = FakeClock()
        self.store = Store(self.clock)
        self._preferences = Preferences(language=lang).with_(**preferences)
        self._listeners: list[Callable[[Preferences], None]] = []
        self.minute = 12 * 60
        self.desktop: bool | None = None
        self._quiet_listeners: list[Callable[[], None]] = []
        self.performed: list[Intent] = []
        self.outcome: Outcome = done()
        self.hold = False
        self.held: list[tuple[Intent, Done | None]] = []
        self.targets_known: tuple[tuple[str, str, str], ...] = ()
        self.preview = ""
        self.key_answer: tuple[KeyState, str] = (KeyState.READY, "")
        self.keys: list[tuple[str, str]] = []
        self.credential: tuple[KeyState, str] = (KeyState.NONE, "")
        self.credentials: list[tuple[str, ...]] = []
        self.card_file: tuple[str, str] = ("", "")
        self.pi: tuple[tuple[Importable, ...], str] = ((), "pi.no-file")
        self.refuse_preferences = ""
        self.opened: list[str] = []
        self.opens = True
        self.clipboard = ""
        self.saved: list[tuple[str, str]] = []
        self.file_answer = ""
        self.forgotten = 0
        self.facts: tuple[tuple[str, str], ...] = ()
        self.login: bool | None = False
        self.login_answer = ""
        self.notices = 0
        self.notice_answer = ""
        self.quits = 0
        self.demo = False
        self.has_demo = True
        self._demo_listeners: list[Callable[[str], None]] = []

    # What a test does to it.

    def put(self, *sessions: AgentSession) -> None:
        """Rows appear or are replaced whole, and listeners have heard of it."""
        for session in sessions:
            if self.store.roster.get(session.key) is not None:
                self.store.dispatch(SessionRemoved(session.key, self.clock.now()))
            self.store.dispatch(SessionOpened(session, self.clock.now()))

    def remove(self, key: SessionKey) -> None:
        self.store.dispatch(SessionRemoved(key, self.clock.now()))

    def report(self, agent: str = "takoapi", **status: object) -> None:
        """The face of a source, enabled unless said otherwise."""
        known = self.store.roster.sources.get(agent, SourceStatus(enabled=True))
        self.store.dispatch(SourceReported(agent, self.clock.now(), replace(known, **status)))  # type: ignore[arg-type]

    def set_quiet(self, **changes: object) -> None:
        """The wall's clock (`minute` of the day) or the desktop's do-not-disturb (`desktop`) is another."""
        for name, value in changes.items():
            setattr(self, name, value)
        for call in tuple(self._quiet_listeners):
            call()

    def finish(self, outcome: Outcome | None = None) -> Intent:
        """End the oldest held intent."""
        intent, call = self.held.pop(0)
        if call is not None:
            call(outcome or self.outcome)
        return intent

    # What a widget asks.

    @property
    def lang(self) -> str:
        return words.pick(self._preferences.language)

    def now(self) -> int:
        return self.clock.now()

    def perform(self, intent: Intent, done: Done | None = None) -> None:
        self.performed.append(intent)
        self.held.append((intent, done))
        if not self.hold:
            self.finish()

    @property
    def preferences(self) -> Preferences:
        return self._preferences

    def prefer(self, done: Callable[[str], None] | None = None, **changes: object) -> None:
        if not self.refuse_preferences:
            self._preferences = self._preferences.with_(**changes)
            for call in tuple(self._listeners):
                call(self._preferences)
            self.set_quiet()
        if done is not None:
            done(self.refuse_preferences)

    def on_preferences(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def quiet(self) -> Quiet | None:
        return quiet(self._preferences, Moment(self.clock.now(), self.minute, self.desktop))

    def desktop_quiet(self) -> bool | None:
        return self.desktop

    def on_quiet(self, call: Callable[[], None]) -> Callable[[], None]:
        self._quiet_listeners.append(call)
        return lambda: self._quiet_listeners.remove(call)

    def targets(self) -> tuple[tuple[str, str, str], ...]:
        return self.targets_known

    def key_preview(self) -> str:
        return self.preview

    def save_key(self, value: str, source: str, done: Callable[[KeyState, str], None]) -> None:
        self.keys.append((source, value))
        done(*self.key_answer)

    def drop_key(self, done: Callable[[KeyState, str], None]) -> None:
        self.keys.append(("drop", ""))
        done(*self.key_answer)

    def unlock_keyring(self, done: Callable[[KeyState, str], None]) -> None:
        self.keys.append(("unlock", ""))
        done(*self.key_answer)

    def import_key(self, done: Callable[[KeyState, str], None]) -> None:
        self.keys.append(("import", ""))
        done(*self.key_answer)

    def look_at_credential(self, name: str, done: Callable[[KeyState, str], None]) -> None:
        done(*self.credential)

    def save_credential(
        self,
        name: str,
        value: str,
        done: Callable[[KeyState, str], None],
        *,
        auth: str = "bearer",
        header: str = "",
        source: str = "keyring",
    ) -> None:
        self.credentials.append(("save", name, auth, header, source, value))
        done(*self.credential)

    def drop_credential(self, name: str, done: Callable[[KeyState, str], None]) -> None:
        self.credentials.append(("drop", name))
        done(*self.credential)

    def unlock_credential(self, name: str, done: Callable[[KeyState, str], None]) -> None:
        self.credentials.append(("unlock", name))
        done(*self.credential)

    def read_card(self, path: str, done: Callable[[str, str], None]) -> None:
        done(*self.card_file)

    def pi_agents(self, done: Callable[[tuple[Importable, ...], str], None]) -> None:
        done(*self.pi)

    def take_pi_key(self, listed: str, name: str, done: Callable[[KeyState, str], None]) -> None:
        self.credentials.append(("pi", listed, name))
        done(*self.credential)

    def open_url(self, url: str) -> bool:
        self.opened.append(url)
        return self.opens

    def copy(self, text: str) -> None:
        self.clipboard = text

    def save_text(self, path: str, text: str, done: Callable[[str], None]) -> None:
        self.saved.append((path, text))
        done(self.file_answer)

    def forget_everything(self, done: Callable[[str], None]) -> None:
        self.forgotten += 1
        done(self.file_answer)

    def data_facts(self) -> tuple[tuple[str, str], ...]:
        return self.facts

    def autostart(self) -> bool | None:
        return self.login

    def set_autostart(self, on: bool, done: Callable[[str], None]) -> None:
        self.login = self.login if self.login_answer else on
        done(self.login_answer)

    def export_diagnostics(self, path: str, done: Callable[[str], None]) -> None:
        self.saved.append((path, "diagnostics"))
        done(self.file_answer)

    def test_notice(self, done: Callable[[str], None]) -> None:
        self.notices += 1
        done(self.notice_answer)

    def offers_demo(self) -> bool:
        return self.has_demo

    def demo_runs(self) -> bool:
        return self.demo

    def try_demo(self) -> None:
        self._tell_demo(True, "welcome.demo.runs")

    def end_demo(self) -> None:
        self._tell_demo(False, "welcome.demo.over")

    def _tell_demo(self, runs: bool, word: str) -> None:
        self.demo = runs
        for call in tuple(self._demo_listeners):
            call(word)

    def on_demo(self, call: Callable[[str], None]) -> Callable[[], None]:
        self._demo_listeners.append(call)
        return lambda: self._demo_listeners.remove(call)

    def quit(self) -> None:
        self.quits += 1
