"""The short summary in the terminal: what was found in words, the main tables, what to act on."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from reportkit.cli.plain_lines import safe
from reportkit.cli.table_lines import table_lines
from reportkit.finding import Finding
from reportkit.language.numerals import level_text
from reportkit.rendering.text.escaping import terminal_text, visible
from reportkit.replicability.printed.reproduction import METHODS
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
    say, width = print_lines, _width(Console())
    say(Text(visible(report.title), "bold"), "", *report.summary)
    for table in report.tables:
        if table.name in SHOWN:
            say("", *table_lines(table, width, report.appearance.plain_labels))
    say(*_reproductions(report))
    findings = merged_findings(report.findings)
    say(*[""][: len(findings)])
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for item in findings:
        kinds.setdefault((item.code, item.severity), []).append(item)
    shown = list(kinds.values())[:MOST_FINDINGS]
    for item, *others in shown:
        where = f" [{item.where}]" if item.where else ""
        said = visible(f" ({item.code}) {item.message}{where}")
        say(Text.assemble((item.severity, STYLES[item.severity]), said))
        if item.remedy:
            say(Text.assemble(("  to do:", "dim"), visible(f" {item.remedy}")))
        if others:
            say(f"  {len(others)} more of this kind in the report")
    if left := len(findings) - sum(map(len, shown)):
        say(f"and {left} more in the report")


def print_lines(*lines: Text | str) -> None:
    """Print lines, broken at the width of the terminal if there is one; a name in them is no command to anybody."""
    console = Console(highlight=False)
    for line in lines:
        _print(console, line if isinstance(line, Text) else Text(safe(line)), _width(console))


def _width(console: Console) -> int | None:
    return console.width if sys.stdout.isatty() else None


def _print(console: Console, text: Text, width: int | None) -> None:
    """Print one line, or as many as it takes at this width, in which nothing is a command to whoever reads a log."""
    for line in [text] if width is None or text.cell_len <= width else text.wrap(console, width):
        safe = terminal_text(line.plain)
        console.print(line if safe == line.plain else Text(safe), soft_wrap=True)


def _reproductions(report: Report) -> list[str]:
    lines = []
    for item in report.facts.reproductions if report.facts else ():
        printed = item["printed"]["k_hat"] if item["printed"] else {}
        said = ", ".join(str(printed.get(method, "–")) for method in METHODS)
        follows = ", ".join(str(item["recomputed"][method]) for method in METHODS)
        claim = f"{item['a']} > {item['b']} at {level_text(item['alpha'])}"
        lines.append(f"  {claim}: printed {said}; recomputed {follows}")
    return ["", "k-hat by count, Bonferroni, Fisher", *lines] if lines else []
