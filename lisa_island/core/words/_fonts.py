"""What `doctor` says of fonts."""

WORDS: dict[str, tuple[str, str]] = {
    "fact.font": ("Chinese font", "中文字体"),
    "fact.font.on": ("installed", "已安装"),
    "fact.font.none": (
        "none; Chinese is drawn as boxes. Install one, on Debian: fonts-noto-cjk",
        "没有，中文会显示为方块。请安装中文字体，Debian 上为 fonts-noto-cjk",
    ),
}
