"""What OpenCode's records say of one session, as structure alone, and the state that follows from it.

One table for every generation of its storage. A pending approval looks like a running tool there, so none
is ever claimed; a question is a tool of its own, whose only work is to wait for the answer.
"""

from dataclasses import dataclass, replace

from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, Blocked, RequestKind, State, Step, Work
from lisa_island.core.evidence import Fact, Rank

LOOP_MS = 10_000
START_SLACK_MS = 2_000
LONG_TOOL_MS = 120_000
QUIET_MS = 5 * 60_000
IDLE_MS = 30 * 60_000
LAST_TOOLS = 6
LAST_FILES = 10
LAST_STEPS = 16

RULE = "opencode"
RECORDS = "records"
PROCESS = "process"

_RUNNING = frozenset({"pending", "running"})
_ENDED = {"completed": True, "error": False}
_GOES_ON = frozenset({"tool-calls", "unknown"})
_ENDS = frozenset({"stop", "length", "content-filter", "other"})
_STOPPED = frozenset({"interrupted", "aborted", "cancelled", "canceled"})


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. `is_refused`: the owner said no."""

    id: str
    tool: str
    status: str = ""
    program: str = ""
    file: str = ""
    is_refused: bool = False

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.status in _RUNNING

    @property
    def step(self) -> Step:
        """For the journal."""
        return Step(self.id, self.tool, not self.is_running, _ENDED.get(self.status))


@dataclass(frozen=True, slots=True)
class Talk:
    """A session. `role` is who wrote the newest message: user, assistant, idle (2.0: its run ended), or ""
    for none. Times are epoch ms, 0 for none; `calls` are those of the newest message, oldest first, `past`
    those of the few before it.
    """

    session: str
    directory: str = ""
    created: int = 0
    updated: int = 0
    version: str = ""
    parent: str = ""
    archived: int = 0
    compacting: int = 0
    role: str = ""
    at: int = 0
    is_completed: bool = False
    finish: str = ""
    error: str = ""
    outcome: str = ""
    is_retrying: bool = False
    calls: tuple[Call, ...] = ()
    past: tuple[Call, ...] = ()
    turns: int = 0
    tokens: int = 0
    is_partial: bool = False
    model: str = ""
    mode: str = ""

    @property
    def is_stopped(self) -> bool:
        """Whether the newest message was aborted, or its last call refused."""
        refused = bool(self.calls) and self.calls[-1].is_refused
        return self.error == "aborted" or self.outcome in _STOPPED or (self.finish in _GOES_ON and refused)

    @property
    def is_open(self) -> bool:
        """Whether the model or a tool still has something to do."""
        if self.archived or self.error or self.is_stopped or self.role in ("", "idle"):
            return bool(self.compacting) and not self.archived
        return self.role == "user" or not self.is_completed or self.finish in _GOES_ON


def failure(name: str, status: object) -> str:
    """A class of ours for an error's name and its status on the wire; what it says is prose."""
    code = status if isinstance(status, int) else 0
    low = name.lower()
    if "aborted" in low:
        return "aborted"
    if code == 529 or "overloaded" in low:
        return "overloaded"
    if code == 429 or "ratelimit" in low.replace("-", ""):
        return "rate-limit"
    if code in (401, 403) or "auth" in low:
        return "auth"
    if "outputlength" in low:
        return "output-length"
    if "context" in low:
        return "context-full"
    if code in (400, 404, 413, 422) or "invalid" in low:
        return "bad-request"
    return "server-error" if code >= 500 else "api-error"


def judge(talk: Talk, life: Life, now: int, died_at: int, began: int = 0) -> Verdict:
    """The verdict on a session. `died_at` is when its process was found to have ended; `began` when it did:
    what was open before was left open.
    """
    at = min(talk.at or talk.updated, now)
    if talk.archived:
        return _say(State.DONE, "archived", "archived", min(talk.archived, now))
    if life is Life.DEAD:
        reason, rule = ("ended-mid-turn", "dead-open") if talk.is_open else ("exited", "dead-closed")
        return Verdict(State.DONE, reason, Fact(f"{RULE}.{rule}", PROCESS, Rank.PROCESS, died_at))
    if talk.is_open and max(talk.at, talk.compacting) < began - START_SLACK_MS:
        return _rest(_say(State.WAITING, "interrupted", "left-open", at), now)
    if talk.compacting and now - max(at, talk.compacting) < QUIET_MS:
        since = min(talk.compacting, now)
        return _until(_say(State.WORKING, "compacting", "compacting", since), since + QUIET_MS)
    if talk.is_stopped:
        rule = "interrupted" if talk.error or talk.outcome else "rejected"
        return _rest(_say(State.WAITING, "interrupted", rule, at), now)
    if talk.error:
        return _say(State.ERROR, talk.error, "error", at)
    match talk.role:
        case "":
            return _say(State.UNKNOWN, "nothing-decisive", "nothing", at)
        case "idle":
            return _rest(_say(State.WAITING, "your-turn", "idle", at), now)
        case "user":
            return _running(_say(State.WORKING, "working", "prompt", at), talk, now)
    if not talk.is_completed:
        return _open(talk, life, at, now)
    if talk.finish in _ENDS:
        return _rest(_say(State.WAITING, "your-turn", "closed", at), now)
    return _loop(talk, at, now)


def _open(talk: Talk, life: Life, at: int, now: int) -> Verdict:
    running = [call for call in talk.calls if call.is_running]
    asked = next((call for call in running if call.tool == "question"), None)
    if asked is not None and life is Life.ALIVE:
        request = Blocked(RequestKind.QUESTION, asked.id or talk.session, at)
        fact = Fact(f"{RULE}.question", RECORDS, Rank.REQUEST, at)
        return Verdict(State.WAITING, "question", fact, (request,))
    if not running:
        reason, rule = ("retrying", "retrying") if talk.is_retrying else ("working", "thinking")
        return _running(_say(State.WORKING, reason, rule, at), talk, now)
    if life is Life.ALIVE and any(call.tool == "task" for call in running):
        return _say(State.WORKING, "working", "subagent", at)
    return _tool(life, at, now)


def _tool(life: Life, at: int, now: int) -> Verdict:
    """A tool that has not returned: or an approval, which looks the same."""
    if now - at < LONG_TOOL_MS:
        return _until(_say(State.WORKING, "working", "tool", at), at + LONG_TOOL_MS)
    if life is Life.ALIVE:
        return _say(State.WORKING, "long-tool", "tool-long", at)
    return _say(State.UNKNOWN, "quiet", "quiet", at)


def _loop(talk: Talk, at: int, now: int) -> Verdict:
    """A message that goes on with another one, or one that does not say how it ended."""
    if now - at < LOOP_MS:
        return _until(_say(State.WORKING, "working", "loop", at), at + LOOP_MS)
    if talk.finish or talk.calls:
        return _say(State.UNKNOWN, "quiet", "loop-quiet", at)
    return _rest(_say(State.WAITING, "your-turn-probable", "probable", at), now)


def _running(verdict: Verdict, talk: Talk, now: int) -> Verdict:
    last = min(max(talk.at, talk.updated), now)
    if now - last >= QUIET_MS:
        return _say(State.UNKNOWN, "quiet", "quiet", verdict.fact.at)
    return _until(verdict, last + QUIET_MS)


def _rest(verdict: Verdict, now: int) -> Verdict:
    at = verdict.fact.at
    if now - at >= IDLE_MS:
        return _say(State.IDLE, "quiet", "closed-long", at)
    return _until(verdict, at + IDLE_MS)


def _say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", RECORDS, Rank.TRANSCRIPT, at))


def _until(verdict: Verdict, at: int) -> Verdict:
    return replace(verdict, until=at)


def activity(talk: Talk, branch: str = "") -> Activity:
    """What it did, for the roster."""
    running = [call for call in talk.calls if call.is_running]
    every = (*talk.past, *talk.calls)
    files = dict.fromkeys(call.file for call in reversed(every) if call.file)
    newest = running[-1] if running else None
    doing = " · ".join(p for p in (newest.tool, newest.program or newest.file) if p) if newest else ""
    return Activity(
        status_text=doing,
        work=Work(
            talk.turns, talk.tokens, talk.is_partial, tuple(call.tool for call in every)[-LAST_TOOLS:],
            tuple(reversed(list(files)[:LAST_FILES])),
            next((call.program for call in reversed(every) if call.program), ""),
            branch=branch, model=talk.model, mode=talk.mode, version=talk.version,
            subagents=sum(call.tool == "task" for call in running),
            steps=tuple(call.step for call in every if call.id)[-LAST_STEPS:],
        ),
    )  # fmt: skip
