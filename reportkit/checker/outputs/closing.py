"""The last lines of every run: how many findings, and what was covered."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

from reportkit.finding import Severity

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


def counted(report: CheckReport) -> str:
    """Findings by severity: "2 errors, 1 warning"; "nothing found" if there are none.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> counted(check_text("Our system is significantly better."))
    'found 1 warning'
    """
    counts = Counter(item.severity for item in report.diagnostics)
    parts = [
        f"{counts[severity]:,} {severity}" + ("" if counts[severity] == 1 or severity == "info" else "s")
        for severity in SEVERITIES
        if counts[severity]
    ]
    text = "found " + ", ".join(parts) if parts else "found nothing"
    if report.n_suppressed:
        text += f"; {report.n_suppressed:,} ignored inline"
    texts = report.mending.texts
    fixable = sum(item.safe and all(edit.path in texts for edit in item.fixes) for item in report.unfolded)
    if fixable:
        text += f"; {fixable:,} can be fixed with --fix"
    possible = sum(bool(item.fixes) and not item.safe for item in report.unfolded)
    if possible:
        text += f"; {possible:,}{' more' if fixable else ''} can be, if right, with --fix --unsafe-fixes"
    return text


def closing_lines(report: CheckReport) -> list[str]:
    """Findings by severity, then coverage."""
    return [counted(report), *report.coverage.text().splitlines()]


def listing(report: CheckReport) -> str:
    """Write a line for everything that was compared, also what agrees."""
    lines = [
        f"{file}:{line}:{column}: {kind} {printed}: {'agrees' if agrees else 'differs'}"
        for file, line, column, printed, kind, agrees in report.coverage.listing()
    ]
    return "".join(f"{' '.join(line.split())}\n" for line in lines)
