"""What tests of this room share: a home of their own, a worker, a still clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lisa_island.system.worker import Worker
from tests.fakes.clock import FakeClock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A LISA_HOME that does not exist yet."""
    return tmp_path / "home" / ".lisa"


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
