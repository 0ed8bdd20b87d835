"""What is shown instead of a long list: each rule with its count, its first finding and how to see the others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reportkit.checker.outputs.closing import closing_lines
from reportkit.checker.outputs.concise import line

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport


def written(report: CheckReport) -> str:
    """Write each rule with its count and its first finding, errors first."""
    counts = Counter(item.code for item in report.diagnostics)
    first = {item.code: item for item in reversed(report.diagnostics)}
    order = {"error": 0, "warning": 1, "info": 2}
    blocks = [f"{len(report):,} findings, by rule (--output-format full or concise shows all)", ""]
    for code in sorted(counts, key=lambda code: (order[first[code].severity], -counts[code], code)):
        item = first[code]
        times = "once" if counts[code] == 1 else f"{counts[code]:,} times"
        blocks += [f"{item.severity}[{code}] {item.name}: {times}", f"  {line(item)}"]
    return "\n".join([*blocks, "", *closing_lines(report)]) + "\n"
