"""What the owner sees and does of tasks at an agent's own address, in the panel."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.a2a": ("A2A", "A2A"),
    # The command bar. What a direct agent costs is between it and the owner: no price word.
    "bar.direct-task": (
        "New task at {host} · text leaves this computer",
        "在 {host} 新建任务 · 文字会离开本机",
    ),
    "bar.direct-task.here": (
        "New task at {host} · stays on this computer",
        "在 {host} 新建任务 · 文字留在本机",
    ),
    "bar.direct-reply": (
        "Replies to #{tag} at {host} · text leaves this computer",
        "回复 {host} 的 #{tag} · 文字会离开本机",
    ),
    "bar.direct-reply.here": (
        "Replies to #{tag} at {host} · stays on this computer",
        "回复 {host} 的 #{tag} · 文字留在本机",
    ),
    "complete.at": ("at {host}", "位于 {host}"),
    # Rows.
    # The time stands at the end of the row.
    "row.stalled": ("No news; the server closed the stream twice", "没有新消息；服务器两次关闭了数据流"),
    "row.added": ("Added, not called yet", "已添加，尚未调用"),
    "row.lost-by-server": ("Lost by its server", "服务器已丢失该任务"),
    "row.group": ("{n} tasks", "{n} 个任务"),
    "row.group.count": ("{n} {state}", "{n} 个{state}"),
    "row.group.open": ("opened", "已展开"),
    "row.group.closed": ("folded", "已折叠"),
    "row.menu": ("Actions for {name}", "{name} 的操作"),
    "row.menu.details": ("Details", "详情"),
    # Deeds: the same words in the row's menu, the tray and the detail.
    "deed.cancel": ("Cancel task…", "取消任务…"),
    "deed.cancel.ask": (
        "Ask {name} to cancel this task? It may refuse, and then says why.",
        "请求 {name} 取消此任务？它可能拒绝，并说明原因。",
    ),
    "deed.cancel.keep": ("Let it run", "让它继续"),
    "deed.cancel.do": ("Cancel task", "取消任务"),
    "deed.cancel.asking": ("Asking {name} to cancel", "正在请求 {name} 取消"),
    "deed.cancel.taken": (
        "{name} took the wish. The task is not over yet; the row shows when it is.",
        "{name} 已接受请求。任务尚未结束，结束后该行会显示。",
    ),
    "deed.cancel.menu": ("Cancel task", "取消任务"),
    "deed.cancel.entry": ("{name} #{tag}, {state}…", "{name} #{tag}，{state}…"),
    "deed.more": ("Say more…", "继续说…"),
    "deed.more.title": ("More for the same task", "对同一任务继续说"),
    "deed.more.hint": ("What should {name} know or do next?", "{name} 接下来该知道或做什么？"),
    "deed.more.close": ("Close", "关闭"),
    "deed.more.send": ("Send", "发送"),
    "deed.more.goes": ("Goes to task #{tag} at {host}.", "发送到 {host} 的任务 #{tag}。"),
    "deed.more.gone": (
        "This task is not ready for more any longer. Your text is kept.",
        "此任务已不再接受更多内容。文字已保留。",
    ),
    # The detail.
    "detail.direct.stop": (
        "Stop following only removes the row here; the agent goes on. Cancel asks the agent to stop.",
        "停止跟踪只会移除此行，智能体会继续。取消任务则请求智能体停止。",
    ),
    "detail.direct.stop.only": (
        "Stop following only removes the row here. The agent is not told.",
        "停止跟踪只会移除此行，智能体不会收到通知。",
    ),
    "detail.direct.unknown": (
        "Outcome unknown. The agent may still work on it. Nothing is sent by itself.",
        "结果未知。智能体可能仍在工作。不会自动重发。",
    ),
    "detail.direct.stalled": (
        "The agent calls it active, but its server closed the stream twice with nothing new. It is asked again "
        "now and then.",
        "智能体称其仍在运行，但服务器两次关闭数据流且无新内容。会不时再次查询。",
    ),
    "detail.direct.lost": (
        "The server says that it knows no such task. What it was cannot be asked any more.",
        "服务器表示没有该任务，已无法再查询。",
    ),
    "detail.direct.offline": (
        "{host} does not answer. Its last state stands here; it is asked again.",
        "{host} 没有响应。此处为其最后状态，会再次查询。",
    ),
    "detail.direct.silent": ("no stream is open; it is asked now and then", "没有打开的数据流，会不时查询"),
    "detail.direct.silent.offline": ("its server does not answer", "服务器没有响应"),
    "detail.again.new": (
        "Send the same text to {name} once more, as a new task?",
        "将相同的文字作为新任务再次发送给 {name}？",
    ),
    "detail.again.twice": (
        "It may run twice. Send the same text to {name} as a new task?",
        "任务可能执行两次。将相同的文字作为新任务发送给 {name}？",
    ),
    "detail.again.no": ("Not now", "暂不"),
    "detail.at": ("at {host}", "位于 {host}"),
    "detail.added": ("Agent by address", "按地址添加的智能体"),
    "detail.raw": ("Show JSON", "查看 JSON"),
    "artifacts.title": ("Artifacts", "产物"),
    "artifacts.view": ("View", "查看"),
    "artifacts.view.name": ("View {name}", "查看 {name}"),
    "artifacts.size.none": ("size unknown", "大小未知"),
    "artifacts.more.one": ("1 more not shown", "另有 1 个未显示"),
    "artifacts.more.many": ("{n} more not shown", "另有 {n} 个未显示"),
    # What is read: an artifact, the frames.
    "artifact.title": ("Artifact", "产物"),
    "artifact.reading": ("Reading the artifact", "正在读取产物"),
    "artifact.save.title": ("Save the artifact", "保存产物"),
    "artifact.empty": (
        "This artifact holds no text. Files and links are never opened here.",
        "该产物不含文字。文件和链接不会在此打开。",
    ),
    "artifact.memory": ("Kept in memory only, until its row leaves", "仅保存在内存中，直到该行移除"),
    "raw.title": ("JSON", "JSON"),
    "raw.reading": ("Reading the frames", "正在读取帧"),
    "raw.save.title": ("Save the frames", "保存帧"),
    "raw.empty": ("No frames are held for this row.", "该行没有保留的帧。"),
    "raw.memory": ("The last frames as they came, kept in memory only", "最近收到的帧，仅保存在内存中"),
    "trail.continued": ("Continued as {id}", "以 {id} 继续"),
    "trail.continued.note": ("a new task of the agent's", "智能体的新任务"),
    "trail.stalled": ("No news; the server closed the stream twice", "没有新消息；服务器两次关闭了数据流"),
    "trail.lost": ("Lost by its server", "服务器已丢失该任务"),
    "trail.ready": ("Your turn", "轮到你"),
    "trail.ready.note": ("ready for more, asks nothing", "可继续，没有提问"),
    "trail.sign-in": ("Sign-in required", "需要登录"),
    # The answer page.
    "answer.options": ("Choices offered by the agent", "智能体提供的选项"),
    "answer.else": ("Something else", "其他内容"),
    "answer.chosen": ("Sends: {option}", "将发送：{option}"),
    "answer.direct": (
        "Your reply goes to {host}, without a gateway. What it costs is between you and the agent's owner.",
        "回复将直接发送到 {host}，不经过网关。费用由你与智能体所有者商定。",
    ),
    "answer.direct.here": (
        "Your reply goes to {host} and stays on this computer.",
        "回复将发送到 {host}，不会离开本机。",
    ),
    "answer.direct.no-answers": (
        "It cannot be answered from here: the agent is not in Settings, Agents, any more, or gave the task no id.",
        "无法在此回答：该智能体已不在“设置 → 智能体”中，或没有给出任务 ID。",
    ),
    "answer.direct.unknown": (
        "Outcome unknown. The agent may still be working on it.",
        "结果未知。智能体可能仍在工作。",
    ),
    # doctor
    "fact.direct": ("Agents by address", "按地址添加的智能体"),
    "fact.direct-agent": ("Agent", "智能体"),
    "fact.direct-agent.line": ("{name} at {host}: {reach}", "{name}（{host}）：{reach}"),
    "fact.direct.reach.none": ("on, not called yet", "已开启，尚未调用"),
    "fact.direct.reach.word": ("on, last word {ago}", "已开启，{ago}有消息"),
    "fact.direct.reach.offline": (
        "on, does not answer; last word {ago}",
        "已开启，没有响应；{ago}有消息",
    ),
}
