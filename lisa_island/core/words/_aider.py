"""Aider's runs on this machine: what is read, the rows, the evidence."""

_FIVE = ("five minutes without a line make it unknown", "五分钟没有新的行则变为未知")
_HALF = ("half an hour without a line makes it idle", "半小时没有新的行则变为空闲")
_TIMED = {
    **dict.fromkeys(("prompt", "goes-on", "retrying"), _FIVE),
    **dict.fromkeys(("answered", "interrupted"), _HALF),
}

WORDS: dict[str, tuple[str, str]] = {
    "agent.aider": ("aider", "aider"),
    "settings.local.aider": ("aider", "aider"),
    "settings.local.aider.hint": (
        "Reads the chat history in the folder of each running aider: states, counts, tokens and names of edited "
        "files. Prompts, answers and its command line are never kept, nothing is written there.",
        "读取每个正在运行的 aider 所在文件夹中的聊天历史：状态、计数、词元以及被修改文件的名称。"
        "绝不保留提示词、回答和命令行，也不在其中写入任何内容。",
    ),
    "row.local.history-elsewhere": ("Its history is not where it was looked for", "未在预期位置找到其历史"),
    "row.local.history-shared": ("Shares its history with another one", "与另一个实例共用历史"),
    "row.local.tool-crashed": ("Failed: the program itself", "失败：程序自身出错"),
    "why.signal.history": ("its chat history", "其聊天历史"),
    "why.aider.elsewhere": (
        "No history in its folder was written since the process began",
        "自进程启动以来，其文件夹中没有写入过历史",
    ),
    "why.aider.shared": (
        "Two of them write into one history; whose lines these are cannot be told",
        "有两个实例写入同一历史；无法分辨各行属于谁",
    ),
    "why.aider.not-started": ("The run has begun, and nothing was asked yet", "运行已开始，尚未收到任何请求"),
    "why.aider.nothing": ("No line that was read decides a state", "已读的行不足以判断状态"),
    "why.aider.left": ("It was told to leave", "已要求其退出"),
    "why.aider.error": ("The last line of its own is a failure", "其自身的最后一行是失败"),
    "why.aider.prompt": (
        "The last thing is a prompt; nothing is written before the answer is whole, so unknown after five minutes",
        "最后是一条提示词；回答完整之前不会写入，因此五分钟后视为未知",
    ),
    "why.aider.goes-on": (
        "A question was answered with yes, and it goes on by itself; unknown after five minutes",
        "已对其询问回答“是”，它会自行继续；五分钟后视为未知",
    ),
    "why.aider.retrying": ("A failed request is tried again", "正在重试失败的请求"),
    "why.aider.interrupted": ("The last line of its own is an interruption", "其自身的最后一行是中断"),
    "why.aider.answered": ("The count of tokens closes the last answer", "词元统计结束了最后的回答"),
    "why.aider.closed-long": (
        "The last turn is over, and nothing was written for half an hour",
        "最后一轮已结束，且半小时没有新记录",
    ),
    "why.aider.quiet": (
        "A prompt has no answer, and nothing was written for five minutes",
        "提示词尚无回答，且五分钟没有新记录",
    ),
    "why.aider.dead-open": ("The process has ended in the middle of a turn", "进程在一轮中途结束"),
    "why.aider.dead-closed": (
        "The process has ended, after a turn that was over",
        "进程已结束，最后一轮已完成",
    ),
    **{f"would.aider.{rule}": said for rule, said in _TIMED.items()},
}
