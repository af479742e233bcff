"""What the parts of the TakoAPI source share: settings, rows, calls, health, and the way to the roster."""

import asyncio
from collections.abc import Callable, Collection

from lisa_island.agents._a2a_exchange import (
    AGENT_ERROR,
    EXPIRED,
    OUTCOME_UNKNOWN,
    Exchange,
)
from lisa_island.agents._a2a_wire import Fault, Frame, Message, Noise
from lisa_island.agents._http import is_private
from lisa_island.agents._replies import Replies
from lisa_island.agents._takoapi_call import LINGER_SECONDS, Call
from lisa_island.agents._takoapi_config import Config
from lisa_island.agents._takoapi_http import Gateway
from lisa_island.agents._takoapi_limits import Limits
from lisa_island.core.agent import Health, KeyState, Reply, SessionKey, SourceStatus
from lisa_island.core.errors import SecretError
from lisa_island.core.events import Event, PinsChanged, ReplyChanged, SourceReported
from lisa_island.core.intents import Outcome, Result, done, refused, unknown
from lisa_island.core.ports import Context, Secret

_NO_KEY = {
    KeyState.LOCKED: "outcome.key-locked",
    KeyState.ABSENT: "outcome.no-keyring",
    KeyState.TIMED_OUT: "outcome.key-timed-out",
}


class Desk:
    """State of one source. Implements `_takoapi_call.Desk`."""

    def __init__(self, agent: str, config: Config, context: Context) -> None:
        self.agent = agent
        self.context = context
        self.config = config
        self.gateway = Gateway(config.base_url, context.transport, context.proxy)
        self.limits = Limits(context.clock)
        self.replies = Replies()
        self.queue: asyncio.Queue[Event] = asyncio.Queue()
        self.exchanges: dict[str, Exchange] = {}
        self.calls: list[Call] = []
        self.generation = "unknown"
        self.streamless: set[str] = set()
        self._key_state = KeyState.NONE
        self._key_detail = ""
        self._is_key_refused = False
        self._is_offline = False
        self._retry_at: int | None = None
        self._has_structure = False
        self._has_answer = False
        self._told: SourceStatus | None = None
        self._end_pause: Callable[[], None] = lambda: None

    def now(self) -> int:
        """Epoch ms."""
        return self.context.clock.now()

    def emit(self, *events: Event) -> None:
        """Hand events to whoever follows the source."""
        for event in events:
            self.queue.put_nowait(event)

    def pins(self) -> PinsChanged:
        """The pins as they are to be shown: none while the source is off."""
        slugs = self.config.pin if self.config.enabled else ()
        return PinsChanged(self.agent, tuple((slug, self.config.prices.get(slug, "")) for slug in slugs))

    # --- settings and key ---

    def configure(self, config: Config) -> None:
        """Take new settings. Calls that are open end where they began; an idle gateway holds no socket."""
        was, self.config = self.config, config
        self._is_key_refused = False
        if config.base_url == was.base_url:
            return
        self.gateway = Gateway(config.base_url, self.context.transport, self.context.proxy)
        self.streamless.clear()
        self.limits.hurry()
        self._is_offline, self._retry_at = False, None
        self.learn_generation("unknown")

    async def find_key(self) -> Secret:
        """The key of this gateway's origin, and where it is."""
        try:
            secret = await self.context.secrets.get(self.gateway.origin)
        except SecretError:
            secret = Secret(KeyState.TIMED_OUT)
        self._key_state, self._key_detail = secret.state, secret.detail
        self.report()
        return secret

    async def key(self) -> str | Outcome:
        """The key for a call, or the refusal that says why there is none."""
        if not self.config.enabled:
            return refused("outcome.takoapi-off")
        if self._is_key_refused:
            return refused("outcome.key-refused")
        return self.usable(await self.find_key())

    def usable(self, secret: Secret) -> str | Outcome:
        """The key itself, if it may travel to this gateway."""
        if not self.gateway.origin:
            return refused("outcome.bad-address")
        if not is_private(self.gateway.base_url):
            return refused("outcome.insecure", origin=self.gateway.origin)
        if not secret.value:
            return refused(_NO_KEY.get(secret.state, "outcome.no-key"), origin=self.gateway.origin)
        if not (secret.value.isascii() and secret.value.isprintable() and " " not in secret.value):
            return refused("outcome.key-malformed")
        return secret.value

    # --- the face ---

    def report(self) -> None:
        """Tell how the source fares, if that changed."""
        status = SourceStatus(
            self.config.enabled, self._key_state, self.generation, self._mode(), self._health(),
            self._next_try(), self.gateway.origin, self._key_detail,
        )  # fmt: skip
        if status != self._told:
            self._told = status
            self.emit(SourceReported(self.agent, self.now(), status))

    def _mode(self) -> str:
        return "recent-calls" if self._has_answer and not self._has_structure else "tasks"

    def _health(self) -> Health:
        if not self.config.enabled:
            return Health.OFF
        if self._is_key_refused:
            return Health.REFUSED
        if self._is_offline:
            return Health.OFFLINE
        return Health.WAITING if self.limits.paused > 0 else Health.OK

    def _next_try(self) -> int | None:
        if self._health() is Health.WAITING:
            return self.now() + int(self.limits.paused * 1000)
        return self._retry_at if self._is_offline else None

    def learn_generation(self, generation: str) -> None:
        """What the registry's shape says; on G0 no question can be answered."""
        self.generation = generation
        for exchange in self.exchanges.values():
            if exchange.can_answer is not (generation != "G0"):
                exchange.can_answer = generation != "G0"
                if exchange.request:
                    self.emit(exchange.told(self.now()))
        self.report()

    def learn_structure(self) -> None:
        """A task or a stream was seen: this gateway gives more than answers."""
        self._has_structure = True

    @property
    def is_offline(self) -> bool:
        """Whether the gateway could not be reached last."""
        return self._is_offline

    # --- what calls report ---

    def reached(self) -> None:
        """The gateway answered."""
        self._is_offline, self._retry_at = False, None
        self.report()

    def unreachable(self, retry_in: float | None) -> None:
        """The gateway refused the connection."""
        self._is_offline = True
        self._retry_at = None if retry_in is None else self.now() + int(retry_in * 1000)
        self.report()

    def busy(self, seconds: float) -> None:
        """The gateway asked everybody to wait."""
        self.limits.pause(seconds)
        self._end_pause()
        self._end_pause = self.context.clock.call_later(seconds, self.report)
        self.report()

    def hurry(self) -> None:
        """The owner wants it now."""
        self.limits.hurry()
        self._end_pause()
        self.report()

    def key_refused(self) -> None:
        """The gateway refused the key: no call goes out until it changes."""
        self._is_key_refused = True
        self.report()

    def key_accepted(self) -> None:
        """The gateway took the key."""
        self._is_key_refused = False
        self.report()

    def no_stream(self, slug: str) -> None:
        """This agent does not stream."""
        self.streamless.add(slug)

    def heard(self, call: Call, frame: Frame, signal: str) -> None:
        """A frame of an open call."""
        exchange, was_over = call.exchange, call.exchange.terminal
        if self._is_offline:
            self.reached()
        self.emit(*exchange.take(frame, self.now(), signal))
        self._has_answer = self._has_answer or isinstance(frame, Message)
        if not isinstance(frame, Message | Fault | Noise):
            self._has_structure = True
        self.report()
        if isinstance(frame, Noise):
            return
        if exchange.terminal and not was_over:
            self.hold(exchange)
            if call.stream:
                call.stop_linger = self.context.clock.call_later(LINGER_SECONDS, lambda: _leave(call))
        call.tell(outcome_of(exchange))

    def hold(self, exchange: Exchange) -> None:
        """Keep the reply in memory, and say so; what had to go for it is lost, and said too."""
        session_id = exchange.key.session_id
        if not exchange.has_reply or session_id not in self.exchanges:
            return
        text = exchange.output.reply()
        if not text:
            return
        if exchange.terminal:
            exchange.output.release()
        gone = self.replies.keep(session_id, text)
        self.emit(ReplyChanged(exchange.key, self.now(), Reply.HELD))
        self.emit(*(ReplyChanged(SessionKey(self.agent, g), self.now(), Reply.LOST) for g in gone))

    def end(self, call: Call) -> None:
        """A call is no longer open; saying so twice does no harm."""
        if call in self.calls:
            self.calls.remove(call)
        call.stop_grace()
        if call.stop_linger is not None:
            call.stop_linger()

    def stop(self, call: Call) -> None:
        """Break a call off; its task may never have begun to run, so all is done from here."""
        self.end(call)
        self.limits.spared(call.slug)
        call.cancel()
        call.tell(done(key=call.exchange.key))

    def open_calls(self, exchange: Exchange) -> list[Call]:
        """The calls of a session that have not ended."""
        return [call for call in self.calls if call.exchange is exchange]

    def drop(self, session_ids: Collection[str]) -> None:
        """Forget rows that left the roster, with their texts."""
        self.replies.forget(session_ids)
        for session_id in session_ids:
            exchange = self.exchanges.get(session_id)
            if exchange is not None and not self.open_calls(exchange):
                del self.exchanges[session_id]

    def begin(self) -> None:
        """The source is followed, at first or again."""
        self.gateway.begin()

    async def close(self) -> None:
        """End every call and connection."""
        for call in tuple(self.calls):
            self.stop(call)
        self._end_pause()
        await self.gateway.close()


def outcome_of(exchange: Exchange) -> Outcome:
    """What an asker is told of a call that reached the agent."""
    if exchange.reason == OUTCOME_UNKNOWN:
        return unknown("outcome.unknown", exchange.key)
    if exchange.reason == EXPIRED:
        return Outcome(Result.REFUSED, "outcome.session-expired", key=exchange.key)
    return done("outcome.agent-error" if exchange.reason == AGENT_ERROR else "", key=exchange.key)


def _leave(call: Call) -> None:
    call.is_leaving = True
    call.cancel()
