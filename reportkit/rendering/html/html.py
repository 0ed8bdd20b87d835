"""Tables as HTML: with styles of their own for notebooks, with classes for a page that has a style sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from reportkit.rendering.numbers.printed_numbers import sort_value
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.escaping import escape_html
from reportkit.rendering.text.inline import Lookup, html_prose, plain_prose
from reportkit.rendering.view import PanelView, RowView, TableView
from reportkit.report.model import Align, Cell, Row, Table


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
        floats=((html_panel(table, lookup),),),
        caption=html_prose(table.full_caption, lookup),
        label=table.label,
        title="Table",
    )
    return open_templates("html", tuple(templates)).render("table", table=view)


def html_panel(table: Table, lookup: Lookup, *, page: bool = False) -> PanelView:
    """Cells of a table as elements.

    Parameters
    ----------
    table : Table
        Any.
    lookup : Lookup
        Numbers of the tables of a report, and the literature.
    page : bool
        For a page with a style sheet and a script: classes instead of styles, and with each cell the value to sort by.
    """
    writer = _Writer(table, lookup, page)
    return PanelView(
        spanners=writer.spanners(),
        header=tuple(writer.header(index) for index in range(len(table.columns))),
        alignments=tuple(column.align for column in table.columns),
        header_rows=tuple(writer.row(row) for row in table.header_rows),
        rows=tuple(writer.row(row, body=True) for row in table.rows),
    )


def numeric_columns(table: Table) -> tuple[bool, ...]:
    """Say which columns are sorted by number: those where each cell of the body begins with one, or says nothing.

    Examples
    --------
    >>> from reportkit.report.model import Column
    >>> from reportkit.report.prose import Text
    >>> cells = [["3-shot", "93.1"], ["BERT", "–"]]
    >>> rows = tuple(Row(cells=tuple(Cell(text=(Text(text),)) for text in row)) for row in cells)
    >>> numeric_columns(Table(name="t", caption=(), columns=(Column(header=()), Column(header=())), rows=rows))
    (False, True)
    """
    rows = [row for row in table.rows if not row.heading]
    numeric = []
    for index in range(len(table.columns)):
        texts = [plain_prose(row.cells[index].text) for row in rows]
        said = [text for text in texts if text.strip() not in _NOTHING]
        numeric.append(bool(said) and all(sort_value(text) is not None for text in said))
    return tuple(numeric)


_NOTHING = frozenset({"", "–", "—", "-", "·"})


_PIECES = re.compile(r"(<[^>]*>|&[^;]*;)|(?<=[\w)])[_/.:@-]+(?=\w)")


def _breakable(content: str) -> str:
    """Let a name be broken behind its signs on a narrow screen, and nowhere else; elements and entities stay.

    Examples
    --------
    >>> _breakable('amazon_reviews <a href="x_y">v-2</a>')
    'amazon_<wbr>reviews <a href="x_y">v-<wbr>2</a>'
    """
    return _PIECES.sub(lambda found: found[0] if found[1] else f"{found[0]}<wbr>", content)


class _Writer:
    """Elements of one table."""

    def __init__(self, table: Table, lookup: Lookup, page: bool) -> None:
        self._table, self._lookup, self._page = table, lookup, page
        self._aligns: tuple[Align, ...] = tuple(column.align for column in table.columns)
        self._numeric = numeric_columns(table) if page else (False,) * len(table.columns)
        rows = (*table.header_rows, *table.rows)
        self._longest_marks = [
            max((len(row.cells[i].mark) for row in rows), default=0) for i in range(len(self._aligns))
        ]

    def header(self, index: int) -> str:
        kind = f' data-sort="{"number" if self._numeric[index] else "text"}"' if self._page else ""
        content = html_prose(self._table.columns[index].header, self._lookup)
        # an empty header is a cell and no header
        return self._element(
            "th" if content else "td", content, self._aligns[index], f'scope="col"{kind}' if content else ""
        )

    def row(self, row: Row, *, body: bool = False) -> RowView:
        if row.heading:
            across = f'colspan="{len(row.cells)}" scope="rowgroup"'
            heading = self._element("th", self._cell(row.cells[0], 0), "left", across, "font-weight: normal; ")
            return RowView(cells=(heading,), rule_above=row.rule_above, heading=True)
        cells = []
        for index, cell in enumerate(row.cells):
            name, scope, style = ("th", 'scope="row"', "font-weight: normal; ") if index == 0 else ("td", "", "")
            value = self._value(cell, index) if body else ""
            attributes = " ".join(filter(None, (scope, value)))
            content = self._cell(cell, index)
            if self._page and index == 0:
                content = _breakable(content)
            cells.append(self._element(name, content, self._aligns[index], attributes, style))
        return RowView(cells=tuple(cells), rule_above=row.rule_above)

    def spanners(self) -> tuple[str, ...]:
        if not self._table.spanners:
            return ()
        cells: list[str] = []
        place = 0
        for spanner in sorted(self._table.spanners, key=lambda spanner: spanner.first):
            cells.extend(["<td></td>"] * (spanner.first - place))
            width = spanner.last - spanner.first + 1
            header = html_prose(spanner.header, self._lookup)
            cells.append(self._element("th", header, "center", f'colspan="{width}" scope="colgroup"'))
            place = spanner.last + 1
        cells.extend(["<td></td>"] * (len(self._table.columns) - place))
        return tuple(cells)

    def _value(self, cell: Cell, index: int) -> str:
        value = sort_value(plain_prose(cell.text)) if self._numeric[index] else None
        return "" if value is None else f'data-value="{value!r}"'

    def _cell(self, cell: Cell, index: int) -> str:
        content = html_prose(cell.text, self._lookup)
        if content and cell.underline:
            content = f"<u>{content}</u>"
        if content and cell.bold:
            content = f"<strong>{content}</strong>"
        return content + self._mark(cell.mark, index)

    def _mark(self, mark: str, index: int) -> str:
        """The signs behind a number; on a page with room for the longest of the column, so that they shift nothing."""
        longest = self._longest_marks[index]
        if self._page and longest and self._aligns[index] == "right":
            return f'<sup class="mark" style="min-width: {longest}ch">{escape_html(mark)}</sup>'
        return f"<sup>{escape_html(mark)}</sup>" if mark else ""

    def _element(self, name: str, content: str, align: Align, attributes: str = "", style: str = "") -> str:
        before = f" {attributes}" if attributes else ""
        if self._page:
            return f'<{name}{before} class="{align}">{content}</{name}>'
        return f'<{name}{before} style="{style}text-align: {align}; padding: 0.2em 0.6em;">{content}</{name}>'
