# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "a2a-sdk[http-server]>=1.1,<2",
#     "uvicorn>=0.34,<1",
# ]
# ///
"""A real A2A server on the official SDK, generation 1.x, that also understands 0.3 method names.

Both generations refuse a stream of the gateway, which sends no `messageId`. With `--lenient` one is put in
first, as lenient servers do, and the SDK streams.

Its agent needs no model: it asks for a colour, and delivers when it is told one. Prints one JSON line with
its address, and ends when its standard input closes.
"""

import json
import os
import socket
import sys
import threading
from typing import Any

import uvicorn
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part, TaskState
from starlette.applications import Starlette


class Painter(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        if task is None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        told = task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work(updater.new_agent_message([Part(text="Mixing paint")]))
        if not told:
            await updater.requires_input(updater.new_agent_message([Part(text="Which colour?")]))
            return
        picture = [Part(text=f"A wall in {context.get_user_input()}")]
        await updater.add_artifact(picture, artifact_id="wall", name="wall.txt", last_chunk=True)
        await updater.complete(updater.new_agent_message([Part(text="Painted")]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(url: str) -> AgentCard:
    return AgentCard(
        name="Painter",
        description="Paints walls.",
        version="1",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="paint", name="Paint", description="Paints", tags=["paint"])],
    )


class Lenient:
    """Gives a message its missing id before the SDK reads it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def mended() -> Any:
            event = await receive()
            if event.get("body"):
                request = json.loads(event["body"])
                request["params"]["message"].setdefault("messageId", "given-by-the-server")
                event["body"] = json.dumps(request).encode()
            return event

        await self._app(scope, mended if scope["type"] == "http" else receive, send)


def leave_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


def main() -> None:
    door = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{door.getsockname()[1]}/"
    profile = card(url)
    handler = DefaultRequestHandler(Painter(), InMemoryTaskStore(), profile)
    routes = create_agent_card_routes(profile) + create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True)
    threading.Thread(target=leave_with_parent, daemon=True).start()
    sys.stdout.write(json.dumps({"type": "listening", "url": url}) + "\n")
    sys.stdout.flush()
    app = Starlette(routes=routes)
    served = Lenient(app) if "--lenient" in sys.argv else app
    uvicorn.Server(uvicorn.Config(served, log_level="critical")).run(sockets=[door])


if __name__ == "__main__":
    main()
