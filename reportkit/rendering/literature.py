"""Texts of a report, the works that they cite, and the literature as BibTeX and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from reportkit.errors import RenderingError
from reportkit.language import listed
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Signature, Table, Words
from reportkit.report.references import REFERENCES, Entry
from reportkit.report.tokens import parts


def texts_of(block: Block) -> Iterator[Words]:
    """Return all texts of one block, in the order in which they are read."""
    match block:
        case Table():
            yield from (spanner.header for spanner in block.spanners)
            yield from (column.header for column in block.columns)
            yield from (cell.text for row in (*block.header_rows, *block.rows) for cell in row.cells)
            yield block.caption
            yield block.legend
        case Figure():
            yield block.caption
        case Paragraph():
            yield block.content
        case Itemize():
            yield from block.items
        case _:
            assert_never(block)


def all_texts(report: Report) -> Iterator[Words]:
    """Return all texts of a report, titles included, in order."""
    yield report.title
    for section in report.sections:
        yield section.title
        for block in section.blocks:
            yield from texts_of(block)


def cited_keys(texts: Iterable[Words]) -> tuple[str, ...]:
    """Return the BibTeX keys of the works cited, each once, in order of citation."""
    cited = (keys for text in texts for kind, keys in parts(text) if kind == "cite")
    return tuple(dict.fromkeys(key for keys in cited for key in keys.split(",")))


def check_references(report: Report) -> None:
    """Raise RenderingError if a reference points to a table or figure that the report does not have."""
    known = numbers(report)
    for text in all_texts(report):
        for kind, label in parts(text):
            if kind == "ref" and label not in known:
                raise RenderingError(
                    f"the report refers to {label!r}, which it does not have",
                    remedy=f"known: {', '.join(known) or 'none'}",
                )


def numbers(report: Report) -> dict[str, int]:
    """Return the numbers of the tables and figures of a report by their labels, as LaTeX counts them."""
    found = {table.label: number for number, table in enumerate(report.tables, start=1)}
    return found | {figure.label: number for number, figure in enumerate(report.figures, start=1)}


def bibtex(keys: Iterable[str], comments: Iterable[str] = ()) -> str:
    """Write the entries of some works, sorted by key.

    Raises
    ------
    UnknownNameError
        If a key is not in the literature.

    Examples
    --------
    >>> print(bibtex(["holm1979simple"]).splitlines()[0])
    @article{holm1979simple,
    """
    head = [f"% {line.replace('@', '(at)')}\n" for line in comments]  # otherwise BibTeX would read an entry
    return "\n".join(["".join(head), *(REFERENCES[key].bibtex for key in sorted(keys))]).lstrip("\n")


def in_words(entry: Entry) -> str:
    """Write one work as plain text: authors, year, title, where it appeared.

    Examples
    --------
    >>> in_words(REFERENCES["dixon1946sign"])
    'W. J. Dixon and A. M. Mood (1946). The Statistical Sign Test. Journal of the American Statistical Association
    41(236), 557–566.'
    """
    fields = entry.fields
    authors = [" ".join(reversed(name.split(", ", 1))) for name in fields["author"].split(" and ")]
    volume = fields.get("volume", "") + (f"({fields['number']})" if "number" in fields else "")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    where = ", ".join(filter(None, [f"{place} {volume}".strip(), fields.get("pages", "")]))
    return f"{listed(authors)} ({fields['year']}). {fields['title']}. {where}".rstrip(". ") + "."


def works(report: Report) -> list[tuple[str, str]]:
    """Return the works that a report cites, in words and with their keys, sorted."""
    return sorted((in_words(REFERENCES[key]), key) for key in cited_keys(all_texts(report)))


def origin(what: str, signature: Signature | None) -> str:
    """Say program, content and data, and that edits are lost.

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
