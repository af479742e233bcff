# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "google-adk[a2a]>=2.13,<3",
#     "uvicorn>=0.34,<1",
# ]
# ///
"""An agent of google-adk behind its own A2A server: a product's peer, which needs no model here.

It knows `ask`, `slow`, `cancelme` and `crash` of `lab/script.py`. The product writes the states itself: a
question is a call of a long-running tool, and what the agent said last becomes the artifact.
"""

import warnings
from collections.abc import AsyncGenerator

from a2a.server.tasks import InMemoryTaskStore
from a2a_sdk_1x import FolderStore
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events import Event
from google.genai.types import Content, FunctionCall, Part
from lab.door import asked, opened, serve
from lab.script import Gates

GATES = Gates()


class Painter(BaseAgent):
    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        words = "".join(part.text or "" for part in ctx.user_content.parts)
        own = [event for event in ctx.session.events if event.author == self.name]
        with GATES.lines() as line:
            yield self._event(ctx, Part(text="Mixing paint"))
            if own and own[-1].long_running_tool_ids:
                yield self._event(ctx, Part(text=f"A wall in {words}"))
                return
            match words.split(maxsplit=1)[0].lower():
                case "crash":
                    raise RuntimeError("the bucket fell over")
                case "slow" | "cancelme":
                    while (told := await line()) != "go":
                        yield self._event(ctx, Part(text=told.partition(" ")[2]))
                    yield self._event(ctx, Part(text="A wall in grey"))
                case _:
                    question = FunctionCall(id="q1", name="ask_owner", args={"question": "Which colour?"})
                    asking = self._event(ctx, Part(text="Which colour?"), Part(function_call=question))
                    asking.long_running_tool_ids = {"q1"}
                    yield asking

    def _event(self, ctx: InvocationContext, *parts: Part) -> Event:
        content = Content(role="model", parts=list(parts))
        return Event(invocation_id=ctx.invocation_id, author=self.name, content=content)


def main() -> None:
    # It calls all of its A2A side experimental, at every step.
    warnings.simplefilter("ignore")
    ask = asked()
    door, url = opened(ask.port)
    store = FolderStore(ask.store) if ask.store else InMemoryTaskStore()
    agent = Painter(name="painter", description="Paints walls.")
    app = to_a2a(agent, host="127.0.0.1", port=door.getsockname()[1], task_store=store)
    serve(app, door, url, GATES, ask)


if __name__ == "__main__":
    main()
