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
    "fact.crash": ("Last crash", "上次崩溃"),
    "fact.crash.none": ("none known", "没有记录"),
    "fact.crash.kept": ("{when}; see {path}", "{when}；见 {path}"),
}
