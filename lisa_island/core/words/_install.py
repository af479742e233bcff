"""Start at login."""

WORDS: dict[str, tuple[str, str]] = {
    "settings.login": ("Start at login", "登录时启动"),
    "settings.login.hint": (
        "Off until you switch it on. Your desktop's own list of start-up programs shows it too",
        "默认关闭。桌面自带的启动程序列表中也会显示",
    ),
    "autostart.not-changed": (
        "This could not be changed. Check that you may write your autostart folder, and try again.",
        "未能更改。请检查自动启动文件夹是否可写，然后重试。",
    ),
    "fact.autostart": ("Start at login", "登录时启动"),
    "fact.autostart.on": ("on", "已开启"),
    "fact.autostart.off": ("off; switch it on in Settings, General", "已关闭；可在“设置 → 通用”中开启"),
    "fact.autostart.none": ("not offered by this system", "此系统不支持"),
}
