"""A table as the parts of a tabular."""

from __future__ import annotations

from reportkit.rendering.latex.latex_tabular import table_view
from reportkit.rendering.layout.layout import lay_out
from reportkit.rendering.view import PanelView
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from tests.rendering.conftest import grid, p_values, words


def _panel(table: Table) -> PanelView:
    ((panel,),) = table_view(table, lay_out(table)).floats
    return panel


def test_marks_stand_in_a_column_of_their_own() -> None:
    """Numbers with marks are `r@{}l`, numbers without are `r`, and each row has as many cells."""
    panel = _panel(grid(datasets=("a", "b", "c"), plain_every=3))
    assert panel.columns == "@{}l r r@{}l r@{}l@{}"
    physical = panel.columns.count("l") + panel.columns.count("r")
    for cells in (panel.header, *(row.cells for row in (*panel.header_rows, *panel.rows))):
        assert " & ".join(cells).count("&") == physical - 1
    assert panel.rows[0].cells[2].split("&")[1].strip() in ("$^{*}$", "$^{*+}$")


def test_bold_and_underline_leave_the_mark_alone() -> None:
    """Only the number is set off."""
    panel = _panel(grid(datasets=("a",), marks=("*",)))
    assert panel.rows[-1].cells[1].startswith(r"\textbf{")
    assert panel.rows[-1].cells[1].endswith("}&$^{*}$")
    assert panel.rows[-2].cells[1].startswith(r"\underline{")


def test_spanners_and_their_rules() -> None:
    """A spanner covers the columns of the marks, too; rules are trimmed but at the edges."""
    spanners = (Spanner(header=words("A&B"), first=1, last=2), Spanner(header=words("C"), first=3, last=4))
    panel = _panel(grid(spanners=spanners, datasets=("a", "b", "c", "d")))
    assert panel.spanners == ("", r"\multicolumn{4}{c}{A\&B}", r"\multicolumn{4}{c@{}}{C}")
    assert panel.rules == r"\cmidrule(lr){2-5}\cmidrule(l){6-9}"


def test_columns_outside_of_spanners_stay_empty_above() -> None:
    """Every column has its place in the row of spanners."""
    panel = _panel(grid(spanners=(Spanner(header=words("A"), first=2, last=2),), datasets=("a", "b", "c")))
    assert panel.spanners == ("", "&", r"\multicolumn{2}{c}{A}", "&")
    assert panel.rules == r"\cmidrule(lr){4-5}"


def test_rules_between_groups_but_not_under_the_header() -> None:
    """A group that begins a table needs no rule of its own."""
    cells = (Cell(text=words("x")),)
    rows = tuple(Row(cells=cells, rule_above=index != 1) for index in range(3))
    panel = _panel(Table(name="t", caption=(), columns=(Column(header=words("h")),), rows=rows))
    assert [row.rule_above for row in panel.rows] == [False, False, True]


def test_first_cells_are_no_arguments() -> None:
    """A row that starts with a bracket or a star is no argument of the line break before it."""
    panel = _panel(grid(systems=("[x]", "*y*", "-z")))
    assert [row.cells[0][:3] for row in panel.rows] == ["{[}", "{*}", "-z "]


def test_a_mark_behind_an_exponent_keeps_its_distance() -> None:
    """Otherwise it would be read as part of the exponent."""
    panel = _panel(p_values())
    assert panel.rows[1].cells[4] == r"\textbf{1}&\textbf{.6$\times$10$^{-9}$}\,$^{*+}$"
    assert panel.rows[2].cells[4].strip() == r"$<$&.001$^{*}$"


def test_numbers_with_different_decimals_are_set_at_the_point() -> None:
    """p-values stand with their points below one another, the header in the middle above."""
    panel = _panel(p_values())
    assert panel.columns == "@{}l l r r@{}l r@{}l l@{}"
    assert panel.header[3] == r"\multicolumn{2}{c}{$p$}"
    assert [row.cells[3].strip() for row in panel.rows] == ["&.036", r"3&.9$\times$10$^{-10}$", "1$|$2&"]


def test_a_wide_header_stands_in_the_middle_above_its_numbers() -> None:
    """The widest number gets a space before it, as wide as half of what the header is wider."""
    rows = tuple(Row(cells=(Cell(text=words(text)),)) for text in (".48", "<.001", ".0046"))
    table = Table(name="t", caption=(), columns=(Column(header=words("adjusted p-values")),), rows=rows)
    cells = [row.cells[0] for row in _panel(table).rows]
    assert cells[0] == "&.48"
    assert cells[2] == "&.0046"
    assert cells[1].startswith(r"\hspace*{")
    assert cells[1].endswith(r"pt}$<$&.001")


def test_broken_headers() -> None:
    """Lines of a header stand above one another, flush with the numbers, the last one beside the other headers."""
    panel = _panel(grid(datasets=("Amazon reviews", "Movie reviews", "NYT editorials")))
    assert panel.header[1] == r"\begin{tabular}[b]{@{}r@{}}Amazon\\reviews\end{tabular}&"


def test_long_cells_are_boxes_of_a_fixed_width() -> None:
    """Ragged, with places to break."""
    panel = _panel(grid(systems=("long_name_" * 12,), datasets=tuple("x" * 70 + str(i) for i in range(2))))
    assert panel.rows[0].cells[0].startswith(r"\parbox[t]{150pt}{\raggedright\hspace{0pt}\strut long\_\allowbreak{}")
    assert panel.header[1].startswith(r"\parbox[b]{90pt}{\raggedleft")
