"""The island's own toast, where no notification server shows buttons."""

WORDS: dict[str, tuple[str, str]] = {
    "toast.app": ("LISA Island", "LISA Island"),
    "toast.close": ("Close", "关闭"),
}
