"""HTML tables, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportkit.rendering.environment import open_templates
from reportkit.rendering.escaping import escape_html
from reportkit.rendering.inline import Lookup, html_prose
from reportkit.rendering.view import PanelView, RowView, TableView
from reportkit.report.model import Cell, Row, Table
from reportkit.report.prose import Prose


def html_table(table: Table, *, templates: Sequence[Path] = (), lookup: Lookup | None = None) -> str:
    """Write a table as HTML.

    Parameters
    ----------
    table : Table
        Any.
    templates : sequence of Path
        Folders with templates of a user.
    lookup : Lookup, optional
        Numbers of the tables of a report, and the literature.

    Returns
    -------
    str
        One `table` element with `caption`, `thead` and `tbody`; headers name what they head (`scope`), so that a screen
        reader can say it. No script, no style sheet, no network.

    Raises
    ------
    RenderingError
        If a template of the user fails.

    Examples
    --------
    >>> from reportkit.report.model import Column
    >>> from reportkit.report.prose import Text
    >>> column = Column(header=(Text("a<b"),))
    >>> "a&lt;b" in html_table(Table(name="t", caption=(), columns=(column,), rows=()))
    True
    """
    lookup = lookup or Lookup()
    view = TableView(
        floats=((_panel(table, lookup),),),
        caption=html_prose(table.full_caption, lookup),
        label=table.label,
        title="Table",
    )
    return open_templates("html", tuple(templates)).render("table", table=view)


def _panel(table: Table, lookup: Lookup) -> PanelView:
    aligns = [column.align for column in table.columns]
    return PanelView(
        spanners=_spanners(table, lookup),
        header=tuple(
            _element("th", html_prose(column.header, lookup), column.align, 'scope="col"') for column in table.columns
        ),
        alignments=tuple(aligns),
        header_rows=tuple(_row(row, aligns, lookup) for row in table.header_rows),
        rows=tuple(_row(row, aligns, lookup) for row in table.rows),
    )


def _row(row: Row, aligns: Sequence[str], lookup: Lookup) -> RowView:
    first, *others = (_cell(cell, lookup) for cell in row.cells)
    cells = [_element("th", first, aligns[0], 'scope="row"', "font-weight: normal; ")]
    cells += [_element("td", content, align) for content, align in zip(others, aligns[1:], strict=True)]
    return RowView(cells=tuple(cells), rule_above=row.rule_above)


def _cell(cell: Cell, lookup: Lookup) -> str:
    content = html_prose(cell.text, lookup)
    if content and cell.underline:
        content = f"<u>{content}</u>"
    if content and cell.bold:
        content = f"<strong>{content}</strong>"
    return content + (f"<sup>{escape_html(cell.mark)}</sup>" if cell.mark else "")


def _element(name: str, content: str, align: str, attributes: str = "", style: str = "") -> str:
    before = f" {attributes}" if attributes else ""
    return f'<{name}{before} style="{style}text-align: {align}; padding: 0.2em 0.6em;">{content}</{name}>'


def _spanners(table: Table, lookup: Lookup) -> tuple[str, ...]:
    if not table.spanners:
        return ()
    cells: list[str] = []
    place = 0
    for spanner in sorted(table.spanners, key=lambda spanner: spanner.first):
        cells.extend(["<td></td>"] * (spanner.first - place))
        cells.append(_spanner(spanner.header, spanner.last - spanner.first + 1, lookup))
        place = spanner.last + 1
    cells.extend(["<td></td>"] * (len(table.columns) - place))
    return tuple(cells)


def _spanner(header: Prose, columns: int, lookup: Lookup) -> str:
    return _element("th", html_prose(header, lookup), "center", f'colspan="{columns}" scope="colgroup"')
