"""Tables in a terminal: whatever the width, every number is there whole and every column is there."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from reportkit.cli.table_lines import MOST_ROWS, table_lines
from reportkit.report.model import Cell, Column, Row, Table


def _table(n_columns: int, first_name: str = "system one") -> Table:
    """Return two rows of numbers that are all different, with marks."""
    columns = (Column(header="system", align="left"), *(Column(header=f"dataset {i}") for i in range(n_columns)))
    rows = (
        Row(cells=(Cell(text=name), *(Cell(text=f"{1000 * row + i}.5", mark="*" * (i % 3)) for i in range(n_columns))))
        for row, name in enumerate((first_name, "中文"), 1)
    )
    return Table(name="results", caption="", columns=columns, rows=tuple(rows))


@pytest.mark.parametrize("width", [40, 80, 200, None])
def test_every_number_and_every_header_is_there_whole(width: int | None) -> None:
    """Once, at every width and in a pipe; no line is too wide."""
    lines = [line.plain for line in table_lines(_table(9), width)]
    found = re.findall(r"(?<![\d.])\d{4}\.5(?!\d)", "\n".join(lines))
    assert sorted(found) == sorted(f"{1000 * row + i}.5" for row in (1, 2) for i in range(9))
    assert re.findall(r"dataset \d", "\n".join(lines)) == [f"dataset {i}" for i in range(9)]
    assert max(map(cell_len, lines)) <= (width or 200)
    assert len(lines) == 3 if width in (200, None) else len(lines) > 3


def test_numbers_stand_below_each_other() -> None:
    """Whether or not there is a mark behind them, and however wide the letters of a name are."""
    head, first, second = (line.plain for line in table_lines(_table(3), None))
    assert cell_len(first[: first.index("1001.5")]) == cell_len(second[: second.index("2001.5")])
    assert cell_len(head) >= cell_len(first.rstrip("*"))


def _shown(n_rows: int, *, average: bool) -> list[str]:
    rows = [Row(cells=(Cell(text=f"row {number}"),)) for number in range(n_rows)]
    if average:
        rows.append(Row(cells=(Cell(text="mean"),), rule_above=True))
    table = Table(name="results", caption="", columns=(Column(header="dataset"),), rows=tuple(rows))
    return [line.plain.strip() for line in table_lines(table, 80)][1:]


def test_the_average_that_was_asked_for_is_never_hidden() -> None:
    """Of a long table the first rows are shown, the row below the last rule, and how many are left out."""
    assert _shown(50, average=True)[-3:] == [
        f"row {MOST_ROWS - 1}",
        "mean",
        "... 20 more rows; all are in tables/results.tex",
    ]


def test_rows_that_are_left_out_are_counted() -> None:
    """Without an average the count comes last; the line never stands for a single row."""
    assert _shown(50, average=False)[-1] == "... 20 more rows; all are in tables/results.tex"
    for n_rows in range(MOST_ROWS - 2, MOST_ROWS + 6):
        for average in (False, True):
            shown = _shown(n_rows, average=average)
            n_hidden = sum(int(line.split()[1]) for line in shown if line.startswith("..."))
            assert len([line for line in shown if not line.startswith("...")]) + n_hidden == n_rows + average
            assert n_hidden != 1
