r"""A table as the cells, rules and column specifications of one or more `tabular`s.

Numbers stand in `r`; marks in a column of their own behind them, `r@{}l`, so that they shift no decimal point. Headers
are flush with the numbers below them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportkit.rendering.inline import latex_mark, latex_prose
from reportkit.rendering.layout import Layout, Panel
from reportkit.rendering.padding import padded
from reportkit.rendering.view import PanelView, RowView, TableView
from reportkit.rendering.width import mark_column
from reportkit.report.model import Cell, Row, Table
from reportkit.report.prose import Prose

_ALIGN = {"left": "l", "right": "r", "center": "c"}
_EXPONENT = re.compile(r"\$\^\{[^}]*\}\$\}*$")
_RAGGED = {"left": r"\raggedright", "right": r"\raggedleft", "center": r"\centering"}


def table_view(table: Table, layout: Layout) -> TableView:
    """Everything that the template of a table places."""
    rows = (*table.header_rows, *table.rows)
    apart = [mark_column(rows, index, column.align) for index, column in enumerate(table.columns)]
    return TableView(
        environment=layout.environment,
        size=layout.size_command,
        tabcolsep=f"{layout.tabcolsep:g}pt",
        floats=tuple(tuple(_panel_view(table, layout, panel, apart) for panel in panels) for panels in layout.floats),
        caption=latex_prose(table.caption, breakable=True),
        label=table.label,
        title="Table",
    )


def _panel_view(table: Table, layout: Layout, panel: Panel, apart: Sequence[bool]) -> PanelView:
    def row_cells(row: Row) -> list[str]:
        return [_cell(row.cells[i], table.columns[i].align, layout.limits[i], apart[i]) for i in panel.columns]

    def header(index: int) -> str:
        align, limit = table.columns[index].align, layout.limits[index]
        return _header(layout.headers[index], align, limit) + ("&" if apart[index] else "")

    body = table.rows[panel.start : panel.stop]
    head = [header(index) for index in panel.columns]
    further = [row_cells(row) for row in table.header_rows]
    cells = [row_cells(row) for row in body]
    head, *even = padded([head, *further, *cells])
    spanners, rules = _spanners(table, panel.columns, apart)
    specification = " ".join(_ALIGN[table.columns[i].align] + ("@{}l" if apart[i] else "") for i in panel.columns)
    return PanelView(
        columns=f"@{{}}{specification}@{{}}",
        spanners=spanners,
        rules=rules,
        header=tuple(head),
        header_rows=tuple(RowView(cells=tuple(row)) for row in even[: len(further)]),
        rows=tuple(
            RowView(cells=tuple(row), rule_above=model.rule_above and index > 0)
            for index, (row, model) in enumerate(zip(even[len(further) :], body, strict=True))
        ),
    )


def _cell(cell: Cell, align: str, limit: float | None, apart: bool) -> str:
    content = latex_prose(cell.text, breakable=limit is not None)
    if content and cell.bold:
        content = rf"\textbf{{{content}}}"
    if content and cell.underline:
        content = rf"\underline{{{content}}}"
    mark = latex_mark(cell.mark)
    if mark and _EXPONENT.search(content):
        mark = r"\," + mark
    if not apart:
        return _limited(content + mark, align, limit, "t")
    return f"{_limited(content, align, limit, 't')}&{mark}"


def _header(lines: Sequence[Prose], align: str, limit: float | None) -> str:
    written = [latex_prose(line, breakable=limit is not None) for line in lines]
    if limit is not None:
        return _limited(" ".join(written), align, limit, "b")
    if len(written) == 1:
        return written[0]
    stacked = r"\\".join(written)
    return rf"\begin{{tabular}}[b]{{@{{}}{_ALIGN[align]}@{{}}}}{stacked}\end{{tabular}}"


def _limited(content: str, align: str, limit: float | None, position: str) -> str:
    if limit is None or not content:
        return content
    return rf"\parbox[{position}]{{{limit:g}pt}}{{{_RAGGED[align]}\hspace{{0pt}}\strut {content}\strut}}"


def _spanners(table: Table, columns: Sequence[int], apart: Sequence[bool]) -> tuple[tuple[str, ...], str]:
    """Cells of the row of spanners, and the rules under them, for some columns of a table."""
    printed = [2 if apart[index] else 1 for index in columns]
    starts = [1 + sum(printed[:place]) for place in range(len(columns))]
    cells = {place: "&" if width == 2 else "" for place, width in enumerate(printed)}
    rules: list[tuple[int, str]] = []
    for spanner in table.spanners:
        inside = [place for place, index in enumerate(columns) if spanner.first <= index <= spanner.last]
        if not inside:
            continue
        first, last = starts[inside[0]], starts[inside[-1]] + printed[inside[-1]] - 1
        cells[inside[0]] = rf"\multicolumn{{{last - first + 1}}}{{c}}{{{latex_prose(spanner.header)}}}"
        for place in inside[1:]:
            del cells[place]
        trim = ("l" if first > 1 else "") + ("r" if last < sum(printed) else "")
        rules.append((first, rf"\cmidrule{f'({trim})' if trim else ''}{{{first}-{last}}}"))
    if not rules:
        return (), ""
    return tuple(cells[place] for place in sorted(cells)), "".join(rule for _, rule in sorted(rules))
