"""What kinds of agents are called. A kind that is not here goes by its id (I9)."""

WORDS: dict[str, tuple[str, str]] = {
    "agent.claude-code": ("Claude Code", "Claude Code"),
    "agent.codex": ("Codex", "Codex"),
}
