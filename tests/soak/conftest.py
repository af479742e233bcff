"""Without a screen: nothing is drawn for anybody, and the time goes into what is soaked."""

import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.soak.whole import Whole, run


@pytest.fixture(autouse=True, scope="session")
def first_island(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What Qt keeps for the life of the process is there before anything is counted."""

    async def nothing(whole: Whole) -> None:
        whole.open_rows()
        await whole.breathe()

    run(tmp_path_factory.mktemp("first"), nothing, first=True)
