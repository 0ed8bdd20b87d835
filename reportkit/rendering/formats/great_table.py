"""Great Tables: a table as a `great_tables.GT`, to be styled further and saved as HTML or an image."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reportkit.rendering.formats.format import optional
from reportkit.rendering.text.escaping import escape_html
from reportkit.rendering.text.inline import Lookup, html_prose
from reportkit.report.model import Cell, Table


def great_table(table: Table, lookup: Lookup | None = None) -> Any:
    """Make a table of Great Tables.

    Parameters
    ----------
    table : Table
        Any.
    lookup : Lookup, optional
        Numbers of the tables of a report, and the literature.

    Returns
    -------
    great_tables.GT
        Its columns are named `c0`, `c1`, ...; the caption is the source note. Cells are as they are printed, with what
        sets them off, and their signs raised.

    Raises
    ------
    RenderingError
        If great_tables is not installed.
    """
    great = optional("great_tables", of="tables of Great Tables", extra="gt")
    lookup = lookup or Lookup()
    names = [f"c{index}" for index in range(len(table.columns))]
    rows = (*table.header_rows, *table.rows)
    widest = [max((len(row.cells[index].mark) for row in rows), default=0) for index in range(len(names))]
    frame = pd.DataFrame(
        [[_cell(cell, lookup, room) for cell, room in zip(row.cells, widest, strict=True)] for row in rows],
        columns=names,
        dtype=object,
    )
    made = great.GT(frame, id=f"rk-{table.name}").fmt_passthrough(columns=names, escape=False)
    labels = {
        name: great.html(html_prose(column.header, lookup)) for name, column in zip(names, table.columns, strict=True)
    }
    made = made.cols_label(**labels)
    for align in ("left", "center", "right"):
        aligned = [name for name, column in zip(names, table.columns, strict=True) if column.align == align]
        if aligned:
            made = made.cols_align(align=align, columns=aligned)
    for number, spanner in enumerate(table.spanners):
        made = made.tab_spanner(
            label=great.html(html_prose(spanner.header, lookup)),
            columns=names[spanner.first : spanner.last + 1],
            id=f"s{number}",
        )
    ruled = [len(table.header_rows) + number for number, row in enumerate(table.rows) if row.rule_above and number]
    if ruled:
        line = great.style.borders(sides="top", color="#a0a0a0", weight="1px")
        made = made.tab_style(style=line, locations=great.loc.body(rows=ruled))
    return made.tab_source_note(great.html(html_prose(table.full_caption, lookup))) if table.full_caption else made


def _cell(cell: Cell, lookup: Lookup, room: int) -> str:
    """One cell as HTML; the signs behind numbers take the same room in all rows, so that they shift none."""
    shown = html_prose(cell.text, lookup)
    if shown and cell.underline:
        shown = f"<u>{shown}</u>"
    if shown and cell.bold:
        shown = f"<strong>{shown}</strong>"
    mark = f'<sup style="display: inline-block; min-width: {room}ch; text-align: left;">{escape_html(cell.mark)}</sup>'
    return f"{shown}{mark}" if room else shown
