"""Where the numbers of a paper stand, which decides what they can be compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportkit.checker.coverage import Key, Place
from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Document, Table
from reportkit.checker.paper.printed_number import located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.printed_test import P_VALUE
from reportkit.checker.results_tables import is_results


def places_of(documents: Sequence[Document]) -> dict[Key, Place]:
    r"""Where every number of papers stands, by paper and span; a p-value is one wherever it stands.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = "Both differ ($p = .02$).\n\n| S | F1 |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n"
    >>> list(places_of([document_of(paper, language="markdown")]).values())
    ['p-value', 'results', 'results']
    """
    found: dict[Key, Place] = {}
    for paper, document in enumerate(documents):
        for sentence in document.sentences:
            found.update(((paper, number.span), "text") for number in sentence.numbers)
        for table in document.tables:
            place: Place = "results" if is_results(table) else "table"
            found.update(((paper, number.span), place) for cell in table.body() for number in cell.numbers)
        found.update(((paper, span), "p-value") for span in _p_values(document))
    return found


def _p_values(document: Document) -> Iterator[Span]:
    """Printed p-values, in the text and below headings that say so."""
    for sentence in document.sentences:
        ends = {match.end("p") for match in P_VALUE.finditer(sentence.text.text)} if sentence.numbers else set()
        if ends:
            yield from (number.span for _, end, number in located_numbers(sentence.text) if end in ends)
    for table in document.tables:
        columns, rows = _p_lines(table)
        for cell in table.body() if columns or rows else ():
            if (cell.column in columns or cell.row in rows) and cell.number is not None:
                yield cell.number.span


def _p_lines(table: Table) -> tuple[set[int], set[int]]:
    """Columns and rows of p-values."""
    columns = range(table.n_header_columns, table.n_columns)
    rows = range(table.n_header_rows, table.n_rows)
    return (
        {column for column in columns if any(p_heading(table, text) for text in table.column_header(column))},
        {row for row in rows if any(p_heading(table, text) for text in table.row_header(row))},
    )
