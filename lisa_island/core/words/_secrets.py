"""Sentences about the key and where it is."""

WORDS: dict[str, tuple[str, str]] = {
    "secrets.empty": ("Enter a key.", "请输入密钥。"),
    "secrets.bad-prefix": (
        "A TakoAPI key starts with tako_live_. Copy it from the TakoAPI dashboard.",
        "TakoAPI 密钥以 tako_live_ 开头，请从 TakoAPI 控制台复制。",
    ),
    "secrets.bad-length": (
        "This key is not complete: after tako_live_ come 32 letters, digits, _ or -.",
        "密钥不完整：tako_live_ 之后应有 32 个字母、数字、_ 或 -。",
    ),
    "secrets.not-saved": (
        "The keyring did not keep the key. Nothing was saved.",
        "钥匙串没有保存该密钥，未写入任何内容。",
    ),
    "secrets.not-deleted": (
        "The keyring did not let the key go. Remove “lisa-island” in your keyring app.",
        "钥匙串没有删除该密钥。请在钥匙串应用中删除“lisa-island”。",
    ),
    "secrets.imported": (
        "The key is now in your keyring. LISA's own copy stays where it is.",
        "密钥已存入钥匙串。LISA 自己的副本保持不变。",
    ),
    "secrets.nothing-to-import": (
        "No TAKO_KEY was found in the environment or in LISA's config.env.",
        "环境变量和 LISA 的 config.env 中都没有 TAKO_KEY。",
    ),
    "secrets.other-origin": (
        "The key that was found belongs to {origin}. It goes to no other address.",
        "找到的密钥属于 {origin}，不会发送到其他地址。",
    ),
    "secrets.no-key-for": ("No key for {origin}.", "没有用于 {origin} 的密钥。"),
    "secrets.file-open": (
        "{file} was not read: other users could read or change it. Run chmod 600 on it.",
        "未读取 {file}：其他用户可能读取或修改它。请对它执行 chmod 600。",
    ),
    "secrets.file-unreadable": ("{file} could not be read.", "无法读取 {file}。"),
    "secrets.state.ready": ("Key saved in the keyring.", "密钥已保存在钥匙串中。"),
    "secrets.state.locked": (
        "The keyring is locked. Unlock it to use the key.",
        "钥匙串已锁定，解锁后才能使用密钥。",
    ),
    "secrets.state.absent": (
        "No system keyring was found. The key can be kept for this run only, or read at each start.",
        "未找到系统钥匙串。密钥可仅用于本次运行，或在每次启动时读取。",
    ),
    "secrets.state.absent-named": (
        "No system keyring was found: {name} does not protect a key. Nothing was saved in it.",
        "未找到系统钥匙串：{name} 无法保护密钥，未写入任何内容。",
    ),
    "secrets.state.timed-out": (
        "The keyring does not answer. Nothing else is affected.",
        "钥匙串没有响应，其他功能不受影响。",
    ),
    "secrets.state.memory": (
        "The key is kept in memory and forgotten when you quit.",
        "密钥仅保存在内存中，退出后即清除。",
    ),
    "secrets.state.none": ("No key saved.", "尚未保存密钥。"),
}
