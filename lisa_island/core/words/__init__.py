"""The one catalogue of everything the product says, in English and Chinese. Knows no Qt.

Each area has a file; each key has both languages, with the same placeholders (a test compares them).
`LANGUAGES` names what exists; anything else falls back to English.
"""

import re
from functools import cache

LANGUAGES = ("en", "zh-CN")

_PLACE = re.compile(r"\{(\w+)\}")


def _read() -> dict[str, tuple[str, str]]:
    import importlib  # here: the first pill reads one area alone, before anything else is imported
    import pkgutil

    catalogue: dict[str, tuple[str, str]] = {}
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        catalogue |= importlib.import_module(f"{__name__}.{found.name}").WORDS
    return catalogue


@cache
def catalogue() -> dict[str, tuple[str, str]]:
    """Every key with (English, Chinese)."""
    return _read()


def pick(wanted: str) -> str:
    """The language to speak for a locale or setting such as `zh_CN.UTF-8`, `zh-CN`, `de`."""
    return "zh-CN" if wanted.lower().startswith("zh") else "en"


def say(lang: str, key: str, /, **values: object) -> str:
    """The sentence for `key`. Values are put in as they are; an unknown key is a bug and raises KeyError."""
    text = catalogue()[key][LANGUAGES.index(lang) if lang in LANGUAGES else 0]
    # One pass: a value that looks like a placeholder stays what it is.
    return _PLACE.sub(lambda m: str(values[m[1]]) if m[1] in values else m[0], text)


def count(lang: str, key: str, /, n: int, **values: object) -> str:
    """The sentence for a number: `key.one` for 1, else `key.many`."""
    return say(lang, f"{key}.one" if n == 1 else f"{key}.many", n=n, **values)


def has(key: str) -> bool:
    """Whether the catalogue knows the key."""
    return key in catalogue()
