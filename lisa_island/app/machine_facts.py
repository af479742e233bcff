"""What `doctor` says of this machine: the way to the gateway, certificates, login, the last crash, fonts."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lisa_island.core.words import say
from lisa_island.system import autostart, crashlog, fonts
from lisa_island.system.proxies import is_supported, proxy_for, shown
from lisa_island.system.trust_store import trust_store

if TYPE_CHECKING:
    from lisa_island.app.house import House

LOOK_SECONDS = 10.0

Fact = tuple[str, str]


async def machine_facts(house: "House", lang: str) -> list[Fact]:
    """Each line says what works, or what to do. No name or password of a proxy is among them."""
    plan = house.plan
    proxy = ("fact.proxy", _proxy(house.origin, plan.environ, lang))
    work = house.worker.run(_looked, plan.environ, plan.home, limit=LOOK_SECONDS, name="machine")
    try:
        login, crash, store, chinese = await work
    except TimeoutError:
        return [proxy]  # A disk that does not answer; the rest of the facts says so.
    return [
        proxy,
        ("fact.trust", _trust(store, lang)),
        ("fact.autostart", say(lang, f"fact.autostart.{_LOGIN[login]}")),
        ("fact.crash", _crash(crash, lang)),
        *_font(chinese, lang),
    ]


_LOGIN = {True: "on", False: "off", None: "none"}


def _looked(
    environ: Mapping[str, str], home: Path
) -> tuple[bool | None, tuple[Path, float] | None, str, bool | None]:
    return autostart.is_on(environ), crashlog.last(home), trust_store(), fonts.has_chinese()


def _proxy(origin: str, environ: Mapping[str, str], lang: str) -> str:
    named = proxy_for(origin, environ)
    if not named:
        return say(lang, "fact.proxy.none")
    word = "fact.proxy.used" if is_supported(named) else "fact.proxy.unusable"
    return say(lang, word, proxy=shown(named))


def _trust(store: str, lang: str) -> str:
    if store == "fact.trust.system":
        return say(lang, store)
    return store or say(lang, "fact.trust.none")


def _font(chinese: bool | None, lang: str) -> list[Fact]:
    return [] if chinese is None else [("fact.font", say(lang, f"fact.font.{_FONT[chinese]}"))]


_FONT = {True: "on", False: "none"}


def _crash(found: tuple[Path, float] | None, lang: str) -> str:
    if found is None:
        return say(lang, "fact.crash.none")
    path, at = found
    when = datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    return say(lang, "fact.crash.kept", when=when, path=path)
