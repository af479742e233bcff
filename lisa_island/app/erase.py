"""What the island stored, and its end. LISA's own files and the shared call list stay."""

from pathlib import Path


def data_files(home: Path) -> list[Path]:
    """Our own files in LISA's folder: database, settings, and what was set aside as broken."""
    found = [p for p in home.glob("island.*") if p.is_file() and not p.is_symlink()]
    pointer = home / "endpoint"
    return sorted(found + ([pointer] if pointer.is_file() else []))


def erase(home: Path) -> list[str]:
    """Delete them; the names of what is gone."""
    gone = []
    for path in data_files(home):
        path.unlink(missing_ok=True)
        gone.append(path.name)
    return gone
