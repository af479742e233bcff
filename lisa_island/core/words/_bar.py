"""The line under the command bar."""

WORDS: dict[str, tuple[str, str]] = {
    "bar.placeholder": ("@agent  what should happen?", "@智能体  要做什么？"),
    "bar.name": ("Command bar", "命令栏"),
    "bar.pick": ("Pick an agent with @. Nothing was sent.", "请用 @ 选择智能体，未发送任何内容。"),
    "bar.pasted": (
        "Pasted text is never routed. Type @agent in front of it. Nothing was sent.",
        "粘贴的文字不会被派发。请在前面输入 @智能体。未发送任何内容。",
    ),
    "bar.no-names": (
        "No agent has been called, pinned or added yet. Pin one in Settings, Remote, or add one in Settings, "
        "Agents.",
        "还没有调用、固定或添加过智能体。请在“设置 → 远程”中固定，或在“设置 → 智能体”中添加。",
    ),
    "bar.empty": ("Say what {target} should do.", "请写下要 {target} 做什么。"),
    "bar.conflict": (
        "Two agents are named, {first} and {second}. Keep one. Nothing was sent.",
        "同时指定了 {first} 和 {second}，请只保留一个。未发送任何内容。",
    ),
    "bar.hint": ("Did you mean @{name}? Nothing was sent.", "是指 @{name} 吗？未发送任何内容。"),
    "bar.ambiguous": ("{n} match @{prefix}", "{n} 个匹配 @{prefix}"),
    "bar.unknown": (
        "No agent of yours is named {name}. Nothing was sent.",
        "你没有名为 {name} 的智能体，未发送任何内容。",
    ),
    "bar.no-such-task": (
        "No task #{tag} of {target} waits for you. Nothing was sent.",
        "{target} 没有等待你的任务 #{tag}，未发送任何内容。",
    ),
    "bar.choose": (
        "{n} tasks of {target} wait for you. Choose one, or start a new one.",
        "{target} 有 {n} 个任务等你处理。请选择其一，或新建任务。",
    ),
    "bar.new-task": (
        "New task at {host} · {price} · text leaves this computer",
        "在 {host} 新建任务 · {price} · 文字会离开本机",
    ),
    "bar.reply": (
        "Replies to #{tag} at {host} · {price} · text leaves this computer",
        "回复 {host} 的 #{tag} · {price} · 文字会离开本机",
    ),
    "bar.new-task.here": (
        "New task at {host} · {price} · stays on this computer",
        "在 {host} 新建任务 · {price} · 文字留在本机",
    ),
    "bar.reply.here": (
        "Replies to #{tag} at {host} · {price} · stays on this computer",
        "回复 {host} 的 #{tag} · {price} · 文字留在本机",
    ),
    "bar.sending": ("Sending to {target}", "正在发送给 {target}"),
    "bar.sent": ("Sent to {target}", "已发送给 {target}"),
    "bar.accept-price": (
        "{target} costs {price} for this call. Nothing was sent yet.",
        "本次调用 {target} 的价格为 {price}，尚未发送。",
    ),
    "bar.accept": ("Send for {price}", "以 {price} 发送"),
    "bar.choose-key": ("↑ ↓ choose", "↑ ↓ 选择"),
    "bar.complete-key": ("Tab complete", "Tab 补全"),
    "bar.close-key": ("Esc close", "Esc 关闭"),
    "price.free": ("free", "免费"),
    "price.unknown": ("price unknown", "价格未知"),
}
