"""`send` and `answer`: a price is accepted by the owner before anything goes out, never after."""

import sys
from argparse import Namespace
from contextlib import aclosing
from typing import Any

from lisa_island.app.client import Place, call, run
from lisa_island.cli.parser import USAGE, say
from lisa_island.cli.printing import FAILED, as_json, ask, err, failure, is_answered, need_line, out, sentence
from lisa_island.cli.printing import state as state_word
from lisa_island.core import words

Json = dict[str, Any]

BYTES_LIMIT = 1024 * 1024
KIB_SAID = 256
_BAD_ENDS = ("error", "unknown")


def send(place: Place, arguments: Namespace) -> int:
    """Start a new task."""
    target = arguments.target
    is_address = target.startswith(("http://", "https://"))
    if not is_address and (not target.startswith("@") or len(target) < 2):
        err(say("cli.bad-target"))
        return USAGE
    request = {
        "do": "send",
        "target": target if is_address else target[1:],
        "label": arguments.label,
        "metadata": arguments.metadata,
    }
    return _Call(place, arguments, request, target).run()


def answer(place: Place, arguments: Namespace) -> int:
    """Answer one request."""
    request = {"do": "answer", "request": arguments.request}
    return _Call(place, arguments, request, arguments.request).run()


class _Call:
    """One call from text to exit code."""

    def __init__(self, place: Place, arguments: Namespace, request: Json, target: str) -> None:
        self._place = place
        self._arguments = arguments
        self._request = request
        self._target = target
        self._price = ""
        self._session = ""

    def run(self) -> int:
        text = self._text()
        if isinstance(text, int):
            return text
        self._request |= {"text": text, "wait": self._arguments.wait}
        try:
            code = self._talk("")
            if not self._price:
                return code
            return self._talk(self._price) if self._accepts() else FAILED
        except KeyboardInterrupt:
            self._left()
            raise

    def _text(self) -> str | int:
        """What is to be sent, or an exit code."""
        text = self._arguments.text
        if text == "-":
            data = sys.stdin.buffer.read(BYTES_LIMIT + 1) if sys.stdin is not None else b""
            if len(data) > BYTES_LIMIT:
                err(say("outcome.too-long", limit=KIB_SAID))
                return FAILED
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                err(say("cli.not-text"))
                return USAGE
        if not text.strip():
            err(say("cli.no-text"))
            return USAGE
        return str(text)

    def _talk(self, accepted: str) -> int:
        async def conversation() -> int:
            code = 0
            async with aclosing(call(self._place, self._request | {"price": accepted})) as answers:
                async for told in answers:
                    if told.get("price") and not accepted:
                        self._price = str(told["price"])
                        return FAILED
                    code = failure(told) if "error" in told else self._show(told)
            return code

        return run(conversation())

    def _accepts(self) -> bool:
        price = say("cli.price.unknown") if self._price == "unknown" else self._price
        shown = {"target": self._target, "price": price}
        if self._arguments.yes:
            return True
        if self._arguments.text == "-" or not is_answered():
            err(say("cli.price-refused", **shown))
            return False
        if ask(say("cli.price-ask", **shown)):
            return True
        err(say("cli.not-sent"))
        return False

    def _show(self, told: Json) -> int:
        self._session = str(told.get("sessionId", ""))
        waits = self._arguments.wait or told.get("alone")
        if told.get("final"):
            return self._show_end(told)
        if waits:
            err(say("cli.sent", target=self._target, session=self._session))
            return 0
        if told.get("word"):
            err(sentence(told["word"], told.get("values")))
        as_json({k: told[k] for k in ("sessionId", "taskId", "state") if k in told})
        return FAILED if told.get("state") in _BAD_ENDS else 0

    def _show_end(self, told: Json) -> int:
        if told.get("gone"):
            err(say("cli.gone", session=self._session))
            return FAILED
        state, reason = str(told["state"]), str(told.get("stateReason", ""))
        err(say("cli.state", session=self._session, state=state_word(state), reason=reason))
        # The values of a late refusal are not kept; a sentence that needs some stays unsaid.
        if reason == "not-sent" and "{" not in (why := sentence(str(told.get("why", "{")))):
            err(why)
        if words.has(f"cli.end.{reason}"):
            err(say(f"cli.end.{reason}"))
        if told.get("unsent"):
            err(say("cli.end.unsent"))
            return FAILED
        for request in told.get("needs", ()):
            err(need_line(request, self._session))
        if told.get("reply"):
            out(told["reply"])
        elif state == "working":
            err(say("cli.end.unheard"))
        return FAILED if state in (*_BAD_ENDS, "working") else 0

    def _left(self) -> None:
        """Stopped by the owner: say what goes on without them."""
        err(say("cli.left-session", session=self._session) if self._session else say("cli.left"))
