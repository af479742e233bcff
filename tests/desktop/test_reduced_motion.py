"""The island keeps still where the desktop asks for it, and moves again when it no longer does."""

import pytest
from dbus_fast import Variant

from lisa_island.ui import theme
from tests.desktop.whole import Whole, run
from tests.sandbox.child import running, sandbox
from tests.system.test_reduced_motion import GNOME, Portal, serve

pytestmark = pytest.mark.desktop


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


def test_the_desktops_wish_is_followed(tmp_path, gateway, rig_bus):
    async def scenario(whole: Whole) -> None:
        assert theme.current().motion("m.enter")
        portal = Portal()
        portal.known[GNOME] = Variant("b", False)
        bus = await serve(rig_bus, portal)
        await whole.until(lambda: not theme.current().motion("m.enter"))
        portal.turn(GNOME, Variant("b", True))
        await whole.until(lambda: theme.current().motion("m.enter"))
        portal.turn(GNOME, Variant("b", False))
        await whole.until(lambda: not theme.current().motion("m.enter"))
        await whole.house.settings.change(theme="dark")
        assert not theme.current().motion("m.enter"), "another choice of the owner does not bring it back"
        bus.disconnect()
        await whole.until(lambda: theme.current().motion("m.enter"))

    run(tmp_path, gateway, scenario)
