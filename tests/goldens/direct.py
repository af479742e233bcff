"""Agents at their own address: adding one, an added one, its credential, signing in, the import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtGui import QImage

from lisa_island.core.adding import Importable
from lisa_island.core.agent import KeyState
from lisa_island.core.intents import Outcome, Result, refused
from lisa_island.core.preferences import Pin
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.direct.add import AddWindow
from lisa_island.ui.settings.direct.added import AddedWindow
from lisa_island.ui.settings.direct.import_pi import ImportWindow
from lisa_island.ui.settings.direct.sign_in import SignInWindow
from lisa_island.ui.settings.direct.window import AgentWindow
from tests.fakes.cards import AGENTS, CARD, LISTED, denied
from tests.fakes.sessions import ATTACKS
from tests.fakes.shell import FakeShell
from tests.goldens.sheet import Subject, picture
from tests.goldens.stage import Stage, settle

READ = Outcome(Result.DONE, agents=(CARD,))


def _shell(stage: Stage, state: KeyState = KeyState.NONE, outcome: Outcome = READ) -> FakeShell:
    shell = stage.shell(direct_agents=AGENTS)
    shell.outcome, shell.credential = outcome, (state, "")
    return shell


def _drawn(
    stage: Stage, window: AgentWindow, act: Callable[[], object] = lambda: None, end: bool = False
) -> QImage:
    with stage.shown(window):
        act()
        settle()
        if end:
            window.pane.verticalScrollBar().setValue(window.pane.verticalScrollBar().maximum())
            settle()
        return picture(window)


def _looked(stage: Stage, outcome: Outcome = READ, end: bool = False) -> QImage:
    window = AddWindow(_shell(stage, outcome=outcome))
    window.field.setText("box.example")
    return _drawn(stage, window, window._look, end)


def _page(stage: Stage, shell: FakeShell, name: str, end: bool = False) -> QImage:
    dialog = SettingsDialog(shell)
    dialog.open_page(name)
    with stage.shown(dialog):
        if end:
            bar = dialog.pages[name].verticalScrollBar()
            bar.setValue(bar.maximum())
            settle()
        return picture(dialog)


def windows(stage: Stage) -> Iterator[Subject]:
    yield "the page", _page(stage, _shell(stage), "agents")
    pins = (Pin("acme-research", "0.02 USD"), Pin("sheet-wizard", "free"))
    following = stage.shell(pins=pins, follow_at_agent=("sheet-wizard",))
    yield "follow at the agent", _page(stage, following, "remote", end=True)
    yield "add", _drawn(stage, AddWindow(_shell(stage)))
    yield "add: the card", _looked(stage)
    yield "add: the card's end", _looked(stage, end=True)
    hostile = replace(
        CARD, name=ATTACKS[0], description=ATTACKS[1] * 20, provider=ATTACKS[0], skills=(ATTACKS[0],) * 20
    )
    yield "add: hostile", _looked(stage, Outcome(Result.DONE, agents=(hostile,)))
    yield "add: no card", _looked(stage, refused("outcome.card.unreachable", url="https://box.example"))
    for state in (KeyState.NONE, KeyState.READY, KeyState.LOCKED, KeyState.ABSENT):
        if state is not KeyState.NONE and not stage.full:
            continue
        window = AddedWindow(_shell(stage, state), "build-box")
        yield f"added, credential {state}", _drawn(stage, window, end=state is not KeyState.NONE)
    for summary in ("", "Please sign in at https://login.example/device?code=AB12 first."):
        shell = _shell(stage)
        session = denied(shell.now(), summary)
        shell.put(session)
        window = SignInWindow(shell, session.requests[0].request_id)
        yield "sign in, an address" if summary else "sign in, refused", _drawn(stage, window)
    shell = _shell(stage)
    shell.pi = ((*LISTED, Importable("Paint Shop", "https://paint.example", "Paints", False)), "")
    importing = ImportWindow(shell)
    yield "import", _drawn(stage, importing, lambda: importing._toggle(importing.list.rows[0]))
