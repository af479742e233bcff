"""The source's settings. They come from files that others write too: what does not fit takes its default."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from lisa_island.agents._takoapi_registry import SLUG
from lisa_island.core.ports import Context

HOME = "https://takoapi.com"


def _slugs(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(v for v in found if isinstance(v, str) and SLUG.fullmatch(v)))


def _address(value: object) -> str:
    # "" is an address that was refused: what was meant for another gateway must not go to this one.
    return value if isinstance(value, str) else HOME


def _words(value: object) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str)}


class Config(BaseModel):
    """The source's settings. `pin`: slugs in the owner's order; `prices`: their last known price words.

    `follow`: slugs whose tasks are followed at the agent's own endpoint too.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    enabled: Annotated[bool, BeforeValidator(lambda v: v is True)] = False
    base_url: Annotated[str, BeforeValidator(_address)] = HOME
    pin: Annotated[tuple[str, ...], BeforeValidator(_slugs)] = ()
    prices: Annotated[dict[str, str], BeforeValidator(_words)] = {}
    follow: Annotated[tuple[str, ...], BeforeValidator(_slugs)] = ()


def settings_of(config: Config, context: Context) -> Config:
    """The settings now; those the source was opened with where the context has none."""
    found: Any = context.settings()
    return Config.model_validate(found) if found else config
