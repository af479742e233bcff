"""Asks the owner's `gh` for the owner's own pull requests: one question, without titles, texts or names.

`gh` holds the sign-in; no token passes through here, and none is given to it. Blocking: for the worker alone.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from lisa_island.agents._fields import moment
from lisa_island.agents._program import Ended, Program, Ran
from lisa_island.core.text import clean

LIMIT = 8.0
MOST = 12
SIGNED_OUT_CODE = 4
BRANCH_LIMIT = 120

QUERY = (
    f"{{viewer{{pullRequests(first:{MOST},"
    "orderBy:{field:UPDATED_AT,direction:DESC}){nodes{"
    "number state isDraft mergeable reviewDecision updatedAt createdAt headRefName repository{nameWithOwner}"
    " commits(last:1){nodes{commit{statusCheckRollup{state}}}}}}}}"
)
ENVIRON = {
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "GH_NO_EXTENSION_UPDATE_NOTIFIER": "1",
    "GH_PAGER": "cat", "NO_COLOR": "1", "GH_SPINNER_DISABLED": "1", "GH_TELEMETRY": "false",
}  # fmt: skip
# Where its settings and its host are, if the owner moved them. Tokens in variables are not among them.
PASSED = ("GH_CONFIG_DIR", "GH_HOST")

_REPOSITORY = re.compile(r"([A-Za-z0-9-]{1,100})/([A-Za-z0-9._-]{1,100})")
_WORD = re.compile(r"[A-Z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Pull:
    """One pull request. Times are epoch ms; `state`, `checks`, `review` are the site's words, "" for none."""

    owner: str
    repository: str
    number: int
    state: str
    updated_at: int
    created_at: int | None = None
    is_draft: bool = False
    checks: str = ""
    review: str = ""
    mergeable: str = ""
    branch: str = ""

    @property
    def id(self) -> str:
        """`owner/repository#12`."""
        return f"{self.owner}/{self.repository}#{self.number}"


class _Node(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    number: int
    state: str
    updatedAt: str  # noqa: N815 - the wire's spelling
    repository: dict[str, Any]
    createdAt: Any = None  # noqa: N815
    isDraft: Any = None  # noqa: N815
    mergeable: Any = None
    reviewDecision: Any = None  # noqa: N815
    headRefName: Any = None  # noqa: N815
    commits: Any = None


def gh(variable: Callable[[str], str]) -> Program:
    """The owner's gh."""
    own = {name: value for name in PASSED if (value := variable(name))}
    return Program("gh", variable, ENVIRON | own)


def ask(program: Program) -> tuple[Pull, ...] | str:
    """The newest pull requests of whoever is signed in, or the word for why there is no answer."""
    ran = program.run("api", "graphql", "-f", f"query={QUERY}", limit=LIMIT)
    found = read(ran.output) if ran.ended is Ended.BY_ITSELF and not ran.is_cut else None
    # Where one place is closed to it, gh fails and answers all the same with what it may see.
    return found if found is not None else _why(ran)


def _why(ran: Ran) -> str:
    match ran.ended:
        case Ended.ABSENT:
            return "absent"
        case Ended.LATE:
            return "late"
        case Ended.BY_ITSELF if ran.code == SIGNED_OUT_CODE or _is_unauthorized(ran.output):
            return "signed-out"
        case _:
            return "failed"


def _is_unauthorized(output: bytes) -> bool:
    found = _object(output)
    return str(found.get("status")) == "401" or found.get("message") == "Bad credentials"


def read(output: bytes) -> tuple[Pull, ...] | None:
    """The pull requests in an answer; None for what is no answer. One that makes no sense is left out."""
    nodes = _object(output)
    for name in ("data", "viewer", "pullRequests"):
        inner = nodes.get(name)
        nodes = inner if isinstance(inner, dict) else {}
    listed = nodes.get("nodes")
    if not isinstance(listed, list):
        return None
    pulls = (_pull(node) for node in listed[:MOST])
    return tuple({pull.id: pull for pull in pulls if pull is not None}.values())


def _object(output: bytes) -> dict[str, Any]:
    try:
        found = json.loads(output.decode("utf-8", "replace"), parse_constant=lambda _word: None)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _pull(node: object) -> Pull | None:
    try:
        wire = _Node.model_validate(node)
    except ValidationError:
        return None
    place = wire.repository.get("nameWithOwner")
    named = _REPOSITORY.fullmatch(place) if isinstance(place, str) else None
    updated = moment(wire.updatedAt)
    if named is None or updated is None or not 0 < wire.number < 2**31:
        return None
    branch = wire.headRefName if isinstance(wire.headRefName, str) else ""
    return Pull(
        named[1], named[2], wire.number, _word(wire.state), updated, moment(wire.createdAt),
        wire.isDraft is True, _checks(wire.commits), _word(wire.reviewDecision), _word(wire.mergeable),
        clean(branch, BRANCH_LIMIT),
    )  # fmt: skip


def _checks(commits: Any) -> str:
    """The word that all checks of the newest commit come to."""
    at = commits
    for name in ("nodes", 0, "commit", "statusCheckRollup", "state"):
        if isinstance(name, int):
            at = at[name] if isinstance(at, list) and at else None
        else:
            at = at.get(name) if isinstance(at, dict) else None
    return _word(at)


def _word(found: Any) -> str:
    """A word of theirs, "" for none, NEW for what is none."""
    if found is None:
        return ""
    return found if isinstance(found, str) and _WORD.fullmatch(found) else "NEW"
