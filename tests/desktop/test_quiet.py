"""The whole island while the desktop does not want to be disturbed: the queue is true, nothing moves."""

import os

import pytest

from lisa_island.system.notifier import NAME
from tests.desktop.private_bus import connected, until_owned
from tests.desktop.quiet_servers import Plasma, serve
from tests.desktop.test_do_not_disturb import run as told
from tests.desktop.test_do_not_disturb import running as programs
from tests.desktop.whole import Whole, run
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def ask(whole: Whole, slug: str = "acme-research") -> None:
    whole.send(slug, "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session(slug)) and s.requests)


def test_our_own_notice_waits_until_the_desktop_may_be_disturbed(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        desktop = Plasma("Plasma")  # it shows no notices, so the island shows its own
        desktop.on = True
        bus = await serve(rig_bus, desktop)
        face, pill = whole.face, whole.face.island.pill
        await whole.until(lambda: pill.view.muted)
        await ask(whole)
        await whole.until(lambda: pill.view.text == "1 needs you")
        await whole.until(lambda: face._notices._pacer.held)
        assert not pill.is_glowing and face.toasts.shown() == ()
        assert face.tray.tooltip == "LISA Island: 1 needs you, do not disturb"
        desktop.turn(False)
        await whole.until(lambda: face.toasts.shown())
        assert not pill.view.muted and len(face.toasts.shown()) == 1
        bus.disconnect()

    run(tmp_path, gateway, scenario)


def test_a_paused_dunst_is_given_the_notice_and_holds_it(tmp_path, gateway, rig_bus):
    environ = dict(os.environ)

    async def scenario(whole: Whole) -> None:
        with programs("dunst", environ=environ):
            bus = await connected(rig_bus)
            await until_owned(bus, NAME)
            told(environ, "dunstctl", "set-paused", "true")
            face, pill = whole.face, whole.face.island.pill
            await whole.until(lambda: pill.view.muted)
            await ask(whole)
            await whole.until(lambda: told(environ, "dunstctl", "count", "waiting") == "1")
            assert face.toasts.shown() == () and not pill.is_glowing
            told(environ, "dunstctl", "set-paused", "false")
            await whole.until(lambda: told(environ, "dunstctl", "count", "displayed") == "1")
            await whole.until(lambda: not pill.view.muted)
            assert face.toasts.shown() == (), "the desktop has shown it"
            bus.disconnect()

    run(tmp_path, gateway, scenario)
