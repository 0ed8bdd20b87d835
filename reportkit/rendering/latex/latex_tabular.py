r"""A table as the cells, rules and column specifications of one or more `tabular`s.

Numbers stand in `r`; marks in a column of their own behind them, `r@{}l`, so that they shift no decimal point. Numbers
with different numbers of decimals, such as p-values, are cut at the point, `r@{}l` again. Headers are flush with the
numbers below them, or in the middle above those that are set at the point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.appearance.venues import Notes
from reportkit.rendering.layout.layout import Layout
from reportkit.rendering.layout.panels import Panel
from reportkit.rendering.layout.width import Kind, at_the_point, cell_width, column_kinds
from reportkit.rendering.text.escaping import padded
from reportkit.rendering.text.inline import latex_mark, latex_prose, plain_prose
from reportkit.rendering.view import PanelView, RowView, TableView
from reportkit.report.model import Align, Cell, Row, Table
from reportkit.report.prose import Prose

_AT_END = "c@{}"
_ALIGN = {"left": "l", "right": "r", "center": "c"}
_EXPONENT = re.compile(r"\$\^\{[^}]*\}\$\}*$")
_RAGGED = {"left": r"\raggedright", "right": r"\raggedleft", "center": r"\centering"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """How one column is written."""

    index: int
    align: Align
    kind: Kind
    limit: float | None
    header: Sequence[Prose]
    header_limit: float | None
    inset: float

    @property
    def printed(self) -> int:
        """Of how many columns of the tabular it is made."""
        return 1 if self.kind == "single" else 2

    @property
    def specification(self) -> str:
        return _ALIGN[self.align] + ("@{}l" if self.printed == 2 else "")

    def cell(self, cell: Cell, *, in_body: bool) -> str:
        if not in_body and self.kind == "point" and not at_the_point(cell.text)[1]:
            return rf"\multicolumn{{2}}{{c}}{{{_set_off(latex_prose(cell.text), cell)}}}" if cell.text else "&"
        return _cell(cell, self.align, self.limit if in_body else None, self.kind)

    def head(self) -> str:
        return _header(self.header, self.align, self.header_limit, self.kind)


def table_view(table: Table, layout: Layout, *, caption: Side | None = None, notes: Notes = "caption") -> TableView:
    """Everything that the template of a table places.

    Parameters
    ----------
    table : Table
        Any.
    layout : Layout
        How it is set.
    caption : Side, optional
        Where the caption stands; below by default.
    notes : {"caption", "threeparttable"}
        Where the legend stands: in the caption, or below the table. A table that breaks across pages, stands in a float
        of the user or is cut into panels has it in the caption.
    """
    side = caption or Side()
    columns = _columns(table, layout)
    below = notes == "threeparttable" and layout.environment in ("table", "table*") and layout.n_panels == 1
    return TableView(
        environment=layout.environment,
        size=layout.size_command,
        tabcolsep=f"{layout.tabcolsep:g}pt",
        floats=tuple(tuple(_panel_view(table, layout, panel, columns) for panel in panels) for panels in layout.floats),
        caption=latex_prose(table.caption if below else table.full_caption, breakable=True),
        label=table.label,
        title="Table",
        caption_above=side.above,
        gap=f"{side.gap:g}pt" if side.gap else "",
        notes=latex_prose(table.legend, breakable=True) if below else "",
        threeparttable=below,
    )


@dataclass(frozen=True, slots=True)
class Side:
    """On which side of a table its caption stands, and what space is added between them, in points."""

    above: bool = False
    gap: float = 0.0


def _columns(table: Table, layout: Layout) -> tuple[_Column, ...]:
    kinds = column_kinds(table)
    return tuple(
        _Column(
            index=index,
            align=column.align,
            kind=kinds[index],
            limit=layout.limits[index],
            header=layout.headers[index],
            header_limit=layout.header_limits[index],
            inset=layout.insets[index],
        )
        for index, column in enumerate(table.columns)
    )


def _panel_view(table: Table, layout: Layout, panel: Panel, every: Sequence[_Column]) -> PanelView:
    columns = [every[index] for index in panel.columns]
    body = table.rows[panel.start : panel.stop]
    inset = {column.index: _inset_row(body, column, layout) for column in columns}

    def row_cells(row: Row, *, in_body: bool) -> list[str]:
        cells = []
        for column in columns:
            content = column.cell(row.cells[column.index], in_body=in_body)
            here = inset[column.index] is row
            cells.append((rf"\hspace*{{{column.inset:g}pt}}" if here else "") + content)
        return cells

    further = [row_cells(row, in_body=False) for row in table.header_rows]
    cells = [row_cells(row, in_body=True) for row in body]
    heads = [column.head() for column in columns]
    for line in (heads, *further):  # no space behind the last column, over which a header may stand
        line[-1] = re.sub(r"^\\multicolumn\{2\}\{c\}", lambda _: rf"\multicolumn{{2}}{{{_AT_END}}}", line[-1])
    head, *even = padded([heads, *further, *cells])
    spanners, rules = _spanners(table, layout, columns)
    specification = " ".join(column.specification for column in columns)
    return PanelView(
        columns=f"@{{}}{specification}@{{}}",
        spanners=spanners,
        rules=rules,
        header=tuple(head),
        header_rows=tuple(RowView(cells=tuple(row)) for row in even[: len(further)]),
        rows=tuple(
            RowView(
                cells=_across(model, columns) if model.heading else tuple(row),
                rule_above=model.rule_above and index > 0,
                heading=model.heading,
            )
            for index, (row, model) in enumerate(zip(even[len(further) :], body, strict=True))
        ),
        width=str(sum(column.printed for column in columns)),
    )


def _across(row: Row, columns: Sequence[_Column]) -> tuple[str, ...]:
    """The first cell of a heading, over all columns of a panel."""
    printed = sum(column.printed for column in columns)
    return (rf"\multicolumn{{{printed}}}{{@{{}}l@{{}}}}{{{_set_off(latex_prose(row.cells[0].text), row.cells[0])}}}",)


def _inset_row(body: Sequence[Row], column: _Column, layout: Layout) -> Row | None:
    """The row whose number is the widest before its point: a space before it sets the whole column under its header."""
    rows = [row for row in body if not row.heading]
    if not column.inset or not rows:
        return None
    return max(rows, key=lambda row: cell_width(row.cells[column.index], "point", size=layout.size)[0])


def _cell(cell: Cell, align: str, limit: float | None, kind: Kind) -> str:
    mark = latex_mark(cell.mark)
    if kind == "point":
        deep = r"\vphantom{(}" if cell.underline and any(sign in plain_prose(cell.text) for sign in "([") else ""
        parts = (latex_prose(part) for part in at_the_point(cell.text))
        whole, fraction = (_set_off(deep + part if part else "", cell) for part in parts)  # one line, equally deep
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
    content = content.replace("~$>$~", " $>$ ")  # in a narrow cell a claim may be broken beside its sign
    return rf"\parbox[{position}]{{{limit:g}pt}}{{{_RAGGED[align]}\hspace{{0pt}}\strut {content}\strut}}"


def _spanners(table: Table, layout: Layout, columns: Sequence[_Column]) -> tuple[tuple[str, ...], str]:
    """Cells of the row of spanners, and the rules under them, for some columns of a table."""
    printed = [column.printed for column in columns]
    starts = [1 + sum(printed[:place]) for place in range(len(columns))]
    cells = {place: "&" if width == 2 else "" for place, width in enumerate(printed)}
    rules: list[tuple[int, str]] = []
    for spanner, lines in zip(table.spanners, layout.spanners, strict=True):
        inside = [place for place, column in enumerate(columns) if spanner.first <= column.index <= spanner.last]
        if not inside:
            continue
        first, last = starts[inside[0]], starts[inside[-1]] + printed[inside[-1]] - 1
        end = _AT_END if last == sum(printed) else "c"
        cells[inside[0]] = rf"\multicolumn{{{last - first + 1}}}{{{end}}}{{{_stacked(lines, 'c')}}}"
        for place in inside[1:]:
            del cells[place]
        trim = ("l" if first > 1 else "") + ("r" if last < sum(printed) else "")
        rules.append((first, rf"\cmidrule{f'({trim})' if trim else ''}{{{first}-{last}}}"))
    if not rules:
        return (), ""
    return tuple(cells[place] for place in sorted(cells)), "".join(rule for _, rule in sorted(rules))
