"""What has a window of its own: notices, menus, the question at the end, settings, the first run."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu

from lisa_island.app.desktop.leaving import AskToLeave
from lisa_island.core.agent import Health, KeyState, RequestKind, State
from lisa_island.core.notices import Note
from lisa_island.core.preferences import Pin
from lisa_island.core.times import HOUR
from lisa_island.core.words import say
from lisa_island.ui.menu import MenuActions, build_menu
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.dialog import PAGES
from lisa_island.ui.toast import Toasts
from lisa_island.ui.welcome import Welcome
from lisa_island.ui.welcome_steps import STEPS
from tests.fakes.sessions import ATTACKS, MINUTE, asking, key, remote
from tests.fakes.shell import FakeShell
from tests.goldens.sheet import Subject, picture
from tests.goldens.stage import Stage, settle

FACTS = (
    ("fact.version", "0.1.0"),
    ("fact.home", "/home/ada/.lisa"),
    ("fact.rows", "214"),
    ("fact.size", "312 kB"),
    ("fact.tray", "a host shows icons"),
    ("fact.window", "window-mode.x11"),
)


def _toast(stage: Stage, shell: FakeShell, note: Note) -> QImage:
    toasts = Toasts(shell, stage.mode)
    toasts.show(note, QRect(100, 8, 200, 36))
    settle()
    toast = toasts.toast(note.note_id)
    assert toast is not None
    made = picture(toast)
    toasts.close()
    return made


def _menu(menu: QMenu) -> QImage:
    menu.popup(menu.pos())
    settle()
    made = picture(menu)
    menu.hide()
    return made


def _nothing(*_: object) -> None:
    """A menu in a picture is not pressed."""


def small(stage: Stage) -> Iterator[Subject]:
    lang, shell = stage.look.lang, stage.shell()
    now = shell.now()
    reply, later = ("reply", say(lang, "notices.button.reply")), ("later", say(lang, "notices.button.later"))
    shell.put(
        asking("acme-research", "Which quarter?", now=now, minutes=6, label="Q3 market scan"),
        asking("legal", "Sign in", now=now, minutes=2, kind=RequestKind.AUTH),
        remote("flaky-build", state=State.ERROR, unread=True),
        remote("sheet-wizard"),
    )
    one = (key("acme-research"),)
    title, body = say(lang, "notices.input", name="acme-research"), "Q3 market scan"
    yield "toast", _toast(stage, shell, Note("1", title, body, False, (reply, later), one, "r"))
    yield "toast, urgent", _toast(stage, shell, Note("2", title, body, True, (reply, later), one, "r"))
    yield "toast about several", _toast(stage, shell, Note("3", say(lang, "notices.burst.need.many", n=4)))
    hostile = Note("4", ATTACKS[1] + ATTACKS[2], ATTACKS[0] + ATTACKS[2], False, (reply,), one)
    yield "toast, hostile", _toast(stage, shell, hostile)
    actions = MenuActions(_nothing, _nothing, _nothing, _nothing, _nothing)
    menu = build_menu(shell, actions)
    yield "menu", _menu(menu)
    yield "mute menu", _menu(menu.mute_menu)
    quiet = stage.shell(muted_until=now + HOUR, presenting=True)
    yield "menu, quiet and muted", _menu(build_menu(quiet, actions))
    leaving = AskToLeave(shell)
    leaving.ask(2, 1)
    with stage.shown(leaving):
        yield "leave?", picture(leaving, ground=True)


# --- settings ---


def _dialog(shell: FakeShell, page: str, stage: Stage) -> QImage:
    shell.facts = FACTS
    dialog = SettingsDialog(shell)
    dialog.open_page(page)
    with stage.shown(dialog):
        return picture(dialog)


def settings(stage: Stage) -> Iterator[Subject]:
    pins = (Pin("acme-research", "0.02 USD"), Pin("sheet-wizard", "free"))
    for page in PAGES:
        shell = stage.shell(takoapi_enabled=True, pins=pins, welcomed=True)
        shell.preview = "tako_live_Ab3xQ9"
        shell.report(
            health=Health.OK, key_state=KeyState.READY, generation="tasks", origin="https://takoapi.com"
        )
        yield page.NAME, _dialog(shell, page.NAME, stage)
    if not stage.full:
        return
    shell = stage.shell(pins=pins, muted_until=stage.shell().now() + 90 * MINUTE)
    shell.report(health=Health.OK, key_state=KeyState.LOCKED)
    yield "remote, keyring locked", _dialog(shell, "remote", stage)
    shell = stage.shell(agent_calls_wanted="allow")
    yield "privacy, a file asks for more", _dialog(shell, "privacy", stage)


# --- the first run ---


def onboarding(stage: Stage) -> Iterator[Subject]:
    for step in range(len(STEPS)):
        welcome = Welcome(stage.shell())
        welcome.show()
        welcome.turn_to(step)
        with stage.shown(welcome):
            yield f"step {step + 1}", picture(welcome)
