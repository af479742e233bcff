"""The direct agents that the owner added. The file is edited by hand too: what does not fit is left out."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from lisa_island.core.adding import is_header
from lisa_island.core.origin import origin_of
from lisa_island.core.ports import Context
from lisa_island.core.preferences import AGENT_NAME

MOST_AGENTS = 200
MOST_ORIGINS = 10

Scheme = Literal["", "bearer", "basic", "header"]


def _origins(value: object) -> tuple[str, ...]:
    found = value[:MOST_ORIGINS] if isinstance(value, list | tuple) else ()
    origins = (origin_of(v) for v in found if isinstance(v, str))
    return tuple(dict.fromkeys(origin for origin in origins if origin))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


class Agent(BaseModel):
    """One agent that the owner added.

    `name` is the owner's word for it; `url` where its card is, or "" with the card itself (JSON) in `card`;
    `endpoint` replaces what the card says; `origins` are those that the owner agreed to talk to. `auth` says
    how the credential of an origin is sent, `header` in which header.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    url: Annotated[str, BeforeValidator(_text)] = ""
    card: Annotated[str, BeforeValidator(_text)] = ""
    endpoint: Annotated[str, BeforeValidator(_text)] = ""
    origins: Annotated[tuple[str, ...], BeforeValidator(_origins)] = ()
    auth: Annotated[Scheme, BeforeValidator(lambda v: v if v in ("bearer", "basic", "header") else "")] = ""
    header: Annotated[str, BeforeValidator(lambda v: v if is_header(_text(v)) else "")] = ""


def _agents(value: object) -> tuple[Agent, ...]:
    found: dict[str, Agent] = {}
    for one in value[:MOST_AGENTS] if isinstance(value, list | tuple) else ():
        try:
            agent = one if isinstance(one, Agent) else Agent.model_validate(one)
        except ValidationError:
            continue
        if AGENT_NAME.fullmatch(agent.name) and (agent.url or agent.card):
            found.setdefault(agent.name, agent)
    return tuple(found.values())


class Config(BaseModel):
    """The source's settings."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    enabled: Annotated[bool, BeforeValidator(lambda v: v is True)] = False
    agents: Annotated[tuple[Agent, ...], BeforeValidator(_agents)] = ()

    def agent(self, name: str) -> Agent | None:
        """The agent of this name."""
        return next((agent for agent in self.agents if agent.name == name), None)


def settings_of(config: Config, context: Context) -> Config:
    """The settings now; those the source was opened with where the context has none."""
    found: Any = context.settings()
    return Config.model_validate(found) if found else config
