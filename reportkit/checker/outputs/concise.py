"""One line for each finding: `file:line:column: severity[code] message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.outputs.closing import closing_lines

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport


def written(report: CheckReport) -> str:
    """Write one line for each finding, then the closing lines.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> written(check_text("It is significantly better.", name="a.tex"))[:42]
    "a.tex:1:7: warning[RK201] 'significantly' "
    """
    return "\n".join([*map(line, report.diagnostics), *closing_lines(report)]) + "\n"


def line(item: Diagnostic) -> str:
    """One finding."""
    place = f"{item.place}: " if item.place else ""
    note = f" ({item.severity_note})" if item.severity_note else ""
    return " ".join(f"{place}{item.severity}[{item.code}] {item.text}{note}".split())
