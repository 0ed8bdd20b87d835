"""The short summary in the terminal: k-hat in words, one table, what to act on, the files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text as RichText

from reportkit.numerals import level_text
from reportkit.replicability.reproduction import METHODS
from reportkit.report.build import merged_findings
from reportkit.report.model import Cell, Report, Row, Table
from reportkit.report.wording import plain

MOST_ROWS = 30
SHOWN = ("results", "replicability", "reproducibility", "blocked-t")
MOST_FINDINGS = 8
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


def show_summary(report: Report, files: Sequence[Path], folder: Path, *, done: str = "wrote") -> None:
    """Print what a user wants to know first.

    Parameters
    ----------
    report : Report
        What was built.
    files : sequence of Path
        What was written.
    folder : Path
        Where.
    done : str
        Verb before the files: "wrote"; anything else for files that were there before.
    """
    console = Console(highlight=False)
    console.print(f"[bold]{escape(report.title)}[/bold]\n")
    for line in report.summary:
        console.print(escape(line))
    for table in report.tables:
        shown = _rich_table(table)
        if table.name in SHOWN and _fits(table, console.width):
            console.print()
            console.print(shown)
    _show_reproductions(report, console)
    findings = merged_findings(report.findings)
    if findings:
        console.print()
    for item in findings[:MOST_FINDINGS]:
        where = f" [{item.where}]" if item.where else ""
        console.print(f"[{STYLES[item.severity]}]{item.severity}[/] ({item.code}) {escape(item.message + where)}")
        if item.remedy:
            console.print(f"  [dim]to do:[/] {escape(item.remedy)}")
    if len(findings) > MOST_FINDINGS:
        console.print(f"and {len(findings) - MOST_FINDINGS} more in the report")
    wrote = f"wrote {len(files)} files to {folder}:" if done == "wrote" else f"{folder} {done} {len(files)} files:"
    console.print("\n" + escape(wrote))
    names = [str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path) for path in files]
    console.print("  " + escape(", ".join(names)), soft_wrap=False)


def _show_reproductions(report: Report, console: Console) -> None:
    items = report.data.get("reproductions", [])
    if items:
        console.print("\nk-hat by count, Bonferroni, Fisher")
    for item in items:
        printed = item["printed"]["k_hat"] if item["printed"] else {}
        said = ", ".join(str(printed.get(method, "–")) for method in METHODS)
        follows = ", ".join(str(item["recomputed"]["k_hat"][method]) for method in METHODS)
        claim = f"{item['system_a']} > {item['system_b']} at {level_text(item['alpha'])}"
        console.print(escape(f"  {claim}: printed {said}; recomputed {follows}"))


def _written(cell: Cell) -> str:
    """Text of a cell with its mark, told apart from the number: digits raised, letters behind a space."""
    mark = cell.mark.translate(RAISED)
    return plain(cell.text) + (f" {mark}" if mark.isalpha() else mark)


def _widths(table: Table) -> list[int]:
    over = {index: plain(item.header) for item in table.spanners for index in range(item.first, item.last + 1)}
    rows, _, last = _shown_rows(table)
    shown = rows + last
    return [
        max([len(plain(column.header)), len(over.get(index, "")), *(len(_written(row.cells[index])) for row in shown)])
        for index, column in enumerate(table.columns)
    ]


def _fits(table: Table, width: int) -> bool:
    """Whether all columns but the first, which may be cut, fit beside twelve characters of it."""
    return sum(_widths(table)[1:]) + 2 * len(table.columns) + 12 <= width


def _rich_table(table: Table) -> RichTable:
    shown = RichTable(box=None, pad_edge=False, header_style="bold", show_edge=False)
    rows, n_hidden, last = _shown_rows(table)
    over = {index: plain(item.header) for item in table.spanners for index in range(item.first, item.last + 1)}
    for index, (column, width) in enumerate(zip(table.columns, _widths(table), strict=True)):
        lines = [over.get(index, ""), plain(column.header)] if over else [plain(column.header)]
        shown.add_column(
            RichText("\n".join(lines)),
            justify=column.align,
            no_wrap=True,
            overflow="ellipsis",
            min_width=None if index == 0 else width,
        )
    for row in rows:
        shown.add_row(*_rich_cells(row))
    if n_hidden:
        shown.add_row(RichText(f"... {n_hidden} more rows"))
    for row in last:
        shown.add_row(*_rich_cells(row))
    return shown


def _rich_cells(row: Row) -> list[RichText]:
    return [RichText(_written(cell), style="bold" if cell.bold else "") for cell in row.cells]


def _shown_rows(table: Table) -> tuple[tuple[Row, ...], int, tuple[Row, ...]]:
    """The first rows, how many are left out behind them, and the row below the last rule: the mean, if there is one."""
    rows = (*table.header_rows, *table.rows)
    last = rows[-1:] if table.rows and rows[-1].rule_above else ()
    n_hidden = len(rows) - MOST_ROWS - len(last)
    if n_hidden <= 1:  # the line that says so would take as much room as the row
        return rows, 0, ()
    return rows[:MOST_ROWS], n_hidden, last
