"""A host that reports its own session to the island: all that is needed, with the standard library alone."""

import json
import os
import socket
from pathlib import Path

HOME = Path(os.environ.get("LISA_HOME") or Path.home() / ".lisa")


def report(*events: dict) -> dict:
    """Send events of one session; how many were taken and dropped, or the error and its word."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect((HOME / "endpoint").read_text().rstrip("\n"))
        request = {"v": 1, "do": "event", "agent": "my-host", "events": events}
        door.sendall(json.dumps(request).encode() + b"\n")
        return json.loads(door.makefile().readline())


if __name__ == "__main__":
    session = {"session": "build-7"}
    told = report(
        {"type": "session", **session, "busy": True, "turns": 1, "cwd": "/w/demo"},
        {"type": "agent_join", **session, "id": "main"},
        {"type": "agent_state", **session, "id": "main", "state": "working"},
        {"type": "action", **session, "id": "main", "action": "server", "toolCallId": "c-1"},
        {"type": "action_end", **session, "id": "main", "toolCallId": "c-1", "ok": True},
        {"type": "agent_state", **session, "id": "main", "state": "waiting", "waits": "permission"},
    )
    os.write(1, json.dumps(told).encode())
