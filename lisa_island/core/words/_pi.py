"""pi's sessions on this machine: what is read, the evidence."""

_FIVE = ("five minutes without a record make it unknown", "五分钟没有新记录则变为未知")
_HALF = ("half an hour without a record makes it idle", "半小时没有新记录则变为空闲")
_TIMED = {
    **dict.fromkeys(("prompt", "result", "retrying"), _FIVE),
    **dict.fromkeys(("over", "compacted", "interrupted", "left-open"), _HALF),
    "tool": (
        "five minutes without a record make it unknown, unless its process is seen to live",
        "五分钟没有新记录则变为未知，除非确认其进程存活",
    ),
}

WORDS: dict[str, tuple[str, str]] = {
    "agent.pi": ("pi", "pi"),
    "settings.local.pi": ("pi", "pi"),
    "settings.local.pi.hint": (
        "Reads the sessions that run: states, counts and names of tools, programs and files. Prompts and answers "
        "are never kept, sign-in files never opened, nothing is written there.",
        "读取正在运行的会话：状态、计数以及工具、程序和文件的名称。"
        "绝不保留提示词和回答，绝不打开登录文件，也不在其中写入任何内容。",
    ),
    "why.pi.not-started": (
        "The session has begun, and nothing was asked yet",
        "会话已开始，尚未收到任何请求",
    ),
    "why.pi.nothing": ("No record that was read decides a state", "已读记录不足以判断状态"),
    "why.pi.error": ("An error ended the turn, and it is not tried again", "本轮以错误结束，且没有重试"),
    "why.pi.prompt": ("A prompt was sent, and nothing came back yet", "提示词已发出，尚无回应"),
    "why.pi.result": ("A tool's result went back to the model", "工具结果已交回模型"),
    "why.pi.retrying": ("A request failed and is tried again", "请求失败，正在重试"),
    "why.pi.tool": ("A tool was called and has not answered", "已调用工具，尚未返回"),
    "why.pi.over": ("The last answer ended its turn", "最后的回答结束了本轮"),
    "why.pi.compacted": ("Its talk was shortened, nothing was asked since", "会话已压缩，此后没有新的请求"),
    "why.pi.interrupted": ("The turn was interrupted", "本轮被中断"),
    "why.pi.left-open": ("A turn was left open by a process before this one", "之前的进程留下了未结束的一轮"),
    "why.pi.closed-long": ("The last turn ended long ago", "上一轮早已结束"),
    "why.pi.quiet": ("A turn is open, and nothing was written for long", "本轮未结束，但长时间没有新记录"),
    "why.pi.dead-open": ("The process has ended in the middle of a turn", "进程在一轮中途结束"),
    "why.pi.dead-closed": ("The process has ended, its last turn was over", "进程已结束，其最后一轮已完成"),
    **{f"would.pi.{rule}": said for rule, said in _TIMED.items()},
}
