"""Agents at their own address, as their cards and the owner's file tell of them."""

from lisa_island.core.adding import Importable
from lisa_island.core.agent import AgentSession, Blocked, Can, RequestKind, SessionKey, State, Task
from lisa_island.core.intents import AgentInfo
from lisa_island.core.preferences import DirectAgent

CARD_URL = "https://box.example/.well-known/agent-card.json"
CARD = AgentInfo(
    target="",
    name="Build Box",
    description="Builds branches and runs their tests. Asks before it deploys.",
    streaming=True,
    skills=("Build a branch", "Run tests", "Deploy"),
    tags=("build",),
    provider="Example Works",
    version="2.4.1",
    card_url=CARD_URL,
    interfaces=("JSONRPC 1.0 https://box.example/a2a", "HTTP+JSON 1.0 https://api.box-cloud.example/v1"),
    needs=("header X-Box-Key",),
    warnings=(
        (
            "warning.other-origin",
            (("fetched", CARD_URL), ("instead", ""), ("says", "https://api.box-cloud.example/v1")),
        ),
    ),
)
AGENTS = (
    DirectAgent("build-box", CARD_URL, origins=("https://box.example", "https://api.box-cloud.example")),
    DirectAgent("desk", "http://127.0.0.1:41241/", origins=("http://127.0.0.1:41241",)),
)
LISTED = (
    Importable("Build Box", "https://box.example", "CI in the cellar", True),
    Importable("desk", "http://127.0.0.1:41241", "", False),
)


def denied(now: int, summary: str = "", name: str = "build-box") -> AgentSession:
    """A task whose server wants to know who asks; `summary` is what an agent said of it itself."""
    key = SessionKey("a2a", f"{name}/1a2b3c4d")
    request = Blocked(RequestKind.AUTH, f"{key.session_id}#1", now - 60_000, summary)
    can = {Can.SIGN_IN, Can.STOP_FOLLOWING, Can.LABEL} | ({Can.ANSWER} if summary else set())
    return AgentSession(
        key, name, State.WAITING, "sign-in", now - 60_000,
        requests=(request,), task=Task(name, task_id="t-1"), capabilities=frozenset(can),
    )  # fmt: skip
