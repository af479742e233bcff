"""Sentences of the door between the running island and its commands."""

WORDS: dict[str, tuple[str, str]] = {
    "door.not-running": (
        "LISA Island is not running. Start it with: lisa-island",
        "LISA Island 没有在运行。用 lisa-island 启动它。",
    ),
    "door.already-running": (
        "LISA Island is already running for this LISA_HOME.",
        "此 LISA_HOME 的 LISA Island 已在运行。",
    ),
    "door.no-place": (
        "{folder} cannot be used: the island needs a folder that it can write to and lock.",
        "无法使用 {folder}：小岛需要一个可写入并可加锁的文件夹。",
    ),
    "door.cut": (
        "The island closed before it had answered. What was asked may still have been done.",
        "小岛在回答之前已关闭，所请求的操作可能已执行。",
    ),
    "door.bad-answer": (
        "The running island gave an answer that this command does not understand.",
        "运行中的小岛给出了此命令无法理解的回答。",
    ),
    "door.bad-line": (
        "The request was not understood. Nothing was done.",
        "无法理解该请求，未执行任何操作。",
    ),
    "door.other-version": (
        "The running island has another version. Quit it and start it again.",
        "运行中的小岛是另一个版本，请退出后重新启动。",
    ),
    "door.too-long": (
        "The request is longer than 4 MiB. Nothing was done.",
        "请求超过 4 MiB，未执行任何操作。",
    ),
    "door.unknown-word": (
        "The running island does not know this command. Nothing was done.",
        "运行中的小岛不认识此命令，未执行任何操作。",
    ),
    "door.no-window": (
        "The island runs without windows here. Nothing was done.",
        "小岛在此以无窗口方式运行，未执行任何操作。",
    ),
    "door.failed": (
        "The island could not carry this out. Its log has the reason.",
        "小岛无法完成该操作，原因见其日志。",
    ),
    "door.no-windows": (
        "On Windows, commands cannot talk to a running island yet.",
        "在 Windows 上，命令还不能与运行中的小岛通信。",
    ),
}
