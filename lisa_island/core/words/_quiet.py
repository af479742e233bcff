"""Why nothing is announced now. Without `.aside` a line of its own, with it the last part of another."""

WORDS: dict[str, tuple[str, str]] = {
    "quiet.presenting": ("Notifications held while you present", "演示中，通知已暂停"),
    "quiet.presenting.aside": ("hidden while you present", "演示中，已隐藏"),
    "quiet.muted": ("Notifications muted until {time}", "通知已静音至 {time}"),
    "quiet.muted.aside": ("notifications muted", "通知已静音"),
    "quiet.hours": ("Quiet hours until {time}", "免打扰时段，至 {time}"),
    "quiet.hours.aside": ("quiet hours", "免打扰时段"),
    "quiet.desktop": ("Do not disturb is on in your desktop", "桌面已开启勿扰模式"),
    "quiet.desktop.aside": ("do not disturb", "勿扰模式"),
}
