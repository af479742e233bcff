# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "a2a-sdk[http-server]==0.3.26",
#     "uvicorn>=0.34,<1",
# ]
# ///
"""A real A2A server on the official SDK, generation 0.3: strict, it refuses a message without an id.

Its agent needs no model; `lab/script.py` says what it does, `lab/door.py` how it is steered. It speaks
JSON-RPC, or HTTP+JSON with `--binding HTTP+JSON`.

Both generations refuse a stream of the gateway, which sends no `messageId`. With `--lenient` one is put in
first, as lenient servers do, and the SDK streams.
"""

import base64
from pathlib import Path
from typing import Any

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    FileWithUri,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TextPart,
)
from a2a.utils import new_task
from lab.door import asked, opened, serve
from lab.script import Data, File, Gates, Link, Piece, Text, play


def part(piece: Piece) -> Part:
    match piece:
        case Text(text):
            return Part(root=TextPart(text=text))
        case Data(data):
            return Part(root=DataPart(data=data))
        case File(name, media_type, raw):
            inside = base64.b64encode(raw).decode()
            return Part(root=FilePart(file=FileWithBytes(bytes=inside, mime_type=media_type, name=name)))
        case Link(url, media_type):
            return Part(root=FilePart(file=FileWithUri(uri=url, mime_type=media_type)))


class Stage:
    def __init__(self, context: RequestContext, queue: EventQueue) -> None:
        self._context, self._queue = context, queue
        self._updater = TaskUpdater(queue, context.task_id, context.context_id)

    async def open(self) -> None:
        await self._queue.enqueue_event(new_task(self._context.message))

    async def status(self, word: str, *pieces: Piece) -> None:
        message = self._updater.new_agent_message([part(p) for p in pieces])
        await self._updater.update_status(TaskState(word), message)

    async def artifact(
        self, id: str, name: str, *pieces: Piece, append: bool = False, last: bool = True
    ) -> None:
        made = [part(p) for p in pieces]
        await self._updater.add_artifact(made, id, name, append=append, last_chunk=last)

    async def say(self, text: str) -> None:
        context_id = self._context.context_id
        made = Message(message_id="said", role=Role.agent, parts=[part(Text(text))], context_id=context_id)
        await self._queue.enqueue_event(made)


class Painter(AgentExecutor):
    def __init__(self, gates: Gates) -> None:
        self._gates = gates

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        told = context.current_task is not None
        await play(Stage(context, event_queue), self._gates, context.get_user_input(), told=told)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


class FolderStore(InMemoryTaskStore):
    """Keeps a copy of every task in a folder, and begins with what is there."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        read = [Task.model_validate_json(path.read_text()) for path in folder.glob("*.json")]
        self.tasks = {task.id: task for task in read}

    async def save(self, task: Task, context: Any = None) -> None:
        await super().save(task, context)
        (self._folder / f"{task.id}.json").write_text(task.model_dump_json())


def card(url: str, binding: str) -> AgentCard:
    return AgentCard(
        name="Painter",
        description="Paints walls.",
        version="1",
        url=url,
        preferred_transport=binding,
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="paint", name="Paint", description="Paints", tags=["paint"])],
    )


def main() -> None:
    ask = asked()
    door, url = opened(ask.port)
    gates = Gates()
    [binding] = ask.binding or ["JSONRPC"]
    store = FolderStore(ask.store) if ask.store else InMemoryTaskStore()
    made = A2AStarletteApplication if binding == "JSONRPC" else A2ARESTFastAPIApplication
    app = made(card(url, binding), DefaultRequestHandler(Painter(gates), store)).build()
    serve(app, door, url, gates, ask)


if __name__ == "__main__":
    main()
