# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "a2a-sdk[http-server]>=1.1,<2",
#     "uvicorn>=0.34,<1",
# ]
# ///
"""A real A2A server on the official SDK, generation 1.x, that also understands the words of 0.3.

Its agent needs no model; `lab/script.py` says what it does, `lab/door.py` how it is steered. The card names
JSON-RPC 1.0 at the root, or what `--binding` and `--dialect` ask for.

Both generations refuse a stream of the gateway, which sends no `messageId`. With `--lenient` one is put in
first, as lenient servers do, and the SDK streams.
"""

from itertools import product
from pathlib import Path
from typing import Any

from a2a.helpers import new_data_part, new_raw_part, new_task_from_user_message, new_text_part, new_url_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Message,
    Part,
    Role,
    Task,
    TaskState,
)
from google.protobuf.json_format import MessageToJson, Parse
from lab.door import asked, opened, serve
from lab.script import Data, File, Gates, Link, Piece, Text, play
from starlette.applications import Starlette

PATHS = {"JSONRPC": "", "HTTP+JSON": "rest"}


def part(piece: Piece) -> Part:
    match piece:
        case Text(text):
            return new_text_part(text)
        case Data(data):
            return new_data_part(data)
        case File(name, media_type, raw):
            return new_raw_part(raw, filename=name, media_type=media_type)
        case Link(url, media_type):
            return new_url_part(url, media_type=media_type)


class Stage:
    def __init__(self, context: RequestContext, queue: EventQueue) -> None:
        self._context, self._queue = context, queue
        self._updater = TaskUpdater(queue, context.task_id, context.context_id)

    async def open(self) -> None:
        await self._queue.enqueue_event(new_task_from_user_message(self._context.message))

    async def status(self, word: str, *pieces: Piece) -> None:
        state = TaskState.Value("TASK_STATE_" + word.upper().replace("-", "_"))
        message = self._updater.new_agent_message([part(p) for p in pieces])
        await self._updater.update_status(state, message)

    async def artifact(
        self, id: str, name: str, *pieces: Piece, append: bool = False, last: bool = True
    ) -> None:
        made = [part(p) for p in pieces]
        await self._updater.add_artifact(made, id, name, append=append, last_chunk=last)

    async def say(self, text: str) -> None:
        context_id = self._context.context_id
        made = Message(
            message_id="said", role=Role.ROLE_AGENT, parts=[new_text_part(text)], context_id=context_id
        )
        await self._queue.enqueue_event(made)


class Painter(AgentExecutor):
    def __init__(self, gates: Gates) -> None:
        self._gates = gates

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        told = context.current_task is not None
        await play(Stage(context, event_queue), self._gates, context.get_user_input(), told=told)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


class FolderStore(TaskStore):
    """Keeps a copy of every task in a folder, and begins with what is there."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._memory, self._is_read = folder, InMemoryTaskStore(), False

    async def _read(self, context: Any) -> InMemoryTaskStore:
        if not self._is_read:
            self._is_read = True
            for path in self._folder.glob("*.json"):
                await self._memory.save(Parse(path.read_text(), Task()), context)
        return self._memory

    async def save(self, task: Task, context: Any) -> None:
        await (await self._read(context)).save(task, context)
        (self._folder / f"{task.id}.json").write_text(MessageToJson(task))

    async def get(self, task_id: str, context: Any) -> Task | None:
        return await (await self._read(context)).get(task_id, context)

    async def list(self, params: Any, context: Any) -> Any:
        return await (await self._read(context)).list(params, context)

    async def delete(self, task_id: str, context: Any) -> None:
        await (await self._read(context)).delete(task_id, context)


def card(url: str, bindings: list[str], dialects: list[str]) -> AgentCard:
    return AgentCard(
        name="Painter",
        description="Paints walls.",
        version="1",
        supported_interfaces=[
            AgentInterface(url=url + PATHS[binding], protocol_binding=binding, protocol_version=dialect)
            for dialect, binding in product(dialects, bindings)
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="paint", name="Paint", description="Paints", tags=["paint"])],
    )


def main() -> None:
    ask = asked()
    door, url = opened(ask.port)
    gates = Gates()
    profile = card(url, ask.binding or ["JSONRPC"], ask.dialect or ["1.0"])
    store = FolderStore(ask.store) if ask.store else InMemoryTaskStore()
    handler = DefaultRequestHandler(Painter(gates), store, profile)
    routes = [
        *create_agent_card_routes(profile),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix="/rest"),
    ]
    serve(Starlette(routes=routes), door, url, gates, ask)


if __name__ == "__main__":
    main()
