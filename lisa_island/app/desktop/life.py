"""The life of the face with windows: builds the house, hands its shell to the widgets, ends in order."""

import asyncio
import sys
from collections.abc import Callable

from lisa_island.app import loop
from lisa_island.app.desktop import application, first
from lisa_island.app.desktop.face import Face
from lisa_island.app.display import has_display
from lisa_island.app.headless import open_door
from lisa_island.app.house import House, Plan, language
from lisa_island.core.words import say
from lisa_island.system import crashlog, logfile
from lisa_island.system.door_place import AlreadyRunningError

CRASH_SECONDS = 5.0


def main(plan: Plan, tell: Callable[[str], None]) -> int:
    """Run the island; a second start shows the first and leaves. `tell` prints a line for the owner."""
    if why := refusal(plan):
        tell(why)
        return 1
    logfile.begin(to_file=True)
    return loop.run(application(), _main(plan, tell))


async def _main(plan: Plan, tell: Callable[[str], None]) -> int:
    house = House(plan)
    over = asyncio.Event()
    loop.on_signals(over.set)
    asyncio.get_running_loop().set_exception_handler(crashlog.in_loop)
    try:
        door = await open_door(house)
    except AlreadyRunningError:
        house.worker.close()
        first.take_away()
        return await _show_other(plan, tell)
    face = Face(house, over)
    try:
        first.hand_over(face.island.pill)
        face.start()
        await house.open()
        face.ready()
        await _offer_crash(house, face)
        await over.wait()
    finally:
        face.close()
        first.end()
        await door.close()
        await house.close()
    crashlog.end()
    return 0


async def _offer_crash(house: House, face: Face) -> None:
    """What the last run left; a disk that does not answer is no reason not to run."""
    try:
        report = await house.worker.run(crashlog.take, house.plan.home, limit=CRASH_SECONDS, name="crash")
    except TimeoutError:
        return
    if report is not None:
        face.offer_crash(report)


async def _show_other(plan: Plan, tell: Callable[[str], None]) -> int:
    """The one that runs shows itself, or has no windows to show; the exit code."""
    from lisa_island.system.endpoint import ask

    lang, error = language(plan.environ), ""
    async for answer in ask(plan.home, {"do": "show"}, patience=3.0):
        error = str(answer["word"]) if "error" in answer else ""
    tell(say(lang, error or "cli.running"))
    return 1 if error else 0


def refusal(plan: Plan) -> str:
    """Why windows must not start here, or "" ."""
    lang = language(plan.environ)
    if loop.is_broken_pair(sys.version_info[:2], loop.version_of_pyside()):
        return say(lang, "start.broken-pair")
    if not has_display() and "QT_QPA_PLATFORM" not in plan.environ:
        return say(lang, "start.no-display")
    return ""
