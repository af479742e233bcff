"""What is said about files and the database: `storage.*` and `settings-file.*`."""

WORDS: dict[str, tuple[str, str]] = {
    "storage.full": (
        "The disk is full, or a limit for {place} is reached. Free some space and try again.",
        "磁盘已满，或 {place} 达到上限。请腾出空间后重试。",
    ),
    "storage.read-only": (
        "{place} cannot be written. Check its permissions, or whether the disk is read-only.",
        "无法写入 {place}。请检查权限，或磁盘是否为只读。",
    ),
    "storage.unwritable": (
        "{place} cannot be used. Check that the folder exists and that the disk works.",
        "无法使用 {place}。请检查文件夹是否存在、磁盘是否正常。",
    ),
    "storage.busy": (
        "Another program of the island is holding {place}. Try again in a moment.",
        "小岛的另一个程序正占用 {place}。请稍后再试。",
    ),
    "storage.timeout": (
        "The disk under {place} does not answer, so this could not be saved. Try again when it does.",
        "{place} 所在的磁盘没有响应，未能保存。请在其恢复后重试。",
    ),
    "storage.open-home": (
        "Every user of this computer can write to {place}. Close it: chmod o-w {place}",
        "本机任何用户都可以写入 {place}。请收紧权限：chmod o-w {place}",
    ),
    "storage.twin": (
        "A task with this number exists already. Nothing was sent; send it once more.",
        "已有相同编号的任务。没有发送任何内容，请再发送一次。",
    ),
    "storage.database-broken": (
        "The task list could not be read. It was set aside as {file} and a new one begun.",
        "无法读取任务列表。原文件已保留为 {file}，并新建了一份。",
    ),
    "storage.database-newer": (
        "The task list is from a newer version. It was set aside as {file} and a new one begun.",
        "任务列表来自更新的版本。原文件已保留为 {file}，并新建了一份。",
    ),
    "storage.mirror-broken": (
        "The call list shared with LISA could not be read. It was set aside as {file}.",
        "无法读取与 LISA 共用的调用列表。原文件已保留为 {file}。",
    ),
    "storage.mirror-huge": (
        "The call list shared with LISA was far too large. It was set aside as {file}.",
        "与 LISA 共用的调用列表过大。原文件已保留为 {file}。",
    ),
    "storage.mirror-unwritable": (
        "The call list shared with LISA could not be written. Your own task list is safe.",
        "无法写入与 LISA 共用的调用列表。你自己的任务列表完好。",
    ),
    "settings-file.broken": (
        "{file} is not valid JSON, so its settings are not used. It is kept as it is.",
        "{file} 不是有效的 JSON，因此其中的设置未被采用。文件保持原样。",
    ),
    "settings-file.set-aside": (
        "{file} could not be read. It was set aside as {kept} before the change was saved.",
        "无法读取 {file}。保存更改前，原文件已保留为 {kept}。",
    ),
    "settings-file.newer": (
        "{file} is from a newer version. What this version knows of it is used.",
        "{file} 来自更新的版本。只采用本版本认识的设置。",
    ),
    "settings-file.bad-value": (
        "“{key}” in {file} has a value that cannot be used; the default is used instead.",
        "{file} 中 “{key}” 的值无法使用，已改用默认值。",
    ),
    "settings-file.unreadable": (
        "{file} cannot be read, so its settings are not used. Check its permissions.",
        "无法读取 {file}，因此其中的设置未被采用。请检查权限。",
    ),
    "settings-file.bad-url": (
        "“{url}” is no address that can be used. Write it like https://takoapi.com.",
        "“{url}” 不是可用的地址。请写成类似 https://takoapi.com 的形式。",
    ),
    "settings-file.insecure-url": (
        "“{url}” is not encrypted. Only this machine itself may be reached over http.",
        "“{url}” 未加密。只有本机可以使用 http。",
    ),
    "settings-file.gate-unkept": (
        "Your choice about agents' calls could not be kept. Agents may not call until it can.",
        "无法保存你对智能体调用的选择。在能够保存之前，智能体不能发起调用。",
    ),
}
