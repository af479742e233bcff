"""What only a desktop can do, after the owner's click."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication


def open_url(url: str) -> bool:
    """Hand an http(s) address to the desktop; False when it was refused."""
    address = QUrl(url, QUrl.ParsingMode.StrictMode)
    return address.isValid() and address.scheme() in ("http", "https") and QDesktopServices.openUrl(address)


def set_clipboard(text: str) -> None:
    """Plain text, nothing else."""
    QGuiApplication.clipboard().setText(text)
