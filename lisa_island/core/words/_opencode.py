"""OpenCode's sessions on this machine: what is read, the rows, the evidence."""

_FIVE = ("five minutes without a change make it unknown", "五分钟无变化则变为未知")
_HALF = ("half an hour without a change makes it idle", "半小时无变化则变为空闲")
_TIMED = {
    **dict.fromkeys(("prompt", "thinking", "retrying", "compacting"), _FIVE),
    **dict.fromkeys(("closed", "idle", "interrupted", "rejected", "probable", "left-open"), _HALF),
    "tool": (
        "two minutes without the tool's result make it a long tool, or an approval",
        "工具两分钟未返回则视为运行较久或等待批准",
    ),
    "loop": (
        "ten seconds without another message make it unknown, or probably your turn",
        "十秒没有下一条消息则变为未知或视为可能轮到你",
    ),
}

WORDS: dict[str, tuple[str, str]] = {
    "agent.opencode": ("OpenCode", "OpenCode"),
    "settings.local.opencode": ("OpenCode", "OpenCode"),
    "settings.local.opencode.hint": (
        "Reads the states, counts and names of tools, programs and files of running sessions from its database, "
        "while a process of it lives. Prompts and answers are never kept, its accounts never read, nothing is "
        "written there.",
        "仅在其进程存活时，从其数据库读取正在运行的会话的状态、计数以及工具、程序和文件的名称。"
        "绝不保留提示词和回答，绝不读取其账户，也不在其中写入任何内容。",
    ),
    "row.local.compacting": ("Compacting the conversation", "正在压缩对话"),
    "row.local.archived": ("Archived", "已归档"),
    "row.local.output-length": ("Failed: the answer grew too long", "失败：回答过长"),
    "row.local.context-full": ("Failed: the conversation is too long", "失败：对话过长"),
    "why.signal.records": ("its records", "其记录"),
    "why.opencode.archived": ("The session is archived", "会话已归档"),
    "why.opencode.compacting": (
        "A compaction has begun and its process lives; unknown after five minutes",
        "压缩已开始且进程存活；五分钟后视为未知",
    ),
    "why.opencode.interrupted": ("The newest message was aborted", "最新的消息已被中止"),
    "why.opencode.rejected": (
        "The last tool was refused, and nothing followed",
        "最后的工具被拒绝，之后没有动作",
    ),
    "why.opencode.left-open": (
        "The last turn was open when this process began: an earlier one left it",
        "此进程启动时最后一轮仍未结束：由先前的进程留下",
    ),
    "why.opencode.error": ("The newest message ended with an error", "最新的消息以错误结束"),
    "why.opencode.nothing": ("No message decides a state", "没有消息足以判断状态"),
    "why.opencode.idle": ("The end of the run is recorded", "已记录本次运行结束"),
    "why.opencode.prompt": (
        "The newest message is yours; unknown after five minutes without another",
        "最新的消息是你的；五分钟内无新消息则视为未知",
    ),
    "why.opencode.thinking": (
        "A message is being written; unknown after five minutes without a change",
        "正在写一条消息；五分钟无变化则视为未知",
    ),
    "why.opencode.retrying": ("A failed request is tried again", "正在重试失败的请求"),
    "why.opencode.tool": ("A tool has not returned", "有工具尚未返回"),
    "why.opencode.tool-long": (
        "A tool has not returned for two minutes; an approval looks the same in its records",
        "工具已两分钟未返回；等待批准在其记录中看起来相同",
    ),
    "why.opencode.subagent": ("A subagent has not returned", "有子智能体尚未返回"),
    "why.opencode.question": (
        "Its question tool waits for an answer, and its process lives",
        "其提问工具在等待回答，且进程存活",
    ),
    "why.opencode.loop": ("A message goes on with another one", "一条消息之后还有下一条"),
    "why.opencode.loop-quiet": (
        "A message was to go on with another one, and none followed for ten seconds",
        "一条消息之后本应还有下一条，但十秒内没有",
    ),
    "why.opencode.probable": (
        "A message was completed that does not say how; nothing followed for ten seconds",
        "一条消息已完成但未说明方式；十秒内没有后续",
    ),
    "why.opencode.closed": ("The last answer ended its turn", "最后的回答结束了本轮"),
    "why.opencode.closed-long": (
        "The last turn is over, and nothing was written for half an hour",
        "最后一轮已结束，且半小时没有新记录",
    ),
    "why.opencode.quiet": (
        "The last turn is open, and nothing was written for five minutes",
        "最后一轮未结束，且五分钟没有新记录",
    ),
    "why.opencode.dead-open": ("The process has ended in the middle of a turn", "进程在一轮中途结束"),
    "why.opencode.dead-closed": (
        "The process has ended, after a turn that was over",
        "进程已结束，最后一轮已完成",
    ),
    **{f"would.opencode.{rule}": said for rule, said in _TIMED.items()},
}
