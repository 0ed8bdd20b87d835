"""Findings counted by rule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reportkit.checker.outputs.closing import closing_lines

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport


def statistics_text(report: CheckReport) -> str:
    """Write one line for each rule that found something, the most frequent first, then the closing lines.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> print(statistics_text(check_text("It is significantly better.")).splitlines()[0])
      1  RK201  warning  significance-unqualified
    """
    return "\n".join([*rows(report), *closing_lines(report)]) + "\n"


def rows(report: CheckReport) -> list[str]:
    """Count, code, severity and name of each rule."""
    counts = Counter(
        (item.code, item.severity, item.name + (f" (listed as {item.listed})" if item.listed else ""))
        for item in report.diagnostics
    )
    width = len(str(max(counts.values(), default=0)))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count:>{width + 2}}  {code}  {severity:<7}  {name}" for (code, severity, name), count in ordered]
