"""The gateway in this process, for wire facts; `child.py` has the real program."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from lisa_island.sandbox.program import make_app, make_state
from lisa_island.sandbox.state import State
from tests.sandbox.child import KEY, Running, running, sandbox


@pytest.fixture(params=["G0", "G1"])
def state(request: pytest.FixtureRequest) -> State:
    """A fresh sandbox of either generation."""
    return make_state(KEY, generation=request.param, speed=0)


@pytest.fixture
async def client(state: State) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"authorization": f"Bearer {KEY}"}
    transport = httpx.ASGITransport(make_app(state))
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway", headers=headers) as client:
        yield client


@pytest.fixture
def child() -> Iterator[Running]:
    with running(sandbox()) as started:
        yield started
