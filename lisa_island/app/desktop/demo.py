"""`lisa-island demo` with windows; with no display it draws into a picture and ends by itself."""

import asyncio
import atexit
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from lisa_island.app import loop
from lisa_island.app.demo import direct, gateway, prepare, temporary_plan
from lisa_island.app.desktop import application
from lisa_island.app.desktop.face import Face
from lisa_island.app.desktop.life import refusal
from lisa_island.app.display import has_display
from lisa_island.app.headless import changes, open_door
from lisa_island.app.house import House, Plan, language
from lisa_island.core.agent import State
from lisa_island.core.errors import IslandError
from lisa_island.core.roster import Roster
from lisa_island.core.summary import summarize
from lisa_island.core.words import say
from lisa_island.system import logfile
from lisa_island.ui.screens import Notice

OFFSCREEN_SECONDS = 25.0
PICTURE = "lisa-island-demo.png"

Tell = Callable[[str], None]


def main(relays: Sequence[str], generation: str, seconds: float, picture: str, tell: Tell) -> int:
    """Run the demo; the exit code. `tell` prints a line for the owner."""
    lang = language(os.environ)
    shown = has_display()
    if not shown:
        _imagine_screen()
    if why := refusal(Plan(Path(), os.environ)):
        tell(why)
        return 1
    logfile.begin(to_file=False)
    path = Path(picture or ("" if shown else PICTURE)).absolute() if picture or not shown else None
    tell(say(lang, "demo.start"))
    if not shown:
        tell(say(lang, "demo.offscreen", path=path))
    try:
        return loop.run(application(), _demo(relays, generation, seconds, path, shown, tell))
    except IslandError as error:
        tell(say(lang, error.word, **error.values))
        return 1


def _imagine_screen() -> None:
    """A screen for the picture: as large as a real one, and twice as sharp."""
    screen = {"name": "demo", "x": 0, "y": 0, "width": 2560, "height": 1800}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump({"screens": [screen]}, file)
    atexit.register(Path(file.name).unlink, missing_ok=True)
    os.environ.setdefault("QT_SCALE_FACTOR", "2")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file.name}"


async def _demo(
    relays: Sequence[str], generation: str, seconds: float, picture: Path | None, shown: bool, tell: Tell
) -> int:
    over = asyncio.Event()
    loop.on_signals(over.set)
    async with AsyncExitStack() as stack:
        found = await stack.enter_async_context(gateway(relays, generation))
        plan = stack.enter_context(temporary_plan(found.url))
        house = House(plan)
        tell(say(house.lang, "demo.reach", home=plan.home))
        stack.push_async_callback(house.close)
        door = await open_door(house)
        stack.push_async_callback(door.close)
        face = Face(house, over)
        stack.callback(face.close)
        face.start()
        await house.open()
        await prepare(house, found.key)
        if not shown:
            house.store.subscribe(lambda old, new: _tell_changes(old, new, tell))
        face.ready()
        _offer_way_back(face, "demo.banner.relayed" if relays else "demo.banner", over)
        has_pill = face.island.mode.has_pill
        if shown:
            tell(say(house.lang, "demo.look" if has_pill else "demo.look-window"))
        if not (shown and has_pill):
            face.island.show()
        house.nursery.start(direct(house, relays), "demo")
        await _until(over, seconds or (0.0 if shown else OFFSCREEN_SECONDS))
        if picture is not None:
            face.picture(picture)
            tell(say(house.lang, "demo.picture", path=picture))
        tell(_summary(house))
    return 0


def _offer_way_back(face: Face, word: str, over: asyncio.Event) -> None:
    """Whoever looks at the panel sees that none of this is theirs, and how to leave it."""
    lang = face.shell.lang
    end = (("end", say(lang, "welcome.demo.end")),)
    face.offer(Notice("neutral", say(lang, word), end), lambda _deed: over.set())


def _tell_changes(old: Roster, new: Roster, tell: Tell) -> None:
    for line in changes(old, new):
        tell(json.dumps(line, ensure_ascii=True))


async def _until(over: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(over.wait(), seconds or None)
    except TimeoutError:
        pass  # The demo's time is up.


def _summary(house: House) -> str:
    sessions = house.store.roster.sessions.values()
    values = {
        "rows": len(sessions),
        "needs": summarize(house.store.roster).needs_you,
        "failed": sum(s.state is State.ERROR for s in sessions),
        "finished": sum(s.state is State.DONE for s in sessions),
    }
    return say(house.lang, "demo.summary", **values)
