"""A table for a type of fixed width: no number is cut and no column is lost, however narrow the terminal is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from reportkit.rendering.notation import Context, Format
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Cell, Table

MOST_ROWS = 30
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_ENDLESS = 100_000
_LEAST_NAME = 12


def table_lines(table: Table, width: int | None, labels: Mapping[str, str] | None = None) -> list[Text]:
    """Set a table in lines.

    Parameters
    ----------
    table : Table
        Any.
    width : int or None
        Columns of the terminal. A wider table stands in panels one below the other, each of which begins with the first
        column, whose names are broken where they take more than half the width. None for a file or a pipe, which are
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
    console, lines = Console(width=_ENDLESS, height=_ENDLESS), list[Text]()
    for grid in _panels(columns, width, console):
        lines += [Text()] if lines else []
        for segments in console.render_lines(grid, pad=False):
            line = Text.assemble(*((segment.text, segment.style or "") for segment in segments))
            line.rstrip()
            lines.append(line)
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
    texts = [(text + mark + " " * (room - cell_len(mark)), style) for text, mark, style in cells]
    texts = [*((head, "bold") for head in heads), *texts]
    width = max(cell_len(text) for text, _ in texts)
    before = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    return [Text(" " * int(before * (width - cell_len(text))) + text, style) for text, style in texts]


def _panels(columns: Sequence[Sequence[Text]], width: int | None, console: Console) -> Iterator[Grid]:
    """Yield grids with the first column and as many others as fit, but at least one."""

    def grid(panel: Sequence[int]) -> Grid:
        found = Grid.grid(padding=(0, 2, 0, 0))
        for index in panel:
            most = max(_LEAST_NAME, width // 2) if width and not index else None
            found.add_column(vertical="bottom", max_width=most, overflow="fold")
        for row in zip(*(columns[index] for index in panel), strict=True):
            found.add_row(*row)
        return found

    panel = [0]
    for index in range(1, len(columns)):
        if len(panel) > 1 and width and console.measure(grid([*panel, index])).maximum > width:
            yield grid(panel)
            panel = [0]
        panel.append(index)
    yield grid(panel)
