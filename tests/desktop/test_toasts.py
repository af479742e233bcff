"""Own toasts beside pill and panel on a real screen, and the ring after a hotkey and after a click."""

import pytest
from PySide6.QtWidgets import QLineEdit

from lisa_island.ui import modality
from lisa_island.ui.card import NeedCard
from lisa_island.ui.window_mode import WindowMode
from tests.desktop.whole import Whole, run
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def asked(whole: Whole) -> None:
    whole.send("acme-research", "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session("acme-research")) and s.requests)


def test_a_toast_wears_the_mode_of_the_desktop_and_gives_way_to_the_panel(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        face = whole.face
        await asked(whole)
        await whole.until(lambda: face.toasts.shown())
        toast = face.toasts.toast(face.toasts.shown()[0])
        assert face.island.mode is WindowMode.X11_PLAIN and not toast.mask().isEmpty(), "no black corners"
        face.window("show")
        assert face.toasts.shown() == (), "the panel says it"

    run(tmp_path, gateway, scenario)


def test_a_hotkey_shows_where_the_keyboard_is_and_a_click_does_not(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        face, panel = whole.face, whole.panel

        def card() -> NeedCard | None:
            found = panel.focusWidget()
            return found if isinstance(found, NeedCard) and found.hasFocus() else None

        other = QLineEdit()
        other.show()
        other.activateWindow()
        await whole.until(other.isActiveWindow)
        await asked(whole)
        face.window("toggle")
        await whole.until(card)
        assert card().has_ring()
        face.window("toggle")
        await whole.until(lambda: not panel.isVisible() and other.isActiveWindow())
        face.tray.activated_by_owner.emit()
        await whole.until(card)
        assert not modality.by_keyboard() and not card().has_ring()
        modality.by_keyboard_now()
        other.close()

    run(tmp_path, gateway, scenario)
