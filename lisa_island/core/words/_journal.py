"""The journal of what happened: the commands `journal` and `replay`."""

WORDS: dict[str, tuple[str, str]] = {
    "cli.help.journal": (
        "print when which session was in which state, from the kept journal",
        "按保留的日志输出各会话在何时处于何种状态",
    ),
    "cli.help.journal.session": ("only this session, as status names it", "只看此会话，名称如 status 所示"),
    "cli.help.journal.export": (
        "write the journal to a new file (- prints it) that replay reads; it holds no text, and no ids but tags",
        "将日志写入新文件（- 表示直接输出），可由 replay 读取；其中没有文字，编号也仅为标记",
    ),
    "cli.help.replay": ("print the states of an exported journal", "输出已导出日志中的状态"),
    "cli.help.replay.file": ("a file that journal --export wrote", "由 journal --export 写出的文件"),
    "settings.journal": ("Journal", "日志"),
    "settings.journal.hint": (
        "When which session was in which state, which kind of tool ran, and counts. No text, no name.",
        "各会话何时处于何种状态、运行了哪类工具以及计数。不含文字，也不含名称。",
    ),
    "settings.journal.none": ("Keep none", "不保留"),
    "settings.journal.days.one": ("1 day", "1 天"),
    "settings.journal.days.many": ("{n} days", "{n} 天"),
    "journal.none": (
        "Nothing is kept of a session called “{wanted}”.",
        "没有保留名为“{wanted}”的会话的记录。",
    ),
    "journal.empty": ("Nothing is kept yet.", "尚无保留的记录。"),
    "journal.gone": ("no longer watched", "不再查看"),
    "journal.exported": (
        "{file} holds the journal: states, kinds of work, times and tags; no text, no name of yours.",
        "{file} 已写入日志：状态、工作类别、时间和标记；没有文字，也没有你的名称。",
    ),
    "replay.unreadable": ("{file} cannot be read: {why}", "无法读取 {file}：{why}"),
    "replay.no-journal": (
        "{file} is no journal that can be replayed (line {line}).",
        "{file} 不是可重放的日志（第 {line} 行）。",
    ),
}
