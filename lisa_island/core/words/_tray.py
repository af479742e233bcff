"""The tray's tooltip, and the menu of tray and pill."""

WORDS: dict[str, tuple[str, str]] = {
    "tray.tooltip": ("LISA Island: {parts}", "LISA Island：{parts}"),
    "menu.name": ("LISA Island menu", "LISA Island 菜单"),
    "menu.nothing": ("Nothing needs you", "没有待处理事项"),
    "menu.oldest": ("oldest {span}", "最早 {span}前"),
    "menu.need": ("{name}: {kind}", "{name}：{kind}"),
    "menu.more.one": ("1 more", "另有 1 项"),
    "menu.more.many": ("{n} more", "另有 {n} 项"),
    "menu.show": ("Show island", "显示小岛"),
    "menu.command": ("Command bar", "命令栏"),
    "menu.mute": ("Mute notifications", "静音通知"),
    "menu.mute.hour": ("For 1 hour", "1 小时"),
    "menu.mute.tomorrow": ("Until tomorrow", "直到明天"),
    "menu.mute.off": ("Off", "关闭静音"),
    "menu.presenting": ("Presenting: hide the island", "演示中：隐藏小岛"),
    "menu.settings": ("Settings…", "设置…"),
    "menu.quit": ("Quit", "退出"),
}
