"""The program that a shell command runs: its bare name, or nothing. Arguments and settings are never kept."""

import re

NAME = re.compile(r"[A-Za-z0-9._+@-]{1,40}")
READ_LIMIT = 4_096

_SETTING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_WRAPPERS = frozenset({"sudo", "time", "nohup", "env", "exec", "command", "nice", "doas"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_TAKES_VALUE = {"sudo": "ugCpDhRT", "env": "uCS", "nice": "n", "exec": "a", "doas": "uC"}
_STOPS = ("&&", "||", ";", "|", "&", "\n")
_OPENS = re.compile(r"""[`(]""")
_TOKEN = re.compile(
    r"""([ \t\r]*)(&&|\|\||[;|&\n]|(?:[^\s'"\\;|&]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)""", re.DOTALL
)


def program(command: object, depth: int = 0) -> str:
    """`npm` for `cd x && CI=1 npm test`; "" for what is not plainly a program's name."""
    if not isinstance(command, str) or depth > 2:
        return ""
    words = _words(command[:READ_LIMIT].lstrip("({ \t\n"))
    while words:
        word = words.pop(0)
        if word in _STOPS:
            continue
        if _SETTING.match(word):
            if _OPENS.search(word):  # `A=$(cat x) npm`: what follows may be the value still
                return ""
            continue
        bare = _bare(word)
        if bare == "cd":
            words = _after_stop(words)
        elif bare == "timeout":
            words = _past_options(words, "ks")[1:]
        elif bare in _WRAPPERS:
            words = _past_options(words, _TAKES_VALUE.get(bare, ""))
        elif bare in _SHELLS and (script := _script(words)) is not None:
            return program(script, depth + 1)
        else:
            return bare if NAME.fullmatch(bare) else ""
    return ""


def _words(text: str) -> list[str]:
    """The words up to the first that cannot be read: what follows an open quote may be anything."""
    words: list[str] = []
    at = 0
    while match := _TOKEN.match(text, at):
        if at and words and words[-1] not in _STOPS and match[1] == "" and match[2] not in _STOPS:
            break  # glued to the word before: its end was not read
        words.append(match[2])
        at = match.end()
    return words


def _bare(word: str) -> str:
    return re.split(r"[\\/]", word.strip("'\""))[-1].rstrip(")}")


def _after_stop(words: list[str]) -> list[str]:
    at = next((i for i, word in enumerate(words) if word in _STOPS), len(words))
    return words[at + 1 :]


def _past_options(words: list[str], valued: str) -> list[str]:
    while words and words[0].startswith("-"):
        if words[0].startswith("--") and "=" not in words[0]:
            return []  # whether a value follows is not known
        takes_value = len(words[0]) == 2 and words[0][1] in valued
        words = words[2:] if takes_value else words[1:]
    return words


def _script(words: list[str]) -> str | None:
    """The text that `bash -lc` is given."""
    for i, word in enumerate(words):
        if re.fullmatch(r"-[a-z]*c", word):
            return words[i + 1].strip("'\"") if len(words) > i + 1 else ""
        if not word.startswith("-"):
            return None
    return None
