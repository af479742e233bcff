"""A home for each test, and a gateway that waits for nothing."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.rig import Island
from tests.sandbox.child import Running, running, sandbox


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder with a short name: the path of a unix socket has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        for name in ("run", "tmp"):
            (Path(folder) / name).mkdir(mode=0o700)
        yield Path(folder)


@pytest.fixture
def island(home: Path) -> Island:
    """A home where nothing was chosen yet, and no gateway listens."""
    return Island(home)


@pytest.fixture(scope="session")
def lasting_gateway() -> Iterator[Running]:
    with running(sandbox("--registry", "20", "--limit", "100000")) as child:
        yield child


@pytest.fixture
def gateway(lasting_gateway: Running) -> Running:
    """One gateway for all tests, as new for each of them."""
    lasting_gateway.turn("key", valid=True)
    lasting_gateway.turn("down", seconds=0)
    lasting_gateway.turn("generation", generation="G1")
    lasting_gateway.turn("forget")
    return lasting_gateway


@pytest.fixture
def called(island: Island, gateway: Running) -> Island:
    """Switched on, with a key, before a gateway."""
    island.url = gateway.url
    island.choose()
    return island
