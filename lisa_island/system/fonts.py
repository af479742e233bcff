"""Whether a font for Chinese is installed: without one Qt draws boxes, and says nothing."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_void_p
from typing import Any

CHINESE = b":lang=zh-cn"


class _FontSet(Structure):
    _fields_ = (("count", c_int), ("room", c_int), ("fonts", c_void_p))


_CALLS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "FcNameParse": (c_void_p, (c_char_p,)),
    "FcPatternDestroy": (None, (c_void_p,)),
    "FcObjectSetCreate": (c_void_p, ()),
    "FcObjectSetAdd": (c_int, (c_void_p, c_char_p)),
    "FcObjectSetDestroy": (None, (c_void_p,)),
    "FcFontList": (POINTER(_FontSet), (c_void_p, c_void_p, c_void_p)),
    "FcFontSetDestroy": (None, (POINTER(_FontSet),)),
}


def has_chinese() -> bool | None:
    """Asks fontconfig, as Qt does; None where there is none. Blocks while fontconfig reads its folders."""
    try:
        library = ctypes.CDLL("libfontconfig.so.1")
        for name, (result, arguments) in _CALLS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):
        return None
    pattern, names = library.FcNameParse(CHINESE), library.FcObjectSetCreate()
    library.FcObjectSetAdd(names, b"family")
    found = library.FcFontList(None, pattern, names)
    count = found.contents.count if found else 0
    if found:
        library.FcFontSetDestroy(found)
    library.FcObjectSetDestroy(names)
    library.FcPatternDestroy(pattern)
    return bool(count > 0)
