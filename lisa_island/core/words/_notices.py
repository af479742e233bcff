"""Sentences of the desktop's notices. Names are of agents, never a word of what they wrote."""

WORDS: dict[str, tuple[str, str]] = {
    "notices.input": ("{name} needs input", "{name} 需要你输入"),
    "notices.auth": ("{name} needs you to sign in", "{name} 需要你登录"),
    "notices.need": ("{name} needs you", "{name} 等待你处理"),
    "notices.failed": ("{name} failed", "{name} 失败"),
    "notices.finished": ("{name} finished", "{name} 已完成"),
    "notices.burst.need.one": ("{n} agent needs you", "{n} 个智能体等待你处理"),
    "notices.burst.need.many": ("{n} agents need you", "{n} 个智能体等待你处理"),
    "notices.burst.failed.one": ("{n} task failed", "{n} 个任务失败"),
    "notices.burst.failed.many": ("{n} tasks failed", "{n} 个任务失败"),
    "notices.burst.finished.one": ("{n} task finished", "{n} 个任务已完成"),
    "notices.burst.finished.many": ("{n} tasks finished", "{n} 个任务已完成"),
    "notices.comma": (", ", "、"),
    "notices.more.one": ("{names}, {n} more", "{names}，另有 {n} 个"),
    "notices.more.many": ("{names}, {n} more", "{names}，另有 {n} 个"),
    "notices.button.reply": ("Reply", "回复"),
    "notices.button.later": ("Later", "稍后"),
    "notices.button.show": ("Show", "查看"),
    "notices.button.show-all": ("Show all", "全部查看"),
    "notices.test.title": ("A notice from LISA Island", "来自 LISA Island 的通知"),
    "notices.test.body": (
        "An agent that needs you looks like this.",
        "智能体需要你时会这样提示。",
    ),
    "notices.by-desktop": ("Shown by your desktop.", "由桌面显示。"),
    "notices.by-desktop-held": (
        "Given to your desktop. Its do not disturb is on, so it may show it later.",
        "已交给桌面。桌面的勿扰模式已开启，可能稍后才显示。",
    ),
    "notices.by-island": (
        "This desktop shows no notices with buttons, so the island shows them under the pill.",
        "此桌面无法显示带按钮的通知，小岛会在胶囊下方自行显示。",
    ),
    "notices.nowhere": (
        "This desktop shows no notices with buttons, and one of the island's own would take the keyboard here. "
        "What needs you waits in the tray and in the island's window. Install a notification server, such as mako.",
        "此桌面无法显示带按钮的通知，而小岛自己的通知在这里会抢走键盘焦点。待处理的事会留在托盘和小岛窗口中。请安装"
        "通知服务，例如 mako。",
    ),
}
