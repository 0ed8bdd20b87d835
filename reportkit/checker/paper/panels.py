"""Tables in one: panels below each other, where a header stands again, and tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportkit.checker.paper.cell_kinds import is_worded
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.headings import finished_table, is_result_row
from reportkit.checker.paper.source import Span


def panels_of(table: Table) -> tuple[Table, ...]:
    """Divide a table where a header stands in its midst that names the columns anew; each panel has its own."""
    above = table.n_header_rows
    starts = [
        row
        for row in range(above + 1, table.n_rows - 1)
        if above and _names_anew(table, row) and is_result_row(table.grid[row + 1])
        and (_is_known(table, row) or row + 1 in table.rules)
        and any(is_result_row(table.grid[before]) for before in range(max(above, row - 2), row))
    ]  # fmt: skip
    if not starts:
        return (table,)
    titled = [row - (row - 1 in table.group_rows and row - 1 > above) for row in starts]
    made = [_panel(table, range(above), range(above, titled[0]))]
    for begin, row, end in zip(titled, starts, [*titled[1:], table.n_rows], strict=True):
        made.append(_panel(table, range(begin, row + 1), range(row + 1, end)))
    return tuple(made)


def _names_anew(table: Table, row: int) -> bool:
    """Whether a row has words only, in most columns."""
    left = table.n_header_columns
    if _is_known(table, row):
        return True
    cells = list({id(cell): cell for cell in table.grid[row][left:] if cell.row == row and cell.text}.values())
    covered = sum(cell.n_columns for cell in cells)
    return len(cells) > 1 and all(map(is_worded, cells)) and 2 * covered >= table.n_columns - left


def _is_known(table: Table, row: int) -> bool:
    """Whether a row begins like one of the header."""
    left = table.n_header_columns
    lines = (table.grid[row], *table.grid[: table.n_header_rows])
    labels = [[cell.text.text for cell in line[:left] if cell.column + cell.n_columns <= left] for line in lines]
    return any(labels[0]) and labels[0] in labels[1:]


def _panel(table: Table, header: Sequence[int], body: Sequence[int]) -> Table:
    """Rows of a table as one of its own; what is counted by tabular is the first panel's."""
    rows, columns = [*header, *body], range(table.n_columns)
    shift = {row: at for at, row in enumerate(rows)}
    made: dict[int, Cell] = {}
    for cell in (table.grid[row][column] for row in rows for column in columns):
        if id(cell) not in made:
            own = [shift[row] for row in range(cell.row, cell.row + cell.n_rows) if row in shift]
            made[id(cell)] = replace(cell, row=own[0], n_rows=len(own), header=False)
    source = [
        cell.span for row in (*(row for row in header if row >= table.n_header_rows), *body) for cell in table.grid[row]
    ]
    source = [span for span in source if span.end > span.start]
    span = Span(
        table.span.file,
        table.span.start if body[0] == table.n_header_rows else min(span.start for span in source),
        table.span.end if body[-1] + 1 == table.n_rows else max(span.end for span in source),
    )
    told = [rule for rule in table.rules if rule in shift or rule == body[-1] + 1]
    below = [shift.get(rule, next((shift[row] for row in body if row >= rule), len(rows))) for rule in told]
    panel = finished_table(
        [[made[id(table.grid[row][column])] for column in columns] for row in rows],
        below,
        span=table.span if any(other.file != span.file for other in source) else span,
        n_header_rows=len(header),
    )
    return replace(panel, notes=table.notes)
