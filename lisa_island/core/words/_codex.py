"""Codex's threads on this machine: what is read, the rows, the evidence."""

_HALF = ("half an hour without a record makes it idle", "半小时没有新记录则变为空闲")
_TIMED = {
    **dict.fromkeys(("closed", "interrupted", "crashed", "compacted"), _HALF),
    "thinking-unsure": ("minutes without a record make it unknown", "数分钟没有新记录则变为未知"),
    "tool": (
        "two minutes without the tool's result make it a long tool, or an approval",
        "工具两分钟未返回则视为运行较久或等待批准",
    ),
    "tool-escalated": (
        "five seconds without its result make it maybe an approval",
        "五秒未返回则视为可能在等待批准",
    ),
    "tool-unsure": (
        "ten minutes without the tool's result make it unknown",
        "工具十分钟未返回则变为未知",
    ),
    "text-open": (
        "ten seconds without a record make it probably your turn",
        "十秒没有新记录则视为可能轮到你",
    ),
}

WORDS: dict[str, tuple[str, str]] = {
    "agent.codex": ("Codex", "Codex"),
    "settings.local.codex": ("Codex", "Codex"),
    "settings.local.codex.hint": (
        "Reads the session files of threads that a process has open: states, counts and names of tools, programs "
        "and files. Prompts and answers are never kept, keys and history never opened, nothing is written there.",
        "仅读取有进程打开的会话文件：状态、计数以及工具、程序和文件的名称。"
        "绝不保留提示词和回答，绝不打开密钥和历史记录，也不在其中写入任何内容。",
    ),
    "row.local.maybe-approval": ("Maybe an approval", "可能在等待批准"),
    "row.local.usage-limit": ("Failed: usage limit", "失败：达到用量上限"),
    "why.signal.lock": ("its lock files", "其锁文件"),
    "why.codex.archived": ("The session is archived", "会话已归档"),
    "why.codex.error": ("The last turn ended with an error", "最后一轮以错误结束"),
    "why.codex.dead-open": (
        "No process has it open any more, and a turn was not over",
        "已无进程打开它，且有一轮未结束",
    ),
    "why.codex.dead-closed": (
        "No process has it open any more, and the last turn was over",
        "已无进程打开它，最后一轮已完成",
    ),
    "why.codex.not-started": (
        "A process has it open, and nothing was asked yet",
        "有进程打开它，尚未收到任何请求",
    ),
    "why.codex.nothing": ("No record that was read decides a state", "已读记录不足以判断状态"),
    "why.codex.crashed": (
        "Its turn was never closed, and the process that has it open began later: that turn was cut off",
        "该轮从未结束，而打开它的进程启动更晚：该轮已中断",
    ),
    "why.codex.question": (
        "Its question waits for an answer, and a process has it open",
        "其提问在等待回答，且有进程打开它",
    ),
    "why.codex.maybe-approval": (
        "A command asked to leave the sandbox and has not returned for five seconds; "
        "whether it runs or waits for you cannot be read",
        "有命令请求离开沙箱，五秒未返回；无法读出是在运行还是在等你",
    ),
    "why.codex.tool": ("A tool has not returned", "有工具尚未返回"),
    "why.codex.tool-escalated": (
        "A command asked to leave the sandbox and has not returned",
        "有命令请求离开沙箱，尚未返回",
    ),
    "why.codex.tool-waits": (
        "A tool waits for a subagent, and a process has it open",
        "有工具在等待子智能体，且有进程打开它",
    ),
    "why.codex.tool-unsure": (
        "A tool has not returned for two minutes; whether its process lives is not known",
        "工具已两分钟未返回；其进程是否存活未知",
    ),
    "why.codex.tool-long": (
        "A tool has not returned for two minutes; whether it waits for you cannot be read",
        "工具已两分钟未返回；无法读出是否在等你",
    ),
    "why.codex.thinking": (
        "A turn has begun and is not over, and a process has it open",
        "一轮已开始且未结束，且有进程打开它",
    ),
    "why.codex.thinking-unsure": (
        "The last record is a turn at work, and nothing else says that it goes on",
        "最后一条记录是进行中的一轮，别无其他迹象表明仍在继续",
    ),
    "why.codex.compacting": ("The conversation is being compacted", "正在压缩对话"),
    "why.codex.quiet": (
        "The last turn is open, and nothing was written for minutes",
        "最后一轮未结束，且数分钟没有新记录",
    ),
    "why.codex.text-open": (
        "A text was written that may go on; probably your turn after ten seconds",
        "已写出一段可能未完的文字；十秒后视为可能轮到你",
    ),
    "why.codex.text-probable": (
        "A text was written ten seconds ago, and nothing followed; this version does not say when a turn ends",
        "十秒前写出一段文字，之后没有新记录；此版本不说明一轮何时结束",
    ),
    "why.codex.closed": ("The turn's end is recorded", "已记录本轮结束"),
    "why.codex.closed-subagents": (
        "The turn's end is recorded, and subagents of it work on",
        "已记录本轮结束，其子智能体仍在工作",
    ),
    "why.codex.closed-long": (
        "The last turn is over, and nothing was written for half an hour",
        "最后一轮已结束，且半小时没有新记录",
    ),
    "why.codex.compacted": ("The conversation was compacted", "对话已压缩"),
    "why.codex.interrupted": (
        "The turn was interrupted, or a command refused",
        "本轮被中断，或命令被拒绝",
    ),
    **{f"would.codex.{rule}": said for rule, said in _TIMED.items()},
}
