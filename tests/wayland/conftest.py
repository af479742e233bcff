"""Real compositors. check.sh runs each file on its own desktop; elsewhere there is nothing to collect."""

import os
from collections.abc import Iterator

import pytest

from tests.desktop.conftest import rig_bus  # noqa: F401 (a fixture)
from tests.sandbox.child import Running, running, sandbox

_HERE = os.environ.get("LISA_RIG_DESKTOP", "")
collect_ignore = [f"test_{name}.py" for name in ("mutter", "sway") if name != _HERE]


@pytest.fixture
def gateway() -> Iterator[Running]:
    with running(sandbox()) as child:
        yield child
