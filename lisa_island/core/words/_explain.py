"""Why a state is believed and what would change it: the page's line and `explain`."""

_FIVE = ("five minutes without a record make it unknown", "五分钟没有新记录则变为未知")
_HALF = ("half an hour without a record makes it idle", "半小时没有新记录则变为空闲")
_HALF_LIVE = ("half an hour at its prompt makes it idle", "停在输入处半小时则变为空闲")
_TIMED = {
    "idle": _HALF_LIVE,
    "idle-interrupted": _HALF_LIVE,
    "idle-background": _HALF_LIVE,
    "idle-compacted": _HALF_LIVE,
    "transcript-prompt": _FIVE,
    "transcript-thinking": _FIVE,
    "transcript-result": _FIVE,
    "transcript-retrying": _FIVE,
    "transcript-text-open": (
        "ten seconds without a record make it probably your turn",
        "十秒没有新记录则视为可能轮到你",
    ),
    "transcript-tool": (
        "two minutes without the tool's result make it a long tool, or an approval",
        "工具两分钟未返回则视为运行较久或等待批准",
    ),
    "transcript-tool-long": (
        "five minutes without a record make it unknown, unless its process is seen to live",
        "五分钟没有新记录则变为未知，除非确认其进程存活",
    ),
    "transcript-turn-over": _HALF,
    "transcript-cut-off": _HALF,
    "transcript-closed": _HALF,
    "transcript-closed-background": _HALF,
    "transcript-interrupted": _HALF,
    "transcript-compacted": _HALF,
    "transcript-command": _HALF,
}

WORDS: dict[str, tuple[str, str]] = {
    "would.line": ("What would change it: {what}.", "什么会改变它：{what}。"),
    "would.join": ("; ", "；"),
    "would.offline": ("an answer of its source, which is offline", "其来源恢复响应（目前离线）"),
    "would.called": ("a call", "一次调用"),
    "would.answered": (
        "your answer, or the agent taking its question back; silence never does",
        "你的回答，或智能体撤回提问；沉默不会改变它",
    ),
    "would.decided": (
        "your decision in its own window, or its end; silence never does",
        "你在其自身窗口中的决定，或其结束；沉默不会改变它",
    ),
    "would.rank.1": ("a sign that the session was taken up again", "会话被重新启用的迹象"),
    "would.rank.2": (
        "a newer record of its own, or a live word, which weighs more",
        "它自己的新记录，或分量更重的实时消息",
    ),
    "would.rank.3": (
        "a newer word of its own, or the end of its process; no line of a transcript outweighs it",
        "它自己的新消息，或其进程结束；记录中的任何一行都不能压过它",
    ),
    "would.rank.4": (
        "your decision in its own window, or its end; silence never does",
        "你在其自身窗口中的决定，或其结束；沉默不会改变它",
    ),
    "would.over": (
        "nothing by itself, for it is over; a new message begins a new call",
        "它已结束，不会自行改变；新消息会开始新的调用",
    ),
    "would.followed": ("the agent's next word", "智能体的下一条消息"),
    "would.unfollowed": (
        "the agent's next word, which may not come: no call is open",
        "智能体的下一条消息，但可能不会到来：没有打开的调用",
    ),
    **{f"would.claude-code.{rule}": said for rule, said in _TIMED.items()},
    "why.request.permission": ("A permission waits for you", "有权限请求在等你"),
    "why.request.question": ("A question waits for you", "有提问在等你"),
    "why.request.input": ("A request for input waits for you", "有输入请求在等你"),
    "why.request.auth": ("A sign-in waits for you", "有登录请求在等你"),
    "why.request.plan": ("A plan waits for you", "有计划在等你"),
    "why.request.external": ("A dialog waits for you", "有对话框在等你"),
    "explain.rule": ("Rule {rule}, rank {rank} of 4, {ago}.", "规则 {rule}，等级 {rank}/4，{ago}。"),
    "explain.source": ("Its source: {health}", "其来源：{health}"),
    "explain.none": (
        "No session is called “{wanted}”. lisa-island status names them.",
        "没有名为“{wanted}”的会话。lisa-island status 会列出名称。",
    ),
    "explain.several": (
        "“{wanted}” names several: {sessions}. Use more of the id.",
        "“{wanted}” 对应多个：{sessions}。请使用更长的编号。",
    ),
    "cli.help.explain": ("say why a session's state is believed", "说明为何认定某个会话的状态"),
    "cli.help.explain.session": (
        "a session's id, its beginning, or a label, as status prints it",
        "会话编号、其开头或标签，如 status 所示",
    ),
}
