"""What every test of every room shares."""

import logging
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure. All else stays as it is, on a build machine the fixed seed too.
settings.register_profile(
    "house", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where Qt is left out on purpose, pytest-qt's settings in pyproject.toml are still known words."""
    if find_spec("pytestqt") is None:
        for name in ("qt_api", "qt_log_level_fail"):
            parser.addini(name, "read by pytest-qt where it is installed")


class _Kept(logging.Handler):
    """Keeps what the loop complains of."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


@pytest.fixture(autouse=True)
def _no_loop_complains() -> Iterator[None]:
    """A task or callback that failed unseen says so only in asyncio's log; here it fails the test."""
    log, kept = logging.getLogger("asyncio"), _Kept()
    log.addHandler(kept)
    yield
    log.removeHandler(kept)
    assert not kept.said, "\n".join(kept.said)
