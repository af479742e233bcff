"""Lines of a remote task's trail that change no state."""

WORDS: dict[str, tuple[str, str]] = {
    "trail.call.noise": (
        "Sent something that is not part of the protocol; it was ignored",
        "发送了协议之外的内容，已忽略",
    ),
    "trail.call.continued": (
        "Continues under a new task id",
        "以新的任务编号继续",
    ),
    "trail.call.refused": (
        "The gateway refused it late; nothing reached the agent",
        "网关稍后拒绝，未送达智能体",
    ),
}
