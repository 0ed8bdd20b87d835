"""The works that a report cites: as a BibTeX file, and as lines of plain text where no BibTeX runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reportkit.report.references import REFERENCES, Entry, without_markup

_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", re.MULTILINE)


def bibtex(keys: Iterable[str], comments: Iterable[str] = (), references: Mapping[str, Entry] = REFERENCES) -> str:
    """Write the entries of some works, sorted by key.

    Parameters
    ----------
    keys : iterable of str
        BibTeX keys.
    comments : iterable of str
        Lines to stand above; an `@` in them is written as "(at)", as BibTeX would read an entry.
    references : mapping of str to Entry
        The literature.

    Raises
    ------
    UnknownNameError
        If a key is not in the literature.

    Examples
    --------
    >>> print(bibtex(["holm1979simple"]).splitlines()[0])
    @article{holm1979simple,
    """
    head = [f"% {line.replace('@', '(at)')}\n" for line in comments]
    return "\n".join(["".join(head), *(references[key].bibtex for key in sorted(keys))]).lstrip("\n")


def in_words(entry: Entry) -> str:
    """Write one work as plain text: authors, year, title, where it appeared.

    Examples
    --------
    >>> in_words(REFERENCES["dixon1946sign"])
    'W. J. Dixon and A. M. Mood (1946). The Statistical Sign Test. Journal of the American Statistical Association
    41(236), 557–566.'
    """
    fields = {name: without_markup(value) for name, value in _FIELD.findall(entry.bibtex)}
    authors = [_in_order(name) for name in fields.get("author", entry.short).split(" and ")]
    named = ", ".join(authors[:-1]) + (" and " if len(authors) > 1 else "") + authors[-1]
    volume = fields.get("volume", "") + (f"({fields['number']})" if "number" in fields else "")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    where = ", ".join(filter(None, [f"{place} {volume}".strip(), fields.get("pages", "")]))
    return f"{named} ({fields.get('year', 'n.d.')}). {fields.get('title', entry.key)}. {where}".rstrip(". ") + "."


def _in_order(name: str) -> str:
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma else last
