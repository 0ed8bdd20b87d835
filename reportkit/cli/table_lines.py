"""A table for a type of fixed width: no number is cut and no column is lost, however narrow the terminal is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from reportkit.rendering.notation import Context, Format
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Table

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
    columns = zip(
        *[[_cell(format_, cell.text, cell.mark, cell.bold) for cell in row.cells] for row in rows], strict=True
    )
    columns = [_aligned(column) for column in columns]
    console, lines = Console(width=_ENDLESS), list[Text]()
    for grid in _panels(table, _heads(table, format_), columns, width, console):
        lines += [Text()] if lines else []
        for segments in console.render_lines(grid, console.options.update(width=console.measure(grid).maximum)):
            line = Text.assemble(*((segment.text, segment.style or "") for segment in segments))
            line.rstrip()
            lines.append(line)
    if n_hidden > 1:
        lines.append(Text(f"... {n_hidden} more rows; all are in tables/{table.name}.tex"))
    return lines


def _cell(format_: Format, text: str, mark: str, bold: bool) -> tuple[str, str, str]:
    """Return number, mark and style: digits of a mark are raised, letters stand behind a space."""
    mark = visible(mark.translate(RAISED))
    return visible(str(format_.write(text))), f" {mark}" if mark.isalpha() else mark, "bold" if bold else ""


def _aligned(column: Sequence[tuple[str, str, str]]) -> list[Text]:
    """Let numbers stand below each other whether or not there is a mark behind them."""
    room = max(cell_len(mark) for _, mark, _ in column)
    return [Text(text + mark + " " * (room - cell_len(mark)), style) for text, mark, style in column]


def _heads(table: Table, format_: Format) -> list[str]:
    """Write the heads of the columns, below those of their group."""
    heads = [visible(str(format_.write(column.header))) for column in table.columns]
    if not table.spanners:
        return heads
    above = {spanner.first: visible(str(format_.write(spanner.header))) for spanner in table.spanners}
    return [f"{above.get(index, '')}\n{head}" for index, head in enumerate(heads)]


def _panels(
    table: Table, heads: Sequence[str], columns: Sequence[Sequence[Text]], width: int | None, console: Console
) -> Iterator[Grid]:
    """Yield grids with the first column and as many others as fit, but at least one."""

    def grid(panel: Sequence[int]) -> Grid:
        found = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for index in panel:
            most = max(_LEAST_NAME, width // 2) if width and not index else None
            align = table.columns[index].align if index else "left"
            found.add_column(heads[index], justify=align, vertical="bottom", max_width=most, overflow="fold")
        for row in zip(*(columns[index] for index in panel), strict=True):
            found.add_row(*row)
        return found

    panel = [0]
    for index in range(1, len(heads)):
        if len(panel) > 1 and width and console.measure(grid([*panel, index])).maximum > width:
            yield grid(panel)
            panel = [0]
        panel.append(index)
    yield grid(panel)
