"""Shells by their histories: what is read, the rows, the evidence."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.shell": ("Shell", "Shell"),
    "settings.local.shell": ("Shell history", "Shell 历史"),
    "settings.local.shell.hint": (
        "Reads the newest lines of the histories of bash, zsh, fish and PowerShell: the name of the program and "
        "when it was called. Arguments are never kept, and names only of programs that are installed.",
        "读取 bash、zsh、fish 和 PowerShell 历史中的最新几行：程序名称和调用时间。"
        "绝不保留参数，且只保留已安装程序的名称。",
    ),
    "row.local.history": ("Last command", "最近的命令"),
    "would.shell.timed": ("half an hour without a command takes it off the list", "半小时无命令则移出列表"),
    "would.shell.untimed": ("half an hour without a command takes it off the list", "半小时无命令则移出列表"),
    "fact.local.shell.sweeps": ("on; looked at every five seconds", "开启；每五秒查看一次"),
    "why.signal.history": ("its history", "其历史记录"),
    "why.shell.timed": (
        "The newest command in its history, with the time that stands there",
        "其历史中最新的命令及其记录的时间",
    ),
    "why.shell.untimed": (
        "The newest command in its history, which keeps no times: the time is that of the file, and many shells "
        "write it when they end",
        "其历史中最新的命令；该历史不记录时间，此处为文件时间，且许多 shell 在结束时才写入",
    ),
}
