"""Values of the lines about the desktop; their names are among the facts."""

WORDS: dict[str, tuple[str, str]] = {
    "fact.display.none": ("none", "无"),
    "fact.bus.on": ("connected", "已连接"),
    "fact.bus.none": (
        "none; tray, notifications and the keyring are not reachable",
        "无；无法使用托盘、通知和钥匙串",
    ),
    "fact.notifications.none": (
        "no notification server; the island shows its own",
        "没有通知服务，由小岛自行显示",
    ),
    "fact.notifications.no-buttons": (
        "without buttons; the island shows its own",
        "不支持按钮，由小岛自行显示",
    ),
    "fact.do-not-disturb": ("Do not disturb", "勿扰模式"),
    "fact.do-not-disturb.on": ("on; the desktop holds notices", "已开启；通知由桌面保管"),
    "fact.do-not-disturb.off": ("off; followed by itself", "已关闭；自动跟随"),
    "fact.do-not-disturb.unknown": (
        "cannot be read from this notification server; quiet hours are in Settings, Notifications",
        "无法从此通知服务读取；可在“设置 → 通知”中设置免打扰时段",
    ),
    "fact.do-not-disturb.none": (
        "cannot be read here; quiet hours are in Settings, Notifications",
        "此处无法读取；可在“设置 → 通知”中设置免打扰时段",
    ),
    "fact.quiet": ("Quiet now", "当前安静"),
    "fact.quiet.no": ("no", "否"),
    "fact.tray.on": ("shown by the desktop", "由桌面显示"),
    "fact.tray.none": (
        "no tray host; the pill's menu has every item",
        "没有托盘；胶囊的菜单包含所有项目",
    ),
}
