"""A first call finds everything imported: what it imports by itself, it imports on the loop."""

import subprocess
import sys

import pytest

# A fresh interpreter: in this one everything was imported long ago. Its loop is the one of the app.
_FIRST_CALL = """
import asyncio, sys
from importlib import import_module
from lisa_island.agents._http import Http, Patience

async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")
    await writer.drain()
    writer.close()

async def call():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = "http://127.0.0.1:%d/" % server.sockets[0].getsockname()[1]
    http, patience = Http(), Patience(10, 10, 10)
    before = set(sys.modules)
    for is_question in (False, True):
        async with http.open("GET", url, headers={}, patience=patience, is_question=is_question) as response:
            await response.aread()
    await http.close()
    server.close()
    return sorted(set(sys.modules) - before)

import_module("lisa_island.agents." + sys.argv[1]).warm()
print(*asyncio.run(call()))
"""


@pytest.mark.parametrize("kind", ["a2a", "takoapi"])
def test_a_first_call_imports_nothing(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_CALL, kind], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
