"""Foreign text: nothing hidden or active survives, lengths hold, addresses are whole or absent."""

import html
import sys
import unicodedata
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import text

KEY = "tako_live_" + "aB3-_xYz" * 4
INKED_FORMATS = {
    0x600,
    0x601,
    0x602,
    0x603,
    0x604,
    0x605,
    0x6DD,
    0x70F,
    0x890,
    0x891,
    0x8E2,
    0x110BD,
    0x110CD,
}

NASTY_PIECES = [
    *("\x1b", "\x1b[", "\x1b]8;;http://evil\x07", "\x1b]0;", "\x9b31m", "\x9d0;t\x9c", "\x1bP", "\x1b\\"),
    *("\x07", "\x18", "\r", "\n", "\t", "\x85", "\u2028", "\u3000", "\u00a0", "\u202e", "\u2066", "\u200b"),
    *("\u200d", "\ufeff", "\U000e0041", "\ud800", "\udfff", "\ufffe", "\U0010ffff", "\u0301", "\u0301" * 20),
    *("\ufe0f\ufe0f", "\U000e0100", "e", "ab", "漢", "👍🏽", "👨\u200d👩", "[31m", ";", "/", "\\", "..", "."),
    *("-", "~", "con", "https://", "é", "א", "…", "   "),
]
nasty = st.lists(st.sampled_from(NASTY_PIECES) | st.text(max_size=8), max_size=24).map("".join)
any_text = nasty | st.text()
limits = st.integers(min_value=0, max_value=90)


def is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def is_forbidden(char: str) -> bool:
    code, category = ord(char), unicodedata.category(char)
    return (
        category in {"Cc", "Cs", "Zl", "Zp"}
        or (category == "Cf" and code not in INKED_FORMATS)
        or 0xE0000 <= code <= 0xE007F
        or 0xFDD0 <= code <= 0xFDEF
        or code & 0xFFFE == 0xFFFE
    )


def longest_mark_run(shown: str) -> int:
    longest = run = 0
    for char in shown:
        run = run + 1 if is_mark(char) else 0
        longest = max(longest, run)
    return longest


# --- clean ---

NASTY = [
    ("colour", "a \x1b[31;1mred\x1b[0m b", "a red b"),
    ("8-bit colour", "a\x9b31mb", "ab"),
    ("private mode", "\x1b[?1049hx", "x"),
    ("cut colour", "ab\x1b[31", "ab"),
    ("hyperlink", "see \x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\ now", "see here now"),
    ("hyperlink, BEL", "\x1b]8;id=1;file:///etc\x07here\x1b]8;;\x07", "here"),
    ("title", "\x1b]0;root@host\x07$", "$"),
    ("open title eats its line only", "a\x1b]0;evil\nb", "a b"),
    ("clipboard", "a\x1b]52;c;cm0gLXJm\x07b", "ab"),
    ("device control", "a\x1bPq#0;2\x1b\\b", "ab"),
    ("application command", "a\x1b_Gi=1\x1b\\b", "ab"),
    ("8-bit title", "a\x9d0;evil\x9cb", "ab"),
    ("a mis-decoded quote is no title", "he said \u00e2\x80\x9dyes", "he said âyes"),
    ("tmux title", "a\x1bkevil\x1b\\b", "ab"),
    ("reset", "a\x1bcb", "ab"),
    ("character set", "a\x1b(0b", "ab"),
    ("double escape", "a\x1b\x1b[2Jb", "ab"),
    ("escape split by a control", "a\x1b\x00[2Jb", "ab"),
    ("escape split by a zero width space", "a\x1b\u200b[2Jb", "ab"),
    ("parameters split by a control", "a\x1b[3\x011mb", "ab"),
    ("escape at the end", "ab\x1b", "ab"),
    ("backspaces", "rm\x08\x08ok", "rmok"),
    ("bell, delete, null", "a\x07\x7f\x00b", "ab"),
    ("override", "photo_\u202egnp.exe", "photo_gnp.exe"),
    ("isolates and marks", "\u2066a\u2069\u200eb\u200f\u061cc", "abc"),
    ("zero width", "ad\u200bmi\u200cn\u200d\u2060\ufeff!", "admin!"),
    ("soft hyphen and fillers", "a\u00adb\u3164c\uffa0", "abc"),
    ("hidden message in tags", "hi\U000e0001\U000e0069\U000e007f", "hi"),
    ("hidden message in selectors", "ok" + "\U000e0100\U000e0123\ufe01", "ok\U000e0100"),
    ("emoji keeps its selector", "❤\ufe0f", "❤\ufe0f"),
    ("surrogates", "a\ud83d b\udcff", "a b"),
    ("non-characters", "a\ufffe\uffff\ufdd0\U0001ffffb", "ab"),
    ("object replacement", "a\ufffcb", "ab"),
    ("separators", "a\u2028b\u2029c\x85d", "a b c d"),
    ("spaces of all kinds", " a\t\u00a0\u3000 b\r\n\r\nc\u2800", "a b c"),
    ("zalgo", "Z" + "\u0335" * 50 + "a", "Z" + "\u0335" * 8 + "a"),
    ("marks without a base", "\u0301\u0301 \u0308x", "x"),
    ("markup stays, as text", "<b>&amp;</b>", "<b>&amp;</b>"),
    ("only dirt", "\x1b[0m\u200b\u202e \t", ""),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "shown"), [row[1:] for row in NASTY], ids=[row[0] for row in NASTY])
def test_nasty_text_becomes_one_plain_line(raw: str, shown: str) -> None:
    assert text.clean(raw, 200) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\r\nb\rc\n", "a\nb\nc"),
        ("a\n\n\nb", "a\n\n\nb"),
        ("a\n\n\n\nb", "a\n\n\nb"),
        ("a\n\n\n\n\n\nb", "a\n\n\nb"),
        ("a\n \t\n  \n\x07\n\u200b\nb", "a\n\n\nb"),
        ("\n\n  def f():\n\treturn 1  \n", "  def f():\n return 1"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf", "a\nb\nc\nd\ne\nf"),
        ("\u0301\n \u0301 x\ny", " x\ny"),
        ("a\x1b]0;evil\nb\x1b[2J\nc", "a\nb\nc"),
    ],
)
def test_lines_stay_when_asked_for(raw: str, shown: str) -> None:
    assert text.clean(raw, 200, newlines=True) == shown


@pytest.mark.parametrize(
    ("raw", "limit", "shown"),
    [
        ("hello", 5, "hello"),
        ("hello!", 5, "hell…"),
        ("hello world", 7, "hello…"),
        ("ae\u0301x", 3, "a…"),
        ("a👍🏽x", 3, "a…"),
        ("hello", 1, "…"),
        ("hello", 0, ""),
        ("hello", -3, ""),
        ("", 0, ""),
    ],
)
def test_a_cut_keeps_letter_and_marks_together(raw: str, limit: int, shown: str) -> None:
    assert text.clean(raw, limit) == shown


def test_text_hidden_behind_a_huge_prefix_is_said_to_be_cut() -> None:
    assert text.clean("\u200b" * 100_000 + "x", 80) == "…"
    assert text.clean("x" + " " * 100_000, 80) == "x…"


@pytest.mark.parametrize("opener", ["\x9d", "\x1b]", "\x9b1"])
def test_a_flood_of_openers_takes_linear_time(opener: str) -> None:
    # Quadratic time would run into the time limit of the test.
    assert text.terminal(opener * (2_000_000 // len(opener))) == ""


@given(any_text, limits, st.booleans())
def test_clean_leaves_nothing_forbidden_and_keeps_its_limit(raw: str, limit: int, newlines: bool) -> None:
    shown = text.clean(raw, limit, newlines=newlines)
    assert len(shown) <= limit
    assert not [char for char in shown if is_forbidden(char) and not (newlines and char == "\n")]
    assert longest_mark_run(shown) <= 8
    assert not is_mark(shown[:1] or "x")
    assert shown == (shown.rstrip() if newlines else shown.strip())
    assert "\n\n\n\n" not in shown


@given(any_text, limits, st.booleans())
def test_clean_is_idempotent(raw: str, limit: int, newlines: bool) -> None:
    once = text.clean(raw, limit, newlines=newlines)
    assert text.clean(once, limit, newlines=newlines) == once


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"], max_codepoint=0x3FF)))
def test_ordinary_text_only_loses_spaces(raw: str) -> None:
    assert text.clean(raw, 10_000) == " ".join(raw.split())


def test_every_code_point_is_judged_as_unicode_has_it() -> None:
    everything = map(chr, range(sys.maxunicode + 1))
    kept = [c for c in everything if is_forbidden(c) and text.clean(f"a{c}漢", 9) not in {"a漢", "a 漢"}]
    assert [hex(ord(char)) for char in kept] == []


def test_only_letters_that_draw_nothing_are_lost() -> None:
    lost = [char for char in map(chr, range(0x21, 0x3000)) if char not in text.clean(f"a{char}b", 9)]
    assert {char for char in lost if unicodedata.category(char)[0] in "LNPS"} == set("\u115f\u1160\u2800")


def test_no_combining_mark_is_a_word_character() -> None:
    # What the search for too many marks rests upon.
    marks = [char for char in map(chr, range(sys.maxunicode + 1)) if is_mark(char)]
    assert marks and not [char for char in marks if char.isalnum() or char.isspace()]


# --- word, name, terminal ---


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("input-required", "input-required"),
        (" TASK\x1b[31m_STATE ", "TASK_STATE"),
        ("x" * 65, "x" * 63 + "…"),
        (7, "7"),
        (1.5, "1.5"),
        (float("nan"), "nan"),
        (True, ""),
        (None, ""),
        (["working"], ""),
        ({"state": "x"}, ""),
        (b"working", ""),
    ],
)
def test_a_state_word_is_short_and_clean(raw: object, shown: str) -> None:
    assert text.word(raw) == shown


def test_a_number_too_long_to_print_is_no_word() -> None:
    assert text.word(10**5000) == ""


def test_a_name_is_one_line() -> None:
    assert text.name("Acme\nResearch\u202e") == "Acme Research"
    assert text.name("x" * 100) == "x" * 79 + "…"
    assert text.name("x" * 100, 10) == "x" * 9 + "…"


def test_a_terminal_sees_lines_and_nothing_else() -> None:
    assert text.terminal("ok\x1b]8;;http://e\x07\r\n\x9b2Jdone\u202e") == "ok\ndone"


def test_a_reply_of_two_mebibytes_is_printed_whole() -> None:
    reply = "0123456789abcde\n" * (2 * 1024 * 1024 // 16)
    assert text.terminal(reply) == reply.rstrip()


# --- eliding ---


@pytest.mark.parametrize(
    ("n", "middle", "end"),
    [
        (30, "/home/me/project/file.py", "/home/me/project/file.py"),
        (16, "/home/me…file.py", "/home/me/projec…"),
        (5, "/h…py", "/hom…"),
        (2, "/…", "/…"),
        (1, "…", "…"),
        (0, "", ""),
    ],
)
def test_eliding(n: int, middle: str, end: str) -> None:
    assert text.elide_middle("/home/me/project/file.py", n, 7) == middle
    assert text.elide_end("/home/me/project/file.py", n) == end


def test_an_elided_middle_splits_no_letter_from_its_marks() -> None:
    assert text.elide_middle("abcdefghe\u0301yz", 8, 3) == "abcde…yz"
    assert text.elide_middle("abe\u0301defghijk", 7, 4) == "ab…ijk"


@given(any_text, st.integers(-2, 60), st.integers(-2, 60))
def test_elided_text_fits_and_starts_with_no_lost_mark(raw: str, n: int, keep_end: int) -> None:
    middle, end = text.elide_middle(raw, n, keep_end), text.elide_end(raw, n)
    assert len(middle) <= max(n, 0) and len(end) <= max(n, 0)
    if len(raw) > n > 0:
        assert "…" in middle and end.endswith("…")
        assert raw.endswith(middle.rpartition("…")[2]) or "…" in raw


# --- file names ---


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_._etc_passwd"),
        ("/etc/passwd", "_etc_passwd"),
        ("C:\\Windows\\x.exe", "C__Windows_x.exe"),
        ("a\u2215b\uff0fc", "a_b_c"),
        (".bashrc", "bashrc"),
        ("...", "artifact"),
        ("", "artifact"),
        ("\u202e\u200b", "artifact"),
        ("-rf", "rf"),
        ("~/x", "_x"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("com1 .tar.gz", "_com1 .tar.gz"),
        ("lpt²", "_lpt²"),
        ("console.log", "console.log"),
        ("evil.txt.", "evil.txt"),
        ("gpj.\u202eexe", "gpj.exe"),
        ("a\nb\0c", "a bc"),
        ("x" * 300 + ".tar.gz", "x" * 117 + ".gz"),
        ("漢" * 200 + ".pdf", "漢" * 78 + ".pdf"),
        ("a." + "y" * 300, "a." + "y" * 118),
        ("-\u0301a.txt", "a.txt"),
        ("x" * 115 + "e\u0301.pdf", "x" * 115 + ".pdf"),
    ],
)
def test_a_file_name_is_one_harmless_component(raw: str, safe: str) -> None:
    assert text.safe_filename(raw) == safe


@given(any_text)
def test_every_file_name_is_usable(raw: str) -> None:
    safe = text.safe_filename(raw)
    assert safe and len(safe) <= 120 and len(safe.encode()) <= 255
    assert not set(safe) & set('/\\:*?"<>|\0')
    assert safe[0] not in " .-~" and safe[-1] not in " ."
    assert text.safe_filename(safe) == safe


def test_the_fallback_is_ours_to_choose() -> None:
    assert text.safe_filename("...", "reply.txt") == "reply.txt"


# --- addresses ---


@pytest.mark.parametrize(
    ("said", "url"),
    [
        ("Open https://a.example/d?code=A-1&x=%20#top to go on.", "https://a.example/d?code=A-1&x=%20#top"),
        ("HTTPS://Example.COM/Path", "https://example.com/Path"),
        ("(see http://a.example/b_(c))", "http://a.example/b_(c)"),
        ("[sign in](https://a.example/x).", "https://a.example/x"),
        ("**https://a.example/x**", "https://a.example/x"),
        ('{"url":"https://a.example/x"}', "https://a.example/x"),
        ("请打开https://a.example/x，然后继续", "https://a.example/x"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/ä"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://аpple.com/", "https://xn--pple-43d.com/"),
        ("http://localhost:8080/cb", "http://localhost:8080/cb"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("https://a.example/@me", "https://a.example/@me"),
        ("https://a.example", "https://a.example"),
        ("no address here", None),
        ("ftp://a.example file:///etc/passwd javascript:alert(1)", None),
        ("xhttps://a.example", None),
        ("https://", None),
        ("https:///path", None),
        ("https://bank.example@evil.example/", None),
        ("https://user:pw@a.example/", None),
        ("https://bank.example\\@evil.example/", None),
        ("https://a.example/\u202egnp.exe", None),
        ("https://a.exa\u200bmple/", None),
        ("https://a.example/\x1b[31m", None),
        ("https://a.example/x\x00y", None),
        ("https://a.example/long…", None),
        ("https://a.example:99999/", None),
        ("https://a.example:0/", None),
        ("https://a.example:x/", None),
        ("https://[::1", None),
        ("https://[v1.x]/", None),
        ("https://[fe80::1%25eth0]/", None),
        ("https://-.-/", None),
        ("https://ａ／b.example/", None),
        ("https://%65vil.example/", None),
        ("https://user@evil.example then https://good.example", None),
    ],
)  # fmt: skip
def test_the_first_address_whole_or_not_at_all(said: str, url: str | None) -> None:
    assert text.plain_url(said) == url


@pytest.mark.parametrize("filler", ["x", ")", "a."])
def test_an_endless_address_is_refused(filler: str) -> None:
    assert text.plain_url("https://a.example/" + filler * 100_000) is None
    assert text.plain_url("https://" + filler * 4_000) is None


@given(any_text, any_text)
def test_an_address_is_safe_to_open(before: str, after: str) -> None:
    url = text.plain_url(f"{before} https://a.example{after}")
    if url is not None:
        parts = urlsplit(url)
        assert parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
        assert parts.netloc.isascii()
        assert not [char for char in url if is_forbidden(char) or char.isspace()]
        assert text.plain_url(url) == url
        assert "".join(text.url_parts(url)) == url


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://a.example:8080/x?y#z", ("https://", "a.example", ":8080/x?y#z")),
        ("https://Bücher.example", ("https://", "xn--bcher-kva.example", "")),
        ("http://[::1]:80/", ("http://", "[::1]", ":80/")),
        ("https://https/https", ("https://", "https", "/https")),
        ("https://u@a.example/", ("", "", "https://u@a.example/")),
        ("nothing", ("", "", "nothing")),
    ],
)
def test_the_host_stands_alone(url: str, parts: tuple[str, str, str]) -> None:
    assert text.url_parts(url) == parts


# --- secrets ---


@pytest.mark.parametrize(
    "written",
    [
        "{}",
        "Authorization: Bearer {}\r\n",
        '{{"key": "{}"}}',
        "https://x.example/?key={}&next=1",
        "x{}",
        "{0} and {0}",
        "{}%22%7D",
        "b'{}'",
    ],
)
def test_a_key_is_cut_to_its_prefix(written: str) -> None:
    assert text.redact(written.format(KEY)) == written.format("tako_live_aB3-_x…")


@pytest.mark.parametrize(
    "disguised",
    [
        KEY.replace("_", "%5F"),
        KEY.replace("_", "%255f"),
        KEY.replace("-", "%2D"),
        KEY.replace("_", "\\u005f"),
        KEY.replace("_", "\\\\u005F"),
        KEY.replace("_", "\\x5f"),
        "tako_live_" + "".join(f"%{ord(char):02X}" for char in KEY[10:]),
        quote(quote(KEY.replace("_", "%5F"))),
    ],
)
def test_an_escaped_key_is_cut_too(disguised: str) -> None:
    assert text.redact(f"({disguised})") == "(tako_live_aB3-_x…)"


key_tails = st.text(alphabet="abcXYZ0189-_", min_size=32, max_size=32)


@given(any_text, key_tails, any_text)
def test_no_key_survives_in_any_text(before: str, tail: str, after: str) -> None:
    shown = text.redact(f"{before}tako_live_{tail}{after}")
    assert f"tako_live_{tail[:6]}…" in shown
    assert f"tako_live_{tail[:7]}" not in shown
    assert text.redact(shown) == shown


def test_a_prefix_and_other_words_stay() -> None:
    for kept in ("tako_live_aB3-_x…", "tako_live_", "tako_live_short", "tako_test_" + "x" * 32, "live tako"):
        assert text.redact(kept) == kept


@given(st.text())
def test_markup_gives_back_what_was_escaped(before: str) -> None:
    assert text.escaped(before) == html.escape(before, quote=False)
