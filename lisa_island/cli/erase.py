"""`lisa-island erase`: deletes what the island stored, after asking; LISA's files and the key stay."""

import asyncio
import sys
from pathlib import Path

from lisa_island.app.client import call
from lisa_island.app.erase import data_files, erase
from lisa_island.app.gate import demand
from lisa_island.app.house import Plan
from lisa_island.app.owner import caller_of_self
from lisa_island.cli.parser import say
from lisa_island.cli.printing import err, out, sentence
from lisa_island.core.errors import NotAllowedError, NotRunningError
from lisa_island.core.preferences import Preferences


def run(plan: Plan) -> int:
    """Ask, then delete. Refused while the island runs: it would write everything anew."""
    try:
        demand(Preferences(), caller_of_self(), owner_only=True)
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return 3
    if _is_running(plan):
        err(say("cli.erase.running"))
        return 1
    files = data_files(plan.home)
    if not files:
        out(say("cli.erase.nothing"))
        return 0
    if not _agrees(plan.home):
        return 1
    out(say("cli.erase.done", files=", ".join(erase(plan.home))))
    return 0


def _agrees(home: Path) -> bool:
    sys.stderr.write(say("cli.erase.ask", home=home))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是")


def _is_running(plan: Plan) -> bool:
    async def look() -> bool:
        try:
            async for _answer in call(plan, {"do": "show"}, caller_of_self()):
                pass
        except NotRunningError:
            return False
        return True

    with asyncio.Runner() as runner:
        return runner.run(look())
