"""`lisa-island erase`: deletes what the island stored, after asking; LISA's files and the key stay."""

from lisa_island.app.client import Place
from lisa_island.app.client import run as run_loop
from lisa_island.app.erase import data_files, empty, erase
from lisa_island.app.gate import demand
from lisa_island.app.owner import caller_of_self
from lisa_island.app.running import AlreadyRunningError, nobody_else
from lisa_island.cli.parser import say
from lisa_island.cli.printing import EXIT, FAILED, ask, err, out, sentence
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import Preferences


def run(place: Place) -> int:
    """Ask, then delete. Refused while the island runs: it would write everything anew."""
    try:
        demand(Preferences(), caller_of_self(), owner_only=True)
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return EXIT["allowed"]
    if not data_files(place.home):
        out(say("cli.erase.nothing"))
        return 0
    try:
        with nobody_else(place.home):
            return _erase(place)
    except AlreadyRunningError:
        err(say("cli.erase.running"))
        return FAILED


def _erase(place: Place) -> int:
    if not ask(say("cli.erase.ask", home=place.home)):
        err(say("cli.erase.kept"))
        return FAILED
    try:
        run_loop(_forget(place))
        gone = erase(place.home)
    except OSError as error:
        err(say("cli.erase.stuck", file=str(error.filename), why=error.strerror))
        return FAILED
    out(say("cli.erase.done", files=", ".join(gone)))
    return 0


async def _forget(place: Place) -> int:
    await empty(place.home)
    return 0
