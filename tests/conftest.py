"""What every test of every room shares."""

from importlib.util import find_spec

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where Qt is left out on purpose, pytest-qt's settings in pyproject.toml are still known words."""
    if find_spec("pytestqt") is None:
        for name in ("qt_api", "qt_log_level_fail"):
            parser.addini(name, "read by pytest-qt where it is installed")
