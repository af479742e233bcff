"""Claude Code's sessions on this machine: what is read, the rows, the evidence, the history."""

WORDS: dict[str, tuple[str, str]] = {
    "settings.local.claude-code": ("Claude Code", "Claude Code"),
    "settings.local.claude-code.hint": (
        "Reads its list of processes and the transcripts of running sessions: states, counts, names of tools, "
        "programs and files. Prompts and answers are never kept, key files never opened, nothing is written there.",
        "读取其进程列表和正在运行的会话记录：状态、计数以及工具、程序和文件的名称。"
        "绝不保留提示词和回答，绝不打开密钥文件，也不在其中写入任何内容。",
    ),
    "row.local.retrying": ("Retrying", "正在重试"),
    "row.local.long-tool": ("Long tool, or an approval", "工具运行较久，或在等待批准"),
    "row.local.background-shell": ("Your turn, a command runs on", "轮到你，仍有命令在运行"),
    "row.local.background-agents": ("Your turn, subagents run on", "轮到你，仍有子智能体在运行"),
    "row.local.interrupted": ("Interrupted, your turn", "已中断，轮到你"),
    "row.local.compacted": ("Ready after a command", "命令已完成，可继续"),
    "row.local.your-turn-probable": ("Probably your turn", "可能轮到你"),
    "row.local.not-started": ("Not started", "尚未开始"),
    "row.local.quiet": ("Quiet", "没有动静"),
    "row.local.exited": ("Ended", "已结束"),
    "row.local.ended-mid-turn": ("Ended in the middle of a turn", "在一轮中途结束"),
    "row.local.nothing-decisive": ("Its transcript does not tell", "记录中看不出状态"),
    "row.local.new-status": ("A status that is new to us", "未知的新状态"),
    "row.local.overloaded": ("Failed: the model is overloaded", "失败：模型过载"),
    "row.local.rate-limit": ("Failed: rate limit", "失败：达到速率限制"),
    "row.local.auth": ("Failed: sign-in", "失败：登录问题"),
    "row.local.bad-request": ("Failed: the request was refused", "失败：请求被拒绝"),
    "row.local.server-error": ("Failed: the server", "失败：服务器出错"),
    "row.local.api-error": ("Failed: the API", "失败：API 出错"),
    "detail.turns": ("turns", "轮次"),
    "detail.tokens": ("tokens out", "输出词元"),
    "detail.at-least": ("{n}+", "{n}+"),
    "why.signal.registry": ("its list of processes", "其进程列表"),
    "why.signal.transcript": ("its transcript", "其会话记录"),
    "why.signal.process": ("the process", "进程"),
    "why.claude-code.waiting-permission": (
        "Claude Code says that a permission dialog is open",
        "Claude Code 表示权限对话框已打开",
    ),
    "why.claude-code.waiting-question": ("Claude Code says that it asks you", "Claude Code 表示正在向你提问"),
    "why.claude-code.waiting-plan": ("A plan waits for your approval", "有计划等待你批准"),
    "why.claude-code.waiting-dialog": (
        "Claude Code says that a dialog is open",
        "Claude Code 表示有对话框已打开",
    ),
    "why.claude-code.busy": (
        "Claude Code says that it is busy, and its process lives",
        "Claude Code 表示忙碌，进程存活",
    ),
    "why.claude-code.busy-tool": (
        "Claude Code says that it is busy, and a tool has not returned",
        "Claude Code 表示忙碌，且有工具尚未返回",
    ),
    "why.claude-code.busy-retrying": (
        "Claude Code says that it is busy, and its last record is a failed request",
        "Claude Code 表示忙碌，最后一条记录是失败的请求",
    ),
    "why.claude-code.shell": (
        "Claude Code is at its prompt while a command runs in the background",
        "Claude Code 停在输入处，后台仍有命令运行",
    ),
    "why.claude-code.idle": (
        "Claude Code says that it is idle, and the turn is over",
        "Claude Code 表示空闲，本轮已结束",
    ),
    "why.claude-code.idle-error": (
        "Claude Code says that it is idle, and its last record is a failed request",
        "Claude Code 表示空闲，最后一条记录是失败的请求",
    ),
    "why.claude-code.idle-interrupted": (
        "Claude Code says that it is idle, and the turn was stopped before its end",
        "Claude Code 表示空闲，本轮在结束前被停止",
    ),
    "why.claude-code.idle-background": (
        "Claude Code says that it is idle, and subagents were running when the turn ended",
        "Claude Code 表示空闲，本轮结束时仍有子智能体在运行",
    ),
    "why.claude-code.idle-compacted": (
        "Claude Code says that it is idle, after the conversation was compacted",
        "Claude Code 表示空闲，此前对话已压缩",
    ),
    "why.claude-code.idle-long": ("Claude Code has been idle for half an hour", "Claude Code 已空闲半小时"),
    "why.claude-code.not-started": (
        "The process lives, and nothing was asked yet",
        "进程存活，尚未收到任何请求",
    ),
    "why.claude-code.new-status": (
        "Claude Code names a status that we do not know",
        "Claude Code 给出了未知状态",
    ),
    "why.claude-code.dead-closed": (
        "The process has ended, after a turn that was over",
        "进程已结束，最后一轮已完成",
    ),
    "why.claude-code.dead-open": ("The process has ended in the middle of a turn", "进程在一轮中途结束"),
    "why.claude-code.transcript-nothing": (
        "No record that was read decides a state",
        "已读记录不足以判断状态",
    ),
    "why.claude-code.transcript-error": ("The last record is a failed request", "最后一条记录是失败的请求"),
    "why.claude-code.transcript-prompt": (
        "The last record is a prompt; unknown after five minutes without another",
        "最后一条记录是提示词；五分钟内无新记录则视为未知",
    ),
    "why.claude-code.transcript-thinking": (
        "The last record is the model at work; unknown after five minutes without another",
        "最后一条记录是模型在工作；五分钟内无新记录则视为未知",
    ),
    "why.claude-code.transcript-result": (
        "The last record is a tool's result; unknown after five minutes without another",
        "最后一条记录是工具结果；五分钟内无新记录则视为未知",
    ),
    "why.claude-code.transcript-retrying": (
        "The last record is a request that is tried again",
        "最后一条记录是正在重试的请求",
    ),
    "why.claude-code.transcript-text-open": (
        "A text was written that may go on; probably your turn after ten seconds",
        "已写出一段可能未完的文字；十秒后视为可能轮到你",
    ),
    "why.claude-code.transcript-text-probable": (
        "A text was written ten seconds ago, and nothing followed; this version does not say when a turn ends",
        "十秒前写出一段文字，之后没有新记录；此版本不说明一轮何时结束",
    ),
    "why.claude-code.transcript-tool": ("A tool has not returned", "有工具尚未返回"),
    "why.claude-code.transcript-tool-long": (
        "A tool has not returned for two minutes; whether it waits for you cannot be read",
        "工具已两分钟未返回；无法读出是否在等你",
    ),
    "why.claude-code.transcript-quiet": (
        "The last turn is open, and nothing was written for five minutes",
        "最后一轮未结束，且五分钟没有新记录",
    ),
    "why.claude-code.transcript-closed-long": (
        "The last turn is over, and nothing was written for half an hour",
        "最后一轮已结束，且半小时没有新记录",
    ),
    "why.claude-code.transcript-closed-background": (
        "The turn is over, and subagents were running when it ended",
        "本轮已结束，结束时仍有子智能体在运行",
    ),
    "why.claude-code.transcript-turn-over": ("The last reply ended its turn", "最后的回答结束了本轮"),
    "why.claude-code.transcript-cut-off": ("The last reply was cut off or refused", "最后的回答被截断或拒绝"),
    "why.claude-code.transcript-closed": ("The turn's end is recorded", "已记录本轮结束"),
    "why.claude-code.transcript-interrupted": (
        "The turn was interrupted, or a tool refused",
        "本轮被中断，或工具被拒绝",
    ),
    "why.claude-code.transcript-compacted": ("The conversation was compacted", "对话已压缩"),
    "why.claude-code.transcript-command": (
        "A command of the tool itself was the last thing",
        "最后一条是工具自身的命令",
    ),
    "why.claude-code.transcript-unfinished": ("The last text has no end", "最后一段文字没有结束标记"),
    "fact.local.off": ("off", "关闭"),
    "fact.local.hints": (
        "on; changes come as hints, sweeps each second while one runs",
        "开启；变更由系统提示，运行时每秒检查",
    ),
    "fact.local.sweeps": ("on; found by sweeps alone", "开启；仅靠定期检查"),
    "fact.local.exhausted": (
        "on; found by sweeps alone, the kernel has no watches left",
        "开启；仅靠定期检查，内核监视已用尽",
    ),
    "fact.local.waiting": ("on; no folder of it here", "开启；本机没有其文件夹"),
    "fact.local.unreadable": ("on; some of its files cannot be read", "开启；部分文件无法读取"),
    "fact.local.unverified": ("not verified with version {versions}", "未经验证的版本：{versions}"),
    "fact.local.unknown.one": (
        "1 kind of record of version {version} is not known here",
        "版本 {version} 有 1 种未知记录",
    ),
    "fact.local.unknown.many": (
        "{n} kinds of records of version {version} are not known here",
        "版本 {version} 有 {n} 种未知记录",
    ),
    "fact.local.slow": ("on; its folder does not answer", "开启；其文件夹没有响应"),
    "settings.local": ("On this machine", "本机智能体"),
    "settings.local.about": (
        "Each is off until you switch it on here, whatever LISA itself watches.",
        "每一项在你于此开启前均为关闭，与 LISA 自身监视的内容无关。",
    ),
}
