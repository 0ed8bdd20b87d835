"""A table for a type of fixed width: no number is cut and no column is lost, however narrow the terminal is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.text import Text

from reportkit.rendering.notation import Context, Format
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Cell, Row, Spanner, Table, Words

MOST_ROWS = 30
MOST_PANELS = 8
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
GAP = 2

_LEAST_NAME = 12
_WORD_ENDS = re.compile(r"(?<=[ _/-])")


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
        In a terminal, of long tables the first 30 rows and the last one below a rule, and how many are left out; of
        very wide ones eight panels, and how many columns are left out. A single column wider than the terminal stays
        whole. A file or a pipe holds every row.
    """
    table = _plain(table, labels or {})
    rows, n_hidden, last = _shown_rows(table) if width is not None else ((*table.header_rows, *table.rows), 0, ())
    grid = [[_written(cell) for cell in row.cells] for row in (*rows, *last)]
    sides = [
        tuple(max((cell_len(texts[index][side]) for texts in grid), default=0) for side in (0, 1))
        for index in range(len(table.columns))
    ]
    widths = [
        max(cell_len(_text(column.header)), number + mark)
        for column, (number, mark) in zip(table.columns, sides, strict=True)
    ]
    if width is not None:
        widths[0] = min(widths[0], max(_LEAST_NAME, width // 2))
    for spanner in table.spanners:
        room = sum(widths[spanner.first : spanner.last + 1]) + GAP * (spanner.last - spanner.first)
        widths[spanner.last] += max(0, cell_len(_text(spanner.header)) - room)
    panels = _panels(widths, width, table.spanners)
    lines: list[Text] = []
    for panel in panels[:MOST_PANELS]:
        lines += [Text(), *_headers(table, panel, widths)] if lines else _headers(table, panel, widths)
        for number, (row, texts) in enumerate(zip((*rows, *last), grid, strict=True)):
            if n_hidden and number == len(rows):
                lines.append(Text(f"... {n_hidden} more rows; all are in tables/{table.name}.tex"))
            lines += _row(table, row, texts, panel, widths, sides)
        if n_hidden and not last:
            lines.append(Text(f"... {n_hidden} more rows; all are in tables/{table.name}.tex"))
    if left := sum(len(panel) - 1 for panel in panels[MOST_PANELS:]):
        lines.append(Text(f"... {left} more columns; all are in tables/{table.name}.tex"))
    return lines


def _shown_rows(table: Table) -> tuple[tuple[Row, ...], int, tuple[Row, ...]]:
    """The first rows, how many are left out behind them, and the row below the last rule: the mean, if there is one."""
    rows = (*table.header_rows, *table.rows)
    last = rows[-1:] if table.rows and rows[-1].rule_above else ()
    n_hidden = len(rows) - MOST_ROWS - len(last)
    if n_hidden <= 1:  # the line that says so would take as much room as the row
        return rows, 0, ()
    return rows[:MOST_ROWS], n_hidden, last


def _plain(table: Table, labels: Mapping[str, str]) -> Table:
    """Return the table with plain strings in it."""
    write = Format(Context(labels=labels)).write

    def rows(given: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(
            replace(row, cells=tuple(replace(cell, text=str(write(cell.text))) for cell in row.cells)) for row in given
        )

    return replace(
        table,
        columns=tuple(replace(column, header=str(write(column.header))) for column in table.columns),
        spanners=tuple(replace(spanner, header=str(write(spanner.header))) for spanner in table.spanners),
        header_rows=rows(table.header_rows),
        rows=rows(table.rows),
    )


def _text(content: Words) -> str:
    return visible(str(content))


def _written(cell: Cell) -> tuple[str, str]:
    """Text of a cell and its mark, told apart from the number: digits raised, letters behind a space."""
    mark = visible(cell.mark.translate(RAISED))
    return _text(cell.text), f" {mark}" if mark.isalpha() else mark


def _panels(widths: Sequence[int], width: int | None, spanners: Sequence[Spanner]) -> list[list[int]]:
    """Columns of each panel: the first column, and as many others as fit beside it, but at least one.

    Columns below one header stay together, if they fit a panel.
    """
    others = list(range(1, len(widths)))
    if width is None or not others:
        return [[0, *others]]
    group = {index: [*range(one.first, one.last + 1)] for one in spanners for index in range(one.first, one.last + 1)}
    panels: list[list[int]] = []
    room = 0
    for index in others:
        together = group.get(index, [index])
        wanted = sum(widths[one] + GAP for one in together)
        if index != together[0] or wanted > width - widths[0]:
            wanted = widths[index] + GAP
        if not panels or room < wanted:
            panels.append([0])
            room = width - widths[0]
        panels[-1].append(index)
        room -= widths[index] + GAP
    return panels


def _headers(table: Table, panel: Sequence[int], widths: list[int]) -> list[Text]:
    """One line of column headers, and above it those over several columns."""
    lines = []
    if table.spanners:
        line = Text()
        for spanner in sorted(table.spanners, key=lambda item: item.first):
            below = [index for index in panel if spanner.first <= index <= spanner.last]
            if below:
                start, end = (
                    sum(widths[i] + GAP for i in panel[: panel.index(index)]) for index in (below[0], below[-1])
                )
                header = _text(spanner.header)
                room = end + widths[below[-1]] - start
                middle = start + max(0, room - cell_len(header)) // 2
                line.append(" " * max(middle - line.cell_len, GAP if line.plain else 0) + header)
        lines.append(line)
    heads = _broken(_text(table.columns[0].header), widths[0])
    for number, first in enumerate(heads):
        line = Text(_aligned(first, widths[0], "left"))
        if number == len(heads) - 1:
            for index in panel[1:]:
                column = table.columns[index]
                line.append(" " * GAP + _aligned(_text(column.header), widths[index], column.align))
        lines.append(line)
    for line in lines:
        line.rstrip()
        line.stylize("bold")
    return lines


def _row(
    table: Table,
    row: Row,
    texts: Sequence[tuple[str, str]],
    panel: Sequence[int],
    widths: Sequence[int],
    sides: Sequence[tuple[int, ...]],
) -> list[Text]:
    """Lines of a row: more than one where the name is broken, and then the numbers stand in the last."""
    if row.heading:
        return [Text("".join(texts[0]))]
    style = "bold" if row.cells[0].bold else ""
    lines = [Text(_aligned(part, widths[0], "left"), style) for part in _broken("".join(texts[0]), widths[0])]
    for index in panel[1:]:
        (text, mark), column = texts[index], table.columns[index]
        # numbers stand below each other whether or not there is a mark behind them
        shown = _aligned(text + _aligned(mark, sides[index][1], "left"), widths[index], column.align)
        lines[-1].append(" " * GAP)
        lines[-1].append(shown, "bold" if row.cells[index].bold else "")
    for line in lines:
        line.rstrip()
    return lines


def _broken(name: str, width: int) -> list[str]:
    """Lines of a name: broken behind spaces and hyphens and the like, and inside a word that is too long for a line."""
    lines = [""]
    for word in _WORD_ENDS.split(name):
        for piece in [word] if cell_len(word) <= width else word:
            if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return lines


def _aligned(text: str, width: int, align: str) -> str:
    room = max(0, width - cell_len(text))
    left = {"left": 0, "right": room, "center": room // 2}[align]
    return " " * left + text + " " * (room - left)
