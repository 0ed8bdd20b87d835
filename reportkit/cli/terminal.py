"""The short summary in the terminal: k-hat in words, one table, what to act on, the files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text as RichText

from reportkit.report.build import merged_findings
from reportkit.report.model import Report, Table
from reportkit.report.wording import plain

MOST_ROWS = 30
MOST_COLUMNS = 12
MOST_FINDINGS = 8
STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


def show_summary(report: Report, files: Sequence[Path], folder: Path) -> None:
    """Print what a user wants to know first.

    Parameters
    ----------
    report : Report
        What was built.
    files : sequence of Path
        What was written.
    folder : Path
        Where.
    """
    console = Console(highlight=False)
    console.print(f"[bold]{escape(report.title)}[/bold]\n")
    for line in report.summary:
        console.print(escape(line))
    for table in report.tables:
        if table.name == "results" or (table.name == "reproduction"):
            console.print()
            console.print(_rich_table(table))
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
    console.print(f"\nwrote {len(files)} files to {escape(str(folder))}:")
    names = [str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path) for path in files]
    console.print("  " + escape(", ".join(names)), soft_wrap=False)


def _rich_table(table: Table) -> RichTable:
    shown = RichTable(box=None, pad_edge=False, header_style="bold", show_edge=False)
    columns = table.columns[:MOST_COLUMNS]
    for column in columns:
        shown.add_column(RichText(plain(column.header)), justify=column.align, no_wrap=True)
    for row in (*table.header_rows, *table.rows)[:MOST_ROWS]:
        cells = []
        for cell in row.cells[:MOST_COLUMNS]:
            content = RichText(plain(cell.text) + cell.mark)
            if cell.bold:
                content.stylize("bold")
            cells.append(content)
        shown.add_row(*cells)
    left = len(table.rows) + len(table.header_rows) - MOST_ROWS
    if left > 0:
        shown.add_row(RichText(f"... {left} more rows"))
    return shown
