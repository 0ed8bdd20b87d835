"""A table for a type of fixed width: no number is cut and no column is lost, however narrow the terminal is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from reportkit.rendering.notation import Context, Format
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Cell, Table

MOST_ROWS = 30
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def table_lines(table: Table, width: int | None, labels: Mapping[str, str] | None = None) -> list[Text]:
    """Set a table in lines.

    Parameters
    ----------
    table : Table
        Any.
    width : int or None
        Columns of the terminal. A wider table stands in panels one below the other, each of which begins with the first
        column. None for a file or a pipe, which are
        as wide as the table.
    labels : mapping of str to str, optional
        What is printed instead of a name.

    Returns
    -------
    list of Text
        In a terminal, of long tables the first 30 rows and the last one below a rule, and how many are left out. A
        single column wider than the terminal stays whole.
    """
    format_ = Format(Context(labels=labels or {}))
    rows = (*table.header_rows, *table.rows)
    last = rows[-1:] if table.rows and rows[-1].rule_above else ()
    n_hidden = len(rows) - MOST_ROWS - len(last) if width else 0
    if n_hidden > 1:  # the line that says so would take as much room as one row
        rows = (*rows[:MOST_ROWS], *last)
    above = {spanner.first: visible(str(format_.write(spanner.header))) for spanner in table.spanners}
    columns = []
    for index, column in enumerate(table.columns):
        heads = [*([above.get(index, "")] if above else []), visible(str(format_.write(column.header)))]
        cells = [_cell(format_, row.cells[index]) for row in rows]
        columns.append(_aligned(heads, cells, column.align if index else "left"))
    panels = [[0]]
    for index in range(1, len(columns)):
        needed = sum(columns[place][0].cell_len + 2 for place in (*panels[-1], index))
        if width and needed > width and len(panels[-1]) > 1:
            panels.append([0])
        panels[-1].append(index)
    lines = list[Text]()
    for panel in panels:
        lines += [Text()] if lines else []
        for row_cells in zip(*(columns[index] for index in panel), strict=True):
            lines.append(Text("  ").join(row_cells))
            lines[-1].rstrip()
    if n_hidden > 1:
        lines.append(Text(f"... {n_hidden} more rows; all are in tables/{table.name}.tex"))
    return lines


def _cell(format_: Format, cell: Cell) -> tuple[str, str, str]:
    """Return number, mark and style: digits of a mark are raised, letters stand behind a space."""
    mark = visible(cell.mark.translate(RAISED))
    style = "bold" if cell.bold else ""
    return visible(str(format_.write(cell.text))), f" {mark}" if mark.isalpha() else mark, style


def _aligned(heads: Sequence[str], cells: Sequence[tuple[str, str, str]], align: str) -> list[Text]:
    """Set a column: numbers stand below each other whether or not there is a mark behind them."""
    room = max((cell_len(mark) for _, mark, _ in cells), default=0)
    texts = [*((head, "bold") for head in heads), *((f"{text}{mark:<{room}}", style) for text, mark, style in cells)]
    width = max(cell_len(text) for text, _ in texts)
    share = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    lines = []
    for text, style in texts:
        gap = width - cell_len(text)
        before = int(share * gap)
        lines.append(Text(" " * before + text + " " * (gap - before), style))
    return lines
