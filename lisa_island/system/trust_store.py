"""Where this system keeps the certificates it trusts, for `doctor`; connections look there by themselves."""

import ssl
import sys
from pathlib import Path


def trust_store() -> str:
    """A file or folder, `fact.trust.system` where the system itself is asked, or "" where there is none."""
    if sys.platform in ("win32", "darwin"):
        return "fact.trust.system"
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        return paths.cafile
    if paths.capath and any(Path(paths.capath).glob("????????.0")):
        return paths.capath
    return ""
