"""A table with its rows and columns exchanged, and how wide either form is in characters."""

from __future__ import annotations

from dataclasses import replace

from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Emphasis, Prose, plain, text


def turned(table: Table) -> Table:
    """Exchange rows and columns.

    Further rows of the header become columns behind the first one, and back; headings over columns become headings of
    rows, and back; a column that stands apart becomes a row with a rule above it, and back.

    Parameters
    ----------
    table : Table
        With a `turned_head`.

    Raises
    ------
    ValueError
        If it has none: it must not be turned.

    Examples
    --------
    >>> columns = (Column.left("System"), Column.right("SST-2"), Column.right("MNLI"))
    >>> row = Row(cells=(Cell.of("Ours"), Cell.of("93.1"), Cell.of("84.9")))
    >>> table = Table(name="t", caption=(), columns=columns, rows=(row,), turned_head=text("Dataset"))
    >>> [[plain(cell.text) for cell in row.cells] for row in turned(table).rows]
    [['SST-2', '93.1'], ['MNLI', '84.9']]
    >>> turned(turned(table)) == table
    True
    """
    if not table.turned_head:
        raise ValueError(f"table {table.name!r} has no head for its first column when it is turned")
    numbered = list(enumerate(table.columns))[1:]
    inside = [(index, column) for index, column in numbered if not column.of_header]
    named = [row for row in table.rows if not row.heading]
    grouped = {place for place, row in enumerate(table.rows) if place and table.rows[place - 1].heading}
    apart = {id(row) for place, row in enumerate(table.rows) if row.rule_above and place not in grouped}
    last = id(named[-1]) if named else 0
    columns = (
        Column(header=table.turned_head, align="left"),
        *(Column(header=row.cells[0].text, of_header=True) for row in table.header_rows),
        *(Column(header=row.cells[0].text, apart=id(row) in apart and id(row) == last) for row in named),
    )
    above = {spanner.first: spanner.header for spanner in table.spanners}
    ends = {spanner.last + 1 for spanner in table.spanners}
    rows: list[Row] = []
    for index, column in inside:
        apart_here = column.apart and not table.columns[index - 1].apart
        begins = bool(rows) and (index in above or index in ends or apart_here)
        if index in above:
            head = Cell(text=(Emphasis(plain(above[index])),))
            rows.append(Row(cells=(head, *[Cell()] * (len(columns) - 1)), rule_above=begins, heading=True))
            begins = False
        lines = (*table.header_rows, *named)
        rows.append(Row(cells=(Cell(text=column.header), *(row.cells[index] for row in lines)), rule_above=begins))
    return replace(
        table,
        columns=columns,
        rows=tuple(rows),
        header_rows=tuple(
            Row(cells=(Cell(text=column.header), *(row.cells[index] for row in named)))
            for index, column in numbered
            if column.of_header
        ),
        spanners=_over_columns(table, 1 + len(table.header_rows)),
        turned_head=table.columns[0].header,
    )


def _over_columns(table: Table, first: int) -> tuple[Spanner, ...]:
    """Headings of rows as headers over columns; a rule without a heading ends the group before it."""
    found: list[Spanner] = []
    heading: Prose = ()
    start = place = first
    for row in (*table.rows, None):
        if heading and place > start and (row is None or row.heading or row.rule_above):
            found.append(Spanner(header=heading, first=start, last=place - 1))
            heading = ()
        if row is not None and row.heading:
            heading, start = text(plain(row.cells[0].text)), place
        elif row is not None:
            place += 1
    return tuple(found)


def characters(table: Table) -> int:
    """Characters of the widest line, roughly: each column as wide as its header or its widest cell.

    Examples
    --------
    >>> row = Row(cells=(Cell.of("Ours"), Cell.of("93.1")))
    >>> characters(Table(name="t", caption=(), columns=(Column.left("System"), Column.right("n")), rows=(row,)))
    12
    """
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    widest = [
        max(len(plain(column.header)), *(len(plain(row.cells[index].text)) for row in rows), 0)
        for index, column in enumerate(table.columns)
    ]
    return sum(widest) + 2 * (len(widest) - 1)
