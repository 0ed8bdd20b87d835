"""Widths of texts, and names shortened so that different ones stay different."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from reportkit.figures.drawing.typography import DRAWING, Face, clean, lettering, typography

ELLIPSIS = "…"
_MOST_CHARACTERS = 200
"""Characters of a name that are measured and drawn: a figure has room for about 50, and measuring takes long."""

_PARTS = re.compile(r"[^-_/:. ]+|[-_/:. ]+")


def text_width(text: str, size: float, *, math: bool = False) -> float:
    """Return the width in points of one line at a font size in points.

    Examples
    --------
    >>> text_width("reviews", 9.0) == 1.5 * text_width("reviews", 6.0) > 20
    True
    """
    if len(text) > _MOST_CHARACTERS:
        return text_width(text[:_MOST_CHARACTERS], size, math=math) * len(text) / _MOST_CHARACTERS
    return _width(text, size, typography().face, math)


@lru_cache(maxsize=8192)
def _width(text: str, size: float, face: Face, math: bool) -> float:
    if not text:
        return 0.0
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = lettering(text, face, math=math)
    font = FontProperties(family=list(letters.families), size=size, math_fontfamily=letters.math_face)
    shown = letters.text if letters.math else letters.text.replace(r"\$", "$")
    with DRAWING:
        width, _, _ = text_to_path.get_text_width_height_descent(shown, font, letters.math)
    return float(width)


def widest(texts: Sequence[str], size: float, *, math: bool = False) -> float:
    """Return the width in points of the widest of some texts; 0 if there is none."""
    return max((text_width(text, size, math=math) for text in texts), default=0.0)


def shortened(text: str, width: float, size: float) -> str:
    """Cut a text to at most `width` points, with an ellipsis in place of its middle.

    Examples
    --------
    >>> shortened("tweets", 60, 8), shortened("bigbench/logical_deduction_five_objects", 90, 8)
    ('tweets', 'bigbench/logica…e_objects')
    """
    text = clean(text)[:_MOST_CHARACTERS]
    if text_width(text, size) <= width:
        return text
    kept = bisect_right(range(1, len(text)), width, key=lambda number: text_width(_cut(text, number), size))
    return _cut(text, kept)


def _cut(text: str, kept: int) -> str:
    """Keep this many characters, three fifths at the beginning, as names often differ in their last part."""
    head, start = kept - kept * 2 // 5, len(text) - kept * 2 // 5
    while start < len(text) and unicodedata.combining(text[start]):
        start += 1
    return text[:head].rstrip() + ELLIPSIS + text[start:].lstrip()


def all_shortened(names: Sequence[str], width: float, size: float) -> list[str]:
    """Shorten names in one way, so that different ones stay different.

    Where some are too wide, all lose the parts that they have in common at their ends; those that are still too wide
    lose characters in their middle, and those that are then alike are numbered.

    Examples
    --------
    >>> all_shortened(["sentiment (tweets)", "sentiment (reviews)"], 48, 8)
    ['(tweets)', '(reviews)']
    >>> all_shortened(["FuseChat-Gemma-2-9B-Instruct", "FuseChat-Qwen-2.5-7B-Instruct"], 60, 8)
    ['Gemma-2-9B', 'Qwen-2.5-7B']
    """
    if widest(names, size) <= width:
        return [clean(name) for name in names]
    short = without_common_parts(names)
    cut = [shortened(name, width, size) for name in short]
    if len(set(cut)) == len(set(names)):
        return cut
    found = []
    for place, name in enumerate(cut):
        alike = dict.fromkeys(short[i] for i in range(len(cut)) if cut[i] == name)
        sign = f" ({list(alike).index(short[place]) + 1})" if len(alike) > 1 else ""
        found.append(shortened(short[place], width - text_width(sign, size), size) + sign if sign else name)
    return found


def without_common_parts(names: Sequence[str]) -> list[str]:
    """Drop the parts, between hyphens, spaces and the like, with which all names begin, and with which all end.

    Examples
    --------
    >>> without_common_parts(["bbh_dyck_languages", "bbh_navigate"]), without_common_parts(["llama-2", "llama-2-chat"])
    (['dyck_languages', 'navigate'], ['llama-2', 'llama-2-chat'])
    """
    different = list(dict.fromkeys(names))
    parts = [_PARTS.findall(name) for name in different]
    if len(different) < 2 or min(map(len, parts)) < 2:
        return list(names)
    head = _alike(parts)
    tail = _alike([part[head:][::-1] for part in parts])
    kept = {
        name: "".join(part[head : len(part) - tail]).strip("-_/:. ")
        for name, part in zip(different, parts, strict=True)
    }
    alone = len(set(kept.values())) == len(different) and all(any(map(str.isalpha, name)) for name in kept.values())
    return [kept[name] for name in names] if alone else list(names)


def _alike(parts: Sequence[Sequence[str]]) -> int:
    """Return the number of leading parts that all names share: words, and the signs between them."""
    number = 0
    for column in zip(*parts, strict=False):
        if len(set(column)) > 1:
            break
        number += 1
    return number - number % 2 if number < min(map(len, parts)) else 0
