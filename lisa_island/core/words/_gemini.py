"""Gemini CLI's sessions on this machine: what is read, the rows, the evidence."""

_FIVE = ("five minutes without a record make it unknown", "五分钟没有新记录则变为未知")
_HALF = ("half an hour without a record makes it idle", "半小时没有新记录则变为空闲")
_TIMED = {
    **dict.fromkeys(("prompt", "result"), _FIVE),
    **dict.fromkeys(("over", "rewound", "interrupted", "left-open"), _HALF),
    "tool": (
        "ten seconds without the tool's result make it a long tool, or an approval",
        "工具十秒未返回则视为运行较久或等待批准",
    ),
    "tool-maybe": (
        "five minutes without a record make it unknown, unless its process is seen to live",
        "五分钟没有新记录则变为未知，除非确认其进程存活",
    ),
    "talked": (
        "ten seconds without a record make it probably your turn",
        "十秒没有新记录则视为可能轮到你",
    ),
}

WORDS: dict[str, tuple[str, str]] = {
    "agent.gemini": ("Gemini CLI", "Gemini CLI"),
    "settings.local.gemini": ("Gemini CLI", "Gemini CLI"),
    "settings.local.gemini.hint": (
        "Reads the chats of running sessions: states, counts and names of tools, programs and files. Prompts and "
        "answers are never kept, sign-in files never opened, nothing is written there.",
        "读取正在运行的会话的聊天记录：状态、计数以及工具、程序和文件的名称。"
        "绝不保留提示词和回答，绝不打开登录文件，也不在其中写入任何内容。",
    ),
    "why.signal.chat": ("its chat", "其聊天记录"),
    "why.gemini.not-started": (
        "The session has begun, and nothing was asked yet",
        "会话已开始，尚未收到任何请求",
    ),
    "why.gemini.nothing": ("No record that was read decides a state", "已读记录不足以判断状态"),
    "why.gemini.error": ("An error ended the turn", "本轮以错误结束"),
    "why.gemini.prompt": (
        "The newest message is yours; unknown after five minutes without another",
        "最新的消息是你的；五分钟内无新消息则视为未知",
    ),
    "why.gemini.result": (
        "A tool's result is the newest thing; unknown after five minutes without another",
        "最新的是工具结果；五分钟内无新记录则视为未知",
    ),
    "why.gemini.tool": (
        "The newest message is empty: a tool runs; a result is written when it has ended",
        "最新的消息为空：有工具在运行；结果在结束后才写入",
    ),
    "why.gemini.tool-maybe": (
        "The newest message has been empty for ten seconds: a tool runs, or waits for your approval; its chat "
        "does not tell which",
        "最新的消息已空十秒：工具在运行，或在等待你批准；其聊天记录无法区分",
    ),
    "why.gemini.talked": (
        "A message with a text and a tool's result may go on",
        "带文字和工具结果的消息可能还会继续",
    ),
    "why.gemini.talked-probable": (
        "A message with a text and a tool's result was written ten seconds ago, and nothing followed",
        "十秒前写出带文字和工具结果的消息，之后没有新记录",
    ),
    "why.gemini.over": ("The last answer ended its turn", "最后的回答结束了本轮"),
    "why.gemini.rewound": ("The chat was rewound", "聊天已回退"),
    "why.gemini.interrupted": ("The turn was interrupted, or a tool refused", "本轮被中断，或工具被拒绝"),
    "why.gemini.left-open": (
        "The last turn was open when this process began: an earlier one left it",
        "此进程启动时最后一轮仍未结束：由先前的进程留下",
    ),
    "why.gemini.closed-long": (
        "The last turn is over, and nothing was written for half an hour",
        "最后一轮已结束，且半小时没有新记录",
    ),
    "why.gemini.quiet": (
        "The last turn is open, and nothing was written for five minutes",
        "最后一轮未结束，且五分钟没有新记录",
    ),
    "why.gemini.dead-open": ("The process has ended in the middle of a turn", "进程在一轮中途结束"),
    "why.gemini.dead-closed": (
        "The process has ended, after a turn that was over",
        "进程已结束，最后一轮已完成",
    ),
    **{f"would.gemini.{rule}": said for rule, said in _TIMED.items()},
}
