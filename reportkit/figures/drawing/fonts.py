"""Which fonts draw which characters, so that no name of a dataset or system breaks a figure.

The text font is STIXGeneral, which looks like the Times of the usual templates; it and the two DejaVu fonts behind it
come with matplotlib, so figures look the same on every machine. Between them they hold Latin, Greek, Cyrillic, Arabic
and most signs. Characters of other scripts are looked for in a short list of fonts that may be installed. What no font
holds is drawn as an empty box, as every program does, but without one warning per character, and the alternative text
of each figure still has them.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

BUNDLED = ("STIXGeneral", "DejaVu Serif", "DejaVu Sans")
INSTALLED = (
    "Noto Serif CJK SC",
    "Noto Sans CJK SC",
    "Noto Serif CJK JP",
    "Noto Sans CJK JP",
    "Source Han Serif SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "Songti SC",
    "Arial Unicode MS",
    "SimSun",
    "MS Mincho",
    "Malgun Gothic",
    "Nirmala UI",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Noto Sans Ethiopic",
    "Noto Emoji",
    "Symbola",
    "Unifont",
)
BOX = "□"
_ALWAYS = frozenset(map(chr, range(0x20, 0x7F)))


def clean(text: str) -> str:
    r"""One line of composed characters: line breaks become spaces, invisible and direction marks are left out.

    Examples
    --------
    >>> clean("movie\n reviews\u202e"), clean("cafe\u0301") == "caf\u00e9"
    ('movie reviews', True)
    """
    composed = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Zs") else sign for sign in composed)
    return " ".join("".join(map(_visible, spaced)).split())


def drawable(text: str) -> str:
    r"""Text as it can be drawn: cleaned, with a box for each character that no font holds.

    Examples
    --------
    >>> drawable("en→fr, $R&D_50%"), drawable("\uf8ff")
    ('en→fr, $R&D_50%', '□')
    """
    return "".join(sign if _family(sign) else BOX for sign in clean(text))


def families(text: str) -> list[str]:
    r"""Font families that hold the characters of one text, in the order in which matplotlib tries them.

    Examples
    --------
    >>> families("tweets"), families("an \u0627")
    (['STIXGeneral'], ['STIXGeneral', 'DejaVu Sans'])
    """
    needed = {BUNDLED[0], *map(_family, text)}
    return [family for family in (*BUNDLED, *INSTALLED) if family in needed]


def embeds_as_truetype(family: str) -> bool:
    """Whether a font has TrueType outlines; matplotlib embeds the others (CFF) properly as Type 3 only.

    Examples
    --------
    >>> embeds_as_truetype("STIXGeneral")
    True
    """
    if family in BUNDLED:
        return True
    with Path(_file(family)).open("rb") as font:
        tag = font.read(4)
        if tag == b"ttcf":  # a collection: the first of its fonts speaks for all
            font.seek(12)
            font.seek(int.from_bytes(font.read(4), "big"))
            tag = font.read(4)
    return tag != b"OTTO"


def _visible(sign: str) -> str:
    if sign.isascii():
        return sign
    category = unicodedata.category(sign)
    if category == "Cs":
        return "\ufffd"
    selector = "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"
    return "" if category == "Cf" or selector else sign


def _family(sign: str) -> str:
    """First family that holds a character, or an empty string."""
    if sign in _ALWAYS:
        return BUNDLED[0]
    code = ord(sign)
    for family in BUNDLED:
        if code in _characters(family):
            return family
    for family in _available():
        if code in _characters(family):
            return family
    return ""


@cache
def _available() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    names = {entry.name for entry in fontManager.ttflist}
    return tuple(family for family in INSTALLED if family in names)


@cache
def _characters(family: str) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset(get_font(_file(family)).get_charmap())


def _file(family: str) -> str:
    from matplotlib.font_manager import FontProperties, fontManager

    return fontManager.findfont(FontProperties(family=[family]))
