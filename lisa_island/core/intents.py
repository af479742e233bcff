"""What the owner can ask of a source, and what comes back.

`perform(intent)` answers with an `Outcome` and never raises. What changes the roster
comes as an event; an outcome only tells the asker how it went.
"""

from dataclasses import dataclass
from enum import StrEnum

from lisa_island.core.agent import SessionKey


@dataclass(frozen=True, slots=True)
class Send:
    """Start a new task. `accepted_price` is the price word the owner saw and accepted, or ""."""

    agent: str
    target: str
    text: str
    label: str = ""
    accepted_price: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer one request, bound to its id. The id gone means nothing is sent."""

    key: SessionKey
    request_id: str
    text: str
    accepted_price: str = ""


@dataclass(frozen=True, slots=True)
class SendAgain:
    """Send the kept text of a task with unknown outcome once more, as a new task, after the owner's click."""

    key: SessionKey
    accepted_price: str = ""


@dataclass(frozen=True, slots=True)
class StopFollowing:
    """Close the call or stream and let the row go. It cancels nothing at the agent."""

    key: SessionKey


@dataclass(frozen=True, slots=True)
class Rename:
    """Give a session the owner's own label."""

    key: SessionKey
    label: str


@dataclass(frozen=True, slots=True)
class ReadReply:
    """Hand out the reply that is held in memory."""

    key: SessionKey


@dataclass(frozen=True, slots=True)
class Discover:
    """Ask the registry (needs no key and is sent none). `limit` rows at most."""

    agent: str
    query: str = ""
    category: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Describe:
    """Ask for one agent's price and abilities, by the owner's own act."""

    agent: str
    target: str


@dataclass(frozen=True, slots=True)
class CheckKey:
    """Learn without spending whether address and key work. Sends no message to any agent."""

    agent: str


@dataclass(frozen=True, slots=True)
class TryNow:
    """Forget the waiting time of a source that is offline or was told to wait."""

    agent: str


Intent = (
    Send | Answer | SendAgain | StopFollowing | Rename | ReadReply | Discover | Describe | CheckKey | TryNow
)


class Result(StrEnum):
    """How an intent ended. `REFUSED` proves that nothing was done; `UNKNOWN` that nobody can tell."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """A row of the registry, as a choice for the owner; it never becomes a roster row by itself (I11).

    `price` is a word: "free", "0.02 USD" or "unknown". Every other string is foreign and was cleaned.
    """

    target: str
    name: str
    description: str = ""
    price: str = "unknown"
    streaming: bool = False
    callable: bool = True
    category: str = ""
    health: str = ""
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it went: `word` is a catalogue key (always set unless DONE), `values` fills its placeholders.

    `key` names the session it made or touched, `text` is a reply, `agents` a registry answer,
    `price` is set with word `outcome.price` when the owner has to accept it first.
    """

    result: Result
    word: str = ""
    values: tuple[tuple[str, str], ...] = ()
    key: SessionKey | None = None
    text: str = ""
    agents: tuple[AgentInfo, ...] = ()
    price: str = ""
    total: int = 0


def done(word: str = "", **more: object) -> Outcome:
    """Shorthand for an intent that was carried out."""
    return Outcome(Result.DONE, word, **more)  # type: ignore[arg-type]


def refused(word: str, **values: str) -> Outcome:
    """Shorthand for an intent of which nothing was done."""
    return Outcome(Result.REFUSED, word, tuple(sorted(values.items())))


def unknown(word: str, key: SessionKey | None = None, **values: str) -> Outcome:
    """Shorthand for an intent whose end nobody can tell."""
    return Outcome(Result.UNKNOWN, word, tuple(sorted(values.items())), key)
