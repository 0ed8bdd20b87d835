"""The short summary in the terminal: what was found in words, the main tables, what to act on."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from reportkit.cli.plain_lines import finding_lines, safe
from reportkit.cli.table_lines import table_lines
from reportkit.finding import Finding
from reportkit.rendering.text.escaping import terminal_text, visible
from reportkit.report.assemble import merged as merged_findings
from reportkit.report.model import Report

SHOWN = ("results", "replicability", "reproducibility", "blocked-t")
MOST_FINDINGS = 8
STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


def show_summary(report: Report) -> None:
    """Print what a user wants to know first.

    Lines are broken, and wide tables divided, at the width of the terminal; in a file or a pipe they are as long as it
    takes. Names reach neither the terminal nor a log raw.

    Parameters
    ----------
    report : Report
        What was built.
    """
    print_lines(Text(visible(report.title), "bold"), "", *report.summary)
    for table in report.tables:
        if table.name in SHOWN:
            print_lines("", *table_lines(table, _width(), report.appearance.plain_labels))
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for item in (findings := merged_findings(report.findings)):
        kinds.setdefault((item.code, item.severity), []).append(item)
    print_lines(*[""][: len(kinds)])
    shown = list(kinds.values())[:MOST_FINDINGS]
    for item, *others in shown:
        first, *rest = finding_lines(item)
        severity, space, said = safe(first).partition(" ")
        print_lines(Text.assemble((severity, STYLES[item.severity]), space, said), *rest)
        if others:
            print_lines(f"  {len(others)} more of this kind in the report")
    if left := len(findings) - sum(map(len, shown)):
        print_lines(f"and {left} more in the report")


def print_lines(*lines: Text | str) -> None:
    """Print lines, broken at the width of the terminal if there is one; a name in them is no command to anybody."""
    console, width = Console(highlight=False), _width()
    for line in lines:
        text = line if isinstance(line, Text) else Text(safe(line))
        for part in [text] if width is None or text.cell_len <= width else text.wrap(console, width):
            plain = terminal_text(part.plain)
            console.print(part if plain == part.plain else Text(plain), soft_wrap=True)


def _width() -> int | None:
    return Console().width if sys.stdout.isatty() else None
