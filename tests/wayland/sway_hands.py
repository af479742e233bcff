"""The keyboard of a sway session, and what sway knows of its windows."""

import json
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE
from typing import Any


async def run(*words: str) -> str:
    process = await create_subprocess_exec(*words, stdout=PIPE)
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, f"{words}: {said}"
    return said


async def do(command: str) -> None:
    """A command of sway's own language."""
    await run("swaymsg", command)


async def keys(*words: str) -> None:
    """As wtype takes them: a text, or `-k Name`. A keyboard that has just been plugged in needs a moment."""
    await run("wtype", "-s", "200", *words)


async def windows(app_id: str = "lisa-island") -> list[dict[str, Any]]:
    """The windows of one program, with name, window_rect and focused."""
    found, rest = [], [json.loads(await run("swaymsg", "-t", "get_tree"))]
    while rest:
        node = rest.pop()
        rest += node["nodes"] + node["floating_nodes"]
        found += [node] if node.get("app_id") == app_id else []
    return found
