"""Tasks of an earlier run, as the task database has them. A prompt or a reply is not among what it has."""

from typing import TypeVar

from lisa_island.agents._a2a_exchange import Exchange
from lisa_island.core.agent import AgentSession, Blocked, Freshness, Origin, Reply, SessionKey, State
from lisa_island.core.evidence import Fact
from lisa_island.core.ports import TaskRow

E = TypeVar("E", bound=Exchange)

NOT_HEARD = "not-heard-since-restart"


def restore(row: TaskRow, agent: str, make: type[E]) -> E:
    """A task of an earlier run. What was not finished then is unknown now; what waited still waits."""
    exchange = make(
        SessionKey(agent, row.session_id), row.target, row.message_id, row.started_at, label=row.label,
        price=row.price, task_id=row.task_id, context_id=row.context_id, task_state=row.task_state,
        terminal=row.terminal, calls=row.calls, request=row.question, last_at=row.updated_at, followed=False,
    )  # fmt: skip
    exchange.questions = _number(row.question)
    try:
        state = State(row.state)
    except ValueError:
        state = State.UNKNOWN
    is_open = state is State.WORKING or (state is State.WAITING and row.question is None)
    exchange.state = State.UNKNOWN if is_open and not row.terminal else state
    exchange.reason = NOT_HEARD if is_open and not row.terminal else row.reason
    return exchange


def restored(exchange: Exchange, row: TaskRow) -> AgentSession:
    """How a restored task stands in the roster."""
    told = exchange.session(row.updated_at)
    fact = Fact(f"{row.agent}.restored", "database", at=row.updated_at)
    return AgentSession(
        told.key, told.project, told.state, told.state_reason, row.updated_at, row.started_at, Origin.CALLED,
        label=row.label, unread=row.unread, freshness=Freshness.LIVE, requests=told.requests, task=told.task,
        reply=Reply.LOST if row.had_reply else Reply.NONE, price=row.price, notified=row.notified,
        capabilities=told.capabilities, fact=fact,
    )  # fmt: skip


def _number(question: Blocked | None) -> int:
    tail = question.request_id.rpartition("#")[2] if question else ""
    return int(tail) if tail.isascii() and tail.isdigit() and len(tail) < 9 else 0
