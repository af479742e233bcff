"""What the test notice says, and what is known of it afterwards: never more than somebody has told us."""

WORDS: dict[str, tuple[str, str]] = {
    "notices.test.button": ("I see it", "我看到了"),
    "notices.test.handed": (
        "Your desktop took it. Press “I see it” there. If none came, the desktop may hold notices back.",
        "桌面已接收。请点击其中的“我看到了”。如果没有出现，桌面可能暂停了通知。",
    ),
    "notices.test.seen": (
        "You saw it: notices and their buttons work here.",
        "你看到了：通知和按钮在这里都可用。",
    ),
    "notices.no-server": (
        "No notification server runs here, so the island shows its own under the pill.",
        "此处没有运行通知服务，小岛会在胶囊下方自行显示。",
    ),
    "notices.no-answer": (
        "Not confirmed: the notification server did not answer. The island shows its own under the pill.",
        "未能确认：通知服务没有响应。小岛会在胶囊下方自行显示。",
    ),
}
