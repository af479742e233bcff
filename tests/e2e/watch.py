"""Watches a run of real commands from inside: an audit hook in each process writes what it does."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# Every process of a run imports this first. It looks at what is started, with argv and environment, and at
# every address that is asked for.
HOOK = """
import json, os, sys
_log = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_kinds = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen", "os.exec",
          "os.posix_spawn", "os.spawn", "os.system", "os.fork", "pty.spawn", "os.putenv", "webbrowser.open")
def _plain(value):
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {{str(k): _plain(v) for k, v in value.items()}}
    return value if isinstance(value, (str, int, float, type(None))) else repr(type(value))
def _watch(event, args):
    if event in _kinds:
        args = args[1:] if event == "socket.connect" else args
        os.write(_log, json.dumps([event, os.getpid(), _plain(args)]).encode() + b"\\n")
sys.addaudithook(_watch)
"""


def hook(folder: Path) -> Path:
    """Put the hook where Python finds it; the log that it writes."""
    log = folder / "audit.log"
    place = folder / "hook"
    place.mkdir()
    (place / "sitecustomize.py").write_text(HOOK.format(log=str(log)))
    log.touch(mode=0o600)
    return log


def seen(log: Path, *kinds: str) -> list[Any]:
    """What was done, of these kinds."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [args for kind, _pid, args in lines if kind in kinds]


def holding(files: Iterable[Path], *needles: bytes) -> list[tuple[str, bytes]]:
    """Which file holds which of these bytes."""
    return [
        (p.name, n) for p in files if p.is_file() for data in (p.read_bytes(),) for n in needles if n in data
    ]
