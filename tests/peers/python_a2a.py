# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "python-a2a==0.5.10",
# ]
# ///
"""A server of python-a2a, which speaks the draft of April 2025 and says on its card that it speaks 0.3.

Prints one JSON line with its address, answers each line on standard input with one, and ends when its
input closes.
"""

import argparse
import json
import logging
import os
import socket
import sys
import threading


def tell(**fields: str) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def listen() -> None:
    for line in sys.stdin:
        tell(type="did", line=line.strip())
    os._exit(0)


def main() -> None:
    # This file has the package's name, and its folder comes first.
    sys.path.pop(0)
    from python_a2a import A2AServer, AgentCard, TaskState, TaskStatus
    from python_a2a.server.http import create_flask_app
    from werkzeug.serving import make_server

    class Painter(A2AServer):
        def handle_task(self, task):
            task.status = TaskStatus(
                state=TaskState.INPUT_REQUIRED, message={"content": {"text": "Which colour?"}}
            )
            return task

    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    ask, _others = parser.parse_known_args()
    door = socket.create_server(("127.0.0.1", ask.port))
    url = f"http://127.0.0.1:{door.getsockname()[1]}/"
    logging.disable(logging.CRITICAL)
    card = AgentCard(name="Painter", description="Paints walls.", url=url.rstrip("/"), version="1")
    app = create_flask_app(Painter(agent_card=card))
    server = make_server("127.0.0.1", ask.port, app, threaded=True, fd=door.fileno())
    threading.Thread(target=listen, daemon=True).start()
    tell(type="listening", url=url, card=url + ".well-known/agent-card.json")
    server.serve_forever()


if __name__ == "__main__":
    main()
