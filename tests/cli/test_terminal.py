"""What the terminal shows of a report."""

from __future__ import annotations

from rich.console import Console

from reportkit.cli.terminal import MOST_ROWS, _rich_table
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import prose


def _shown(n_rows: int, *, average: bool) -> list[str]:
    rows = [Row(cells=(Cell(text=prose("{n}", n=f"row {number}")),)) for number in range(n_rows)]
    if average:
        rows.append(Row(cells=(Cell(text=prose("mean")),), rule_above=True))
    table = Table(name="results", caption=(), columns=(Column(header=prose("dataset")),), rows=tuple(rows))
    console = Console(width=80)
    with console.capture() as capture:
        console.print(_rich_table(table))
    return [line.strip() for line in capture.get().splitlines()][1:]


def test_the_average_that_was_asked_for_is_never_hidden():
    """Of a long table the first rows are shown, how many are left out, and the row below the last rule."""
    shown = _shown(50, average=True)
    assert shown[-3:] == [f"row {MOST_ROWS - 1}", "... 20 more rows", "mean"]


def test_what_is_left_out_is_counted():
    """Without an average the count comes last; the line never stands for a single row."""
    assert _shown(50, average=False)[-1] == "... 20 more rows"
    for n_rows in range(MOST_ROWS - 2, MOST_ROWS + 6):
        for average in (False, True):
            shown = _shown(n_rows, average=average)
            n_hidden = sum(int(line.split()[1]) for line in shown if line.startswith("..."))
            assert len([line for line in shown if not line.startswith("...")]) + n_hidden == n_rows + average
            assert n_hidden != 1
