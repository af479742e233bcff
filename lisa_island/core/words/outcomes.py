"""What the owner is told of an intent: why nothing was done, or why nobody can tell."""

_KEPT_EN = "Nothing was sent. Your text is kept."
_KEPT_ZH = "未发送任何内容，文字已保留。"

WORDS: dict[str, tuple[str, str]] = {
    # --- switched off, no key ---
    "outcome.source-off": (
        "{agent} is switched off. Switch it on in Settings.",
        "{agent} 已关闭，请在设置中打开。",
    ),
    "outcome.takoapi-off": (
        f"Remote agents are switched off. Switch them on in Settings, Remote. {_KEPT_EN}",
        f"远程智能体已关闭，请在“设置 → 远程”中打开。{_KEPT_ZH}",
    ),
    "outcome.no-key": (
        f"No key for {{origin}}. Add one in Settings, Remote, or with “lisa-island key set”. {_KEPT_EN}",
        f"没有 {{origin}} 的密钥。请在“设置 → 远程”中添加，或运行 lisa-island key set。{_KEPT_ZH}",
    ),
    "outcome.key-locked": (
        f"The keyring is locked. Unlock it in Settings, Remote, and send again. {_KEPT_EN}",
        f"钥匙串已锁定。请在“设置 → 远程”中解锁后再发送。{_KEPT_ZH}",
    ),
    "outcome.no-keyring": (
        f"No system keyring was found, so there is no key for {{origin}}. Choose in Settings, Remote, "
        f"where the key comes from. {_KEPT_EN}",
        f"未找到系统钥匙串，因此没有 {{origin}} 的密钥。请在“设置 → 远程”中选择密钥来源。{_KEPT_ZH}",
    ),
    "outcome.key-timed-out": (
        f"The keyring did not answer in time. Try again in a moment. {_KEPT_EN}",
        f"钥匙串未及时响应，请稍后再试。{_KEPT_ZH}",
    ),
    "outcome.key-malformed": (
        f"The saved key holds characters that no key has. Save it again in Settings, Remote. {_KEPT_EN}",
        f"保存的密钥含有无效字符，请在“设置 → 远程”中重新保存。{_KEPT_ZH}",
    ),
    "outcome.key-refused": (
        f"TakoAPI refused the key. It may have been revoked. Replace it in Settings, Remote. {_KEPT_EN}",
        f"TakoAPI 拒绝了该密钥，可能已被撤销。请在“设置 → 远程”中更换。{_KEPT_ZH}",
    ),
    "outcome.insecure": (
        f"{{origin}} is not encrypted, so the key is not sent there. Use an https address. {_KEPT_EN}",
        f"{{origin}} 未加密，密钥不会发往该地址。请使用 https 地址。{_KEPT_ZH}",
    ),
    "outcome.bad-address": (
        f"The address of the gateway is not a web address. Correct it in Settings, Remote. {_KEPT_EN}",
        f"网关地址不是有效的网址，请在“设置 → 远程”中更正。{_KEPT_ZH}",
    ),
    "outcome.other-origin": (
        f"This was meant for {{origin}}, and another address is set now. {_KEPT_EN}",
        f"该内容原本发往 {{origin}}，而现在设置的是另一个地址。{_KEPT_ZH}",
    ),
    # --- what was typed ---
    "outcome.empty": (
        "There is no text. Nothing was sent.",
        "没有文字，未发送任何内容。",
    ),
    "outcome.too-long": (
        f"The text is longer than {{limit}} KiB. Shorten it. {_KEPT_EN}",
        f"文字超过 {{limit}} KiB，请缩短。{_KEPT_ZH}",
    ),
    "outcome.bad-slug": (
        f"This is no name of a remote agent: small letters, digits and hyphens. {_KEPT_EN}",
        f"这不是远程智能体的名称：只能用小写字母、数字和连字符。{_KEPT_ZH}",
    ),
    "outcome.price": (
        f"A call to {{slug}} costs: {{price}}. Confirm the price to send it. {_KEPT_EN}",
        f"调用 {{slug}} 的费用：{{price}}。确认价格后才会发送。{_KEPT_ZH}",
    ),
    # --- the gateway refused ---
    "outcome.unreachable": (
        f"{{origin}} does not answer. {_KEPT_EN}",
        f"{{origin}} 没有响应。{_KEPT_ZH}",
    ),
    "outcome.untrusted": (
        f"No safe connection to {{origin}}: its certificate is not trusted here, or it speaks no TLS. {_KEPT_EN}",
        f"无法与 {{origin}} 建立安全连接：本机不信任其证书，或对方不支持 TLS。{_KEPT_ZH}",
    ),
    "outcome.no-answer": (
        "{origin} broke off without an answer. Try again.",
        "{origin} 中断且没有答复，请重试。",
    ),
    "outcome.redirect": (
        f"The gateway points to another address, which is not followed. Check the address in Settings, "
        f"Remote, and whether this network asks for a sign-in. {_KEPT_EN}",
        f"网关指向另一个地址，小岛不会跟随。请检查“设置 → 远程”中的地址，以及网络是否需要登录。{_KEPT_ZH}",
    ),
    "outcome.bad-request": (
        f"The gateway did not accept the message. {_KEPT_EN}",
        f"网关未接受该消息。{_KEPT_ZH}",
    ),
    "outcome.no-agent": (
        f"The gateway knows no agent of this name. {_KEPT_EN}",
        f"网关上没有这个名称的智能体。{_KEPT_ZH}",
    ),
    "outcome.not-callable": (
        f"This is an open-source project, not an agent that can be called. {_KEPT_EN}",
        f"这是一个开源项目，不是可以调用的智能体。{_KEPT_ZH}",
    ),
    "outcome.balance": (
        f"Not enough credit: the balance is {{balance}}, the call needs {{required}}. {_KEPT_EN}",
        f"余额不足：余额 {{balance}}，本次需要 {{required}}。{_KEPT_ZH}",
    ),
    "outcome.balance-unknown": (
        f"Not enough credit for this call. {_KEPT_EN}",
        f"余额不足。{_KEPT_ZH}",
    ),
    "outcome.too-many": (
        f"Too many requests. The gateway asked to wait {{seconds}} s. {_KEPT_EN}",
        f"请求过多，网关要求等待 {{seconds}} 秒。{_KEPT_ZH}",
    ),
    "outcome.agent-resting": (
        f"{{slug}} failed several times in a row. It may be tried again in {{seconds}} s. {_KEPT_EN}",
        f"{{slug}} 连续多次失败，{{seconds}} 秒后可再试。{_KEPT_ZH}",
    ),
    # --- answering ---
    "outcome.request-gone": (
        "This question is no longer open. Nothing was sent.",
        "该问题已不再等待回答，未发送任何内容。",
    ),
    "outcome.no-task": (
        f"The agent gave its question no task, so it cannot be answered. Start a new task. {_KEPT_EN}",
        f"智能体没有为该问题提供任务，无法回答，请新建任务。{_KEPT_ZH}",
    ),
    "outcome.g0-answer": (
        f"This gateway cannot continue a task: an answer would start a new one and be charged. {_KEPT_EN}",
        f"该网关无法继续任务：回答会变成新任务并产生费用。{_KEPT_ZH}",
    ),
    "outcome.generation-unknown": (
        f"It could not be learnt whether this gateway can continue a task. Try again in a moment. {_KEPT_EN}",
        f"无法确定该网关能否继续任务，请稍后再试。{_KEPT_ZH}",
    ),
    "outcome.session-expired": (
        "The agent no longer knows this session. Start a new task. Your text is kept.",
        "智能体已不再保留该会话，请新建任务。文字已保留。",
    ),
    # --- the agent answered, or nobody can tell ---
    "outcome.agent-error": (
        "The agent answered with an error.",
        "智能体返回了错误。",
    ),
    "outcome.unknown": (
        "Outcome unknown. The agent may still be working and the call may be charged. It is not sent again "
        "by itself.",
        "结果未知。智能体可能仍在工作，也可能已计费。不会自动重新发送。",
    ),
    "outcome.text-gone": (
        "The text of this task is no longer held, so it cannot be sent again.",
        "该任务的文字已不再保留，无法再次发送。",
    ),
    "outcome.already-sending": (
        "It is being sent again already.",
        "已在重新发送。",
    ),
    # --- rows ---
    "outcome.not-ours": (
        "This row was not started from here.",
        "该条目不是从这里启动的。",
    ),
    "outcome.no-reply": (
        "No reply is held for this row. Replies live in memory and are lost when the island quits.",
        "该条目没有保留的回复。回复只保存在内存中，退出后丢失。",
    ),
    "outcome.observe-only": (
        "This agent can only be answered in its own terminal.",
        "该智能体只能在自己的终端里回答。",
    ),
    # --- asking the gateway ---
    "outcome.no-registry": (
        "{origin} does not answer as a TakoAPI gateway does. Check the address in Settings, Remote.",
        "{origin} 的答复不像 TakoAPI 网关，请检查“设置 → 远程”中的地址。",
    ),
    "outcome.key-good": (
        "The gateway accepts the key. Nothing was spent.",
        "网关接受该密钥，未产生费用。",
    ),
    "outcome.key-unclear": (
        "The gateway answers, but it could not be learnt whether it accepts the key.",
        "网关有答复，但无法确定它是否接受该密钥。",
    ),
}
