"""What only assistive technology is told."""

WORDS: dict[str, tuple[str, str]] = {
    "announce.gone": ("{name}: {what}", "{name}：{what}"),
}
