"""The rows that LISA itself wrote: one per slug, shown as they are, never answered from here."""

from itertools import islice

from lisa_island.agents._takoapi_registry import SLUG
from lisa_island.core.agent import AgentSession, Origin, SessionKey, State, Task
from lisa_island.core.events import Event, SessionOpened, SessionRemoved
from lisa_island.core.evidence import Fact
from lisa_island.core.ports import LisaRow
from lisa_island.core.task_state import read_task_state
from lisa_island.core.window import age

# Hers are one a slug; a list with more of them was not written by hand or by LISA.
LISA_ROWS = 500


class LisaRows:
    """What was told of LISA's rows, so that only changes are told again."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._told: dict[str, LisaRow] = {}
        self._is_first = True

    def show(self, rows: tuple[LisaRow, ...], now: int) -> list[Event]:
        """Events that bring the roster from what was told last to `rows`, newest first."""
        usable = (row for row in rows if SLUG.fullmatch(row.target))
        wanted = {row.target: row for row in islice(usable, LISA_ROWS)}
        sessions = {slug: age(self._session(row), now) for slug, row in wanted.items()}
        gone = [slug for slug in self._told if sessions.get(slug) is None]
        events: list[Event] = [SessionRemoved(SessionKey(self._agent, slug), now) for slug in gone]
        for slug in gone:
            del self._told[slug]
        for slug, session in sessions.items():
            if session is not None and self._told.get(slug) != wanted[slug]:
                self._told[slug] = wanted[slug]
                events.append(SessionOpened(session, wanted[slug].updated_at))
        self._is_first = False
        return events

    def hide(self, now: int) -> list[Event]:
        """Events that take them all out; what is shown after that is history, not news."""
        events = self.show((), now)
        self._is_first = True
        return events

    def _session(self, row: LisaRow) -> AgentSession:
        read = read_task_state(row.last_state)
        is_news = not self._is_first and read.state in (State.DONE, State.ERROR)
        return AgentSession(
            SessionKey(self._agent, row.target), row.target, read.state, read.reason, row.updated_at,
            row.started_at, Origin.LISA, unread=is_news,
            task=Task(row.target, task_id=row.task_id, task_state=read.word, terminal=read.terminal),
            fact=Fact("takoapi.lisa", "LISA", at=row.updated_at),
        )  # fmt: skip
