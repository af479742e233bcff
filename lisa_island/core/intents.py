"""What the owner can ask of a source, and what comes back.

`perform(intent)` answers with an `Outcome` and never raises. What changes the roster
comes as an event; an outcome only tells the asker how it went.
"""

from dataclasses import dataclass
from enum import StrEnum

from lisa_island.core.agent import SessionKey


@dataclass(frozen=True, slots=True)
class Send:
    """Start a new task. `accepted_price` is the price word the owner saw and accepted, or "".

    `metadata` is JSON of the chain of calls that this one is part of (loop guards), or "".
    """

    agent: str
    target: str
    text: str
    label: str = ""
    accepted_price: str = ""
    metadata: str = ""


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
class Cancel:
    """Ask the agent to stop a task; it may refuse, and says why."""

    key: SessionKey


@dataclass(frozen=True, slots=True)
class Continue:
    """Say more to a task that waits without a question ("your turn"), after the owner's click."""

    key: SessionKey
    text: str


@dataclass(frozen=True, slots=True)
class ReadRaw:
    """Hand out the last frames of a session as they came, cleaned and bounded, newest last."""

    key: SessionKey


@dataclass(frozen=True, slots=True)
class ReadArtifact:
    """Hand out the text of one artifact that is held in memory; `number` counts from 0 as in its row."""

    key: SessionKey
    number: int


@dataclass(frozen=True, slots=True)
class ReadCard:
    """Fetch an agent card from an address that the owner typed, or read the card in `document`.

    Sends nothing but that request, and no credentials.
    """

    agent: str
    url: str
    document: str = ""


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
class TryAgent:
    """Learn without spending whether one agent answers: its card, and a task that it cannot know."""

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
    Send
    | Answer
    | Continue
    | SendAgain
    | StopFollowing
    | Cancel
    | Rename
    | ReadReply
    | ReadRaw
    | ReadArtifact
    | ReadCard
    | Discover
    | Describe
    | TryAgent
    | CheckKey
    | TryNow
)


class Result(StrEnum):
    """How an intent ended. `REFUSED` proves that nothing was done; `UNKNOWN` that nobody can tell."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """A row of the registry or an agent card, as a choice for the owner; never a roster row by itself (I11).

    Of a card: `interfaces` are "JSONRPC 1.0 https://…", `needs` words such as "bearer" or "header X-Key",
    `warnings` catalogue keys with their values (the card names another host, and the like).
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
    tags: tuple[str, ...] = ()
    provider: str = ""
    version: str = ""
    card_url: str = ""
    interfaces: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    warnings: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


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
