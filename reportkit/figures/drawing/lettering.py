"""How wide a text is, and how it is made to fit: shortened, broken into lines, joined into lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from reportkit.figures.drawing.fonts import drawable
from reportkit.figures.drawing.typography import DRAWING, Face, lettering, typography

ELLIPSIS = "…"
_BREAK_AFTER = " _-/.:→"

MOST_CHARACTERS = 200
"""Of a name that are measured and drawn: no figure has room for more than some 50, and to measure takes long."""

MOST_WORDS = 20
"""Of a name that is shortened by whole words, of which every run is tried."""


def text_width(text: str, size: float, *, math: bool = False) -> float:
    """Width in points of one line at a font size in points, as `style.write` draws it.

    Examples
    --------
    >>> text_width("reviews", 9.0) == 1.5 * text_width("reviews", 6.0) > 20
    True
    """
    if len(text) > MOST_CHARACTERS:
        return text_width(text[:MOST_CHARACTERS], size, math=math) * len(text) / MOST_CHARACTERS
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


def shortened(text: str, width: float, size: float, *, keep: str = "ends") -> str:
    """Text that is at most `width` points wide, with an ellipsis in place of what is left out.

    Parameters
    ----------
    keep : {"ends", "start", "end"}
        What stays. Names that are made of parts often differ in the last one, so both ends stay by default.

    Examples
    --------
    >>> shortened("tweets", 60, 8), shortened("bigbench/logical_deduction_five_objects", 90, 8)
    ('tweets', 'bigbench/logica…e_objects')
    """
    text = _bounded(drawable(text))
    if text_width(text, size) <= width:
        return text
    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(_cut(text, middle, keep), size) <= width:
            low = middle
        else:
            high = middle - 1
    return _cut(text, low, keep)


def all_shortened(names: Sequence[str], width: float, size: float) -> list[str]:
    """Shorten names in one way, so that different ones stay different.

    Where some are too wide, all lose the parts that they have in common at their ends; then, if need be, those that
    are still too wide lose words in their middle, or characters.

    Examples
    --------
    >>> all_shortened(["logical_deduction_five_objects", "tracking_shuffled_objects_five_objects", "navigate"], 85, 8)
    ['logical_…_five_objects', 'tracking_…_five_objects', 'navigate']
    >>> all_shortened(["sentiment (tweets)", "sentiment (reviews)"], 48, 8)
    ['(tweets)', '(reviews)']
    >>> all_shortened(["FuseChat-Gemma-2-9B-Instruct", "FuseChat-Qwen-2.5-7B-Instruct"], 60, 8)
    ['Gemma-2-9B', 'Qwen-2.5-7B']
    """
    if all(text_width(name, size) <= width for name in names):
        return [drawable(name) for name in names]
    short = [_bounded(name) for name in without_common_parts(names)]
    ways = [_without_words(short, width, size)]
    ways += [[shortened(name, width, size, keep=keep) for name in short] for keep in ("ends", "start", "end")]
    best = max(ways, key=lambda way: len(set(way)))
    if len(set(best)) == len(set(names)):
        return best
    return [_numbered(name, short[:place], width, size) for place, name in enumerate(short)]


def _without_words(names: Sequence[str], width: float, size: float) -> list[str]:
    """Names that fit, others without some words in their middle; each as no other one could be cut."""
    found: dict[str, str] = {name: name for name in names if text_width(name, size) <= width}
    for name in names:
        if name not in found:
            cut = shortened(name, width, size)
            others = {one for other in names if other != name for one in _cuts_at_words(drawable(other))}
            alone = [
                one
                for one in _cuts_at_words(drawable(name))
                if one not in others and len(cut) / 2 < len(one) < 2 * len(cut)
            ]
            longest_first = sorted(alone, key=len, reverse=True)  # to measure takes long
            found[name] = next((one for one in longest_first if text_width(one, size) <= width), cut)
    return [drawable(found[name]) for name in names]


@lru_cache(maxsize=1024)
def _cuts_at_words(name: str) -> list[str]:
    """The name with an ellipsis in place of each run of words in its middle, with what is between words or without."""
    parts = _PARTS.findall(name)
    words = [place for place, part in enumerate(parts) if part[0] not in "-_/:. "]
    if len(words) > MOST_WORDS:
        return []
    return [
        "".join(parts[: first - tight]) + ELLIPSIS + "".join(parts[last + 1 + tight :])
        for first in words[1:-1]
        for last in words[1:-1]
        for tight in (0, 1)
        if first <= last
    ]


def _numbered(name: str, before: Sequence[str], width: float, size: float) -> str:
    """A name with its number among those that begin alike."""
    first = list(before).index(name) if name in before else len(before)
    sign = f" ({first + 1})"
    return shortened(name, width - text_width(sign, size), size, keep="start") + sign


_PARTS = re.compile(r"[^-_/:. ]+|[-_/:. ]+")


def without_common_parts(names: Sequence[str]) -> list[str]:
    """Names without the parts, between hyphens, spaces and the like, with which all begin, and with which all end.

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
    """With how many parts all begin, whole words with what stands between them."""
    number = 0
    for column in zip(*parts, strict=False):
        if len(set(column)) > 1:
            break
        number += 1
    return number - number % 2 if number < min(map(len, parts)) else 0


def wrapped(text: str, width: float, size: float, *, lines: int) -> list[str]:
    """Break a name into at most so many lines, at spaces, hyphens, slashes or underscores if possible.

    Examples
    --------
    >>> wrapped("logical_deduction_five_objects", 75, 8, lines=2)
    ['logical_deduction_', 'five_objects']
    """
    rest = _bounded(drawable(text))
    broken: list[str] = []
    while text_width(rest, size) > width and len(broken) < lines - 1:
        ends = range(len(rest) - 1, 0, -1)  # the longest first: to measure takes long
        end = next((end for end in ends if text_width(rest[:end].rstrip(), size) <= width), 0)
        if not end:
            break
        breaks = (place for place in range(end, 0, -1) if rest[place - 1] in _BREAK_AFTER)
        nice = next((place for place in breaks if text_width(rest[:place].rstrip(), size) <= width), 0)
        end = nice if nice > 0.4 * end else end
        broken.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*broken, shortened(rest, width, size)]


def filled(parts: Sequence[str], width: float, measure: Callable[[str], float], *, between: str = " ") -> list[str]:
    """Join parts into as few lines as fit, never breaking a part.

    Examples
    --------
    >>> filled(["difference in accuracy", "(percentage points)", "ours − base"], 40, len)
    ['difference in accuracy', '(percentage points) ours − base']
    """
    lines: list[str] = []
    for part in parts:
        if not part:
            continue
        longer = f"{lines[-1]}{between}{part}" if lines else part
        if lines and measure(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _bounded(text: str) -> str:
    """Return a text of a length that can be measured, with its beginning and its end."""
    return text if len(text) <= MOST_CHARACTERS else _cut(text, MOST_CHARACTERS - 1, "ends")


def _cut(text: str, kept: int, keep: str) -> str:
    head = {"ends": kept - kept * 2 // 5, "start": kept, "end": 0}[keep]
    tail = kept - head
    while head and unicodedata.combining(text[head]):
        head -= 1
    start = len(text) - tail
    while start < len(text) and unicodedata.combining(text[start]):
        start += 1
    return text[:head].rstrip() + ELLIPSIS + text[start:].lstrip()
