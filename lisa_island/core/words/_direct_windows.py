"""The windows about agents at their own address: the list, adding, credentials, sign-in, import."""

WORDS: dict[str, tuple[str, str]] = {
    "settings.page.agents": ("Agents", "智能体"),
    "settings.direct": ("Agents at their own address", "按地址添加的智能体"),
    "settings.direct.about": (
        "They speak A2A and need no gateway. Only what you add here is ever asked, and only when you use it.",
        "它们使用 A2A 协议，无需网关。小岛只访问你在此添加的智能体，且仅在你使用时访问。",
    ),
    "settings.direct.none": (
        "None yet. Add one by the address of the agent or of its card.",
        "暂无。可用智能体或其名片的地址添加。",
    ),
    "settings.direct.add": ("Add agent…", "添加智能体…"),
    "settings.direct.import": ("Import from pi-a2a…", "从 pi-a2a 导入…"),
    "settings.direct.open": ("Details", "详情"),
    "settings.direct.file": ("card from a file", "名片来自文件"),
    "settings.direct.plain": (
        "Texts of a card come from the agent's owner and are shown as plain text.",
        "名片文字来自智能体的所有者，按纯文本显示。",
    ),
    # --- follow at the agent ---
    "settings.beside": ("Follow at the agent", "在智能体处跟踪"),
    "settings.beside.hint": (
        "The gateway cannot be asked how a task goes on; the agent can. Off until you choose it for an agent. "
        "That agent's server then sees the address of this computer. What is asked there is outside the "
        "gateway's meter.",
        "网关无法查询任务进展，而智能体可以。默认关闭，可逐个启用。启用后，该智能体的服务器会看到这台电脑的地址。"
        "在那里的查询不计入网关的用量。",
    ),
    "settings.beside.list": ("Pinned agents to follow at the agent", "在智能体处跟踪的固定智能体"),
    "settings.beside.on": ("followed at the agent", "在智能体处跟踪"),
    "settings.beside.off": ("followed at the gateway only", "仅在网关处跟踪"),
    # --- look at a card, add ---
    "direct.add.title": ("Add an agent", "添加智能体"),
    "direct.add.position": ("Add an agent ({i} of {n})", "添加智能体（{i}/{n}）"),
    "direct.add.address": ("Address", "地址"),
    "direct.add.address.name": ("Address of the agent or of its card", "智能体或其名片的地址"),
    "direct.add.placeholder": ("https://agent.example", "https://agent.example"),
    "direct.add.look": ("Look", "查看"),
    "direct.add.file": ("Card file…", "名片文件…"),
    "direct.add.file.title": ("Choose an agent card", "选择智能体名片"),
    "direct.add.paste": ("Paste card", "粘贴名片"),
    "direct.add.nothing-pasted": (
        "The clipboard holds no text.",
        "剪贴板中没有文字。",
    ),
    "direct.add.free": (
        "Looking asks that address for its card and sends nothing else. Nothing is added yet.",
        "查看只会向该地址请求名片，不发送其他内容。此时还不会添加。",
    ),
    "direct.add.looking": ("Asking for the card…", "正在请求名片…"),
    "direct.add.reading": ("Reading the card…", "正在读取名片…"),
    "direct.add.read": ("This is its card. Nothing is added yet.", "这是它的名片，尚未添加。"),
    "direct.add.name": ("Name", "名称"),
    "direct.add.name.hint": (
        "Yours to choose. You call it with @ and this name.",
        "由你决定。用 @ 加此名称来调用它。",
    ),
    "direct.add.endpoint": ("Endpoint", "端点"),
    "direct.add.endpoint.hint": (
        "Only if it must be called elsewhere than its card says.",
        "仅在需要调用名片之外的地址时填写。",
    ),
    "direct.add.endpoint.placeholder": ("as the card says", "以名片为准"),
    "direct.add.goes.one": ("Your texts to it will go to", "发给它的文字将发送到"),
    "direct.add.goes.many": (
        "Your texts to it may go to any of these {n}",
        "发给它的文字可能发送到以下 {n} 个地址",
    ),
    "direct.add.nowhere": (
        "The card names no address that can be called.",
        "名片中没有可以调用的地址。",
    ),
    "direct.add.consent": (
        "Adding is your consent to exactly this. If the card later names another place, nothing goes there.",
        "添加即表示同意以上地址，仅此而已。如果名片以后指向别处，不会向那里发送任何内容。",
    ),
    "direct.add.do": ("Add", "添加"),
    "direct.add.cancel": ("Cancel", "取消"),
    "direct.add.skip": ("Skip", "跳过"),
    "direct.add.sign-in": (
        "It asks for a credential ({needs}). You can enter one after adding it.",
        "它需要凭据（{needs}）。添加后可以输入。",
    ),
    "direct.add.pi-key": (
        "pi keeps a key for it. When you add it, the key is copied into your keyring, for {origin} alone.",
        "pi 中保存了它的密钥。添加时会复制到你的钥匙串中，仅用于 {origin}。",
    ),
    # --- a card ---
    "direct.card.provider": ("Provider", "提供者"),
    "direct.card.version": ("Version", "版本"),
    "direct.card.about": ("About", "简介"),
    "direct.card.skills": ("Skills", "技能"),
    "direct.card.more": ("{shown} and {n} more", "{shown} 等，另有 {n} 项"),
    "direct.card.interfaces": ("Speaks", "接口"),
    "direct.card.needs": ("Needs", "需要"),
    "direct.card.needs.nothing": ("no credential", "无需凭据"),
    "direct.card.address": ("Card", "名片"),
    # --- an added agent ---
    "direct.agent.title": ("@{name}", "@{name}"),
    "direct.agent.asking": ("Asking for its card…", "正在请求名片…"),
    "direct.agent.test": ("Test", "测试"),
    "direct.agent.testing": ("Testing. This costs nothing.", "正在测试，不产生费用。"),
    "direct.agent.test.hint": (
        "Asks after a task that cannot exist. No text is sent and nothing is spent.",
        "只查询一个不存在的任务，不发送文字，也不产生费用。",
    ),
    "direct.agent.remove": ("Remove…", "移除…"),
    "direct.agent.remove.ask": (
        "Remove @{name}? Its tasks may go on without the island. A saved credential stays in the keyring.",
        "移除 @{name}？其任务可能会自行继续。已保存的凭据会留在钥匙串中。",
    ),
    "direct.agent.remove.do": ("Remove", "移除"),
    "direct.agent.keep": ("Keep", "保留"),
    "direct.agent.close": ("Close", "关闭"),
    "direct.agent.goes": ("Texts go to", "文字发送到"),
    # --- a credential ---
    "direct.credential": ("Credential", "凭据"),
    "direct.credential.kind": ("How it is sent", "发送方式"),
    "direct.credential.kind.bearer": ("Bearer token", "Bearer 令牌"),
    "direct.credential.kind.basic": ("Name and password", "用户名和密码"),
    "direct.credential.kind.header": ("In a header", "通过请求头"),
    "direct.credential.header": ("Name of the header", "请求头名称"),
    "direct.credential.field": ("Credential, not shown while you type", "凭据，输入时不显示"),
    "direct.credential.placeholder.bearer": ("Paste the token", "粘贴令牌"),
    "direct.credential.placeholder.basic": ("name:password", "用户名:密码"),
    "direct.credential.placeholder.header": ("Paste the key", "粘贴密钥"),
    "direct.credential.save": ("Save", "保存"),
    "direct.credential.run": ("Use for this run", "仅本次使用"),
    "direct.credential.replace": ("Replace…", "更换…"),
    "direct.credential.forget": ("Forget", "删除"),
    "direct.credential.unlock": ("Unlock keyring…", "解锁钥匙串…"),
    "direct.credential.saving": ("Saving…", "正在保存…"),
    "direct.credential.waiting": (
        "The keyring is asked. Your desktop may want its password.",
        "正在询问钥匙串，桌面可能要求输入其密码。",
    ),
    "direct.credential.where": (
        "It goes to {origins} alone, never with the request for a card, and is never shown again.",
        "只发送到 {origins}，不会随名片请求发送，也不会再次显示。",
    ),
    "direct.credential.shared": (
        "One credential for each address: @{others} uses it too.",
        "每个地址只有一个凭据：@{others} 也使用它。",
    ),
    "direct.credential.ready": (
        "Saved in the system keyring. It is never written to a file or a log.",
        "已保存在系统钥匙串中，从不写入文件或日志。",
    ),
    "direct.credential.memory": (
        "Kept in memory and forgotten when you quit.",
        "仅保存在内存中，退出后即清除。",
    ),
    "direct.credential.none": ("None is saved.", "尚未保存。"),
    "direct.credential.locked": (
        "The keyring is locked. Unlock it to use or save a credential.",
        "钥匙串已锁定，解锁后才能使用或保存凭据。",
    ),
    "direct.credential.absent": (
        "No system keyring was found. A credential can be kept for this run only.",
        "未找到系统钥匙串，凭据只能用于本次运行。",
    ),
    "direct.credential.timed-out": (
        "The keyring does not answer. Nothing else is affected.",
        "钥匙串没有响应，其他功能不受影响。",
    ),
    "direct.credential.bad-header": (
        "This cannot be the name of a header.",
        "这不能用作请求头名称。",
    ),
    "direct.credential.insecure": (
        "{origin} is plain http, where a credential can be read on the way. It cannot be used there.",
        "{origin} 使用明文 http，凭据可能被途中读取，因此不能在那里使用。",
    ),
    "direct.credential.forgotten": ("The credential was forgotten.", "凭据已删除。"),
    # --- sign-in ---
    "direct.sign-in.title": ("@{name} asks for a sign-in", "@{name} 需要登录"),
    "direct.sign-in.denied": (
        "Its server wants to know who asks. The task waits and goes on once it takes your credential.",
        "其服务器要求验证身份。任务正在等待，凭据被接受后会自动继续。",
    ),
    "direct.sign-in.open": ("Open in browser", "在浏览器中打开"),
    "direct.sign-in.address": ("Address in its text", "文中的地址"),
    "direct.sign-in.copy": ("Copy the address", "复制地址"),
    "direct.sign-in.not-opened": (
        "The desktop did not open it. Copy the address instead.",
        "桌面未能打开，请复制该地址。",
    ),
    "direct.sign-in.saved": (
        "Saved. @{name} is asked again, and this goes away when it takes the credential.",
        "已保存。正在重新询问 @{name}，凭据被接受后本窗口会消失。",
    ),
    "direct.sign-in.again": ("Send again", "再次发送"),
    "direct.sign-in.anew": (
        "Saved. Nothing had reached @{name}, so there is no task yet. Send the text again as a new task.",
        "已保存。此前没有内容到达 @{name}，任务尚未建立。请将文字作为新任务再次发送。",
    ),
    "direct.sign-in.text-gone": (
        "Saved. Nothing had reached @{name}, and the text is gone. Send it a new task.",
        "已保存。此前没有内容到达 @{name}，文字也已不在。请给它派发新任务。",
    ),
    "direct.sign-in.sending": ("Sending…", "正在发送…"),
    "direct.sign-in.over": (
        "@{name} no longer asks. You can close this window.",
        "@{name} 不再要求登录，可以关闭此窗口。",
    ),
    "direct.sign-in.enter": ("Enter credential…", "输入凭据…"),
    # --- import ---
    "direct.pi.title": ("Import from pi-a2a", "从 pi-a2a 导入"),
    "direct.pi.reading": ("Reading pi's settings…", "正在读取 pi 的设置…"),
    "direct.pi.about": (
        "These stand in pi's settings file, which is only read. Each card is shown before anything is added.",
        "以下内容来自 pi 的设置文件，只读取不修改。添加前会逐个显示名片。",
    ),
    "direct.pi.list": ("Agents found in pi's settings", "在 pi 设置中找到的智能体"),
    "direct.pi.key": ("with a key", "含密钥"),
    "direct.pi.added": ("added already", "已添加"),
    "direct.pi.on": ("chosen", "已选择"),
    "direct.pi.off": ("not chosen", "未选择"),
    "direct.pi.next": ("Look at the chosen…", "查看所选…"),
    "pi.no-file": ("{file} is not there.", "{file} 不存在。"),
    "pi.none": ("{file} lists no agents under pi-a2a.", "{file} 的 pi-a2a 中没有智能体。"),
    "pi.broken": (
        "{file} could not be understood: it is no JSON, or pi-a2a in it is no object.",
        "无法解析 {file}：不是 JSON，或其中的 pi-a2a 不是对象。",
    ),
    "pi.too-large": ("{file} is larger than 1 MB and was not read.", "{file} 超过 1 MB，未读取。"),
    "pi.unreadable": ("{file} could not be read.", "无法读取 {file}。"),
    "pi.no-key": ("pi keeps no key for {name}.", "pi 中没有 {name} 的密钥。"),
    "pi.other-origin": (
        "The key that pi keeps for it belongs to another address, and was not copied.",
        "pi 中保存的密钥属于另一个地址，未复制。",
    ),
    "pi.file": ("pi's settings.json", "pi 的 settings.json"),
    "agent.file-too-large": ("This file is too large for an agent card.", "该文件过大，不是智能体名片。"),
    "agent.file-unreadable": ("This file could not be read.", "无法读取该文件。"),
}
