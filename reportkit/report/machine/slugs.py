"""Names of systems, datasets and metrics as parts of keys: lower case letters, digits, hyphens and points."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

SLUG = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
"""What a part of a key looks like."""

_WORDS = {"+": "plus", "*": "star", "&": "and", "%": "percent", "@": "at", "#": "sharp", "†": "dagger"}
_LATIN = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS |SHARP |LONG )?([A-Z]{1,3})\b.*")
_GREEK = re.compile(r"GREEK SMALL LETTER (?:FINAL )?([A-Z]+)\b.*")
_LEAST_DIGITS = 4


def slug(name: str) -> str:
    """Write a name as a part of a key.

    Accents are dropped, Greek letters and a few signs become words, letters of other scripts their code points, and
    everything else a hyphen. Two names may give the same slug; `distinct` tells them apart.

    Parameters
    ----------
    name : str
        Anything.

    Returns
    -------
    str
        Not empty; matches `SLUG`.

    Examples
    --------
    >>> slug("SST-2"), slug("BERT+Aug (large)"), slug("Łódź_v1.5"), slug("κ"), slug("C&W"), slug("中文")
    ('sst-2', 'bert-plus-aug-large', 'lodz-v1.5', 'kappa', 'c-and-w', 'u4e2d-u6587')
    """
    letters = "".join(map(_written, unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())))
    found = re.sub(r"\.+", ".", re.sub(r"[.-]*-[.-]*", "-", letters)).strip("-.")
    return found or "-".join(f"u{ord(sign):04x}" for sign in name) or "empty"


def _written(sign: str) -> str:
    if sign.isascii():
        return sign if sign.isalnum() or sign == "." else f"-{_WORDS.get(sign, '')}-"
    category = unicodedata.category(sign)
    if category.startswith("M"):
        return ""
    if sign in _WORDS:
        return f"-{_WORDS[sign]}-"
    described = unicodedata.name(sign, "")
    if latin := _LATIN.fullmatch(described):
        return latin[1].lower()
    if greek := _GREEK.fullmatch(described):
        return f"-{greek[1].lower()}-"
    return f"-u{ord(sign):04x}-" if category[0] in "LNS" else "-"


_Name = TypeVar("_Name", bound=Hashable)


def distinct(wanted: Mapping[_Name, str], reserved: Collection[str] = ()) -> dict[_Name, str]:
    """Tell apart what would have the same slug.

    All that share one, or have a reserved one, get the first digits of the SHA-256 of their name behind it: which name
    a key stands for depends neither on the order of the names nor on which others there are, and no key that was
    written down comes to mean another name because a name was added.

    Parameters
    ----------
    wanted : mapping
        Names (strings, or tuples of strings) to the slugs that they would have alone.
    reserved : collection of str
        Slugs that are taken.

    Returns
    -------
    dict
        The same names, each with a slug of its own.

    Examples
    --------
    >>> distinct({"BERT": "bert", "bert": "bert", "n": "n", "T5": "t5"}, reserved=["n"])
    {'BERT': 'bert-f10c', 'bert': 'bert-3298', 'n': 'n-1b16', 'T5': 't5'}
    """
    shared = Counter(wanted.values())
    alone = {name: key for name, key in wanted.items() if shared[key] == 1 and key not in reserved}
    for digits in range(_LEAST_DIGITS, 65):
        found = {
            name: alone[name] if name in alone else f"{key}-{_digest(name)[:digits]}" for name, key in wanted.items()
        }
        if len(set(found.values())) == len(found) and not set(found.values()) & set(reserved):
            return found
    raise ValueError("two names have the same SHA-256")  # a mistake of the programmer: the names are not distinct


def _digest(name: Hashable) -> str:
    parts = name if isinstance(name, tuple) else (name,)
    text = "\0".join(map(str, parts))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
