"""What direct A2A agents bring: outcomes of calls, evidence, history."""

_KEPT_EN = "Nothing was sent. Your text is kept."
_KEPT_ZH = "未发送任何内容，文字已保留。"

WORDS: dict[str, tuple[str, str]] = {
    "settings-file.fix-agents": (
        "directAgents in {place} has a value that cannot be used. Mend it there first; nothing was changed.",
        "{place} 中的 directAgents 含有无法使用的值，请先在文件中修正；未作任何更改。",
    ),
    "secrets.bad-credential": (
        "This cannot be sent as a credential: it has characters that are not printable, or is too long.",
        "该内容无法作为凭据发送：含有不可打印字符或过长。",
    ),
    "outcome.not-through-gateway": (
        "A gateway cannot do that. It works for agents that you add by their own address.",
        "网关无法执行此操作，仅适用于你按地址添加的智能体。",
    ),
    "outcome.not-followed-there": (
        "A gateway cannot cancel. Choose “follow at the agent” for this agent in Settings, Remote, to ask it "
        "itself.",
        "网关无法取消任务。在“设置 → 远程”中为该智能体启用“在智能体处跟踪”后，可直接向它请求。",
    ),
    "outcome.no-such-agent": (
        f"There is no agent named {{name}}. Add it in Settings, Agents. {_KEPT_EN}",
        f"没有名为 {{name}} 的智能体，请在“设置 → 智能体”中添加。{_KEPT_ZH}",
    ),
    "outcome.endpoint-moved": (
        f"The card of {{name}} now names {{origin}}, which you did not agree to. Add the agent again to agree. "
        f"{_KEPT_EN}",
        f"{{name}} 的名片现在指向 {{origin}}，你尚未同意。重新添加该智能体即表示同意。{_KEPT_ZH}",
    ),
    "outcome.card.not-json": (
        "What {url} serves is no JSON, so it is no agent card.",
        "{url} 返回的不是 JSON，因此不是智能体名片。",
    ),
    "outcome.card.not-a-card": ("What {url} serves is no agent card.", "{url} 返回的不是智能体名片。"),
    "outcome.card.too-large": (
        "The agent card at {url} is larger than 2 MB and was not read.",
        "{url} 的智能体名片超过 2 MB，未读取。",
    ),
    "outcome.card.not-found": (
        "There is no agent card at {url}. Check the address.",
        "{url} 没有智能体名片，请检查地址。",
    ),
    "outcome.card.needs-auth": (
        "{url} shows its card only to who signs in. Save the card as a file and add that.",
        "{url} 的名片需要登录才能查看。请将名片保存为文件后添加。",
    ),
    "outcome.card.refused": (
        "{url} refused to show its card ({detail}).",
        "{url} 拒绝提供名片（{detail}）。",
    ),
    "outcome.card.moved": (
        "{url} sends on to {detail}, which was not followed. Use that address if you trust it.",
        "{url} 跳转到 {detail}，未跟随。如信任该地址，请直接使用。",
    ),
    "outcome.card.unreachable": ("{url} does not answer.", "{url} 没有响应。"),
    "outcome.card.untrusted": (
        "{url} could not prove that it is itself (certificate). Nothing was read.",
        "{url} 的证书无法验证，未读取任何内容。",
    ),
    "outcome.card.not-allowed": ("{url} is not an address that may be asked.", "不允许访问 {url}。"),
    "outcome.card.not-an-address": (
        "{url} is no http address. Give the address of an agent or of its card.",
        "{url} 不是 http 地址。请提供智能体或其名片的地址。",
    ),
    "outcome.draft-agent": (
        f"This agent understands neither A2A 1.0 nor 0.3. It may speak the draft of April 2025 (0.1), which the "
        f"island does not. {_KEPT_EN}",
        f"该智能体不支持 A2A 1.0 和 0.3，可能使用 2025 年 4 月的草案（0.1），小岛不支持。{_KEPT_ZH}",
    ),
    "outcome.grpc-only": (
        f"This agent offers gRPC alone, which the island does not speak. {_KEPT_EN}",
        f"该智能体只提供 gRPC，小岛不支持。{_KEPT_ZH}",
    ),
    "outcome.no-interface": (
        f"The card names no interface that the island speaks (JSON-RPC or HTTP+JSON). {_KEPT_EN}",
        f"名片中没有小岛支持的接口（JSON-RPC 或 HTTP+JSON）。{_KEPT_ZH}",
    ),
    "outcome.private-address": (
        f"{{origin}} leads to this computer or a private network, and was not followed. {_KEPT_EN}",
        f"{{origin}} 指向本机或私有网络，未跟随。{_KEPT_ZH}",
    ),
    "outcome.not-https": (
        f"{{origin}} is not https, and only your own machine may be called without it. {_KEPT_EN}",
        f"{{origin}} 不是 https，只有本机可以例外。{_KEPT_ZH}",
    ),
    "outcome.sign-in": (
        "{name} asks who you are. Sign in from its card; nothing was done.",
        "{name} 需要登录。请在其卡片中登录；未执行任何操作。",
    ),
    "outcome.agent-busy": (
        f"The agent asked to wait {{seconds}} s. {_KEPT_EN}",
        f"智能体要求等待 {{seconds}} 秒。{_KEPT_ZH}",
    ),
    "outcome.agent-http": (
        "The server of {name} answered with HTTP {status}. Your text is kept.",
        "{name} 的服务器返回 HTTP {status}。文字已保留。",
    ),
    "outcome.answer-refused": (
        "{name} did not take the answer. Your text is kept.",
        "{name} 没有接受回答。文字已保留。",
    ),
    "outcome.nothing-to-cancel": (
        "This task is over, or the agent gave it no id. There is nothing to cancel.",
        "该任务已结束，或智能体未给出任务 ID，无可取消。",
    ),
    "outcome.not-canceled": (
        "{name} did not cancel the task: {why}",
        "{name} 未取消该任务：{why}",
    ),
    "outcome.cancel-unknown": (
        "The connection ended before the agent confirmed. The row shows whether the task was canceled.",
        "连接在智能体确认前中断。该行会显示任务是否已取消。",
    ),
    "outcome.no-raw": (
        "No frames are held for this row. They live in memory and are lost when the island quits.",
        "该行没有保留的帧。帧只保存在内存中，退出后丢失。",
    ),
    "outcome.loop": (
        "The chain of calls has been at this agent before. Nothing was sent.",
        "调用链已经过该智能体，未发送任何内容。",
    ),
    "outcome.too-many-hops": (
        "The chain of calls is as long as it may be. Nothing was sent.",
        "调用链已达最大长度，未发送任何内容。",
    ),
    "outcome.bad-metadata": (
        "The metadata of the call chain is no JSON object of at most 16 kB. Nothing was sent.",
        "调用链元数据不是不超过 16 kB 的 JSON 对象，未发送任何内容。",
    ),
    "outcome.test-ok": (
        "{name} answers and speaks A2A {version}. Nothing was spent.",
        "{name} 有响应，使用 A2A {version}。未产生费用。",
    ),
    "outcome.test-sign-in": (
        "{name} answers, and asks who you are (HTTP {status}). Save a credential for it.",
        "{name} 有响应，但需要登录（HTTP {status}）。请为其保存凭据。",
    ),
    "outcome.test-odd": (
        "The card says A2A {version}, the endpoint answers: {why}",
        "名片声明 A2A {version}，端点返回：{why}",
    ),
    "warning.other-origin": (
        "The card was fetched from {fetched}, and its endpoint is at {says}.",
        "名片来自 {fetched}，而端点位于 {says}。",
    ),
    "warning.private-host": (
        "The card from {fetched} leads to {says}, an address on this computer or a private network.",
        "来自 {fetched} 的名片指向 {says}，属于本机或私有网络。",
    ),
    "warning.plain-http": (
        "{says} is plain http: what is sent there can be read on the way.",
        "{says} 使用明文 http，发送的内容可能被途中读取。",
    ),
    "warning.unreachable": (
        "Nothing answers at {says}.",
        "{says} 没有响应。",
    ),
    "warning.answers-elsewhere": (
        "Nothing answers at {says}, which the card names. {instead} does.",
        "名片指向的 {says} 没有响应；{instead} 有响应。",
    ),
    "trail.call.not-canceled": ("The agent did not cancel it", "智能体未取消"),
    "why.a2a.sent": ("The task was sent from here", "任务从这里发出"),
    "why.a2a.answer": ("Your answer was sent from here", "你的回答从这里发出"),
    "why.a2a.refused": ("The agent's server refused the call", "智能体服务器拒绝了调用"),
    "why.a2a.message": ("The agent answered with a message and no task", "智能体以消息回答，没有任务"),
    "why.a2a.artifact": ("The agent put something out", "智能体有产出"),
    "why.a2a.echo": (
        "The agent repeated the state that your answer ended",
        "智能体重复了被你的回答结束的状态",
    ),
    "why.a2a.status": ("The agent named this state itself", "智能体自己给出了此状态"),
    "why.a2a.error": ("The agent answered with an error", "智能体以错误回答"),
    "why.a2a.cut": (
        "The connection ended before the agent said how it went",
        "连接在智能体说明结果之前中断",
    ),
    "why.a2a.no-envelope": ("The answer was not one that can be read", "回答无法解读"),
    "why.a2a.same": ("What can be done with it has changed, the state has not", "可用操作有变，状态未变"),
    "why.a2a.restored": ("Stored before the island was restarted", "小岛重启前已保存"),
    "why.a2a.stalled": (
        "The agent calls it active, but closed its stream twice with nothing new",
        "智能体称其仍在运行，但两次关闭数据流且无新内容",
    ),
    "why.a2a.lost": (
        "The server said twice that it knows no such task",
        "服务器两次表示没有该任务",
    ),
    "why.a2a.http-401": ("The server asks who you are (HTTP 401)", "服务器要求登录（HTTP 401）"),
    "why.a2a.http-403": ("The server refused the credential (HTTP 403)", "服务器拒绝了凭据（HTTP 403）"),
    "why.signal.get": ("asking after the task", "查询任务"),
    "why.signal.cancel": ("the answer to the cancel", "取消请求的回答"),
}
