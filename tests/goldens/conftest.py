"""`--redraw` writes the goldens anew instead of comparing; then look at each before it is committed."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--redraw", action="store_true", help="write the goldens anew; look at them afterwards")
