"""What a look at an agent's card adds for its owner."""

WORDS: dict[str, tuple[str, str]] = {
    "warning.answers-here": (
        "An agent answers at {instead}, where the card was, too. {says} was not asked.",
        "名片所在的 {instead} 也有智能体响应；未访问 {says}。",
    ),
}
