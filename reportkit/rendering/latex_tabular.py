r"""A table as the cells, rules and column specifications of one or more `tabular`s.

Numbers stand in `r`; marks in a column of their own behind them, `r@{}l`, so that they shift no decimal point. Numbers
with different numbers of decimals, such as p-values, are cut at the point, `r@{}l` again. Headers are flush with the
numbers below them, or in the middle above those that are set at the point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportkit.rendering.column_kinds import Kind, at_the_point, column_kinds
from reportkit.rendering.inline import latex_mark, latex_prose
from reportkit.rendering.layout import Layout, Panel
from reportkit.rendering.padding import padded
from reportkit.rendering.view import PanelView, RowView, TableView
from reportkit.rendering.width import cell_width
from reportkit.report.model import Cell, Row, Table
from reportkit.report.prose import Prose

_ALIGN = {"left": "l", "right": "r", "center": "c"}
_EXPONENT = re.compile(r"\$\^\{[^}]*\}\$\}*$")
_RAGGED = {"left": r"\raggedright", "right": r"\raggedleft", "center": r"\centering"}


_SPECIFICATION: dict[Kind, str] = {"single": "", "marks": "@{}l", "point": "@{}l"}


def table_view(table: Table, layout: Layout) -> TableView:
    """Everything that the template of a table places."""
    kinds = column_kinds(table)
    return TableView(
        environment=layout.environment,
        size=layout.size_command,
        tabcolsep=f"{layout.tabcolsep:g}pt",
        floats=tuple(tuple(_panel_view(table, layout, panel, kinds) for panel in panels) for panels in layout.floats),
        caption=latex_prose(table.full_caption, breakable=True),
        label=table.label,
        title="Table",
    )


def _panel_view(table: Table, layout: Layout, panel: Panel, kinds: Sequence[Kind]) -> PanelView:
    aligns = [column.align for column in table.columns]
    body = table.rows[panel.start : panel.stop]
    inset = {index: _inset_row(body, index, layout) for index in panel.columns}

    def row_cells(row: Row) -> list[str]:
        cells = []
        for index in panel.columns:
            content = _cell(row.cells[index], aligns[index], layout.limits[index], kinds[index])
            here = inset[index] is row
            cells.append((rf"\hspace*{{{layout.insets[index]:g}pt}}" if here else "") + content)
        return cells

    head = [_header(layout.headers[i], aligns[i], layout.limits[i], kinds[i]) for i in panel.columns]
    further = [row_cells(row) for row in table.header_rows]
    cells = [row_cells(row) for row in body]
    head, *even = padded([head, *further, *cells])
    spanners, rules = _spanners(table, layout, panel.columns, kinds)
    specification = " ".join(_ALIGN[aligns[index]] + _SPECIFICATION[kinds[index]] for index in panel.columns)
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


def _inset_row(body: Sequence[Row], index: int, layout: Layout) -> Row | None:
    """The row whose number is the widest before its point: a space before it sets the whole column under its header."""
    if not layout.insets[index] or not body:
        return None
    return max(body, key=lambda row: cell_width(row.cells[index], "point", size=layout.size)[0])


def _cell(cell: Cell, align: str, limit: float | None, kind: Kind) -> str:
    mark = latex_mark(cell.mark)
    if kind == "point":
        whole, fraction = (_set_off(latex_prose(part), cell) for part in at_the_point(cell.text))
        return f"{whole}&{fraction}{_apart(fraction, mark)}"
    content = _set_off(latex_prose(cell.text, breakable=limit is not None), cell)
    if kind == "single":
        return _limited(content + _apart(content, mark), align, limit, "t")
    return f"{_limited(content, align, limit, 't')}&{_apart(content, mark)}"


def _set_off(content: str, cell: Cell) -> str:
    if content and cell.bold:
        content = rf"\textbf{{{content}}}"
    if content and cell.underline:
        content = rf"\underline{{{content}}}"
    return content


def _apart(content: str, mark: str) -> str:
    """A mark, with a small space where it would be read as part of an exponent."""
    return rf"\,{mark}" if mark and _EXPONENT.search(content) else mark


def _header(lines: Sequence[Prose], align: str, limit: float | None, kind: Kind) -> str:
    if limit is not None:
        content = _limited(" ".join(latex_prose(line, breakable=True) for line in lines), align, limit, "b")
    else:
        content = _stacked(lines, "c" if kind == "point" else _ALIGN[align])
    if kind == "point":
        return rf"\multicolumn{{2}}{{c}}{{{content}}}"
    return content + ("&" if kind == "marks" else "")


def _stacked(lines: Sequence[Prose], place: str) -> str:
    """Lines of a header above one another."""
    written = [latex_prose(line) for line in lines]
    if len(written) == 1:
        return written[0]
    return rf"\begin{{tabular}}[b]{{@{{}}{place}@{{}}}}" + r"\\".join(written) + r"\end{tabular}"


def _limited(content: str, align: str, limit: float | None, position: str) -> str:
    if limit is None or not content:
        return content
    return rf"\parbox[{position}]{{{limit:g}pt}}{{{_RAGGED[align]}\hspace{{0pt}}\strut {content}\strut}}"


def _spanners(
    table: Table, layout: Layout, columns: Sequence[int], kinds: Sequence[Kind]
) -> tuple[tuple[str, ...], str]:
    """Cells of the row of spanners, and the rules under them, for some columns of a table."""
    printed = [1 if kinds[index] == "single" else 2 for index in columns]
    starts = [1 + sum(printed[:place]) for place in range(len(columns))]
    cells = {place: "&" if width == 2 else "" for place, width in enumerate(printed)}
    rules: list[tuple[int, str]] = []
    for spanner, lines in zip(table.spanners, layout.spanners, strict=True):
        inside = [place for place, index in enumerate(columns) if spanner.first <= index <= spanner.last]
        if not inside:
            continue
        first, last = starts[inside[0]], starts[inside[-1]] + printed[inside[-1]] - 1
        cells[inside[0]] = rf"\multicolumn{{{last - first + 1}}}{{c}}{{{_stacked(lines, 'c')}}}"
        for place in inside[1:]:
            del cells[place]
        trim = ("l" if first > 1 else "") + ("r" if last < sum(printed) else "")
        rules.append((first, rf"\cmidrule{f'({trim})' if trim else ''}{{{first}-{last}}}"))
    if not rules:
        return (), ""
    return tuple(cells[place] for place in sorted(cells)), "".join(rule for _, rule in sorted(rules))
