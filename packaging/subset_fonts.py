"""Cuts the fonts that the goldens are drawn in out of Inter and Noto Sans CJK.

uv run --no-project --with fonttools python packaging/subset_fonts.py [FOLDER OF SOURCE FONTS]

Reads Inter-*.otf and NotoSansCJK-*.ttc (Debian: fonts-inter, fonts-noto-cjk) and writes tests/data/fonts. The
families get names of their own, so that no font of the machine can stand in for them. Hints are left out:
letters drawn with them would differ from one FreeType to the next.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

PLACE = Path(__file__).parents[1] / "tests" / "data" / "fonts"
FAMILY = "Island Test"
LATIN = {
    *range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2028), 0x2030, 0x2039, 0x203A, 0x20AC,
    *range(0x2190, 0x2194), 0x21B5, 0x2212, 0x2318, 0x2713, 0xFFFD,
}  # fmt: skip
PUNCTUATION = {*range(0x3001, 0x3012), *range(0xFF01, 0xFF5F), 0xFFE5, 0x2014, 0x2026, 0x201C, 0x201D}


class Cut(NamedTuple):
    """One file to write: of which face, which characters, under which family and weight."""

    source: str
    number: int
    characters: set[int]
    family: str
    weight: int


def common_chinese() -> set[int]:
    """GB 2312, level 1: the 3,755 characters that nearly all Chinese is written in; rows 16 to 55."""
    rows = range(0xB0, 0xD8)
    pairs = (bytes((high, low)) for high in rows for low in range(0xA1, 0xFF))
    return {ord(pair.decode("gb2312")) for pair in pairs if pair < b"\xd7\xfa"}


def cuts() -> list[Cut]:
    """Bold stays 700: halfway between two weights, 500, fontconfig would take the file it found first."""
    chinese = common_chinese() | PUNCTUATION | set(map(ord, "浏"))
    return [
        Cut("inter/Inter-Regular.otf", -1, LATIN, FAMILY, 400),
        Cut("inter/Inter-Medium.otf", -1, LATIN, FAMILY, 500),
        Cut("inter/Inter-SemiBold.otf", -1, LATIN, FAMILY, 600),
        Cut("noto/NotoSansCJK-Regular.ttc", 2, chinese, f"{FAMILY} CJK", 400),
        Cut("noto/NotoSansCJK-Bold.ttc", 2, chinese, f"{FAMILY} CJK", 700),
        Cut("noto/NotoSansCJK-Regular.ttc", 7, LATIN, f"{FAMILY} Mono", 400),
        Cut("noto/NotoSansCJK-Bold.ttc", 7, LATIN, f"{FAMILY} Mono", 700),
    ]


def rename(font: TTFont, family: str, weight: int) -> None:
    """Family and weight as Qt reads them; copyright and licence stay as they are."""
    style = {400: "Regular", 500: "Medium", 600: "SemiBold", 700: "Bold"}[weight]
    names = font["name"]
    names.names = [n for n in names.names if n.nameID in (0, 13, 14)]
    for number, text in (
        (1, family if weight == 400 else f"{family} {style}"),
        (2, "Regular"),
        (3, f"{family} {style}"),
        (4, f"{family} {style}"),
        (6, f"{family.replace(' ', '')}-{style}"),
        (16, family),
        (17, style),
    ):
        names.setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = font["OS/2"].fsSelection & ~0b100001 | 0b1000000
    font["head"].macStyle = 0
    table = font["CFF "].cff
    table.fontNames = [f"{family.replace(' ', '')}-{style}"]


def cut(folder: Path, wanted: Cut) -> Path:
    font = TTFont(folder / wanted.source, fontNumber=wanted.number, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=["tnum", "kern", "ccmp", "mark"], name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted.characters)
    subsetter.subset(font)
    rename(font, wanted.family, wanted.weight)
    path = PLACE / f"{wanted.family.replace(' ', '')}-{wanted.weight}.otf"
    font.save(path)
    return path


if __name__ == "__main__":
    PLACE.mkdir(parents=True, exist_ok=True)
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/opentype")
    for one in cuts():
        written = cut(source, one)
        print(f"{written.name}: {written.stat().st_size / 1000:.0f} kB")
