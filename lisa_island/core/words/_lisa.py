"""The sessions of a running LISA: what is asked, the rows, the evidence."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.lisa": ("LISA", "LISA"),
    "settings.local.lisa": ("LISA's sessions", "LISA 的会话"),
    "settings.local.lisa.hint": (
        "Asks the LISA that runs on this computer for its sessions: states, counts, names of tools and files. What "
        "this island shows by itself is not shown twice. Nothing is sent to it, and nothing is answered from here.",
        "向本机运行的 LISA 查询其会话：状态、计数以及工具和文件的名称。小岛已显示的内容不会重复显示。"
        "不会向它发送任何内容，也不会在此作答。",
    ),
    "why.signal.lisa-server": ("LISA's server", "LISA 的服务"),
    "would.lisa.watched": (
        "what it tells next, or its list, every 30 seconds",
        "它的下一条消息，或每 30 秒的列表",
    ),
    "why.lisa.permission": (
        "LISA holds one of its own agents before this tool; decide it in LISA",
        "LISA 在此工具前暂停了它自己的智能体；请在 LISA 中决定",
    ),
    "why.lisa.managed": ("LISA runs this agent and says so", "LISA 运行此智能体并如此表示"),
    "why.lisa.pty": ("LISA runs this agent in a terminal of its own", "LISA 在自己的终端中运行此智能体"),
    "why.lisa.watched": (
        "LISA infers it from the end of a file; a few seconds of silence look like a wait to it",
        "LISA 由文件末尾推断；对它而言几秒的沉默就像等待",
    ),
    "fact.local.lisa.live": ("on; its events come as they happen", "开启；实时接收其事件"),
    "fact.local.lisa.asked": ("on; asked every 30 seconds", "开启；每 30 秒查询一次"),
    "fact.local.lisa.absent": ("on; no LISA answers", "开启；没有 LISA 响应"),
    "fact.local.lisa.cut": ("on; LISA's answer broke off", "开启；LISA 的回答中断"),
    "fact.local.lisa.no-lisa": ("on; what answers there is no LISA", "开启；该地址的响应者不是 LISA"),
    "fact.local.lisa.newer": (
        "on; this LISA speaks a newer language than the island",
        "开启；此 LISA 的接口版本比小岛新",
    ),
    "fact.local.lisa.unauthorized": (
        "on; LISA wants a token: set LISA_URL and LISA_WEB_TOKEN",
        "开启；LISA 需要令牌：请设置 LISA_URL 和 LISA_WEB_TOKEN",
    ),
    "fact.local.lisa.not-offered": ("on; this LISA offers no sessions", "开启；此 LISA 不提供会话"),
    "fact.local.lisa.bad-address": ("on; LISA_URL is no address", "开启；LISA_URL 不是有效地址"),
    "fact.local.lisa.bad-token": ("on; LISA_WEB_TOKEN cannot be sent", "开启；LISA_WEB_TOKEN 无法发送"),
    "fact.local.lisa.in-the-clear": (
        "on; a token is not sent in the clear: LISA_URL must be https, or this computer",
        "开启；令牌不以明文发送：LISA_URL 须为 https 或本机",
    ),
}
