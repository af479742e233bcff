"""The lines of `doctor` and of the pages that show facts."""

WORDS: dict[str, tuple[str, str]] = {
    "fact.version": ("Version", "版本"),
    "fact.home": ("Folder", "文件夹"),
    "fact.rows": ("Stored tasks", "已保存的任务"),
    "fact.size": ("Size on disk", "占用空间"),
    "fact.remote": ("Remote agents", "远程智能体"),
    "fact.remote.on": ("on", "已开启"),
    "fact.remote.off": (
        "off; switch them on in Settings, Remote",
        "已关闭；可在“设置 → 远程”中开启",
    ),
    "fact.address": ("Address", "地址"),
    "fact.key": ("Key", "密钥"),
    "fact.keyring": ("Keyring", "钥匙串"),
    "fact.gateway": ("Gateway", "网关"),
    "fact.gateway.unasked": ("not asked yet", "尚未查询"),
    "fact.agent-calls": ("Calls by agents", "智能体调用"),
    "fact.agent-calls.deny": ("not allowed", "不允许"),
    "fact.agent-calls.allow": ("allowed", "允许"),
    "fact.agent-calls.wanted": (
        "not allowed; island.json asks for it, and it waits for your click in Settings, Privacy",
        "不允许；island.json 请求允许，需在“设置 → 隐私”中确认",
    ),
    "fact.problem": ("To do", "需要处理"),
    "fact.window": ("Windows", "窗口模式"),
    "fact.window.limit": ("{mode}. {limit}", "{mode}。{limit}"),
    "fact.tray": ("Tray", "托盘"),
    "fact.notifications": ("Notifications", "通知"),
    "fact.display": ("Display", "显示"),
    "fact.bus": ("Session bus", "会话总线"),
}
