"""The first run."""

WORDS: dict[str, tuple[str, str]] = {
    "welcome.window": ("Welcome to LISA Island", "欢迎使用 LISA Island"),
    "welcome.step": ("Step {n} of {total}", "第 {n} 步，共 {total} 步"),
    "welcome.skip": ("Skip", "跳过"),
    "welcome.back": ("Back", "返回"),
    "welcome.continue": ("Continue", "继续"),
    "welcome.not-now": ("Not now", "暂不"),
    "welcome.finish": ("Finish", "完成"),
    "welcome.what.title": ("Everything your agents need, in one place", "智能体需要你的一切，都在一处"),
    "welcome.what.text": ("One small island at the top of the screen.", "屏幕顶部的一座小岛。"),
    "welcome.what.answer": (
        "Answer questions of remote tasks without leaving your window.",
        "不离开当前窗口，就能回答远程任务的提问。",
    ),
    "welcome.what.calm": (
        "It never takes the keyboard and never covers a click outside itself.",
        "它从不抢走键盘，也不遮挡自身以外的点击。",
    ),
    "welcome.what.private": (
        "It keeps structure, not conversations. Nothing is sent anywhere by itself.",
        "它只保存结构，不保存对话。不会自行向任何地方发送内容。",
    ),
    "welcome.watch.title": ("Which agents may it see?", "它可以看到哪些智能体？"),
    "welcome.watch.text": (
        "All are off until you choose. What is read is in Settings, Agents; it is read only.",
        "全部默认关闭，由你选择。读取哪些内容见“设置 > 智能体”；只读不写。",
    ),
    "welcome.local.claude-code": (
        "Session state, and permissions that wait",
        "会话状态，以及等待中的权限请求",
    ),
    "welcome.local.codex": ("Session state, and questions that wait", "会话状态，以及等待中的提问"),
    "welcome.local.opencode": ("Session state", "会话状态"),
    "welcome.local.aider": ("State of running sessions", "运行中会话的状态"),
    "welcome.local.gemini": ("State of running sessions", "运行中会话的状态"),
    "welcome.local.pi": ("State of running sessions", "运行中会话的状态"),
    "welcome.local.git": (
        "Branches and unfinished work below your home folder",
        "主文件夹下各仓库的分支与未完成的工作",
    ),
    "welcome.local.shell": ("Names of the programs you ran, and when", "你运行过的程序名称和时间"),
    "welcome.local.github-pr": (
        "Your open pull requests, through your own gh",
        "通过你自己的 gh 查看你未合并的拉取请求",
    ),
    "welcome.local.lisa": ("Sessions of a running LISA", "正在运行的 LISA 的会话"),
    "welcome.watch.takoapi": ("Remote agents through TakoAPI", "通过 TakoAPI 的远程智能体"),
    "welcome.watch.takoapi.hint": (
        "Tasks that you send, their state and their questions. Shared with LISA: written to agents.json",
        "你发送的任务、它们的状态和提问。与 LISA 共用：写入 agents.json",
    ),
    "welcome.watch.kept": (
        "Kept here: states, ids, times, your labels, and a question while it waits.",
        "保存在本机：状态、编号、时间、你的标签，以及等待中的提问。",
    ),
    "welcome.watch.never": (
        "Never kept: prompts, what you send, and what agents reply.",
        "从不保存：提示词、你发送的内容和智能体的回复。",
    ),
    "welcome.watch.leaves": (
        "Nothing leaves this computer without your act. There are no usage reports.",
        "没有你的操作，任何内容都不会离开本机，也没有使用情况报告。",
    ),
    "welcome.remote.title": ("Remote agents, if you use any", "远程智能体（如果你使用）"),
    "welcome.remote.text": (
        "A TakoAPI key lets the island follow and answer remote tasks.",
        "有了 TakoAPI 密钥，小岛就能跟踪和回答远程任务。",
    ),
    "welcome.remote.stored": (
        "Stored in the system keyring only. If there is none, it is kept until you quit.",
        "只保存在系统钥匙串中；没有钥匙串时，只保留到退出。",
    ),
    "welcome.remote.price": (
        "Calls to paid agents cost money. The price is shown before each one.",
        "调用付费智能体会产生费用，每次调用前都会显示价格。",
    ),
    "welcome.remote.tried": (
        "Saving tries the key once: free, and without a message to any agent.",
        "保存时会试用一次密钥，免费，且不会向任何智能体发送消息。",
    ),
    "welcome.remote.trying": ("Trying the key at {origin}…", "正在 {origin} 试用密钥…"),
    "welcome.demo": ("No key? Try the demo", "没有密钥？试试演示"),
    "welcome.demo.hint": (
        "Made-up agents, here alone. Your own data stays untouched.",
        "本机上的虚构智能体，不会触及你自己的数据。",
    ),
    "welcome.demo.try": ("Try the demo", "试试演示"),
    "welcome.demo.end": ("End the demo", "结束演示"),
    "welcome.demo.runs": (
        "The demo is on the screen; your own island steps aside until it ends.",
        "演示已在屏幕上；你自己的小岛会让开，直到演示结束。",
    ),
    "welcome.demo.over": (
        "The demo has ended. Your own island is back, as it was.",
        "演示已结束。你自己的小岛回来了，一切如旧。",
    ),
    "welcome.demo.failed": (
        "The demo ended by itself. In a terminal it says why: lisa-island demo",
        "演示自行结束。可在终端查看原因：lisa-island demo",
    ),
    "demo.banner": (
        "This is the demo: its agents are made up, and nothing is paid.",
        "这是演示：其中的智能体是虚构的，不产生任何费用。",
    ),
    "demo.banner.relayed": (
        "This is the demo: nothing is paid. What you relay to is real, the other agents are made up.",
        "这是演示，不产生任何费用。你转接的智能体是真实的，其余是虚构的。",
    ),
    "welcome.reach.title": ("How should it reach you?", "它该如何找到你？"),
    "welcome.reach.text": ("You can change all of this later.", "以后都可以更改。"),
    "welcome.reach.desktop": ("Desktop notifications", "桌面通知"),
    "welcome.reach.desktop.hint": ("For questions, sign-ins and failures", "用于提问、登录和失败"),
    "welcome.reach.key": (
        "A key opens it, too: give it the command “lisa-island toggle” in your desktop's keyboard settings.",
        "想用按键打开它，请在桌面的键盘设置中把按键绑定到命令“lisa-island toggle”。",
    ),
    "welcome.reach.no-tray": (
        "This desktop has no tray area. A right click on the pill, or on the panel's header, has every item.",
        "此桌面没有托盘区。右键点击胶囊或面板顶部，菜单中有全部项目。",
    ),
}
