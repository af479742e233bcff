"""Hygiene for foreign text: whatever a peer, a file or a clipboard says passes here before it is shown.

Nothing here raises for any `str`, and every function is idempotent, so cleaning twice does no harm.
Lengths are in code points. What comes out is plain text: it holds no control, bidirectional or invisible
character and no terminal sequence, but it may still look like markup: show it as plain text.
"""

import re
import unicodedata
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import urlsplit

ELLIPSIS: Final = "…"
WORD_LIMIT: Final = 64
NAME_LIMIT: Final = 80
FILENAME_LIMIT: Final = 120
TERMINAL_LIMIT: Final = 2 * 1024 * 1024
URL_LIMIT: Final = 8192

_FILENAME_BYTES = 240  # file systems stop at 255 bytes, and 120 CJK characters are 360
_MARKS_PER_BASE = 8

# Invisible or reordering, and no use in a label: format characters (all of category Cf but the Arabic,
# Syriac and Kaithi signs that have ink), fillers that draw nothing, lone surrogates, non-characters,
# reserved default-ignorables, and U+FFFC, which Qt takes for an embedded object.
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffc\ufffe\uffff\ufdd0-\ufdef\ud800-\udfff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
) + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))

# Controls without a role in terminal sequences go first, so that they cannot break one apart.
_INERT = re.compile(f"[\x00-\x06\x08\x0e-\x17\x19\x1c-\x1f\x7f-\x84\x86-\x8f\x91-\x97\x99\x9a{_HIDDEN}]+")
_LINE_END = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
# ECMA-48. A string (OSC, DCS, title …) ends at its terminator or, unterminated, at the end of the line.
# The 8-bit openers must have a terminator, since mis-decoded quotes hold them too and would eat a line; no
# other opener stands inside, or a row of them would take quadratic time.
_SEQUENCE = re.compile(
    "\x1b[\\]PX^_][^\x07\x1b\x9c\x18\x1a\n]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1bk[^\x07\x1b\x9c\x18\x1a\n]*\x1b\\\\"
    "|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c-\x9f\x90\x98\x18\x1a\n]*(?:\x07|\x1b\\\\|\x9c)"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|\x1b[ -/]*[0-~]?"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
_BLANK = str.maketrans({"\t": " ", "\u2800": " "})  # U+2800 is the Braille cell without dots
_SELECTOR_RUN = re.compile("([\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
# No combining mark is a word character; this finds every run long enough to hold too many of them.
_MARK_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{_MARKS_PER_BASE + 1},}}")
_MANY_BLANK_LINES = re.compile("\n{4,}")


def clean(text: str, limit: int, *, newlines: bool = False) -> str:
    """`text` without anything invisible or active, at most `limit` characters, "…" included when cut.

    One line by default: every run of whitespace becomes one space. With `newlines` the lines and their
    indentation stay, line ends become "\\n", and at most two blank lines follow one another.
    """
    window = max(limit, 0) * 8 + 4096  # a huge text for a small place costs no more than a small one
    safe = _visible(text[:window])
    safe = safe[_first_base(safe) :]
    safe = _lines(safe) if newlines else " ".join(safe.split())
    return _cut(safe, limit, more=len(text) > window)


def word(raw: object) -> str:
    """A state word of a wire, cleaned and cut to 64 characters; "" for what is neither text nor number."""
    match raw:
        case str():
            return clean(raw, WORD_LIMIT)
        case bool():
            return ""
        case int() | float():
            try:
                return clean(str(raw), WORD_LIMIT)
            except ValueError:  # Python refuses to print an int of more than 4,300 digits
                return ""
        case _:
            return ""


def name(text: str, limit: int = NAME_LIMIT) -> str:
    """A display name on one line."""
    return clean(text, limit)


def terminal(text: str) -> str:
    """What a command prints of foreign text: lines kept, no byte that a terminal would act upon."""
    return clean(text, TERMINAL_LIMIT, newlines=True)


def elide_end(text: str, n: int) -> str:
    """At most `n` characters of `text`, the end replaced by "…"; keeps a letter and its marks together."""
    return _cut(text, n)


def elide_middle(text: str, n: int, keep_end: int = 8) -> str:
    """At most `n` characters, the middle replaced by "…"; up to `keep_end` of the end stay, at most half."""
    if len(text) <= n:
        return text
    start = len(text) - max(0, min(keep_end, (n - 1) // 2))
    while start < len(text) and _joins(text[start]):
        start += 1
    tail = text[start:]
    return _cut(text, n - len(tail), more=True) + tail


def _visible(text: str) -> str:
    text = _INERT.sub("", text)
    text = _LINE_END.sub("\n", text)
    text = _SEQUENCE.sub("", text)
    text = _CONTROL.sub(lambda found: "\t" if "\t" in found[0] else "", text).translate(_BLANK)
    text = _SELECTOR_RUN.sub(r"\1", text)
    return _MARK_RUN.sub(_fewer_marks, text)


def _fewer_marks(found: re.Match[str]) -> str:
    kept, marks = [], 0
    for char in found[0]:
        marks = marks + 1 if _is_mark(char) else 0
        if marks <= _MARKS_PER_BASE:
            kept.append(char)
    return "".join(kept)


def _first_base(text: str) -> int:
    """Where the text really starts: marks without a base would settle on whatever is drawn before them."""
    start = 0
    for index, char in enumerate(text):
        if char == "\n" or _is_mark(char):
            start = index + 1
        elif not char.isspace():
            break
    return start


def _lines(text: str) -> str:
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    return _MANY_BLANK_LINES.sub("\n\n\n", text).rstrip()


def _cut(text: str, limit: int, *, more: bool = False) -> str:
    if len(text) <= limit and not more:
        return text
    if limit <= 0:
        return ""
    end = limit - 1
    while 0 < end < len(text) and _joins(text[end]):
        end -= 1
    return text[:end].rstrip() + ELLIPSIS


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _joins(char: str) -> bool:
    """Does it belong to the character before it: a combining mark or an emoji skin tone."""
    return _is_mark(char) or "\U0001f3fb" <= char <= "\U0001f3ff"


# --- file names ---

_NOT_IN_FILENAMES = re.compile('[/\\\\:*?"<>|\u2044\u2215\u29f5\u29f8\ufe68\uff0f\uff3c\uff1a]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)


def safe_filename(name: str, fallback: str = "artifact") -> str:
    """A file name to offer in "Save as": one component, visible, portable, at most 120 characters.

    `fallback` (ours, not foreign) is returned when nothing usable is left. The extension survives a cut.
    """
    bare = _NOT_IN_FILENAMES.sub("_", clean(name, 1024)).rstrip(" .")
    while bare and (bare[0] in " .-~" or _is_mark(bare[0])):
        bare = bare[1:]
    if _RESERVED.fullmatch(bare):
        bare = "_" + bare
    return _fit(bare) or fallback


def _fit(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    if not stem or len(extension) > 16:
        stem, extension = name, ""
    else:
        extension = dot + extension
    fitting = stem[: FILENAME_LIMIT - len(extension)]
    while len((fitting + extension).encode()) > _FILENAME_BYTES:
        fitting = fitting[:-1]
    while fitting and len(fitting) < len(stem) and _joins(stem[len(fitting)]):
        fitting = fitting[:-1]
    return fitting.rstrip(" .") + extension


# --- addresses ---

# Ends at whitespace, quotes, angle brackets and Chinese punctuation. Controls, "\\" and "…" do not end it:
# they stay inside and make the address invalid, since what we would cut off may be the part that matters.
_URL = re.compile(
    "(?<![A-Za-z0-9+])https?://[^ \t\r\n\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    '<>"`，。、；！？「」『』（）【】《》“”‘’]*',
    re.IGNORECASE,
)
_NOT_IN_URLS = re.compile(f"[\x00-\x20\x7f-\xa0\\\\{ELLIPSIS}\u1680\u2000-\u200a\u2800\u3000{_HIDDEN}]")
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?"
)
_CLOSING = {")": "(", "]": "[", "}": "{"}


def plain_url(text: str) -> str | None:
    """The first http or https address in a foreign text, whole, with its host in ASCII; else None.

    None too when that first address has credentials, no host, a hidden or control character, or was cut:
    it is never repaired, and no later address is taken in its place. What is returned is what to show and
    what to open.
    """
    found = _URL.search(text)
    if found is None or len(found[0]) > URL_LIMIT:
        return None
    return _canonical(_trimmed(found[0]))


def url_parts(url: str) -> tuple[str, str, str]:
    """(before the host, host, after it), to draw the host in bold; the host in its xn-- form, no port.

    ("", "", url) for anything that `plain_url` would not return.
    """
    shown = _canonical(url)
    if shown is None:
        return ("", "", url)
    start = shown.index("//") + 2
    end = start + len(_ascii_host(shown))
    return (shown[:start], shown[start:end], shown[end:])


def _trimmed(url: str) -> str:
    """Without the punctuation of the sentence around it."""
    end = len(url)
    while end and (url[end - 1] in ".,;:!?'*" or _is_unbalanced(url[:end])):
        end -= 1
    return url[:end]


def _is_unbalanced(url: str) -> bool:
    opening = _CLOSING.get(url[-1])
    return opening is not None and url.count(url[-1]) > url.count(opening)


def _canonical(url: str) -> str | None:
    """The address with scheme and host in lower-case ASCII, or None where it is not acceptable."""
    host = "" if len(url) > URL_LIMIT or _NOT_IN_URLS.search(url) else _ascii_host(url)
    if not host:
        return None
    scheme, rest = url.split("//", 1)
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    port = re.search(":[0-9]+$", authority)
    return f"{scheme.lower()}//{host}{port[0] if port else ''}{rest[len(authority) :]}"


def _ascii_host(url: str) -> str:
    """The host (IPv6 in brackets); "" for another scheme, credentials, a bad port or a bad host."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.port == 0:
            return ""
        if "[" in parts.netloc:
            return f"[{IPv6Address(host)}]" if "%" not in host else ""
        host = (host if host.isascii() else host.encode("idna").decode()).lower()
    except ValueError:  # the idna codec raises a UnicodeError, which is one
        return ""
    return host if _HOST.fullmatch(host) else ""


# --- secrets ---

# One character of a key, as such or written as %5F, %255F, \\u005f or \\x5f. Only escapes of characters that
# a key can hold, so that what follows it (%22, %26) stays.
_CODE = "(?:2[dD]|5[fF]|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA])"
_KEY_CHAR = rf"(?:[A-Za-z0-9_-]|%(?:25)*{_CODE}|\\+(?:u00|x){_CODE})"
_UNDERSCORE = r"(?:_|%(?:25)*5[fF]|\\+(?:u00|x)5[fF])"
_KEY = re.compile(rf"tako{_UNDERSCORE}live{_UNDERSCORE}({_KEY_CHAR}{{7,}})", re.IGNORECASE)


def redact(text: str) -> str:
    """Every TakoAPI key cut to its display prefix ("tako_live_" and 6 characters) and "…".

    Also inside longer text, URL-encoded or escaped in JSON. For logs, crash logs and diagnostics.
    """
    return _KEY.sub(lambda found: f"tako_live_{_first_six(found[1])}{ELLIPSIS}", text)


def _first_six(tail: str) -> str:
    units = re.findall(_KEY_CHAR, tail)[:6]
    return "".join(unit if len(unit) == 1 else chr(int(unit[-2:], 16)) for unit in units)


def escaped(text: str) -> str:
    """Text as markup has it between tags. `html.escape` would bring the names of 2,231 characters along."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
