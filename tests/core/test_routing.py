"""The route table: rows 1 to 66 with guards G1 to G7; rows 68 and 74 to 78 as the command bar means them."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.routing import (
    RESERVED,
    Ambiguous,
    Conflict,
    EmptyTask,
    ExplicitRoute,
    Hint,
    NoRoute,
    Routed,
    Syntax,
    UnknownTarget,
    complete,
    is_routable_name,
    route,
)

NAMES = ["code-reviewer", "security-auditor", "qa", "qa.bot", "设计师", "http", "build box", "C++"]
PLAIN = NoRoute("plain")


def at(target: str, task: str, raw: str = "") -> ExplicitRoute:
    return ExplicitRoute(target, task, "at_mention", raw or f"@{target}")


def colon(target: str, task: str, raw: str = "") -> ExplicitRoute:
    return ExplicitRoute(target, task, "colon", raw or f"{target}:")


def zh(target: str, task: str, raw: str) -> ExplicitRoute:
    return ExplicitRoute(target, task, "zh_explicit", raw)


# (row, text, what the guards make of it)
TABLE: list[tuple[str, str, Routed]] = [
    ("1", "@qa run", at("qa", "run")),
    ("2", "  @qa run", at("qa", "run")),
    ("3", "@qa\trun", at("qa", "run")),
    ("4", "@qa\nline one\nline two", at("qa", "line one\nline two")),
    ("5", "@qa\u3000run", at("qa", "run")),
    ("6", "@code-reviewer 帮我审查 diff", at("code-reviewer", "帮我审查 diff")),
    ("7", "@设计师 画图", at("设计师", "画图")),
    ("8, G3", "@build box go", UnknownTarget("build")),
    ("9, G3", "@C++ fix", UnknownTarget("C++")),
    ("10", "@qa.bot run", at("qa.bot", "run")),
    ("11, G4", "@qa @security-auditor x", Conflict("qa", "security-auditor")),
    ("12", "@qa", EmptyTask("qa", "at_mention")),
    ("13", "@qa  ", EmptyTask("qa", "at_mention")),
    ("14, G5", "@QA run", Hint("qa")),
    ("15", "@qa, run", UnknownTarget("qa,")),
    ("16", "@qa: run", UnknownTarget("qa:")),
    ("17", "@qa：run", UnknownTarget("qa：run")),
    ("18", "@qab run", UnknownTarget("qab")),
    ("19", "@qa.botx run", UnknownTarget("qa.botx")),
    ("20", "@设计师画图", UnknownTarget("设计师画图")),
    ("21", "@ qa run", PLAIN),
    ("22", "@@qa run", PLAIN),
    ("23", "hi @qa run", PLAIN),
    ("24", "@unknown x", UnknownTarget("unknown")),
    ("25", "@qa\u200b x", Hint("qa")),
    ("26", "`@qa x`", PLAIN),
    ("27", "- @qa x", PLAIN),
    ("28", '"@qa" x', PLAIN),
    ("29", "qa: run", colon("qa", "run")),
    ("30", "qa:run", colon("qa", "run")),
    ("31", "qa :run", colon("qa", "run", "qa :")),
    ("32", "qa : run", colon("qa", "run", "qa :")),
    ("33", "qa：跑测试", colon("qa", "跑测试", "qa：")),
    ("34", "qa.bot: run", colon("qa.bot", "run")),
    ("35", "qa.bot：x", colon("qa.bot", "x", "qa.bot：")),
    ("36, G4", "qa: security-auditor: y", Conflict("qa", "security-auditor")),
    ("37", "qa:", EmptyTask("qa", "colon")),
    ("38", "qa：", EmptyTask("qa", "colon")),
    ("39", "qa:   \n x", colon("qa", "x")),
    ("40, G2", "qa\n: run", PLAIN),
    ("41, G1", "qa:8080", PLAIN),
    ("42, G1", "qa:8080/health", PLAIN),
    ("43, G1", "qa::x", PLAIN),
    ("44, G1 G3", "http://example.com/x", PLAIN),
    ("45, G1", "http:8080", PLAIN),
    ("46", "https://example.com", PLAIN),
    ("47", "localhost:8080", PLAIN),
    ("48", "C:\\Users\\x", PLAIN),
    ("49", "Note: hi", PLAIN),
    ("50", "URL: http://x", PLAIN),
    ("51", "12:30 meet", PLAIN),
    ("52, G5", "QA: run", Hint("qa")),
    ("53", "xqa: run", PLAIN),
    ("54", "让 qa 跑测试", zh("qa", "跑测试", "让 qa")),
    ("55", "请 qa 看看", zh("qa", "看看", "请 qa")),
    ("56", "让  qa  跑测试", zh("qa", "跑测试", "让  qa")),
    ("57", "请\u3000qa 看看", zh("qa", "看看", "请\u3000qa")),
    ("58", "请 设计师 画图", zh("设计师", "画图", "请 设计师")),
    ("59", "请 qa", EmptyTask("qa", "zh_explicit")),
    ("60", "让qa 跑测试", PLAIN),
    ("61a", "请问 qa 怎么用", PLAIN),
    ("61b", "让我看看 qa", PLAIN),
    ("62a", "请 qa：看看", PLAIN),
    ("62b", "请 qa,看看", PLAIN),
    ("62c", "让 qa跑", PLAIN),
    ("63, G5", "让 QA 跑", Hint("qa")),
    ("64a", "帮我让 qa 跑", PLAIN),
    ("64b", "麻烦 qa 看看", PLAIN),
    ("64c", "qa 帮我跑", PLAIN),
    ("65a", "请 @qa 看看", PLAIN),
    ("65b", "qa 让 code-reviewer x", PLAIN),
    ("66a", "", NoRoute("blank")),
    ("66b", " \t\n\u3000", NoRoute("blank")),
]


@pytest.mark.parametrize(("typed", "routed"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_table(typed: str, routed: Routed) -> None:
    assert route(typed, NAMES) == routed


@pytest.mark.parametrize("names", [[], [""], ["", " ", "http", "build box"]])
def test_row_66_without_a_name_to_route_to(names: list[str]) -> None:
    assert route("@qa run", names) == NoRoute("no-names")
    assert route(" ", names) == NoRoute("blank")


# --- the guards, further ---


@pytest.mark.parametrize(
    ("guard", "typed", "routed"),
    [
        ("G1", "qa://x", PLAIN),
        ("G1", "qa:\\x", PLAIN),
        ("G1", "qa:：x", PLAIN),
        ("G1", "qa :8080", PLAIN),
        ("G1", "QA:8080", PLAIN),
        ("G1: only right after the colon", "qa: 8080", colon("qa", "8080")),
        ("G1: only a half-width colon", "qa：8080", colon("qa", "8080", "qa：")),
        ("G1: one slash is a path", "qa:/tmp/x", colon("qa", "/tmp/x")),
        ("G2", "qa\r\n: run", PLAIN),
        ("G2", "qa\u2028: run", PLAIN),
        ("G2: blanks are fine", "qa\u3000\t: run", colon("qa", "run", "qa\u3000\t:")),
        ("G3: reserved", "@http x", UnknownTarget("http")),
        ("G4: at then colon", "@qa security-auditor: y", Conflict("qa", "security-auditor")),
        ("G4: at then zh", "@qa 让 security-auditor y", Conflict("qa", "security-auditor")),
        ("G4: zh then at", "请 qa @qa.bot", Conflict("qa", "qa.bot")),
        ("G4: behind a repeat", "@qa @qa @qa.bot x", Conflict("qa", "qa.bot")),
        ("G4: behind !new", "@qa !new @qa.bot x", Conflict("qa", "qa.bot")),
        ("G4: the same agent twice is a task", "@qa @qa x", at("qa", "@qa x")),
        ("G4: later mention is a task", "@qa ask @qa.bot", at("qa", "ask @qa.bot")),
        ("G4: an address is a task", "@qa http://a.example", at("qa", "http://a.example")),
        ("G5: full-width at", "＠qa run", Hint("qa")),
        ("G5: full-width at, other case", "＠QA run", Hint("qa")),
        ("G5: full-width at, start of one", "＠sec run", Hint("security-auditor")),
        ("G5: full-width at, nobody", "＠nobody run", UnknownTarget("nobody")),
        ("G5: start of one name", "@code x", Hint("code-reviewer")),
        ("G5: start of one name, other case", "@CODE-rev x", Hint("code-reviewer")),
        ("G5: start of one name, nothing more", "@设计", Hint("设计师")),
        ("G5: the start counts after @ only", "code: x", PLAIN),
        ("G5: the start counts after @ only", "请 code x", PLAIN),
        ("several names", "@q x", Ambiguous("q", ("qa", "qa.bot"))),
        ("several names, full-width at", "＠Q x", Ambiguous("Q", ("qa", "qa.bot"))),
        ("G6", "\u200b\ufeff @qa run", at("qa", "run")),
        ("G6", "\ufeffqa: run", colon("qa", "run")),
        ("G6: nothing else", "\u200b\u200d\ufeff", NoRoute("blank")),
        ("G6: only in front, elsewhere a hint", "@\u200bqa run", Hint("qa")),
        ("G6: only in front, elsewhere a hint", "@q\u202ea.bot run", Hint("qa.bot")),
        ("G6: only in front, elsewhere plain", "qa\u200b: run", PLAIN),
        ("nothing that shows", "@\u200b x", PLAIN),
        ("G7: a fence is no prefix", "```\n@qa x\n```", PLAIN),
    ],
)
def test_guards(guard: str, typed: str, routed: Routed) -> None:
    assert route(typed, NAMES) == routed


@pytest.mark.parametrize("typed", ["@qa run", "qa: run", "请 qa 看看", "@qa", "@QA x", "@qa @qa.bot x"])
def test_g7_pasted_text_is_never_routed(typed: str) -> None:
    assert route(typed, NAMES, pasted=True) == NoRoute("pasted")


def test_never_guesses_between_names_that_share_a_start() -> None:
    names = ["acme-research", "other", "acme-legal"]
    assert route("@acme and the same for Q2", names) == Ambiguous("acme", ("acme-research", "acme-legal"))


def test_never_guesses_between_names_that_differ_by_case() -> None:
    assert route("@qa x", ["QA", "Qa"]) == Ambiguous("qa", ("QA", "Qa"))
    assert route("qa: x", ["QA", "Qa"]) == Ambiguous("qa", ("QA", "Qa"))
    assert route("@QA x", ["QA", "Qa"]) == at("QA", "x")
    assert route("＠QA x", ["QA", "Qa"]) == Hint("QA")


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1], sorted(NAMES)])
def test_the_longest_name_wins_in_any_order(names: list[str]) -> None:
    assert route("@qa.bot x", names) == at("qa.bot", "x")
    assert route("qa.bot: x", names) == colon("qa.bot", "x")


def test_an_unknown_name_is_said_back_short_and_clean() -> None:
    assert route("@evil\u202e\x1b[31mname x", NAMES) == UnknownTarget("evilname")
    assert route("@" + "x" * 99, NAMES) == UnknownTarget("x" * 39 + "…")


# --- names ---


@pytest.mark.parametrize(
    "name", ["qa", "qa.bot", "a_b-c.1", "设计师", "デザイナー", "디자이너", "x" * 40, "𠮷"]
)
def test_g3_routable(name: str) -> None:
    assert is_routable_name(name)
    assert route(f"@{name} x", [name]) == at(name, "x")
    assert route(f"{name}: x", [name]) == colon(name, "x")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 41,
        "build box",
        "C++",
        "a@b",
        "a:b",
        "a：b",
        "a/b",
        "a\\b",
        "a\n",
        "qa\u200b",
        "é",
        "аdmin",
    ]
    + [word.upper() for word in RESERVED]
    + sorted(RESERVED),
)
def test_g3_not_routable(name: str) -> None:
    assert not is_routable_name(name)
    assert route(f"@{name} x", [name]) == NoRoute("no-names")


def test_the_reserved_words() -> None:
    assert " ".join(sorted(RESERVED)) == "file ftp fyi http https localhost note ps re todo url"


# --- !new and #a1b2 ---


@pytest.mark.parametrize(
    ("typed", "routed"),
    [
        ("@qa !new run it", ExplicitRoute("qa", "run it", "at_mention", "@qa !new", new_task=True)),
        ("qa: !new\nrun", ExplicitRoute("qa", "run", "colon", "qa: !new", new_task=True)),
        ("qa:!new run", ExplicitRoute("qa", "run", "colon", "qa:!new", new_task=True)),
        ("请 qa !new 跑", ExplicitRoute("qa", "跑", "zh_explicit", "请 qa !new", new_task=True)),
        ("@qa  #a1b2  yes", ExplicitRoute("qa", "yes", "at_mention", "@qa  #a1b2", reply_to="a1b2")),
        ("@qa #A1B2 yes", ExplicitRoute("qa", "yes", "at_mention", "@qa #A1B2", reply_to="a1b2")),
        ("qa：#0000 yes", ExplicitRoute("qa", "yes", "colon", "qa：#0000", reply_to="0000")),
        ("@qa !new", EmptyTask("qa", "at_mention")),
        ("@qa #a1b2 ", EmptyTask("qa", "at_mention")),
        ("@qa !newer", at("qa", "!newer")),
        ("@qa run !new", at("qa", "run !new")),
        ("@qa !NEW run", at("qa", "!NEW run")),
        ("@qa #a1b run", at("qa", "#a1b run")),
        ("@qa #a1b2c run", at("qa", "#a1b2c run")),
        ("@qa #wxyz run", at("qa", "#wxyz run")),
        ("@qa #a1b2, run", at("qa", "#a1b2, run")),
        ("@qa !new #a1b2 x", ExplicitRoute("qa", "#a1b2 x", "at_mention", "@qa !new", new_task=True)),
        ("@qa #a1b2 !new x", ExplicitRoute("qa", "!new x", "at_mention", "@qa #a1b2", reply_to="a1b2")),
        ("!new @qa x", PLAIN),
        ("#a1b2 yes", PLAIN),
    ],
)
def test_a_new_task_or_an_answer(typed: str, routed: Routed) -> None:
    assert route(typed, NAMES) == routed


def test_the_four_fields_come_first() -> None:
    assert ExplicitRoute("qa", "run", "colon", "qa:") == route("qa: run", NAMES)
    assert ExplicitRoute.__match_args__[:4] == ("target", "task", "syntax", "raw_prefix")


# --- the command bar's rows, as far as a pure function says them ---


def test_row_68_plain_text_names_nobody_with_and_without_agents() -> None:
    assert route("summarise the open issues", []) == NoRoute("no-names")
    assert route("summarise the open issues", NAMES) == PLAIN


def test_row_74_an_unknown_name_sends_nothing() -> None:
    assert route("@new x", NAMES) == UnknownTarget("new")


def test_row_75_a_match_tells_name_and_syntax_for_the_route_line() -> None:
    routed = route("qa: run the tests", NAMES)
    assert isinstance(routed, ExplicitRoute)
    assert (routed.target, routed.syntax, routed.task) == ("qa", "colon", "run the tests")


def test_row_76_text_kept_after_a_failed_send_routes_the_same_again() -> None:
    kept = "@qa run\nthe tests"
    assert route(kept, NAMES) == route(kept, NAMES) == at("qa", "run\nthe tests")


def test_row_77_text_that_was_not_typed_names_nobody() -> None:
    # There is no other door: a reply that starts with "@qa" reaches an agent only if it passes as typed.
    assert route("@qa rm -rf ~", NAMES, pasted=True) == NoRoute("pasted")


def test_row_78_a_second_text_for_a_busy_agent_is_only_a_value() -> None:
    # Routing holds no state and sends nothing: queue or refusal is the caller's, both values stand.
    first, second = route("@qa one", NAMES), route("@qa two", NAMES)
    assert (first, second) == (at("qa", "one"), at("qa", "two"))


# --- completion ---


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("@", ("code-reviewer", "security-auditor", "qa", "qa.bot", "设计师")),
        ("@q", ("qa", "qa.bot")),
        ("  @Q", ("qa", "qa.bot")),
        ("\ufeff@qa.", ("qa.bot",)),
        ("＠q", ("qa", "qa.bot")),
        ("@re", ("code-reviewer",)),
        ("@设", ("设计师",)),
        ("@a", ("security-auditor", "qa", "qa.bot")),
        ("请 q", ("qa", "qa.bot")),
        ("让\u3000", ("code-reviewer", "security-auditor", "qa", "qa.bot", "设计师")),
        ("@zzz", ()),
        ("@qa ", ()),
        ("@qa run", ()),
        ("让", ()),
        ("让q", ()),
        ("q", ()),
        ("hi @q", ()),
        ("", ()),
    ],
)
def test_completion(typed: str, names: tuple[str, ...]) -> None:
    assert complete(typed, NAMES) == names


def test_completion_puts_starts_first_and_stops_at_six() -> None:
    names = ["my-qa", "xqa", "qa-1", "qa-2", "QA-3", "qa-4", "qa-5"]
    assert complete("@qa", names) == ("qa-1", "qa-2", "QA-3", "qa-4", "qa-5", "my-qa")
    assert complete("@qa", ["qa", "qa"]) == ("qa",)


# --- properties ---

pieces = st.sampled_from(
    [
        *NAMES,
        *("QA", "nobody", "@", "＠", ":", "：", "让", "请", " ", "\n", "\u3000", "\u200b", "\ufeff"),
        *("!new", "#a1b2", "//", "8080", "\\", "`", "x", "看看", "\x1b", "\ud800"),
    ]
)
typed_text = st.lists(pieces, max_size=12).map("".join) | st.text()
some_names = st.lists(st.sampled_from([*NAMES, "QA", "nobody", "", "x"]) | st.text(max_size=6), max_size=8)


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(typed_text, some_names, st.booleans())
def test_routing_never_raises_and_names_only_who_is_there(text: str, names: list[str], pasted: bool) -> None:
    match route(text, names, pasted=pasted):
        case ExplicitRoute(target, task, syntax, raw_prefix, new_task, reply_to):
            assert target in names and is_routable_name(target) and target in raw_prefix
            assert task == task.strip() != "" and raw_prefix == raw_prefix.strip()
            assert syntax in get_args(Syntax) and not (new_task and reply_to)
            assert squeezed(raw_prefix + task) == squeezed(text.lstrip(" \n\u3000\u200b\u200c\u200d\ufeff"))
        case EmptyTask(target, _) | Hint(target):
            assert target in names and is_routable_name(target)
        case Conflict(first, second):
            assert {first, second} <= set(names) and first != second
        case Ambiguous(prefix, several):
            assert len(several) > 1 and set(several) <= set(names) and prefix
        case UnknownTarget(name):
            assert name and not (name in names and is_routable_name(name))
        case NoRoute(reason):
            assert reason != "blank" or not squeezed(text).strip("\u200b\u200c\u200d\ufeff")


@given(typed_text, some_names)
def test_the_order_of_names_decides_no_route(text: str, names: list[str]) -> None:
    one, other = route(text, names), route(text, names[::-1])
    assert one == other or (isinstance(one, Ambiguous) and isinstance(other, Ambiguous))


@given(typed_text, some_names)
def test_completion_never_raises_and_offers_what_routes(text: str, names: list[str]) -> None:
    offered = complete(text, names)
    assert len(offered) <= 6 and len(set(offered)) == len(offered)
    for name in offered:
        assert route(f"@{name} x", names) == at(name, "x")


def test_a_huge_paste_of_mentions_ends() -> None:
    text = "@qa " * 100_000
    assert isinstance(route(text, NAMES), ExplicitRoute)
    assert route(text + "@qa.bot", NAMES) == Conflict("qa", "qa.bot")
