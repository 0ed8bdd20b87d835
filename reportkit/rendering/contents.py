"""All prose of a report, for questions about the whole: its characters, the works it cites, where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Signature, Table
from reportkit.report.prose import Cite, Code, Emphasis, Prose, Reference, Strong, Text
from reportkit.report.references import REFERENCES, Entry, without_markup


def prose_of(block: Block) -> Iterator[Prose]:
    """All prose of one block, in the order in which it is read."""
    match block:
        case Table():
            yield from (spanner.header for spanner in block.spanners)
            yield from (column.header for column in block.columns)
            yield from (cell.text for row in (*block.header_rows, *block.rows) for cell in row.cells)
            yield block.full_caption
        case Figure():
            yield block.caption
        case Paragraph():
            yield block.content
        case Itemize():
            yield from block.items
        case _:
            assert_never(block)


def all_prose(report: Report) -> Iterator[Prose]:
    """All prose of a report, titles included, in order."""
    yield (Text(report.title),)
    for section in report.sections:
        yield (Text(section.title),)
        for block in section.blocks:
            yield from prose_of(block)


def cited_keys(contents: Iterable[Prose]) -> tuple[str, ...]:
    """BibTeX keys of the works cited, each once, in order of citation."""
    return tuple(
        dict.fromkeys(key for content in contents for part in content if isinstance(part, Cite) for key in part.keys)
    )


def references_of(contents: Iterable[Prose]) -> tuple[Reference, ...]:
    """References to tables and figures, each once."""
    return tuple(dict.fromkeys(part for content in contents for part in content if isinstance(part, Reference)))


def words_of(contents: Iterable[Prose]) -> str:
    """All text that is escaped character by character, one piece to a line.

    The pieces stay apart: a mark at the start of one does not stand on the last letter of another.
    """
    return "\n".join(
        part.text for content in contents for part in content if isinstance(part, (Text, Strong, Emphasis, Code))
    )


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


def origin(what: str, signature: Signature | None) -> str:
    """Program, content, data, and a warning not to edit.

    Examples
    --------
    >>> signature = Signature(version="0.1.0", source="results.csv", digest="3f9c" * 16, fields={})
    >>> origin("table main", signature)
    'reportkit 0.1.0 | table main | data results.csv sha256:3f9c3f9c3f9c | do not edit: reportkit overwrites it'
    """
    if signature is None:
        return f"reportkit | {what}"
    source = f"data {signature.source} sha256:{signature.digest[:12]}" if signature.digest else "no data"
    return f"reportkit {signature.version} | {what} | {source} | do not edit: reportkit overwrites it"
