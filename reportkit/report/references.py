"""The literature that reports cite, as `references.bib` in this folder has it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reportkit.registry import Registry

_HEAD = re.compile(r"@(\w+)\{([^,]+),\n")
_FIELD = re.compile(r"^ +(\w+) += \{(.*)\},?$", re.MULTILINE)
_ACCENT = re.compile(r"\\(['`\"^~v])\{?([A-Za-z])\}?")
_COMBINING = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "v": "\u030c"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One cited work.

    Parameters
    ----------
    key : str
        BibTeX key.
    short : str
        Author and year, for text without a bibliography.
    bibtex : str
        The whole entry.
    fields : mapping of str to str
        Its fields as plain text.
    """

    key: str
    short: str
    bibtex: str
    fields: Mapping[str, str]


def parsed(text: str) -> tuple[Entry, ...]:
    r"""Read BibTeX entries in the form of `references.bib`: one field on a line, an empty line between entries.

    Parameters
    ----------
    text : str
        BibTeX.

    Raises
    ------
    ValueError
        If an entry is not written so, or has no author or year: a mistake of the programmer.

    Examples
    --------
    >>> parsed("@book{doe2001,\n  author = {Doe, Jane and Roe, R.},\n  year   = {2001}\n}\n")[0].short
    'Doe and Roe, 2001'
    """
    return tuple(map(_entry, text.rstrip("\n").split("\n\n")))


def without_markup(value: str) -> str:
    r"""Turn a field of BibTeX into plain text: accents joined with their letters, no braces.

    Examples
    --------
    >>> without_markup(r"{chrF}: Popovi{\'c}, 392--395")
    'chrF: Popović, 392–395'
    """
    accented = _ACCENT.sub(lambda found: unicodedata.normalize("NFC", found[2] + _COMBINING[found[1]]), value)
    return re.sub(r"[{}]", "", accented).replace("--", "–")


def _entry(bibtex: str) -> Entry:
    head = _HEAD.match(bibtex)
    fields = {name: without_markup(value) for name, value in _FIELD.findall(bibtex)}
    if head is None or not {"author", "year"} <= fields.keys():
        raise ValueError(f"not an entry: {bibtex!r}")
    names = [author.partition(",")[0] for author in fields["author"].split(" and ")]
    authors = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return Entry(head[2], f"{authors}, {fields['year']}", bibtex + "\n", fields)


REFERENCES: Registry[Entry] = Registry("reference")
"""All works by their keys, read once when the first report is laid out."""

for _work in parsed(Path(__file__).with_name("references.bib").read_text("utf-8")):
    REFERENCES.register(_work.key, _work)
