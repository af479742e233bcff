"""Hosts that report their own sessions: the command, the evidence, what is refused."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.generic": ("Reported", "外部上报"),
    "why.signal.report": ("its host's own report", "其宿主的上报"),
    "why.generic.state": ("Its host says so", "其宿主如此上报"),
    "why.generic.working": (
        "Its host says that it works; unknown after five minutes without a word, thirty while a tool runs",
        "其宿主表示正在工作；五分钟无消息（工具运行时为三十分钟）则视为未知",
    ),
    "why.generic.asked": ("Its host says that it waits for your decision", "其宿主表示正在等你决定"),
    "why.generic.left": ("Its host says that it has ended", "其宿主表示已结束"),
    "why.generic.silent": (
        "Its host said that it works, and has not said a word since",
        "其宿主曾表示正在工作，此后再无消息",
    ),
    "why.generic.dead": ("The process that its host named has ended", "其宿主给出的进程已结束"),
    "why.generic.none": ("Its host has named no state", "其宿主没有给出状态"),
    "would.generic.working": (
        "five minutes without a word make it unknown, thirty while a tool runs",
        "五分钟无消息（工具运行时为三十分钟）则变为未知",
    ),
    "cli.help.event": (
        "report the sessions of a host of yours: a JSON object a line on standard input",
        "上报你自己的宿主中的会话：标准输入中每行一个 JSON 对象",
    ),
    "cli.help.event.agent": ("the host's name; you allow it once", "宿主名称；需由你允许一次"),
    "cli.help.event.session": ("the session, where a line names none", "会话编号，用于未注明会话的行"),
    "cli.help.event.allow": ("let this name report from now on", "从现在起允许此名称上报"),
    "cli.help.event.forbid": (
        "take its reports no longer, and its rows away",
        "不再接受其上报，并移除其各行",
    ),
    "settings.reporters": ("Hosts that report their own sessions", "自行上报会话的宿主"),
    "settings.reporters.hint": ("None may report.", "均不可上报。"),
    "settings.reporters.none": (
        "None. You allow a name at a terminal: lisa-island event --agent NAME --allow",
        "无。可在终端中允许某个名称：lisa-island event --agent NAME --allow",
    ),
    "settings.reporters.forbid": ("Allow none", "全部取消"),
    "report.allowed": (
        "“{name}” may report its sessions from now on.",
        "“{name}” 从现在起可以上报会话。",
    ),
    "report.forbidden": ("“{name}” may not report. Its rows are gone.", "“{name}” 不可上报。其各行已移除。"),
    "report.not-allowed": (
        "“{name}” may not report yet. You allow it with: lisa-island event --agent {name} --allow",
        "“{name}” 尚不可上报。可由你允许：lisa-island event --agent {name} --allow",
    ),
    "report.full": (
        "{limit} names may report; forbid one first.",
        "最多 {limit} 个名称可以上报；请先取消一个。",
    ),
    "report.bad-name": (
        "A host's name is one word of letters, digits, “_”, “.” and “-”, at most 40.",
        "宿主名称须为一个词，只含字母、数字、“_”、“.”、“-”，最多 40 个字符。",
    ),
    "report.bad-events": (
        "“events” is a list of at most {limit} objects.",
        "“events” 须为列表，最多 {limit} 个对象。",
    ),
    "report.dropped": (
        "{n} were not taken: not one of the known events, or too many at once.",
        "有 {n} 条未被接受：不是可识别的事件，或一次过多。",
    ),
}
