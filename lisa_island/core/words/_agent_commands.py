"""`lisa-island agent` and `cancel`, and what adding an agent says."""

WORDS: dict[str, tuple[str, str]] = {
    "cli.help.agent": (
        "agents at their own address: add, list, remove, test, key, import",
        "按地址添加的智能体：add、list、remove、test、key、import",
    ),
    "cli.help.agent.action": ("what to do", "操作"),
    "cli.help.agent.url": (
        "address of an agent or its card, a file with a card, or the name of an added agent",
        "智能体或其名片的地址、名片文件，或已添加智能体的名称",
    ),
    "cli.help.agent.name": ("your own name for it", "你给它起的名称"),
    "cli.help.agent.endpoint": (
        "call it here instead of where its card says",
        "改用此地址调用，而非名片中的地址",
    ),
    "cli.help.agent.auth": (
        "how its credential is sent: bearer, basic, or header:NAME",
        "凭据的发送方式：bearer、basic 或 header:NAME",
    ),
    "cli.help.agent.yes": ("add without asking", "直接添加，不再询问"),
    "cli.help.cancel": ("ask an agent to stop a task", "请求智能体停止任务"),
    "cli.help.session": ("session id, as status prints it", "status 显示的会话 ID"),
    "cli.help.tag": ("only agents with a skill of this tag", "仅显示带有此标签技能的智能体"),
    "cli.help.metadata": (
        "metadata of the chain of calls that this one is part of (pi-a2a loop guards)",
        "所属调用链的元数据（pi-a2a 循环保护）",
    ),
    "cli.cancel.asked": ("{session}: asked to stop; now {state}.", "{session}：已请求停止，当前{state}。"),
    "cli.agent.what": ("Name an address, a file or an agent.", "请指定地址、文件或智能体名称。"),
    "cli.agent.ask": (
        "Add it as @{name}? Your texts to it then go to {origins}. [y/N]",
        "添加为 @{name}？之后发给它的文字将发送到 {origins}。[y/N]",
    ),
    "cli.agent.needs-yes": (
        "Nothing was added. Read the card above and repeat with --yes.",
        "未添加。请查看上面的名片，然后加 --yes 重试。",
    ),
    "cli.agent.not-added": ("Nothing was added.", "未添加。"),
    "cli.agent.needs": (
        "@{name} asks for a credential ({needs}). Add it again with --auth, then: lisa-island agent key {name}",
        "@{name} 需要凭据（{needs}）。请用 --auth 重新添加，然后：lisa-island agent key {name}",
    ),
    "cli.agent.no-auth": (
        "@{name} was added without --auth, so it is not said how a credential is sent. Add it again with --auth.",
        "@{name} 添加时没有 --auth，无法得知凭据的发送方式。请用 --auth 重新添加。",
    ),
    "cli.agent.no-file": ("{file} could not be read: {why}", "无法读取 {file}：{why}"),
    "cli.agent.large-file": ("{file} is too large for an agent card.", "{file} 过大，不是智能体名片。"),
    "cli.agent.from-file": ("(card from a file)", "（名片来自文件）"),
    "cli.agent.none": (
        "No agents were added. Add one with: lisa-island agent add URL",
        "尚未添加智能体。添加：lisa-island agent add URL",
    ),
    "cli.agent.key-prompt": ("Credential (not shown): ", "凭据（不显示）："),
    "cli.agent.pi-reads": (
        "{file} is read and not changed. Each card is shown before anything is added.",
        "只读取 {file}，不会修改。添加前会逐个显示名片。",
    ),
    "cli.agent.pi-found": ("--- {name}  {url}  {about}", "--- {name}  {url}  {about}"),
    "cli.agent.pi-has": ("@{name} is added already.", "@{name} 已添加。"),
    "cli.agent.pi-key": (
        "pi keeps a key for it; it is copied into your keyring for {origin} alone.",
        "pi 中保存了它的密钥，将复制到你的钥匙串中，仅用于 {origin}。",
    ),
    "cli.agent.pi-done": ("{added} of {n} added.", "已添加 {n} 个中的 {added} 个。"),
    "cli.agent.key-saved": (
        "The credential of @{name} for {origin} is in the keyring.",
        "@{name} 用于 {origin} 的凭据已存入钥匙串。",
    ),
    "cli.card.name": ("Name       {text}", "名称       {text}"),
    "cli.card.description": ("About      {text}", "简介       {text}"),
    "cli.card.provider": ("Provider   {text}", "提供者     {text}"),
    "cli.card.version": ("Version    {text}", "版本       {text}"),
    "cli.card.url": ("Card       {text}", "名片       {text}"),
    "cli.card.skills": ("Skill      {text}", "技能       {text}"),
    "cli.card.interfaces": ("Interface  {text}", "接口       {text}"),
    "cli.card.needs": ("Needs      {text}", "需要       {text}"),
    "agent.added": ("@{name} is added. Nothing was sent to it.", "已添加 @{name}，未向其发送任何内容。"),
    "agent.removed": (
        "@{name} is removed. Its tasks may go on without the island.",
        "已移除 @{name}。其任务可能会自行继续。",
    ),
    "agent.card-changed": (
        "The card of {name} has changed since it was shown. Look at it again; nothing was added.",
        "{name} 的名片在显示之后发生了变化，请重新查看；未添加。",
    ),
    "agent.bad-name": (
        "{name} cannot be called: use letters, digits, _, . and -, at most 40.",
        "{name} 无法用作名称：只能用字母、数字、_、. 和 -，最多 40 个字符。",
    ),
    "agent.name-taken": ("An agent is named {name} already.", "已有名为 {name} 的智能体。"),
    "agent.too-many": ("{limit} agents are added, and no more fit.", "已添加 {limit} 个智能体，无法再添加。"),
    "agent.bad-auth": (
        "A credential is sent as bearer, basic, or header:NAME.",
        "凭据的发送方式为 bearer、basic 或 header:NAME。",
    ),
    "agent.bad-header": (
        "A credential cannot be sent in this header: name another with header:NAME.",
        "凭据不能放在这个请求头中：请用 header:NAME 指定其他名称。",
    ),
    "agent.bad-endpoint": (
        "The address to call it at is no http address. Nothing was added.",
        "调用地址不是 http 地址。未添加。",
    ),
    "cli.agent.no-keyring": (
        "No system keyring was found, so nothing was saved. Settings, Agents can use it for one run.",
        "未找到系统钥匙串，因此未保存。可在“设置 → 智能体”中仅用于一次运行。",
    ),
    "cli.discover.own": ("your own agent", "你添加的智能体"),
    "outcome.no-such-agent.short": ("There is no agent named {name}.", "没有名为 {name} 的智能体。"),
    "outcome.address-unknown": (
        "{url} is no agent that you added. Add it first: lisa-island agent add URL. Nothing was sent.",
        "{url} 不是你添加的智能体。请先添加：lisa-island agent add URL。未发送任何内容。",
    ),
    "outcome.ambiguous": (
        "{name} means several agents: {choices}. Nothing was sent.",
        "{name} 对应多个智能体：{choices}。未发送任何内容。",
    ),
}
