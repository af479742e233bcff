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
        "It never takes the keyboard from you and never covers a click outside itself.",
        "它从不抢走键盘，也不遮挡自身以外的点击。",
    ),
    "welcome.what.private": (
        "It keeps structure, not conversations. Nothing is sent anywhere by itself.",
        "它只保存结构，不保存对话。不会自行向任何地方发送内容。",
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
    "welcome.remote.balance": (
        "The island cannot see your balance. Look at the TakoAPI dashboard for that.",
        "小岛看不到你的余额，请在 TakoAPI 控制台查看。",
    ),
    "welcome.remote.demo": (
        "No key? Look around first, in a terminal: lisa-island demo",
        "没有密钥？可先在终端体验：lisa-island demo",
    ),
    "welcome.reach.title": ("How should it reach you?", "它该如何找到你？"),
    "welcome.reach.text": ("You can change all of this later.", "以后都可以更改。"),
    "welcome.reach.desktop": ("Desktop notifications", "桌面通知"),
    "welcome.reach.desktop.hint": ("For questions, sign-ins and failures", "用于提问、登录和失败"),
    "welcome.reach.no-tray": (
        "This desktop has no tray area. The island stays reachable by the pill, or with: lisa-island toggle",
        "此桌面没有托盘区。仍可通过胶囊，或运行 lisa-island toggle 打开小岛。",
    ),
}
