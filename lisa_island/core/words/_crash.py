"""The last run's unforeseen end, diagnostics, and what `doctor` says of them."""

WORDS: dict[str, tuple[str, str]] = {
    "crash.ended": ("LISA Island ended unexpectedly last time.", "LISA Island 上次意外退出。"),
    "crash.faulty": ("Something went wrong in LISA Island last time.", "LISA Island 上次运行时出现错误。"),
    "crash.show": ("Show", "查看"),
    "crash.dismiss": ("Dismiss", "忽略"),
    "crash.title": ("What went wrong", "错误报告"),
    "crash.about": (
        "This was written on this computer and sent nowhere. It names places in the code, and no text of yours "
        "or of an agent. It also stands in {path}",
        "此报告只写在本机，没有发送到任何地方。其中只有代码位置，没有你或智能体的文字。文件位于 {path}",
    ),
    "crash.text": ("Report", "报告"),
    "crash.copy": ("Copy", "复制"),
    "crash.copied": ("Copied", "已复制"),
    "crash.close": ("Close", "关闭"),
    "cli.help.export": (
        "write diagnostics to a new file instead, without texts, names and keys; - prints them",
        "改为将诊断信息写入新文件（不含文字、名称和密钥）；- 表示输出到屏幕",
    ),
    "cli.export.done": (
        "Written to {file}. Read it before you hand it on; it was sent nowhere.",
        "已写入 {file}。转交之前请先阅读；没有发送到任何地方。",
    ),
    "cli.export.exists": (
        "{file} is there already. Nothing was written; choose another name.",
        "{file} 已存在，未写入任何内容；请换一个名称。",
    ),
    "cli.export.failed": (
        "{file} could not be written: {why}. Choose another place.",
        "无法写入 {file}：{why}。请换一个位置。",
    ),
    "settings.diagnostics": ("Diagnostics", "诊断信息"),
    "settings.diagnostics.hint": (
        "A file for somebody who helps: versions, settings, counts. No text, name or key",
        "供帮助你的人查看的文件：版本、设置、计数。不含文字、名称和密钥",
    ),
    "settings.diagnostics.export": ("Export diagnostics…", "导出诊断信息…"),
    "settings.diagnostics.title": ("Save diagnostics", "保存诊断信息"),
    "settings.diagnostics.done": (
        "Saved. Read it before you hand it on; it was sent nowhere.",
        "已保存。转交之前请先阅读；没有发送到任何地方。",
    ),
    "settings.diagnostics.failed": (
        "It could not be saved there. Choose another place and try again.",
        "无法保存到该位置。请换一个位置重试。",
    ),
    "fact.proxy": ("Proxy", "代理"),
    "fact.proxy.none": ("none for this address", "此地址不使用代理"),
    "fact.proxy.used": (
        "{proxy}, as the environment says; it sees the gateway's name, and nothing of what is sent",
        "{proxy}，由环境变量指定；它只能看到网关的名称，看不到发送的内容",
    ),
    "fact.proxy.unusable": (
        "{proxy} cannot be used, so nothing can be sent. Name an http proxy in HTTPS_PROXY, or this address in "
        "NO_PROXY",
        "无法使用 {proxy}，因此无法发送。请在 HTTPS_PROXY 中指定 http 代理，或将此地址写入 NO_PROXY",
    ),
    "fact.trust": ("Certificates", "证书"),
    "fact.trust.system": ("the system's own", "由系统管理"),
    "fact.trust.none": (
        "none in the usual place. Install ca-certificates, or name a file in SSL_CERT_FILE",
        "常用位置没有证书。请安装 ca-certificates，或在 SSL_CERT_FILE 中指定文件",
    ),
    "fact.crash": ("Last crash", "上次崩溃"),
    "fact.crash.none": ("none known", "没有记录"),
    "fact.crash.kept": ("{when}; see {path}", "{when}；见 {path}"),
}
